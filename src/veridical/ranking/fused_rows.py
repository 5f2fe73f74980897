"""Several runs fused into one, in columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.errors import InputError
from veridical.ranking.columns import refuse_twice
from veridical.ranking.names import naming
from veridical.ranking.ordering import Duplicates
from veridical.ranking.row_order import (
    Codes,
    blocks,
    by_position,
    by_score,
    descending,
    firsts,
    repeated,
    starts,
    tied_rows,
)
from veridical.tables._words import shown
from veridical.tables.arrow_numpy import array_of_numbers, give_back, numpy_of
from veridical.tables.listing_columns import in_one_dictionary
from veridical.tables.listings import Listing

__all__ = ["fused_rows"]

Numbers: TypeAlias = npt.NDArray[np.float64]


class _Rows(NamedTuple):
    """Rows by query, from the best score down; no document of a query twice."""

    query: Codes
    code: Codes
    value: Numbers

    def of(self, queries: slice, first: Codes) -> _Rows:
        """Return the rows of some queries; ``first`` is where the rows of each begin."""
        rows = slice(first[queries.start], first[queries.stop])
        return _Rows(self.query[rows], self.code[rows], self.value[rows])


def fused_rows(
    runs: Sequence[Listing],
    method: str,
    k: float,
    duplicates: Duplicates = "error",
    names: Sequence[str | None] = (),
) -> Listing:
    """Return the run that others make together, in rank order; ``fuse`` checks what it is given."""
    queries = tuple(dict.fromkeys(query for run in runs for query in run.queries))
    place = {query: at for at, query in enumerate(queries)}
    documents = in_one_dictionary([_texts(run.document) for run in runs])
    # Codes in the order of the ids: sorted by code, equal scores stand as they are ranked.
    position = descending(documents.dictionary)
    codes, order = position[numpy_of(documents.indices)], np.argsort(position)
    texts = documents.dictionary.take(array_of_numbers(order))
    del documents
    ends = np.cumsum([len(run) for run in runs]).tolist()
    parts: list[_Rows] = []
    for run, end, name in zip_longest(runs, ends, names):
        of_run = np.array([place[query] for query in run.queries], np.int32)
        query = of_run[run.query] if len(run) else np.zeros(0, np.int32)
        rows = _ranked(query, codes[end - len(run) : end], run.value)
        with naming(name):
            if duplicates == "error":
                refuse_twice(run, repeated(_keys(rows, len(texts)), rows.query), queries, texts)
            rows = _once(rows, len(texts))
            if method != "rrf":
                _refuse_infinite(rows, queries, texts)
        parts.append(rows._replace(value=_scaled(rows, method, k)))
    added = [*_added(parts, len(queries), method, len(texts))]
    give_back()
    query, code, value = (np.concatenate(column) for column in zip(*added, strict=True))
    document = pa.DictionaryArray.from_arrays(array_of_numbers(code), texts)
    ids = frozenset(kind for run in runs for kind in run.ids)
    return Listing("run", queries, query, document, value, ids=ids)


def _texts(document: pa.DictionaryArray) -> pa.DictionaryArray:
    return document.cast(pa.dictionary(pa.int32(), pa.large_string()))


def _ranked(query: Codes, code: Codes, value: Numbers) -> _Rows:
    """Return a run by query and rank."""
    if (order := by_score(query, value)) is not None:
        query, code, value = query[order], code[order], value[order]
    return _Rows(query, by_position(tied_rows(query, value), code), value)


def _once(rows: _Rows, width: int) -> _Rows:
    """Return the rows without those whose document has a better rank already."""
    keep = firsts(_keys(rows, width), rows.query)
    return rows if keep is None else _Rows(rows.query[keep], rows.code[keep], rows.value[keep])


def _refuse_infinite(rows: _Rows, queries: Sequence[str], texts: pa.Array) -> None:
    finite = np.isfinite(rows.value)
    if not finite.all():
        at = int(np.argmin(finite))
        document = shown(texts[int(rows.code[at])].as_py())
        raise InputError(
            "an infinite score cannot be scaled to [0, 1]",
            where=f"query {shown(queries[rows.query[at]])}, document {document}",
            fix="fuse the ranks, with rrf",
        )


def _scaled(rows: _Rows, method: str, k: float) -> Numbers:
    """Return what each row adds to the score of its document."""
    first = np.flatnonzero(np.append(True, rows.query[1:] != rows.query[:-1])[: len(rows.query)])
    sizes = np.diff(np.append(first, len(rows.query)))
    if method == "rrf":
        rank = np.arange(1, len(rows.query) + 1) - np.repeat(first, sizes)
        return np.asarray(1.0 / (k + rank), np.float64)
    high, low = rows.value[first], rows.value[first + sizes - 1]
    # Halves, where the distance of two huge numbers is infinite.
    with np.errstate(over="ignore"):
        half = np.where(np.isinf(high - low), 0.5, 1.0)
    low, width = low * half, high * half - low * half
    alone = width == 0
    width[alone] = 1.0
    half, low, width = (np.repeat(column, sizes) for column in (half, low, width))
    scaled: Numbers = (rows.value * half - low) / width
    scaled[np.repeat(alone, sizes)] = 1.0
    return scaled


def _added(parts: Sequence[_Rows], n_queries: int, method: str, width: int) -> Iterator[_Rows]:
    """Yield sums in rank order, a block of queries at a time: it needs several times their size."""
    first = [starts(part.query, n_queries) for part in parts]
    sizes = np.diff(np.sum(first, axis=0))
    every = np.repeat(np.arange(n_queries, dtype=np.int32), sizes)
    yield _Rows(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
    for rows in blocks(every):
        block = slice(int(every[rows.start]), int(every[rows.stop - 1]) + 1)
        some = [part.of(block, at) for part, at in zip(parts, first, strict=True)]
        query, code, value = (np.concatenate(column) for column in zip(*some, strict=True))
        key = _keys(_Rows(query, code, value), width)
        order = np.argsort(key, kind="stable")
        key, value = key[order], value[order]
        head = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        count = np.diff(np.append(head, len(key)))
        total = _sums(value, head, count)
        if method == "combmnz":
            total *= count
        query, code = query[order[head]], code[order[head]]
        best = np.lexsort((-total, query))
        yield _Rows(query[best], code[best], total[best])


def _sums(value: Numbers, head: npt.NDArray[np.intp], count: npt.NDArray[np.intp]) -> Numbers:
    """Add up each group of values, rounded once: their order decides nothing."""
    total = value[head]
    two = count == 2
    total[two] += value[head[two] + 1]
    many = np.flatnonzero(count > 2)
    for group, at, n in zip(many.tolist(), head[many].tolist(), count[many].tolist(), strict=True):
        total[group] = math.fsum(value[at : at + n].tolist())
    return total


def _keys(rows: _Rows, width: int) -> Codes:
    return rows.query.astype(np.int64) * max(1, width) + rows.code
