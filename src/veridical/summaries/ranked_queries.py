"""``RankedQueries``: the grades of what each query retrieved, in rank order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["RankedQueries"]

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RankedQueries:
    """Everything that retrieval metrics need of a run and a golden set, without a document id.

    Documents that nobody judged gain nothing anywhere, so that only the judged ones are kept, with
    their ranks.  Those of all queries stand one after the other; ``starts[q]`` up to
    ``starts[q + 1]`` are those of query q, best rank first.

    Attributes
    ----------
    ids
        Queries of the golden set, Q of them.
    included
        Which of them are averaged over, bool, shape (Q,).
    retrieved
        Documents that each query retrieved, judged or not, int64, shape (Q,).
    starts
        int64, shape (Q + 1,).
    rank, grades
        Rank from 1, int64, and grade, float64, of each judged document that was retrieved,
        shape (N,).
    ideal_starts, ideal
        The judged grades of each query, highest first: shape (Q + 1,) and (J,).

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[None, 3, None, None, 2]], [[3, 2, 1]])
    >>> ranked.hits(5).tolist(), ranked.n_relevant().tolist()
    ([2.0], [3.0])
    """

    ids: tuple[str, ...]
    included: Mask
    retrieved: Counts
    starts: Counts
    rank: Counts
    grades: Floats
    ideal_starts: Counts
    ideal: Floats

    @classmethod
    def from_lists(
        cls, grades: Sequence[Sequence[float | None]], ideal: Sequence[Sequence[float]]
    ) -> RankedQueries:
        """Return the ranking of queries q0, q1, ... from grades in rank order, None if unjudged."""
        judged = [[(r, g) for r, g in enumerate(one, 1) if g is not None] for one in grades]
        flat = [pair for one in judged for pair in one]
        return cls(
            tuple(f"q{index}" for index in range(len(grades))),
            np.ones(len(grades), np.bool_),
            np.array([len(one) for one in grades], np.int64),
            np.cumsum([0, *map(len, judged)]),
            np.array([rank for rank, _ in flat], np.int64),
            np.array([grade for _, grade in flat], np.float64),
            np.cumsum([0, *map(len, ideal)]),
            np.array([grade for one in ideal for grade in sorted(one, reverse=True)], np.float64),
        )

    def averaged_over(self, included: Mask) -> RankedQueries:
        """Return the same ranking, averaged over other queries."""
        return replace(self, included=included)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def query(self) -> Counts:
        """Query of each judged document that was retrieved, shape (N,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def ideal_query(self) -> Counts:
        """Query of each judged document, shape (J,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.ideal_starts))

    @cached_property
    def ideal_rank(self) -> Counts:
        """Rank of each judged document in the ideal list, shape (J,)."""
        before = np.repeat(self.ideal_starts[:-1], np.diff(self.ideal_starts))
        return np.arange(1, len(self.ideal) + 1) - before

    @property
    def max_grade(self) -> float:
        """The highest grade of the golden set, 0 where there is none above it."""
        return max(0.0, float(self.ideal.max(initial=0.0)))

    def relevant(self, rel: float = 1.0) -> Mask:
        """Return which of the judged documents have a grade of at least ``rel``, shape (N,)."""
        return self.grades >= rel

    def n_relevant(self, rel: float = 1.0) -> Floats:
        """Return how many documents of the golden set are relevant, shape (Q,)."""
        if rel not in self._counted:
            self._counted[rel] = self.sums_ideal(self.ideal >= rel)
        return self._counted[rel]

    @cached_property
    def _counted(self) -> dict[float, Floats]:
        return {}

    def sums(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum over each query's judged documents, in rank order, shape (Q,)."""
        return np.bincount(self.query, values, minlength=len(self)).astype(np.float64)

    def sums_ideal(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum over each query's ideal list, best first, shape (Q,)."""
        return np.bincount(self.ideal_query, values, minlength=len(self)).astype(np.float64)

    def hits(self, k: float | None = None, rel: float = 1.0) -> Floats:
        """Return the relevant documents among the top k, or among all, shape (Q,)."""
        relevant = self.relevant(rel)
        return self.sums(relevant if k is None else relevant & (self.rank <= k))

    def running(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum of the values down to each document, itself included, shape (N,)."""
        return _running(values, self.starts)

    def running_ideal(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum of the values down to each rank of the ideal list, shape (J,)."""
        return _running(values, self.ideal_starts)


def _running(values: npt.NDArray[np.number] | Mask, starts: Counts) -> Floats:
    total = np.cumsum(values, dtype=np.float64)
    before = np.concatenate([np.zeros(1), total])[starts[:-1]]
    running: Floats = total - np.repeat(before, np.diff(starts))
    return running
