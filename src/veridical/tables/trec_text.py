"""Runs and golden sets in TREC text, in columns: quickly where it is plain, else line by line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pyarrow as pa

from veridical.errors import FileFormatError, InputError
from veridical.tables._words import listed, shown, told_path
from veridical.tables.arrow_numpy import array_of_texts, numpy_of
from veridical.tables.files import File
from veridical.tables.listing_columns import from_encoded, in_one_dictionary
from veridical.tables.listings import Listing, Role, checked_values
from veridical.tables.places import Part, Places

__all__ = ["read_trec", "refuse_trec"]

FIELDS = {
    "run": ("query", "iteration", "document", "rank", "value", "tag"),
    "qrels": ("query", "iteration", "document", "value"),
}
_AT_VALUE = {role: fields.index("value") for role, fields in FIELDS.items()}
_NOUNS = {"run": "run", "qrels": "golden set"}
_NUMBER = re.compile(rb"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf|infinity)", re.IGNORECASE)
_BLOCK = 1 << 22


def read_trec(file: File, role: Role) -> Listing:
    """Read TREC text.

    Raises
    ------
    FileFormatError, InputError
        A line is none; the message names it.
    """
    return _quickly(file, role) or _carefully(file, role)


def refuse_trec(file: File, role: Role, number: int) -> None:
    """Raise ``FileFormatError`` with what is wrong with a line, counted from 1, if anything is."""
    line = next(islice(_lines(file), number - 1, None), b"")
    _words(file, number, line, role)


def _quickly(file: File, role: Role) -> Listing | None:
    """Read TREC text whose fields stand one blank apart; None where the careful reader must."""
    from pyarrow import csv

    delimiter = _one_delimiter(file)
    if delimiter is None:
        return None
    text = pa.dictionary(pa.int32(), pa.large_string())
    blocks: list[pa.RecordBatch] = []
    try:
        with file.open() as data:
            blocks.extend(
                csv.open_csv(
                    data,
                    csv.ReadOptions(column_names=FIELDS[role], block_size=1 << 24),
                    csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False),
                    csv.ConvertOptions(
                        include_columns=["query", "document", "value"],
                        column_types={"query": text, "document": text, "value": pa.float64()},
                        null_values=[],
                    ),
                )
            )
    except (pa.ArrowException, OSError):
        return None  # The careful reader either reads it or says what is wrong and where.
    query, document = (in_one_dictionary([block.column(at) for block in blocks]) for at in (0, 1))
    value = np.concatenate([numpy_of(block.column(2)) for block in blocks])
    del blocks
    queries = query.dictionary.to_pylist()
    strange = any(not one or one[0] == "#" for one in queries) or _has_empty(document.dictionary)
    strange = strange or bool(np.isinf(value).any())  # by name, or too large
    try:
        checked_values(value, role, file.path)
    except InputError:
        strange = True
    if strange:
        return None
    name = _tag(file) if role == "run" else ""
    return from_encoded(role, query, document, value, name=name, places=_places(file))


def _tag(file: File) -> str:
    """Return what a run calls itself: the end of its first line."""
    with file.open_text() as text:
        return (["", *text.readline(10000).split(None, len(FIELDS["run"]) - 1)])[-1].strip()


def _one_delimiter(file: File) -> str | None:
    """Return the blank that parts all fields; None where two stand together or both kinds do."""
    if file.encoding != "utf8":
        return None
    blanks: set[bytes] = set()
    before = b""
    with file.open() as data:
        try:
            while block := data.read(_BLOCK):
                joined = before + block
                blanks.update(blank for blank in (b" ", b"\t") if blank in block)
                if b"  " in joined or b"\t\t" in joined or len(blanks) > 1:
                    return None
                before = block[-1:]
        except OSError:
            return None
    return blanks.pop().decode() if blanks else None


def _has_empty(texts: pa.Array) -> bool:
    import pyarrow.compute as pc

    return len(texts) > 0 and pc.min(pc.binary_length(texts)).as_py() == 0


def _carefully(file: File, role: Role) -> Listing:
    """Read TREC text line by line."""
    queries: list[str] = []
    documents: list[str] = []
    values: list[float] = []
    tag = b""
    for number, line in enumerate(_lines(file), start=1):
        words = _words(file, number, line, role)
        if words:
            queries.append(words[0].decode())
            documents.append(words[2].decode())
            values.append(float(words[_AT_VALUE[role]]))
            tag = tag or words[-1].strip()
    if not values:
        raise FileFormatError(
            f"the {role} has no line", where=told_path(file.path), fix="write it again"
        )
    return from_encoded(
        role,
        array_of_texts(queries).dictionary_encode(),
        array_of_texts(documents).dictionary_encode(),
        checked_values(np.array(values), role, file.path),
        name=tag.decode("utf-8", "replace") if role == "run" else "",
        places=_places(file),
    )


def _places(file: File) -> Places:
    """Return where the rows of TREC text are, which has a line for each, and others."""

    def lines(rows: Sequence[int]) -> list[int]:
        words = (line.split(None, 1) for line in _lines(file))
        of_rows = (at for at, two in enumerate(words, 1) if two and not two[0].startswith(b"#"))
        found = dict(enumerate(islice(of_rows, max(rows) + 1)))
        return [found[row] for row in rows]

    return Places((Part(told_path(file.path), 0, lines),))


def _words(file: File, number: int, line: bytes, role: Role) -> list[bytes]:
    """Return the words of a line, none where it is empty or a comment."""
    width = len(FIELDS[role])
    # Extra words after the tag of a run belong to the tag.
    words = line.split(None, width - 1 if role == "run" else -1)
    if not words or words[0].startswith(b"#"):
        return []
    if len(words) != width:
        columns = re.split(rb"[,;|\t]", line.strip())
        if number == 1 and len(columns) > 2:
            raise _other_columns(file, columns, role)
        raise _wrong_width(file, number, len(words), role)
    if b"\r" in words[-1].strip():
        raise FileFormatError(
            "the line holds a carriage return, and more after it",
            where=f"{told_path(file.path)}:{number}",
            why="two lines are one for a reader of line feeds",
            fix="end lines with a line feed",
        )
    value = words[_AT_VALUE[role]]
    infinite = b"n" in value.lower()  # by its name; a number that is too large is none
    if not _NUMBER.fullmatch(value) or (math.isinf(float(value)) and not infinite):
        raise _not_a_number(file, number, value, role)
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise FileFormatError(
            "the text is not UTF-8",
            where=f"{told_path(file.path)}:{number}",
            fix="save the file with the encoding UTF-8",
        ) from error
    return words


def _lines(file: File) -> Iterator[bytes]:
    if file.encoding != "utf8":
        try:
            with file.open_text() as text:
                yield from (line.encode() for line in text)
        except UnicodeError as error:
            raise FileFormatError(
                "the text is not UTF-16, as it begins",
                where=told_path(file.path),
                fix="save the file with the encoding UTF-8",
            ) from error
        return
    rest = b"\xef\xbb\xbf"
    with file.open() as data:
        try:
            first = True
            tail = b""
            while block := data.read(_BLOCK):
                block = block.removeprefix(rest) if first else block
                first = False
                *whole, tail = (tail + block).split(b"\n")
                yield from whole
            yield tail
        except OSError as error:
            raise FileFormatError(
                f"the file is damaged: {shown(str(error), 120)}",
                where=told_path(file.path),
                fix="write it again",
            ) from error


def _wrong_width(file: File, line: int, found: int, role: Role) -> FileFormatError:
    form = "query Q0 document rank score tag" if role == "run" else "query 0 document grade"
    other: Role = "qrels" if role == "run" else "run"
    swapped = found == len(FIELDS[other])
    return FileFormatError(
        f"the line has {found} word{'s' if found != 1 else ''}, and one of a {_NOUNS[role]} has "
        f"{len(FIELDS[role])}",
        where=f"{told_path(file.path)}:{line}",
        why=f"a line of TREC text is: {form}",
        fix=f"give the {_NOUNS[other]} where it belongs: this looks like one"
        if swapped
        else "correct the line",
    )


def _other_columns(file: File, columns: list[bytes], role: Role) -> FileFormatError:
    names = [column.strip(b' "').decode("utf-8", "replace") for column in columns]
    return FileFormatError(
        "it is not clear which column holds the queries, and which the documents",
        where=f"{told_path(file.path)}:1",
        why=f"the columns are {listed(names)}",
        fix=f"begin the file with a line that calls them query, document and "
        f"{'score' if role == 'run' else 'grade'}",
    )


def _not_a_number(file: File, line: int, word: bytes, role: Role) -> FileFormatError:
    return FileFormatError(
        f"the {'score' if role == 'run' else 'grade'} is {shown(word.decode('utf-8', 'replace'))}",
        where=f"{told_path(file.path)}:{line}",
        why="it is no number that documents could be ordered by",
        fix="correct the line",
    )
