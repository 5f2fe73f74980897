"""The order of the rows of a run: by query, then from the best score down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.tables.arrow_numpy import array_of_numbers, numpy_of

__all__ = [
    "Codes",
    "blocks",
    "by_document",
    "by_position",
    "by_score",
    "descending",
    "firsts",
    "members",
    "repeated",
    "starts",
    "tied_rows",
]

Codes: TypeAlias = npt.NDArray[np.signedinteger]

_BLOCK_ROWS = 1 << 20


def by_score(query: Codes, value: npt.NDArray[np.float64]) -> npt.NDArray[np.intp] | None:
    """Return the order by query, then score descending; None where the rows stand in it."""
    first = np.append(True, query[1:] != query[:-1])[: len(query)]
    lists = query[first]
    whole = len(np.unique(lists)) == len(lists)
    # As most runs are written: every list in one piece, from its best score down.
    written_in_order = whole and bool((first[1:] | (value[1:] <= value[:-1])).all())
    if written_in_order and (lists[1:] > lists[:-1]).all():
        return None
    order = np.argsort(query, kind="stable")
    for rows in () if written_in_order else blocks(query[order]):
        block = order[rows]
        order[rows] = block[np.lexsort((-value[block], query[block]))]
    return order


def blocks(query: Codes) -> Iterator[slice]:
    """Yield rows of whole queries of a sorted array, so many that sorting them needs little."""
    start = 0
    while start < len(query):
        last = query[min(start + _BLOCK_ROWS, len(query)) - 1]
        stop = int(np.searchsorted(query, last, side="right"))
        yield slice(start, stop)
        start = stop


def tied_rows(query: Codes, value: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return which rows have the score of the row before them, in the same query."""
    tied = np.zeros(len(query), np.bool_)
    tied[1:] = (query[1:] == query[:-1]) & (value[1:] == value[:-1])
    return tied


def members(tied: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which rows share their score with a neighbour."""
    member = tied.copy()
    member[:-1] |= tied[1:]
    return member


def by_document(tied: npt.NDArray[np.bool_], code: Codes, texts: pa.Array) -> Codes:
    """Order the documents of equal scores by id descending; UTF-8 sorts as its characters do."""
    used = np.zeros(len(texts), np.bool_)
    used[code[members(tied)]] = True
    position = np.zeros(len(texts), np.int32)
    position[used] = descending(texts.filter(array_of_numbers(used)))
    return by_position(tied, code, position)


def by_position(
    tied: npt.NDArray[np.bool_], code: Codes, position: npt.NDArray[np.int32] | None = None
) -> Codes:
    """Order the documents of equal scores by a position for each code; None for the code itself."""
    arranged = code
    for block in _whole_groups(tied):
        rows = np.flatnonzero(members(tied[block])) + block.start
        at = code[rows] if position is None else position[code[rows]]
        if not (tied[rows[1:]] & (at[1:] < at[:-1])).any():
            continue
        if arranged is code:
            arranged = code.copy()
        group = np.cumsum(~tied[rows])
        arranged[rows] = code[rows[np.lexsort((at, group))]]
    return arranged


def _whole_groups(tied: npt.NDArray[np.bool_]) -> Iterator[slice]:
    """Yield rows in blocks that part no group of equal scores."""
    start = 0
    while start < len(tied):
        stop = start + _BLOCK_ROWS
        if stop < len(tied) and tied[stop]:
            further = int(np.argmin(tied[stop:]))  # 0 where all of the rest is one group
            stop = stop + further if further else len(tied)
        yield slice(start, min(stop, len(tied)))
        start = stop


def descending(texts: pa.Array) -> npt.NDArray[np.int32]:
    """Return the position of each text among all, the greatest being the first."""
    position = np.empty(len(texts), np.int32)
    order = numpy_of(pc.array_sort_indices(texts, order="descending"))
    position[order] = np.arange(len(texts), dtype=np.int32)
    return position


def firsts(key: Codes, query: Codes) -> npt.NDArray[np.intp] | None:
    """Return the rows that are the first of their key; None where all are."""
    if len(repeated(key, query)) == 0:
        return None
    return np.sort(np.unique(key, return_index=True)[1])


def repeated(key: Codes, query: Codes) -> Codes:
    """Return the keys of rows whose document stands before them in their query, ascending."""
    found = [np.zeros(0, np.int64)]
    for rows in blocks(query):
        by_key = np.sort(key[rows])
        found.append(by_key[1:][by_key[1:] == by_key[:-1]])
    return np.concatenate(found)


def starts(query: npt.NDArray[np.integer], n_queries: int) -> Codes:
    """Return where the rows of each query of a sorted array begin, and where the last end."""
    return np.searchsorted(query, np.arange(n_queries + 1, dtype=query.dtype))
