"""A golden set, and its hash: the same for the same judgements, whatever holds them.

The hash is the SHA-256 of the judgements by query and document, both in the order of their bytes:
the numbers of queries and of judgements, the number of judgements of each query, the lengths of
the ids of queries, the ids, the lengths of the ids of documents, the ids, and the grades.
"""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from array import array
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from veridical.errors import InputError
from veridical.kernels import Judgements, RankedLines, rank_dicts, rank_lines, read_judgements
from veridical.late import np
from veridical.ranking.names import naming
from veridical.ranking.ordering import Duplicates, Ordered, Ties, ordered_by_kernel
from veridical.tables._words import counted, shown
from veridical.tables.text_blocks import text_blocks

if TYPE_CHECKING:
    from veridical.kernels.query_sums import Memory
    from veridical.tables.listings import Listing, Role

__all__ = ["Golden", "OrderedRun", "golden_hash"]

Found = TypeVar("Found", RankedLines, Judgements)
_UNREADABLE = (OSError, EOFError, zlib.error, UnicodeDecodeError)


class OrderedRun(NamedTuple):
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
    """A golden set, which puts runs in order; read into columns only where a run asks for them."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self._of_dicts: Judgements | None = None

    def order(
        self, run: Any, ties: Ties, duplicates: Duplicates, name: str | None = None
    ) -> OrderedRun:
        """Put a run in rank order, in the quickest way that fits what it is.

        An error about the run tells its name, if it is given one.
        """
        quick = self._quickly(run) if ties == "docid_desc" else None
        if quick is not None:
            return quick
        from veridical.ranking.columns import ordered
        from veridical.tables.listings import listing_of

        golden = self.listing  # what is wrong with it is no fault of the run
        with naming(name):
            listing = listing_of(run, "run")
            found = ordered(listing, golden, ties, duplicates)
        return OrderedRun(
            found,
            len(listing.queries),
            listing.ids | golden.ids,
            {**listing.source, "tag": listing.name or None},
        )

    def _quickly(self, run: Any) -> OrderedRun | None:
        return self._of_two_dicts(run) or self._of_lines(run)

    def _of_two_dicts(self, run: Any) -> OrderedRun | None:
        try:
            dicts = rank_dicts(run, self.given)
            if dicts is None:
                return None
            ranks, self._of_dicts = dicts
            known = int(ranks.listed.sum()) == len(run)
            unknown = () if known else (str(query) for query in run if query not in self.given)
            found = ordered_by_kernel(ranks, self._of_dicts, unknown)
        except ValueError:  # an int of more digits than Python writes: the careful reader tells it
            return None
        return OrderedRun(found, len(run), frozenset(), {"kind": "dict", "tag": None})

    def _of_lines(self, run: Any) -> OrderedRun | None:
        lines = self._ranked_lines(run)
        if lines is None:
            return None
        found = ordered_by_kernel(lines.ranks, self.judgements, lines.unknown)
        source = {"kind": "file", "path": os.fsdecode(run), "tag": lines.tag or None}
        return OrderedRun(found, lines.n_queries, self._ids | {"text"}, source)

    def _ranked_lines(self, run: Any) -> RankedLines | None:
        """Rank a run in TREC text; None where it is anything else, or needs a careful reader."""
        if not isinstance(run, (str, os.PathLike)):
            return None
        blocks = text_blocks(run)
        if blocks is None:
            return None
        golden = self.judgements
        try:
            found = rank_lines(blocks, golden)
        except _UNREADABLE:
            return None
        return _unless_wrong(found, run, "run")

    @cached_property
    def judgements(self) -> Judgements:
        """The judgements in their canonical order."""
        if self._of_dicts is not None:
            return self._of_dicts
        if self._lines_of_golden is not None:
            return self._lines_of_golden
        return _judgements(self.listing)

    @cached_property
    def _lines_of_golden(self) -> Judgements | None:
        if not isinstance(self.given, (str, os.PathLike)):
            return None
        blocks = text_blocks(self.given)
        try:
            found = None if blocks is None else read_judgements(blocks)
        except _UNREADABLE:
            return None
        return _unless_wrong(found, self.given, "qrels")

    @cached_property
    def _ids(self) -> frozenset[str]:
        """The types that its ids have; in a file they are texts."""
        return self.listing.ids if self._lines_of_golden is None else frozenset({"text"})

    @cached_property
    def listing(self) -> Listing:
        """The judgements as columns, no document of a query twice."""
        from veridical.tables.listings import by_query_id, listing_of

        listing = by_query_id(listing_of(self.given, "qrels"))
        _refuse_judged_twice(listing)
        return listing

    @cached_property
    def sha256(self) -> str:
        """The hash of the judgements."""
        return _digest(self.judgements)

    def described(self) -> dict[str, Any]:
        """Return where it came from, its hash and its size, as JSON."""
        source: Mapping[str, Any]
        if self._of_dicts is not None:
            source = {"kind": "dict"}
        elif self._lines_of_golden is not None:
            source = {"kind": "file", "path": os.fsdecode(self.given)}
        else:
            source = self.listing.source
        sizes = {
            "n_queries": len(self.judgements.queries),
            "n_judged": len(self.judgements.grades),
        }
        return {**source, "sha256": self.sha256, **sizes}


def _unless_wrong(
    found: Found | int | None, path: str | os.PathLike[str], role: Role
) -> Found | None:
    """Return what was found; a bad line is refused, unless another format explains it."""
    if not isinstance(found, int):
        return found
    from veridical.tables.listing_files import refuse_line

    refuse_line(os.fsdecode(path), role, found)
    return None


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
    return _digest(_judgements(qrels))


def _refuse_judged_twice(qrels: Listing) -> None:
    from veridical.tables.arrow_numpy import numpy_of

    width = max(1, len(qrels.document.dictionary))
    key = qrels.query.astype(np.int64) * width + numpy_of(qrels.document.indices)
    order = np.argsort(key, kind="stable")
    repeated = np.flatnonzero(key[order][1:] == key[order][:-1])
    if len(repeated):
        pair = qrels.pair(int(order[repeated[0] + 1]))
        raise InputError(
            f"document {shown(pair[1])} is judged more than once",
            where=f"{qrels.told(*pair)}; {counted(len(repeated), 'such judgement')} in all",
            why="it is not clear which grade holds",
            fix="keep one of them",
        )


def _judgements(qrels: Listing) -> Judgements:
    """Return judgements in their canonical order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from veridical.tables.arrow_numpy import array_of_numbers, numpy_of
    from veridical.tables.listings import by_query_id

    qrels = by_query_id(qrels)
    names = qrels.document.dictionary.cast(pa.large_string())
    rank = np.empty(len(names), np.int64)
    rank[numpy_of(pc.array_sort_indices(names))] = np.arange(len(names))
    order = np.lexsort((rank[numpy_of(qrels.document.indices)], qrels.query))
    texts = qrels.document.take(array_of_numbers(order)).cast(pa.large_string()).to_pylist()
    ids = [one.encode() for one in qrels.queries]
    documents = [one.encode() for one in texts]
    return Judgements(
        list(qrels.queries),
        np.bincount(qrels.query, minlength=len(ids)),
        qrels.value[np.lexsort((-qrels.value, qrels.query))],
        np.fromiter(map(len, ids), np.uint32, len(ids)),
        b"".join(ids),
        np.fromiter(map(len, documents), np.uint32, len(documents)),
        b"".join(documents),
        qrels.value[order] + 0.0,
    )


def _digest(golden: Judgements) -> str:
    sizes = array("Q", [len(golden.counts), len(golden.grades)])
    hashed = hashlib.sha256(_little_endian(sizes, "Q"))
    hashed.update(_little_endian(golden.counts, "I"))
    hashed.update(_little_endian(golden.query_lengths, "I"))
    hashed.update(golden.query_texts)
    hashed.update(_little_endian(golden.lengths, "I"))
    hashed.update(golden.texts)
    hashed.update(_little_endian(golden.grades, "d"))
    return hashed.hexdigest()


def _little_endian(column: Memory, code: str) -> Any:
    """Return numbers of a type, in the letter that ``array`` has for it, as they are hashed."""
    if not isinstance(column, array):
        return column.astype(f"<{code}", copy=False).data
    made = column if column.typecode == code else array(code, column)
    if sys.byteorder == "big":
        made = array(code, made)
        made.byteswap()
    return made
