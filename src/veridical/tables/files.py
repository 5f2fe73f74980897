"""Which files are meant, and of which kind each one is."""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from veridical.errors import FileFormatError, FileMissingError, InputError, UnsupportedTypeError
from veridical.tables._words import did_you_mean, listed, shown, told_path
from veridical.tables.kinds import KINDS, suffixes

__all__ = ["File", "find_files", "open_bytes", "sniff"]

TEXT_KINDS = frozenset({"csv", "jsonl", "json"})

_MAGIC = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),
)
_COMPRESSED = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bz2"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "lz4"),
)
_NOT_OURS = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"),
    (b"\x93NUMPY", "a numpy file", "load it with numpy.load and pass the arrays"),
    (b"\x80\x04", "a pickle", "write it as Parquet: a pickle can run code when it is read"),
    (b"\x80\x05", "a pickle", "write it as Parquet: a pickle can run code when it is read"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV or Parquet"),
    (b"FEA1", "a Feather file of version 1", "write it again as Arrow or Parquet"),
)
_HEAD = 4096
_REMOTE = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True)
class File:
    """A file that is what it says.

    Attributes
    ----------
    path
        As the user wrote it.
    kind
        ``"csv"``, ``"jsonl"``, ``"json"``, ``"parquet"`` or ``"arrow"``.
    compression
        ``"gzip"``, ``"bz2"``, ``"zstd"``, ``"lz4"``, or None.
    encoding
        Of a text: ``"utf8"`` or, by its byte order mark, ``"utf16"``.
    """

    path: str
    kind: str
    compression: str | None = None
    encoding: str = "utf8"

    def open(self) -> IO[bytes]:
        """Open the file, decompressed."""
        file: IO[bytes] = open_bytes(self.path, self.compression)
        return file

    def open_text(self) -> IO[str]:
        """Open the file as text, without its byte order mark, line ends as they are."""
        return self.decoded(self.open())

    def decoded(self, data: IO[bytes]) -> IO[str]:
        """Return bytes of the file as text; a byte order mark is no part of it."""
        encoding = "utf-8-sig" if self.encoding == "utf8" else "utf-16"
        return io.TextIOWrapper(data, encoding=encoding, newline="")


def open_bytes(path: str, compression: str | None = None) -> Any:
    """Open a file for reading, decompressed; what the system refuses is said plainly."""
    try:
        # As bytes, because a name need not be UTF-8.
        return pa.input_stream(pa.OSFile(os.fsencode(path), "rb"), compression=compression)
    except PermissionError as error:
        raise _no_permission(path) from error
    except OSError as error:
        raise InputError(
            f"the file cannot be read: {error}",
            where=told_path(path),
            fix="check that it is whole, and of the kind that its name says",
        ) from error


def find_files(source: str | os.PathLike[str]) -> list[str]:
    """Return the files that a path, a folder or a pattern with ``*`` names, in order.

    Of a folder, all readable files below it, left out those whose names begin with ``_`` or
    ``.`` (as Spark and the system write them).

    Raises
    ------
    FileMissingError
        There is no such file or folder, or nothing matches.
    FileFormatError
        The folder holds no table, or tables of several kinds.
    """
    name = os.fsdecode(source)
    if _REMOTE.match(name):
        raise UnsupportedTypeError(
            "remote addresses are not read",
            where=shown(name, 120),
            why="veridical makes no network call",
            fix="download the file first, or pass a data frame",
        )
    if not name:
        raise FileMissingError("the path is empty", fix="name a file")
    path = Path(name)
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.exists():
            return [name]
        matches = _matching(path) if any(mark in name for mark in "*?[") else None
    except PermissionError as error:
        raise _no_permission(error.filename or name) from error
    except OSError:  # A name that the system cannot look up, such as one of 5,000 characters.
        matches = None
    if matches is None:
        raise _no_such_file(path)
    if not matches:
        raise FileMissingError(f"no file matches {shown(name, 200)}", fix="check the pattern")
    return matches


def _matching(pattern: Path) -> list[str]:
    # A pattern is taken relative to its anchor: glob itself refuses an absolute one.
    root = Path(pattern.anchor)
    found = root.glob(str(pattern.relative_to(root)))
    return sorted(str(match) for match in found if match.is_file())


def _no_such_file(path: Path) -> FileMissingError:
    try:
        beside = sorted(e.name for e in path.parent.iterdir() if e.name != path.name)
    except (OSError, ValueError):
        beside = []
    return FileMissingError(
        f"there is no file {shown(str(path), 200)}",
        fix=did_you_mean(path.name, beside) or "check the path",
    )


def _in_folder(folder: Path) -> list[str]:
    found: dict[str, list[str]] = {}

    def refuse(error: OSError) -> None:
        raise error

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(f for f in folders if not f.startswith(("_", ".")))
        for name in sorted(names):
            kind = KINDS.get(suffixes(name)[0])
            if kind is not None and not name.startswith(("_", ".")):
                found.setdefault(kind, []).append(str(Path(parent) / name))
    if not found:
        raise FileFormatError(
            "the folder holds no file that can be read",
            where=str(folder),
            why="files are known by their suffix: " + " ".join(sorted(KINDS)),
            fix="name the file itself",
        )
    if len(found) > 1:
        raise FileFormatError(
            f"the folder holds files of several kinds: {listed(sorted(found))}",
            where=str(folder),
            why="the same rows could be counted twice",
            fix=f"name the ones you mean: {told_path(str(folder))}/*.parquet, for example",
        )
    return next(iter(found.values()))


def sniff(path: str) -> File:
    """Return what kind of file this is: by its suffix, checked against its first bytes.

    Raises
    ------
    FileFormatError
        The file is empty, damaged, or not what its suffix says.
    """
    if not Path(path).is_file():
        raise FileFormatError(
            "this is not a regular file",
            where=told_path(path),
            fix="write its content into a file first",
        )
    suffix, compression = suffixes(path)
    head = _head(path, None)
    if not head:
        raise FileFormatError(
            "the file is empty (0 bytes)", where=told_path(path), fix="write it again"
        )
    packed = next((name for magic, name in _COMPRESSED if head.startswith(magic)), None)
    if compression != packed and (compression or suffix in KINDS):
        raise _wrong_suffix(path, f"{packed}-compressed" if packed else f"not {compression} data")
    if packed:
        head = _head(path, packed)
        if not head:
            raise FileFormatError(
                "the file is empty inside", where=told_path(path), fix="write it again"
            )
    kind, encoding = _content(path, head)
    named = KINDS.get(suffix)
    if named is None:
        return File(path, kind, packed, encoding)
    if (named in TEXT_KINDS) != (kind in TEXT_KINDS) or (named != kind and kind not in TEXT_KINDS):
        raise _wrong_suffix(path, f"a {kind} file" if kind not in TEXT_KINDS else "text")
    return File(path, kind if named == "json" else named, packed, encoding)


def _head(path: str, compression: str | None) -> bytes:
    with open_bytes(path, compression) as file:
        try:
            head: bytes = file.read(_HEAD)
        except OSError as error:
            raise FileFormatError(
                f"the file is damaged: {shown(str(error), 120)}",
                where=told_path(path),
                fix="write it again",
            ) from error
    return head


def _content(path: str, head: bytes) -> tuple[str, str]:
    """Return the kind and the encoding that the first bytes show."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind, "utf8"
    for magic, what, fix in _NOT_OURS:
        if head.startswith(magic):
            raise FileFormatError(
                f"this is {what}, which is not read", where=told_path(path), fix=fix
            )
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _text_kind(head.decode("utf-16", "replace")), "utf16"
    if b"\x00" in head:
        raise FileFormatError(
            "this is neither a table nor text",
            where=told_path(path),
            why="it begins with bytes that no known format has, and text has no zero bytes",
            fix="write it as CSV, JSON Lines, Parquet or Arrow, text in UTF-8",
        )
    return _text_kind(head.decode("utf-8-sig", "replace")), "utf8"


def _text_kind(head: str) -> str:
    begin = head.lstrip()[:1]
    return "jsonl" if begin == "{" else "json" if begin == "[" else "csv"


def _wrong_suffix(path: str, content: str) -> FileFormatError:
    return FileFormatError(
        f"the file is {content}, which its suffix does not say",
        where=told_path(path),
        why="a suffix that does not fit is usually the wrong file",
        fix="give it the suffix of what it is: .csv, .csv.gz, .jsonl, .parquet or .arrow",
    )


def _no_permission(path: str) -> InputError:
    return InputError(
        "permission to read was denied", where=told_path(path), fix="ask for the right to read it"
    )
