"""Files to write, looked at before the work and not after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from veridical.errors import ParameterError
from veridical.writing import check_writable

__all__ = ["check_target", "check_targets"]


def check_targets(
    *targets: Path | None,
    sources: Iterable[str] = (),
    others: Iterable[str] = (),
    store: str | None = None,
) -> None:
    """Raise unless all can be written, are different files, and replace nothing that is read.

    Parameters
    ----------
    targets
        The files to write; None for one that was not asked for.
    sources, others, store
        As for ``check_target``.

    Raises
    ------
    OutputError, ParameterError, FileMissingError, FileFormatError
        As of ``check_target``; or two of them are one.
    """
    asked = [target for target in targets if target is not None]
    sources, others = list(sources), list(others)
    for target in asked:
        check_target(target, sources=sources, others=others, store=store)
    places = list(map(os.path.realpath, asked))
    for at, target in enumerate(asked):
        if places[at] in places[:at]:
            raise ParameterError(
                "two of the files to write are one file", where=str(target), fix="name two files"
            )


def check_target(
    target: Path,
    *,
    sources: Iterable[str],
    others: Iterable[str] = (),
    store: str | None = None,
) -> None:
    """Raise unless ``target`` can be written without replacing what the command reads.

    Parameters
    ----------
    target
        The file to write.
    sources
        The data: files, folders, patterns.
    others
        Further files that are read, such as a policy; one that does not exist is no concern here.
    store
        Where runs are kept, as on the command line: a file of runs is never replaced.

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
    from veridical.store.location import locate
    from veridical.tables.files import find_files

    read = [file for source in sources for file in find_files(source)]
    kept = locate(store).path
    if kept is not None:
        read.append(str(kept))
    if os.path.realpath(target) in map(os.path.realpath, [*read, *others]):
        raise ParameterError(
            "the file to write would replace a file that is read",
            where=str(target),
            fix="name another file to write",
        )
