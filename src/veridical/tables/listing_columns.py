"""Runs and golden sets in the columns of a table: queries, documents, and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.errors import InputError
from veridical.tables._words import listed, shown
from veridical.tables.arrow_numpy import array_of_numbers, array_of_texts, give_back, numpy_of
from veridical.tables.column import Column
from veridical.tables.listings import DOCUMENT, QUERY, Listing, Role, checked_values
from veridical.tables.places import Part, Places
from veridical.tables.source import FileTable, open_table
from veridical.tables.table import Table

__all__ = ["from_columns", "from_encoded", "in_one_dictionary"]

SCORE = ("score", "scores", "similarity", "sim")
GRADE = ("relevance", "rel", "grade", "score", "label", "judgment", "judgement", "qrel")
RANK = ("rank",)

_BATCH_ROWS = 1 << 20


def from_columns(source: Any, role: Role) -> Listing:
    """Return the listing of a table with a column of queries, of documents, and of numbers."""
    table = open_table(source)
    query, document = _named(table.names, QUERY), _named(table.names, DOCUMENT)
    number = _named(table.names, SCORE if role == "run" else GRADE)
    rank = _named(table.names, RANK) if role == "run" and number is None else None
    if query is None or document is None or (role == "qrels" and number is None):
        raise InputError(
            f"a {role} needs a column of queries, of documents"
            + (" and of grades" if role == "qrels" else ""),
            where=str(table.describe().get("path", table.describe().get("kind", ""))),
            why=f"the columns are {listed(table.names, most=20)}",
            fix=f"name them {QUERY[0]}, {DOCUMENT[0]} and {(SCORE if role == 'run' else GRADE)[0]}",
        )
    numbers = [name for name in (number, rank) if name is not None]
    ids: dict[str, list[pa.DictionaryArray]] = {query: [], document: []}
    values: list[npt.NDArray[np.float64]] = []
    kinds: set[str] = set()
    parts: dict[Part, None] = {}
    for columns in _batches(table, [*ids, *numbers], numbers):
        for name, pieces in ids.items():
            pieces.append(_ids(columns[name], kinds))
        values.extend(_numbers(columns[name], role) for name in numbers)
        parts |= dict.fromkeys(columns[document].places.parts)
    queries = in_one_dictionary(ids.pop(query))
    value = np.concatenate(values) if values else np.arange(len(queries), 0.0, -1.0)
    return from_encoded(
        role,
        queries,
        in_one_dictionary(ids.pop(document)),
        # The first rank is the best score.
        -value if rank is not None else checked_values(value, role, number or ""),
        source=table.describe(),
        ids=frozenset(kinds),
        places=Places(tuple(parts)),
    )


def from_encoded(
    role: Role,
    query: pa.DictionaryArray,
    document: pa.DictionaryArray,
    value: npt.NDArray[np.float64],
    **fields: Any,
) -> Listing:
    """Return the listing of columns whose ids are codes of texts already."""
    used = numpy_of(query.indices.unique())  # in the order of first appearance
    place = np.zeros(len(query.dictionary), np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    every = query.dictionary.to_pylist()
    queries = tuple(every[code] for code in used.tolist())
    return Listing(role, queries, place[numpy_of(query.indices)], document, value, **fields)


def in_one_dictionary(pieces: Sequence[pa.DictionaryArray]) -> pa.DictionaryArray:
    """Return arrays of codes, each of a dictionary of its own, as one array."""
    if len(pieces) == 1:
        return pieces[0]
    unified = pa.chunked_array(pieces).unify_dictionaries()
    codes = np.concatenate([numpy_of(piece.indices) for piece in unified.chunks])
    give_back()
    return pa.DictionaryArray.from_arrays(array_of_numbers(codes), unified.chunk(0).dictionary)


def _batches(
    table: Table, names: Sequence[str], numbers: Sequence[str]
) -> Iterator[dict[str, Column]]:
    """Yield files a part at a time: the texts of all their rows are far larger than codes."""
    if isinstance(table, FileTable):
        return table.batches(names, numbers, _BATCH_ROWS)
    columns = table.read(names, numbers)
    if not len(columns[names[0]]):
        raise InputError(
            "there are no rows",
            where=str(table.describe()["kind"]),
            why="nothing can be measured on no data",
            fix="check what made it",
        )
    return iter([columns])


def _named(names: Sequence[str], known: Sequence[str]) -> str | None:
    folded = {name.strip().lower(): name for name in reversed(names)}
    return next((folded[name] for name in known if name in folded), None)


def _ids(column: Column, kinds: set[str]) -> pa.DictionaryArray:
    absent = column.absent()
    if absent is not None and absent.any():
        raise _missing(column, absent)
    if column.kind == "text":
        kinds.add("text")
        text = column.text
        if pa.types.is_dictionary(text.type) and not _is_distinct(text.dictionary):
            text = text.dictionary_decode()
        encoded = text if pa.types.is_dictionary(text.type) else text.dictionary_encode()
        if (empty := pc.index(encoded.dictionary, "").as_py()) >= 0:
            blank = numpy_of(encoded.indices) == empty  # so an empty cell of a text file is read
            if blank.any():
                raise _missing(column, blank)
        return encoded.cast(pa.dictionary(pa.int32(), pa.large_string()))
    if column.kind != "number" or column.array.dtype.kind not in "iu":
        raise InputError(
            f"the ids are of type {getattr(column.values, 'dtype', column.kind)}",
            where=f"column {shown(column.name)}",
            why="an id is a text or a whole number",
            fix="write the ids as text",
        )
    kinds.add("int")
    distinct, codes = np.unique(column.array, return_inverse=True)
    texts = array_of_texts([str(one) for one in distinct.tolist()])
    return pa.DictionaryArray.from_arrays(array_of_numbers(codes.astype(np.int32)), texts)


def _is_distinct(dictionary: pa.Array) -> bool:
    """Whether each text stands once, and no null: one from outside may hold anything."""
    return dictionary.null_count == 0 and len(dictionary.unique()) == len(dictionary)


def _missing(column: Column, rows: npt.NDArray[np.bool_]) -> InputError:
    return InputError("an id is missing", where=column.where(rows), fix="fill it in")


def _numbers(column: Column, role: Role) -> npt.NDArray[np.float64]:
    absent = column.absent()
    if column.kind != "number" or (absent is not None and absent.any()):
        noun = "score" if role == "run" else "grade"
        raise InputError(
            f"the {noun}s are no numbers"
            if column.kind in {"text", "bool"}
            else f"a {noun} is missing",
            where=column.where(absent) if absent is not None else f"column {shown(column.name)}",
            fix="correct the column",
        )
    return column.array.astype(np.float64, copy=False)
