"""Which queries a run and its golden set share, and what a reader must know about it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.ranking.ordering import Ordered
from veridical.tables._words import counted, listed
from veridical.tables.arrow_numpy import array_of_numbers, numpy_of
from veridical.tables.listings import Listing

__all__ = ["Matching", "golden_hash", "golden_hash_of_dict", "matching"]

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Matching:
    """How the ids of a run and of its golden set match.

    Attributes
    ----------
    missing
        Queries of the golden set that the run lacks.
    unknown
        Queries of the run that the golden set lacks.
    no_relevant
        Queries of the golden set without a relevant document.
    mismatches
        Sentences about queries that one side lacks.
    remarks
        Further sentences: ids that look mistaken.
    ties_with_relevant, duplicates
        As for ``Ordered``.
    """

    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    no_relevant: tuple[str, ...]
    mismatches: tuple[str, ...]
    remarks: tuple[str, ...]
    ties_with_relevant: int
    duplicates: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences."""
        return (*self.mismatches, *self.remarks)

    def to_dict(self) -> dict[str, Any]:
        """Return the ids as one JSON object."""
        return {
            "queries_without_results": list(self.missing),
            "queries_not_in_golden_set": list(self.unknown),
            "queries_without_relevant": list(self.no_relevant),
            "ties_with_relevant": self.ties_with_relevant,
            "duplicates_left_out": self.duplicates,
        }


def matching(name: str, n_queries: int, ids: frozenset[str], found: Ordered) -> Matching:
    """Compare the ids of a run with those of its golden set.

    Parameters
    ----------
    name
        Of the run, for sentences.
    n_queries, ids
        Queries of the run, and the types that the ids of the two had.
    found
        What ``ordered`` made of the run and its golden set.
    """
    missing = _where(found.ranked.ids, ~found.listed)
    relevant = found.ranked.n_relevant() > 0
    mismatches = []
    if missing:
        mismatches.append(
            f"{name}: {counted(len(missing), 'query').replace('querys', 'queries')} of the golden "
            f"set without results: {listed(missing, most=_EXAMPLES)}"
        )
    if found.unknown:
        mismatches.append(
            f"{name}: {len(found.unknown):,} of {n_queries:,} queries are not in the "
            f"golden set and are left out: {listed(found.unknown, most=_EXAMPLES)}"
        )
    retrieved = int(found.ranked.retrieved.sum())
    if retrieved and not len(found.ranked.grades):
        mismatches.append(
            f"{name}: none of the {retrieved:,} retrieved documents is judged; "
            "do the document ids of the two agree?"
        )
    return Matching(
        missing,
        found.unknown,
        _where(found.ranked.ids, ~relevant),
        tuple(mismatches),
        tuple(_remarks(name, ids, found.own_ids)),
        found.ties_with_relevant,
        found.duplicates,
    )


def _where(ids: Sequence[str], mask: Any) -> tuple[str, ...]:
    return tuple(ids[at] for at in np.flatnonzero(mask).tolist())


def _remarks(name: str, ids: frozenset[str], own_ids: Sequence[str]) -> list[str]:
    remarks = []
    if ids == {"text", "int"}:
        remarks.append(f"{name}: ids are partly numbers and partly text; 1 and '1' are one id")
    if own_ids:
        remarks.append(
            f"{name}: {len(own_ids):,} queries retrieved a document with the id of the query "
            f"({listed(own_ids, most=_EXAMPLES)}); it is kept"
        )
    return remarks


def golden_hash(qrels: Listing) -> str:
    """Return a sha256 of the judgements, the same in every order and every file format.

    Examples
    --------
    >>> from veridical.tables.listings import listing_of
    >>> one = listing_of({"q1": {"a": 1, "b": 0}}, "qrels")
    >>> two = listing_of({"q1": {"b": 0.0, "a": 1}}, "qrels")
    >>> golden_hash(one) == golden_hash(two)
    True
    """
    queries = sorted(range(len(qrels.queries)), key=qrels.queries.__getitem__)
    place = np.empty(len(queries), np.int64)
    place[queries] = np.arange(len(queries))
    names = qrels.document.dictionary.cast(pa.large_string())
    rank = np.empty(len(names), np.int64)
    rank[numpy_of(pc.array_sort_indices(names))] = np.arange(len(names))
    order = np.lexsort((rank[numpy_of(qrels.document.indices)], place[qrels.query]))
    documents = qrels.document.take(array_of_numbers(order)).cast(pa.large_string()).to_pylist()
    return _digest(sorted(qrels.queries), documents, place[qrels.query][order], qrels.value[order])


def golden_hash_of_dict(qrels: Mapping[Any, Mapping[Any, float]]) -> str:
    """Return what ``golden_hash`` returns, for a plain dict whose ids are all of one type."""
    key = None if all(type(query) is str for query in qrels) else str
    queries = sorted(qrels, key=key)
    judged = [qrels[query] for query in queries]
    text = type(next(chain.from_iterable(judged), "")) is str
    ordered = [sorted(ids, key=None if text else str) for ids in judged]
    pairs = zip(judged, ordered, strict=True)
    values = [*chain.from_iterable(map(grades.__getitem__, ids) for grades, ids in pairs)]
    place = np.repeat(np.arange(len(queries)), [len(ids) for ids in ordered])
    documents = [*chain.from_iterable(ordered)]
    texts = documents if text else [*map(str, documents)]
    return _digest([*map(str, queries)], texts, place, np.array(values, np.float64))


def _digest(
    queries: Sequence[str],
    documents: Sequence[str],
    place: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
) -> str:
    """Hash judgements that stand in the order of query, then document."""
    hashed = hashlib.sha256()
    for texts in (queries, documents):
        joined = "".join(texts)
        lengths = map(len, texts if joined.isascii() else [text.encode() for text in texts])
        hashed.update(np.fromiter(lengths, np.int64, len(texts)).tobytes())
        hashed.update(joined.encode())
    hashed.update(place.astype(np.int64).tobytes())
    hashed.update((values + 0.0).tobytes())
    return hashed.hexdigest()
