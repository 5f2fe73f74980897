"""A golden set, and its hash: the same for the same judgements, whatever holds them.

The hash is the SHA-256 of the judgements by query and document, both in the order of their bytes:
the numbers of queries and of judgements, the number of judgements of each query, the lengths of
the ids of queries, the ids, the lengths of the ids of documents, the ids, and the grades.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from veridical.kernels import RankedDicts
from veridical.ranking.ordering import Duplicates, Ordered, Ties, ordered_dicts

if TYPE_CHECKING:
    from veridical.tables.listings import Listing

__all__ = ["Golden", "OrderedRun", "golden_hash", "golden_hash_of_dicts"]


@dataclass(frozen=True, slots=True)
class OrderedRun:
    """A run in rank order, and where it came from.

    Attributes
    ----------
    ordered
        The ranks of its documents beside their grades.
    n_queries
        How many queries it has.
    ids
        The types that its ids and those of the golden set had.
    source
        Where it came from, as JSON.
    """

    ordered: Ordered
    n_queries: int
    ids: frozenset[str]
    source: Mapping[str, Any]


class Golden:
    """A golden set, read into columns only where a run asks for them."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self._found: RankedDicts | None = None

    def order(self, run: Any, ties: Ties, duplicates: Duplicates) -> OrderedRun:
        """Put a run in rank order, in the quickest way that fits what it is."""
        quick = ordered_dicts(run, self.given) if ties == "docid_desc" else None
        if quick is not None:
            found, self._found = quick
            return OrderedRun(found, len(run), frozenset(), {"kind": "dict", "tag": None})
        from veridical.ranking.columns import ordered
        from veridical.tables.listings import listing_of

        listing = listing_of(run, "run")
        return OrderedRun(
            ordered(listing, self.listing, ties, duplicates),
            len(listing.queries),
            listing.ids | self.listing.ids,
            {**listing.source, "tag": listing.name or None},
        )

    @cached_property
    def listing(self) -> Listing:
        """The judgements as columns."""
        from veridical.tables.listings import by_query_id, listing_of

        return by_query_id(listing_of(self.given, "qrels"))

    @cached_property
    def sha256(self) -> str:
        """The hash of the judgements."""
        found = self._found
        return golden_hash(self.listing) if found is None else golden_hash_of_dicts(found)

    def described(self) -> dict[str, Any]:
        """Return where it came from, its hash and its size, as JSON."""
        found = self._found
        source = self.listing.source if found is None else {"kind": "dict"}
        queries = len(self.listing.queries if found is None else found.queries)
        judged = len(self.listing if found is None else found.judged)
        return {**source, "sha256": self.sha256, "n_queries": queries, "n_judged": judged}


def golden_hash(qrels: Listing) -> str:
    """Return the hash of judgements in columns.

    Examples
    --------
    >>> from veridical.tables.listings import listing_of
    >>> one = listing_of({"q1": {"a": 1, "b": 0}}, "qrels")
    >>> two = listing_of({"q1": {"b": 0.0, "a": 1}}, "qrels")
    >>> golden_hash(one) == golden_hash(two)
    True
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    from veridical.tables.arrow_numpy import array_of_numbers, numpy_of

    queries = sorted(range(len(qrels.queries)), key=qrels.queries.__getitem__)
    place = np.empty(len(queries), np.int64)
    place[queries] = np.arange(len(queries))
    query = place[qrels.query]
    names = qrels.document.dictionary.cast(pa.large_string())
    rank = np.empty(len(names), np.int64)
    rank[numpy_of(pc.array_sort_indices(names))] = np.arange(len(names))
    order = np.lexsort((rank[numpy_of(qrels.document.indices)], query))
    texts = qrels.document.take(array_of_numbers(order)).cast(pa.large_string()).to_pylist()
    ids = [qrels.queries[one].encode() for one in queries]
    documents = [one.encode() for one in texts]
    return _digest(
        np.bincount(query, minlength=len(ids)),
        np.fromiter(map(len, ids), np.uint32, len(ids)),
        b"".join(ids),
        np.fromiter(map(len, documents), np.uint32, len(documents)),
        b"".join(documents),
        qrels.value[order],
    )


def golden_hash_of_dicts(found: RankedDicts) -> str:
    """Return the hash of judgements that a kernel has put in order."""
    return _digest(
        found.ideal_counts,
        found.query_lengths,
        found.query_texts,
        found.lengths,
        found.texts,
        found.judged,
    )


def _digest(
    counts: npt.NDArray[np.integer],
    query_lengths: npt.NDArray[np.uint32],
    query_texts: bytes | bytearray,
    lengths: npt.NDArray[np.uint32],
    texts: bytes | bytearray,
    grades: npt.NDArray[np.float64],
) -> str:
    sizes = np.array([len(counts), len(grades)], "<u8")
    hashed = hashlib.sha256(sizes.tobytes())
    hashed.update(counts.astype("<u4").tobytes())
    hashed.update(query_lengths.astype("<u4").tobytes())
    hashed.update(query_texts)
    hashed.update(lengths.astype("<u4").tobytes())
    hashed.update(texts)
    hashed.update((grades + 0.0).astype("<f8").tobytes())
    return hashed.hexdigest()
