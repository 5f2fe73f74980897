"""``python -m veridical.lessons.metrics`` is ``veridical learn metrics``."""

import sys

from veridical.cli import main

if __name__ == "__main__":
    sys.exit(main(["learn", "metrics", *sys.argv[1:]]))
