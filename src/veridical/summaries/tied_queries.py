"""``TiedQueries``: where the documents of equal scores stand, when no order of them is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from veridical.late import np
from veridical.summaries.ranked_queries import Counts, Floats, RankedQueries

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["TieGroups", "TiedQueries"]


class TieGroups(NamedTuple):
    """The groups of equal scores that hold a judged document, best first in each query.

    A document that shares its score with no other is a group of one.

    Attributes
    ----------
    query
        Query of each group, int64, shape (G,).
    before, size
        Documents above the group, and in it, judged or not; int64.
    relevant, others
        Judged documents in it that are relevant, and that are not; float64.
    relevant_above, others_above
        The same of the groups above; float64.
    """

    query: Counts
    before: Counts
    size: Counts
    relevant: Floats
    others: Floats
    relevant_above: Floats
    others_above: Floats


@dataclass(frozen=True, eq=False)
class TiedQueries:
    """A ranking in which equal scores are one place.

    Attributes
    ----------
    ranked
        The same ranking in some order of equal scores.
    before, size
        Of each judged document that was retrieved, the documents of higher scores, and those of
        its own score; int64, shape (N,).

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, 2]], [[3, 2]])
    >>> tied = TiedQueries(ranked, before=np.array([1, 1]), size=np.array([2, 2]))
    >>> tied.groups().relevant.tolist()
    [2.0]
    """

    ranked: RankedQueries
    before: Counts
    size: Counts

    @cached_property
    def group(self) -> Counts:
        """Group of each judged document that was retrieved, from 0, shape (N,)."""
        query, before = self.ranked.query, self.before
        changes = (query[1:] != query[:-1]) | (before[1:] != before[:-1])
        return np.concatenate([np.zeros(min(1, len(query)), np.int64), np.cumsum(changes)])

    @cached_property
    def first(self) -> Counts:
        """Row of the first judged document of each group, shape (G,)."""
        return np.flatnonzero(np.diff(self.group, prepend=-1))

    def in_groups(self, values: npt.NDArray[np.number] | npt.NDArray[np.bool_]) -> Floats:
        """Return the sum over the judged documents of each group, shape (G,)."""
        return np.bincount(self.group, values, minlength=len(self.first)).astype(np.float64)

    def in_queries(self, values: npt.NDArray[np.number]) -> Floats:
        """Return the sum over the groups of each query, best first, shape (Q,)."""
        query = self.ranked.query[self.first]
        return np.bincount(query, values, minlength=len(self.ranked)).astype(np.float64)

    def groups(self, rel: float = 1.0) -> TieGroups:
        """Return the groups; relevant means a grade of at least ``rel``."""
        relevant = self.ranked.relevant(rel)
        inside, others = self.in_groups(relevant), self.in_groups(~relevant)
        query = self.ranked.query[self.first]
        return TieGroups(
            query,
            self.before[self.first],
            self.size[self.first],
            inside,
            others,
            _above(inside, query),
            _above(others, query),
        )


def _above(values: Floats, query: Counts) -> Floats:
    """Return the sum of the values of the groups above each, in its query."""
    total = np.cumsum(values) - values
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    above: Floats = total - np.repeat(total[starts], np.diff(np.append(starts, len(query))))
    return above
