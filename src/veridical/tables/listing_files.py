"""Runs and golden sets in files: which format they have; JSON, and folders of BEIR and ranx."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from veridical.errors import FileFormatError, FileMissingError, InputError
from veridical.tables._words import listed, shown, told_path
from veridical.tables.arrow_numpy import give_back
from veridical.tables.cbor import read_cbor
from veridical.tables.files import File, find_files, open_bytes, sniff
from veridical.tables.listing_columns import from_columns
from veridical.tables.listings import (
    DOCUMENT,
    QUERY,
    Listing,
    Role,
    from_nested,
    is_nested,
    listing_of,
)
from veridical.tables.trec_text import read_trec, refuse_trec

__all__ = ["read_listing", "refuse_line"]

_LZ4 = b"\x04\x22\x4d\x18"


def read_listing(path: str, role: Role) -> Listing:
    """Read a run or a golden set from a file, or from the folder that holds it.

    Parameters
    ----------
    path
        TREC text (separated by spaces or tabs), JSON, JSONL, CSV, Parquet or Arrow, also
        compressed with gzip, bzip2, zstd or lz4; the folder of a BEIR data set or of ranx.
    role
        ``"run"`` or ``"qrels"``.

    Raises
    ------
    FileMissingError, FileFormatError, InputError
        With the file, and the line where there is one.
    """
    if path and Path(path).is_dir():
        path = _in_folder(Path(path), role)
    found = find_files(path)
    if len(found) != 1:
        raise InputError(f"{path} names {len(found)} files", fix="name one of them")
    packed = _packed_twice(found[0]) if found[0].lower().endswith(".lz4") else None
    listing = _read(sniff(found[0]), role) if packed is None else _ranx(packed, found[0], role)
    give_back()
    return replace(listing, source={"kind": "file", "path": found[0]})


def _packed_twice(path: str) -> bytes | None:
    """Return the content of a file that is lz4 inside lz4, as ranx writes it; else None."""
    with open_bytes(path, "lz4") as outer:
        try:
            inner = outer.read(len(_LZ4))
            if inner != _LZ4:
                return None
            with pa.input_stream(pa.BufferReader(inner + outer.read()), "lz4") as data:
                content: bytes = data.read()
                return content
        except OSError:
            return None  # Whoever reads it says what is wrong.


def _ranx(data: bytes, path: str, role: Role) -> Listing:
    try:
        nested = read_cbor(data)
    except ValueError as error:
        raise FileFormatError(
            f"this is no run as ranx writes it: {shown(str(error), 120)}",
            where=told_path(path),
            fix="save it again, as TREC text or JSON",
        ) from error
    return listing_of(nested, role)


def _in_folder(folder: Path, role: Role) -> str:
    """Return the one file of a folder: BEIR's ``qrels/test.tsv``, ranx's ``qrels.json``."""
    inside = folder / "qrels" if role == "qrels" and (folder / "qrels").is_dir() else folder
    files = sorted(p for p in inside.iterdir() if p.is_file() and not p.name.startswith("."))
    if inside is not folder:
        preferred = [p for p in files if p.name.split(".")[0] == "test"]
    else:
        preferred = [p for p in files if p.name.split(".")[0] == role]
    chosen = preferred or files
    if len(chosen) == 1:
        return str(chosen[0])
    raise FileMissingError(
        f"the folder holds {len(chosen)} files that may be the {role}",
        where=told_path(str(folder)),
        why=f"its files are {listed([p.name for p in files])}" if files else "it is empty",
        fix="name the file itself",
    )


def _read(file: File, role: Role) -> Listing:
    if file.kind in {"json", "jsonl"} and not file.path.lower().endswith(".jsonl"):
        nested = _nested_json(file)
        if nested is not None:
            return from_nested(nested, role)
    if file.kind != "csv" or _has_header(file):
        return from_columns(file.path, role)
    return read_trec(file, role)


def _nested_json(file: File) -> dict[str, Any] | None:
    """Return the JSON object of queries that the file is, or None where it is a table."""
    try:
        with file.open_text() as text:
            data = json.load(text, object_pairs_hook=_pairs, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # one object a line
            return None
        raise FileFormatError(
            f"this is not JSON: {error.msg}",
            where=f"{told_path(file.path)}:{error.lineno}",
            fix="write it again",
        ) from error
    except (ValueError, RecursionError, OSError) as error:
        raise FileFormatError(
            f"this JSON cannot be read: {shown(str(error), 120)}",
            where=told_path(file.path),
            fix="write it again",
        ) from error
    return data if isinstance(data, dict) and is_nested(data) else None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return record


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _has_header(file: File) -> bool:
    """Whether the first line names the columns of a table."""
    with file.open_text() as text:
        try:
            first = text.readline(10_000)
        except (UnicodeError, OSError):
            return False
    words = {word.strip(' "\r\n').lower() for word in re.split(r"[,;\t|]", first)}
    return bool(words & set(QUERY)) and bool(words & set(DOCUMENT))


def refuse_line(path: str, role: Role, number: int) -> None:
    """Say what is wrong with a line of TREC text, unless the file is of another format.

    Parameters
    ----------
    path, role
        As for ``read_listing``.
    number
        The line, from 1.

    Raises
    ------
    FileFormatError
        The line is not one of TREC text.
    """
    [found] = find_files(path)
    file = sniff(found)
    if file.kind == "csv" and not _has_header(file):
        refuse_trec(file, role, number)
