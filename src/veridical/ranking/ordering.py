"""The one ranking primitive: score descending, ties by document id descending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.kernels import RankedDicts, rank_dicts
from veridical.summaries import RankedQueries

__all__ = ["Duplicates", "Ordered", "Ties", "ordered_dicts"]

Ties: TypeAlias = Literal["docid_desc", "input", "error"]
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
    """

    ranked: RankedQueries
    listed: npt.NDArray[np.bool_]
    ties_with_relevant: int
    duplicates: int
    unknown: tuple[str, ...]
    own_ids: tuple[str, ...] = ()


def ordered_dicts(run: Any, qrels: Any) -> tuple[Ordered, RankedDicts] | None:
    """Do what ``ordered`` does, by default, for plain dicts; None where they are not plain."""
    found = rank_dicts(run, qrels)
    if found is None:
        return None
    ranked = RankedQueries(
        tuple(map(str, found.queries)),
        np.ones(len(qrels), np.bool_),
        found.retrieved,
        np.concatenate([[0], np.cumsum(found.counts)]),
        found.rank,
        found.grades,
        np.concatenate([[0], np.cumsum(found.ideal_counts)]),
        found.ideal,
    )
    known = int(found.listed.sum()) == len(run)
    unknown = () if known else tuple(str(query) for query in run if query not in qrels)
    own = tuple(map(str, found.own))
    return Ordered(ranked, found.listed > 0, found.ties, 0, unknown, own), found
