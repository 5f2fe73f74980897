"""``QueryTotals``: what the judged documents of each query add up to, in plain memory."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from veridical.kernels.query_sums import (
    Memory,
    discounted_list_sums,
    discounted_sums,
    first_ranks,
    hit_counts,
    precision_sums,
    relevant_counts,
    top_counts,
)
from veridical.summaries.columns import memory

if TYPE_CHECKING:
    from veridical.summaries.ranked_queries import RankedQueries

__all__ = ["QueryTotals"]


class QueryTotals:
    """One number for each query of a ranking, float64, shape (Q,).

    What is returned is memory that ``np.asarray`` makes an array of, so that metrics which only
    divide one by the other need no numpy.

    Parameters
    ----------
    ranked
        The ranking.
    """

    def __init__(self, ranked: RankedQueries) -> None:
        self.retrieved: Memory = memory(ranked, "retrieved")
        self.ideal_starts: Memory = memory(ranked, "ideal_starts")
        self.ideal: Memory = memory(ranked, "ideal")
        self.grades: Memory = memory(ranked, "grades")
        self._rows = memory(ranked, "starts"), memory(ranked, "rank")
        self._relevant: dict[float, Memory] = {}

    def relevant(self, rel: float = 1.0) -> Memory:
        """Return the relevant documents of the golden set."""
        if rel not in self._relevant:
            self._relevant[rel] = relevant_counts(self.ideal_starts, self.ideal, rel)
        return self._relevant[rel]

    def hits(self, k: int | None = None, rel: float = 1.0) -> Memory:
        """Return the relevant documents among the top k, or among all."""
        return hit_counts(*self._rows, self.grades, k, rel)

    def judged(self, k: int | None = None) -> Memory:
        """Return the judged documents among the top k, or among all."""
        return self.hits(k, rel=-math.inf)

    def in_top(self, k: int) -> Memory:
        """Return the documents among the top k, judged or not."""
        return top_counts(self.retrieved, k)

    def first_hit(self, k: int | None = None, rel: float = 1.0) -> Memory:
        """Return the rank of the first relevant document, 0 without one in the top k."""
        return first_ranks(*self._rows, self.grades, k, rel)

    def precisions(self, k: int | None = None, rel: float = 1.0) -> Memory:
        """Return the sum of hits(i) / i over the ranks i <= k of relevant documents."""
        return precision_sums(*self._rows, self.grades, k, rel)

    def discounted(self, gains: Memory, k: int | None = None) -> Memory:
        """Return the sum of gain / log2(i + 1) over the ranks i <= k; a gain below 0 is none.

        ``gains`` has one for each judged document that was retrieved, shape (N,).
        """
        return discounted_sums(*self._rows, gains, k)

    def discounted_ideal(self, gains: Memory, k: int | None = None) -> Memory:
        """Return the same of the ideal list, with a gain for each judged document, shape (J,)."""
        return discounted_list_sums(self.ideal_starts, gains, k)
