"""Runs a program that may read only what it was given: a launcher of its own, by Landlock.

    python -I -S confine.py PARENT READ... -- WRITE... -- PROGRAM ARGUMENT...

It is started by path and imports nothing of veridical.  Landlock needs Linux 5.13; it binds the
program and all that it starts, and cannot be undone.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

__all__ = ["abi", "confine"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_READ = 1 << 0 | 1 << 2 | 1 << 3
_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}
_NEWEST_RIGHTS = 16


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def abi() -> int:
    """Return the version of Landlock that this kernel has in force; 0 where it has none."""
    try:
        return max(0, int(_libc().syscall(_CREATE, None, ctypes.c_size_t(0), 1)))
    except (OSError, AttributeError):
        return 0


def confine(readable: Sequence[str], writable: Sequence[str]) -> None:
    """Forbid this process everything else in the file system, for good.

    Raises
    ------
    OSError
        It cannot be forbidden; nothing has been run.
    """
    libc, version = _libc(), abi()
    if version < 1:
        raise OSError("this kernel has no Landlock")
    everything = (1 << _RIGHTS_BY_ABI.get(version, _NEWEST_RIGHTS)) - 1
    # From version 6 on it may neither signal nor reach by abstract sockets who is outside.
    rules = _Ruleset(everything, 0, 0b11 if version >= 6 else 0)
    size = ctypes.c_size_t(24 if version >= 6 else 8)
    ruleset = _checked(libc.syscall(_CREATE, ctypes.byref(rules), size, 0))
    for paths, access in ((readable, _READ), (writable, everything)):
        for path in paths:
            _allow(libc, ruleset, path, access & everything)
    _checked(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(libc.syscall(_RESTRICT, ruleset, 0))
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what is not there needs no permission
        return
    if not os.path.isdir(path):  # noqa: PTH112 - nothing but os is imported here
        access &= _OF_FILES
    rule = _Beneath(access, place)
    _checked(libc.syscall(_ADD, ruleset, 1, ctypes.byref(rule), 0))
    os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock refuses")
    return result


def _main(words: Sequence[str]) -> None:
    parent, *words = words
    first = words.index("--")
    second = words.index("--", first + 1)
    # Killed or not, the run takes it along: bubblewrap does the same.
    _checked(_libc().prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0))
    if os.getppid() != int(parent):  # it was killed before it could be told
        sys.exit(1)
    confine(words[:first], words[first + 1 : second])
    program = list(words[second + 1 :])
    os.execvp(program[0], program)  # noqa: S606 - starting it is what this file is for


if __name__ == "__main__":
    _main(sys.argv[1:])
