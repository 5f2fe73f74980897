"""Run a command some times and print what each run took; small itself, for its memory counts.

A new process starts with the peak memory of the one it was split from, so this one imports
nothing large.
"""

import json
import os
import sys
import time


def run(command: list[str]) -> tuple[float, float, float]:
    """Return wall seconds, processor seconds and peak MB of one run."""
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(command[0], command)  # noqa: S606 - a shell would be measured too
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - start
    if code := os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(command)} ended with {code}")
    # Linux counts in kilobytes, macOS in bytes.
    unit = 1 << (20 if sys.platform == "darwin" else 10)
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / unit


if __name__ == "__main__":
    runs = [run(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
    print(json.dumps(runs))
