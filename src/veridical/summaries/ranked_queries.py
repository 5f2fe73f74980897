"""``RankedQueries``: the grades of what each query retrieved, in rank order."""

from __future__ import annotations

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

    The documents of all queries stand one after the other; ``starts[q]`` up to ``starts[q + 1]``
    are those of query q, best first.

    Attributes
    ----------
    ids
        Queries of the golden set, Q of them.
    included
        Which of them are averaged over, bool, shape (Q,).
    starts
        int64, shape (Q + 1,).
    grades, judged
        Grade of each retrieved document, 0 where it was not judged, and whether it was;
        float64 and bool, shape (N,).
    ideal_starts, ideal
        The same for the judged grades of each query, highest first: shape (Q + 1,) and (J,).

    Examples
    --------
    >>> ranked = RankedQueries.from_lists([[0, 3, 0, 0, 2]], [[3, 2, 1]])
    >>> ranked.hits(5).tolist(), ranked.n_relevant().tolist()
    ([2.0], [3.0])
    """

    ids: tuple[str, ...]
    included: Mask
    starts: Counts
    grades: Floats
    judged: Mask
    ideal_starts: Counts
    ideal: Floats

    @classmethod
    def from_lists(
        cls, grades: list[list[float]], ideal: list[list[float]], judged: Mask | None = None
    ) -> RankedQueries:
        """Return the ranking of queries q0, q1, ... from their grades in rank order."""
        flat = np.array([grade for query in grades for grade in query], np.float64)
        return cls(
            tuple(f"q{index}" for index in range(len(grades))),
            np.ones(len(grades), np.bool_),
            np.cumsum([0, *map(len, grades)]),
            flat,
            flat > 0 if judged is None else judged,
            np.cumsum([0, *map(len, ideal)]),
            np.array([grade for query in ideal for grade in sorted(query, reverse=True)]),
        )

    def averaged_over(self, included: Mask) -> RankedQueries:
        """Return the same ranking, averaged over other queries."""
        return replace(self, included=included)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def query(self) -> npt.NDArray[np.int32]:
        """Query of each retrieved document, shape (N,)."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    @cached_property
    def rank(self) -> npt.NDArray[np.int32]:
        """Rank of each retrieved document from 1, shape (N,)."""
        before = np.repeat(self.starts[:-1], np.diff(self.starts))
        return (np.arange(1, len(self.grades) + 1) - before).astype(np.int32)

    @cached_property
    def ideal_query(self) -> npt.NDArray[np.int32]:
        """Query of each judged document, shape (J,)."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.ideal_starts))

    @cached_property
    def ideal_rank(self) -> npt.NDArray[np.int32]:
        """Rank of each judged document in the ideal list, shape (J,)."""
        before = np.repeat(self.ideal_starts[:-1], np.diff(self.ideal_starts))
        return (np.arange(1, len(self.ideal) + 1) - before).astype(np.int32)

    @property
    def retrieved(self) -> Counts:
        """Documents that each query retrieved, shape (Q,)."""
        return np.diff(self.starts)

    @property
    def max_grade(self) -> float:
        """The highest grade of the golden set, 0 where there is none above it."""
        return max(0.0, float(self.ideal.max(initial=0.0)))

    def relevant(self, rel: float = 1.0) -> Mask:
        """Return which retrieved documents have a grade of at least ``rel``, shape (N,)."""
        return self.judged & (self.grades >= rel)

    def n_relevant(self, rel: float = 1.0) -> Floats:
        """Return how many documents of the golden set are relevant, shape (Q,)."""
        return self.sums_ideal((self.ideal >= rel).astype(np.float64))

    def sums(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum over each query's retrieved documents, in rank order, shape (Q,)."""
        return np.bincount(self.query, values, minlength=len(self)).astype(np.float64)

    def sums_ideal(self, values: Floats) -> Floats:
        """Return the sum over each query's judged documents, best first, shape (Q,)."""
        return np.bincount(self.ideal_query, values, minlength=len(self)).astype(np.float64)

    def hits(self, k: float | None = None, rel: float = 1.0) -> Floats:
        """Return the relevant documents among the top k, or among all, shape (Q,)."""
        relevant = self.relevant(rel)
        return self.sums(relevant if k is None else relevant & (self.rank <= k))

    def running(self, values: npt.NDArray[np.number] | Mask) -> Floats:
        """Return the sum of the values down to each rank, that rank included, shape (N,)."""
        total = np.cumsum(values, dtype=np.float64)
        before = np.concatenate([np.zeros(1), total])[self.starts[:-1]]
        running: Floats = total - np.repeat(before, np.diff(self.starts))
        return running
