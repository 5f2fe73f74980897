"""``Ordered``: a run in rank order beside its golden set, whoever put it in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.kernels import Judgements, Ranks
from veridical.summaries import RankedQueries, TiedQueries

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
        Which queries of the golden set the run has, bool, shape (Q,).
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
    listed: npt.NDArray[np.bool_]
    ties_with_relevant: int
    duplicates: int
    unknown: tuple[str, ...]
    own_ids: tuple[str, ...] = ()
    tied: TiedQueries | None = None


def ordered_by_kernel(ranks: Ranks, golden: Judgements, unknown: Iterable[str]) -> Ordered:
    """Return what a kernel found as the ranking of the queries of the golden set."""
    first = next(iter(golden.queries), "")
    ranked = RankedQueries(
        tuple(golden.queries if type(first) is str else map(str, golden.queries)),
        np.ones(len(golden.queries), np.bool_),
        ranks.retrieved,
        _starts(ranks.counts),
        ranks.rank,
        ranks.grades,
        _starts(golden.counts),
        golden.ideal,
    )
    own = tuple(map(str, ranks.own))
    return Ordered(ranked, ranks.listed > 0, ranks.ties, 0, tuple(unknown), own)


def _starts(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return where each part begins, and the last one ends."""
    starts = np.zeros(len(counts) + 1, np.int64)
    counts.cumsum(out=starts[1:])
    return starts
