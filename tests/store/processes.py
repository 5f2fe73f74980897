"""Processes of their own, to be killed or to be many."""

import os
import subprocess
import sys
import traceback
from collections.abc import Callable


def python(code: str, *arguments: object, **options: object) -> subprocess.Popen:
    """Start a Python process of its own."""
    words = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def forked(work: Callable[[Callable[[str], None]], None]) -> tuple[int, int]:
    """Run ``work`` in a copy of this process; return its id, and where it writes what it says.

    A copy starts at once: what it needs is imported already.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    code = 1
    try:
        os.close(reading)
        work(lambda line: os.write(writing, f"{line}\n".encode()))
        code = 0
    except BaseException:  # noqa: BLE001 - nothing may leave the copy
        os.write(writing, traceback.format_exc().encode())
    finally:
        os._exit(code)


def said(pid: int, reading: int) -> tuple[int, str]:
    """Wait for a copy to end; return its exit code (negative: a signal) and all it said."""
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), content
