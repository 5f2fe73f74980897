"""What a program may see: bubblewrap where it works, else Landlock where the kernel has it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

from veridical.bench.adapters import confine
from veridical.errors import ConfigurationError

__all__ = ["Isolation", "chosen", "in_force", "readable_of", "whole_paths", "wrapped"]

Isolation = Literal["auto", "bubblewrap", "landlock", "none"]

_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/nix/store")
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def chosen(asked: Isolation) -> Isolation:
    """Return the way that is used here.

    Raises
    ------
    ConfigurationError
        The one that was asked for does not work here.
    """
    if asked == "none":
        return asked
    if asked != "landlock" and _bubblewrap_works():
        return "bubblewrap"
    if asked != "bubblewrap" and confine.abi() > 0:
        return "landlock"
    if asked != "auto":
        raise ConfigurationError(
            f"{asked} does not work on this machine",
            fix="install bubblewrap, or take --isolation none and keep cases out of reach",
        )
    return "none"


def in_force(way: Isolation) -> str:
    """Return how a trajectory names it."""
    return f"landlock abi {confine.abi()}" if way == "landlock" else way


def wrapped(
    way: Isolation, words: Sequence[str], folder: Path, readable: Sequence[str]
) -> list[str]:
    """Return the words that start a program so that it reads only what it may.

    Parameters
    ----------
    way
        As ``chosen`` gives it.
    words
        The program, by its whole path, and its arguments.
    folder
        The only place where it may write, and where it begins.
    readable
        What it may read beside the system's own folders.
    """
    if way == "none":
        return list(words)
    places = [*_SYSTEM, *readable]
    if way == "landlock":
        launcher = [sys.executable, "-I", "-S", confine.__file__, str(os.getpid())]
        devices = [*_DEVICES, "/proc/self"]
        return [*launcher, *places, *devices, "--", str(folder), "/dev/null", "--", *words]
    binds = [part for place in places for part in ("--ro-bind-try", place, place)]
    return [
        *(
            shutil.which("bwrap") or "bwrap",
            "--unshare-pid",
            "--unshare-ipc",
            "--die-with-parent",
            "--new-session",
        ),
        *("--proc", "/proc", "--dev", "/dev", *binds),
        *("--bind", str(folder), str(folder), "--chdir", str(folder / "inputs"), "--", *words),
    ]


def readable_of(words: Sequence[str]) -> list[str]:
    """Return what a program needs beside the system: itself, its environment, files it names."""
    program = Path(words[0])
    found = [str(program)]
    for place in (program, program.resolve()):
        folder = place.parent.parent  # of an interpreter outside the system, or of a venv
        if place.parent.name == "bin" and _is_python(folder):
            found.append(str(folder))
    return [*found, *(word for word in words[1:] if Path(word).is_absolute())]


def _is_python(folder: Path) -> bool:
    """Whether an interpreter lives here; ``~/bin`` must not make all of a home readable."""
    return (folder / "pyvenv.cfg").is_file() or any(folder.glob("lib/python*"))


def whole_paths(words: Sequence[str]) -> list[str]:
    """Return the words with the program and the files that they name by whole paths.

    Raises
    ------
    ConfigurationError
        There is no such program.
    """
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ConfigurationError(
            "the command cannot be started: there is no such program",
            where=ascii(words[0])[:80] if words else "",
            fix="give a program and its arguments",
        )
    # Not resolved: a link in a venv is what makes the interpreter that of the venv.
    return [str(Path(program).absolute()), *(_whole(word) for word in words[1:])]


def _whole(word: str) -> str:
    try:
        return (
            str(Path(word).absolute()) if not word.startswith("-") and Path(word).exists() else word
        )
    except (OSError, ValueError):
        return word


@cache
def _bubblewrap_works() -> bool:
    if shutil.which("bwrap") is None:
        return False
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "inputs").mkdir()
        words = wrapped("bubblewrap", ["/bin/true"], Path(made), [])
        try:
            done = subprocess.run(words, capture_output=True, check=False, timeout=10)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0
