"""Files to write, looked at before the work and not after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from veridical.errors import ParameterError
from veridical.writing import check_writable

__all__ = ["check_target"]


def check_target(target: Path, *, sources: Iterable[str], others: Iterable[str] = ()) -> None:
    """Raise unless ``target`` can be written without replacing what the command reads.

    Parameters
    ----------
    target
        The file to write.
    sources
        The data: files, folders, patterns.
    others
        Further files that are read, such as a policy; one that does not exist is no concern here.

    Raises
    ------
    OutputError
        It cannot be written.
    ParameterError
        It is one of the files read, by whatever name.
    FileMissingError, FileFormatError
        The data are not there.
    """
    check_writable(target)
    if not os.path.lexists(target):
        return
    from veridical.tables.files import find_files

    read = [file for source in sources for file in find_files(source)]
    if os.path.realpath(target) in map(os.path.realpath, [*read, *others]):
        raise ParameterError(
            "the file to write would replace a file that is read",
            where=str(target),
            fix="name another file to write",
        )
