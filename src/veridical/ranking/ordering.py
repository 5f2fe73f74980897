"""``Ordered``: a run in rank order beside its golden set, whoever put it in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from veridical.kernels import Judgements, Ranks
from veridical.kernels.query_sums import starts_of
from veridical.summaries import RankedQueries

if TYPE_CHECKING:
    from veridical.kernels.query_sums import Memory
    from veridical.summaries import TiedQueries

__all__ = ["Duplicates", "Ordered", "Ties", "ordered_by_kernel"]

Ties: TypeAlias = Literal["docid_desc", "input", "average", "error"]
Duplicates: TypeAlias = Literal["error", "keep-first"]


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """A run in rank order beside its golden set.

    Attributes
    ----------
    ranked
        The grades in rank order.
    listed
        Which queries of the golden set the run has, a byte for each.
    ties_with_relevant
        Groups of equal scores, two documents or more, that hold a relevant one.
    duplicates
        Rows of the run that were left out because their document stands higher already.
    unknown
        Queries of the run that the golden set does not have.
    own_ids
        Queries that retrieved a document with the id of the query.
    tied
        Where equal scores stand, if their orders are averaged over.
    """

    ranked: RankedQueries
    listed: Memory
    ties_with_relevant: int
    duplicates: int
    unknown: tuple[str, ...]
    own_ids: tuple[str, ...] = ()
    tied: TiedQueries | None = None


def ordered_by_kernel(ranks: Ranks, golden: Judgements, unknown: Iterable[str]) -> Ordered:
    """Return what a kernel found as the ranking of the queries of the golden set."""
    included: Memory = bytearray(b"\x01" * len(golden.queries))
    ranked = RankedQueries(
        tuple(golden.queries),
        included,
        ranks.retrieved,
        starts_of(ranks.counts),
        ranks.rank,
        ranks.grades,
        starts_of(golden.counts),
        golden.ideal,
    )
    return Ordered(ranked, ranks.listed, ranks.ties, 0, tuple(unknown), tuple(ranks.own))
