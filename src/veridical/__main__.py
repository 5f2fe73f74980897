"""``python -m veridical``: the command line."""

import sys

from veridical.cli import main

if __name__ == "__main__":
    sys.exit(main())
