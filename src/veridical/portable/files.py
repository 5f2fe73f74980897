"""The file of a summary: one JSON document in canonical form, with a checksum of all of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, InputError
from veridical.writing import write_atomically

__all__ = ["MOST_BYTES", "is_summary", "load", "save"]

MOST_BYTES: Final = 1 << 30
"""Larger files are refused before they are read: even exact summaries of millions are smaller."""

_BEGINNING: Final = re.compile(rb'\{"checksum":"[0-9a-f]{64}","content":\{"header":\{')

Read = TypeVar("Read")


def save(document: Mapping[str, Any], path: str | os.PathLike[str]) -> Path:
    """Write a document with its checksum, whole or not at all."""
    sealed = {**document, "checksum": strict_json.sha256(document)}
    return write_atomically(Path(path), strict_json.canonical(sealed) + b"\n")


def is_summary(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as one that ``save`` wrote; its name means nothing.

    Examples
    --------
    >>> is_summary("no such file")
    False
    """
    try:
        if not os.path.isfile(path):  # noqa: PTH113 - names that are too long are no files either
            return False
        with open(path, "rb") as file:  # noqa: PTH123 - names may be no text
            return _BEGINNING.match(file.read(128)) is not None
    except (OSError, ValueError):
        return False


def load(path: str | os.PathLike[str], read: Callable[[Mapping[str, Any]], Read]) -> Read:
    """Read a file that ``save`` wrote, and hand its document to ``read``.

    Raises
    ------
    FileMissingError
        There is no such file.
    FileFormatError
        The file is damaged; ``where`` names it.
    """
    try:
        return read(_opened(_bytes(Path(path))))
    except InputError as error:
        if not isinstance(error, FileFormatError):
            raise FileFormatError(
                error.what,
                where=str(path),
                why=error.why,
                fix=error.fix or "write the file again with `veridical summarise`",
            ) from error
        error.where = f"{path}: {error.where}" if error.where else str(path)
        raise


def _bytes(path: Path) -> bytes:
    if not os.path.exists(path):  # noqa: PTH110 - Path.exists raises for names that are too long
        raise FileMissingError("there is no such file", where=str(path), fix="check the path")
    if not path.is_file():
        raise FileFormatError("this is no regular file", fix="name a file of `veridical summarise`")
    if path.stat().st_size > MOST_BYTES:
        raise FileFormatError(
            f"a summary of {path.stat().st_size:,} bytes",
            why=f"no summary is larger than {MOST_BYTES:,} bytes",
            fix="summarise the data without exact=True (--exact)",
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            f"the file cannot be read: {error.strerror or error}", fix="check its permissions"
        ) from error


def _opened(content: bytes) -> Mapping[str, Any]:
    document = strict_json.loads(content)
    if not isinstance(document, dict) or "checksum" not in document:
        raise FileFormatError(
            "this is no summary",
            why="a summary is a JSON object with a checksum",
            fix="name a file that `veridical summarise` wrote",
        )
    checksum = document.pop("checksum")
    sealed = strict_json.canonical({**document, "checksum": checksum})
    if checksum != strict_json.sha256(document) or content.rstrip(b"\n") != sealed:
        raise FileFormatError(
            "the checksum does not match: the file was damaged or changed",
            why="what it counts is no longer what was summarised",
            fix="get the file again, or summarise the data again",
        )
    return document
