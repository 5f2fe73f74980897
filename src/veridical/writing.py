"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from veridical.errors import OutputError

__all__ = ["check_writable", "write_atomically", "write_made"]


def check_writable(path: str | Path) -> Path:
    """Return the file that writing ``path`` would create or replace; links are followed.

    Raises
    ------
    OutputError
        It is a folder or a device, its folder does not exist, or no file can have such a name.
    """
    try:
        target = Path(os.path.realpath(path))
        is_folder = target.is_dir()
    except (OSError, ValueError) as error:  # a name of 5,000 characters, or with a zero byte
        raise OutputError(
            f"no file can be written under this name: {getattr(error, 'strerror', None) or error}",
            where=ascii(str(path))[:80],
            fix="choose a shorter name of letters and digits",
        ) from error
    if is_folder:
        raise OutputError("the file to write is a folder", where=str(path), fix="add a file name")
    if not target.parent.is_dir():
        raise OutputError(
            "the folder to write into does not exist",
            where=str(target.parent),
            fix=f"create it: mkdir -p {target.parent}",
        )
    if target.exists() and not target.is_file():
        raise OutputError(
            "the file to write is not a regular file", where=str(path), fix="name another one"
        )
    return target


def write_atomically(path: str | Path, content: str | bytes) -> Path:
    """Write a file so that a reader sees the old one or the new one, never half of it.

    Parameters
    ----------
    path
        Where to write.
    content
        Text, written as UTF-8, or bytes.

    Returns
    -------
    Path
        ``path``.

    Raises
    ------
    OutputError
        It cannot be written; what was there before is still there.
    """
    target = check_writable(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    # In the same folder, because a rename is atomic only within one file system.
    draft = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        raise OutputError(
            f"the file cannot be written: {error.strerror or error}",
            where=str(path),
            fix="free space or change permissions, or write somewhere else",
        ) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return Path(path)


def write_made(path: str | Path, make: Callable[[], str | bytes]) -> Path:
    """Write what takes a while to make: that it cannot be written is told before the work.

    Parameters
    ----------
    path
        Where to write; an existing file is replaced, whole or not at all.
    make
        Returns the content.

    Returns
    -------
    Path
        ``path``.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    check_writable(path)
    return write_atomically(path, make())
