"""Which queries a run and its golden set share, and what a reader must know about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import not_
from typing import Any, NamedTuple

from veridical.kernels.query_sums import positive
from veridical.ranking.ordering import Ordered
from veridical.tables._words import listed

__all__ = ["Matching", "matching"]

_EXAMPLES = 3


class Matching(NamedTuple):
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
    missing = _without(found.ranked.ids, bytes(found.listed))
    totals = found.ranked.totals
    relevant = bytes(positive(totals.relevant()))
    mismatches = []
    if missing:
        queries = "query" if len(missing) == 1 else "queries"
        mismatches.append(
            f"{name}: {len(missing):,} {queries} of the golden set without results: "
            f"{listed(missing, most=_EXAMPLES)}"
        )
    if found.unknown:
        mismatches.append(
            f"{name}: {len(found.unknown):,} of {n_queries:,} queries are not in the "
            f"golden set and are left out: {listed(found.unknown, most=_EXAMPLES)}"
        )
    if not len(totals.grades) and (retrieved := sum(totals.retrieved.tolist())):
        mismatches.append(
            f"{name}: none of the {retrieved:,} retrieved documents is judged; "
            "do the document ids of the two agree?"
        )
    return Matching(
        missing,
        found.unknown,
        _without(found.ranked.ids, relevant),
        tuple(mismatches),
        tuple(_remarks(name, ids, found.own_ids)),
        found.ties_with_relevant,
        found.duplicates,
    )


def _without(ids: Sequence[str], marked: bytes) -> tuple[str, ...]:
    """Return the ids that are not marked."""
    return tuple(compress(ids, map(not_, marked))) if 0 in marked else ()


def _remarks(name: str, ids: frozenset[str], own_ids: Sequence[str]) -> list[str]:
    remarks = []
    if ids == {"text", "int"}:
        remarks.append(f"{name}: ids are partly numbers and partly text; 1 and '1' are one id")
    if own_ids:
        queries = "query" if len(own_ids) == 1 else "queries"
        remarks.append(
            f"{name}: {len(own_ids):,} {queries} retrieved a document with the id of the query "
            f"({listed(own_ids, most=_EXAMPLES)}); it is kept"
        )
    return remarks
