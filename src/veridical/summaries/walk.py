"""``Walk``: the operating points that matter, from the strictest threshold to the loosest.

Lowering the threshold past a negative only ever makes things worse, so the interesting thresholds
are the distinct scores of *positives*.  Between two of them it matters how many negatives lie
there, not where.  Any exact summary of scores, whether it keeps every distinct score or only these
slots, gives the same walk, and therefore the same digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.summaries.confusion import Count
from veridical.summaries.fixed_point import FixedArray, exact_number

__all__ = ["Walk"]

Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Walk:
    """Operating points at the m distinct scores of positives, descending.

    Attributes
    ----------
    thresholds
        The distinct scores of positives, descending, shape (m,).
    positives
        Positives at each threshold, shape (m,), all > 0 but for a stop that was asked for.
    tied
        Negatives at exactly each threshold, shape (m,).
    between
        Negatives strictly above threshold 0, between thresholds 0 and 1, ..., below the last,
        shape (m + 1,).
    fn_cost, fp_cost_tied, fp_cost_between, review_cost_tied, review_cost_between
        The same sums of price columns, or None where the price is one number.
    """

    thresholds: npt.NDArray[np.float64] | npt.NDArray[np.float32]
    positives: FixedArray
    tied: FixedArray
    between: FixedArray
    fn_cost: FixedArray | None = None
    fp_cost_tied: FixedArray | None = None
    fp_cost_between: FixedArray | None = None
    review_cost_tied: FixedArray | None = None
    review_cost_between: FixedArray | None = None

    @classmethod
    def from_groups(
        cls,
        scores: npt.NDArray[np.float64] | npt.NDArray[np.float32],
        positives: FixedArray,
        negatives: FixedArray,
        fn_cost: FixedArray | None = None,
        fp_cost: FixedArray | None = None,
        review_cost: FixedArray | None = None,
        *,
        stop: int | None = None,
    ) -> Walk:
        """Merge the groups (descending, one a distinct score) that hold no positive.

        The group number ``stop`` stays a stop of its own even without a positive.
        """
        chosen = positives.whole > 0
        if positives.fraction is not None:
            chosen = chosen | (positives.fraction > 0)
        if stop is not None:
            chosen[stop] = True
        at = np.flatnonzero(chosen)

        def between(column: FixedArray) -> FixedArray:
            # Zero the groups that are stops, put one empty group in front so that every slot has
            # at least one member, and add up from each slot's first member.
            only = FixedArray(
                np.where(chosen, 0, column.whole),
                None if column.fraction is None else np.where(chosen, 0, column.fraction),
            )
            starts = np.concatenate([[0], at + 1])
            return FixedArray.zeros(1).concatenated(only).sums_from(starts)

        return cls(
            scores[at],
            positives[at],
            negatives[at],
            between(negatives),
            fn_cost and fn_cost[at],
            fp_cost and fp_cost[at],
            fp_cost and between(fp_cost),
            review_cost and review_cost[at],
            review_cost and between(review_cost),
        )

    def __len__(self) -> int:
        return len(self.thresholds)

    def without_prices(self) -> Walk:
        """Return the walk of the same rows, for metrics that cost nothing."""
        return Walk(self.thresholds, self.positives, self.tied, self.between)

    @cached_property
    def total_positives(self) -> Count:
        """P, exactly."""
        return exact_number(self.positives.total())

    @cached_property
    def total_negatives(self) -> Count:
        """N, exactly."""
        return exact_number(self.tied.total() + self.between.total())

    @property
    def total(self) -> Count:
        """P + N, exactly."""
        return self.total_positives + self.total_negatives

    @property
    def is_whole(self) -> bool:
        """Whether all weights are whole numbers, so that counts are counts of rows."""
        return self.positives.is_whole and self.tied.is_whole and self.between.is_whole

    @cached_property
    def tp(self) -> Numbers:
        """True positives when flagging down to each threshold, shape (m,)."""
        return _numbers(np.cumsum(self.positives.numbers()))

    @cached_property
    def fp_before(self) -> Numbers:
        """Negatives strictly above each threshold, shape (m,)."""
        # Not fp - tied: next to a heavy tie the difference would lose what lies above it.
        return _numbers(np.append(0, self.fp)[:-1] + self.between.numbers()[:-1])

    @cached_property
    def fp(self) -> Numbers:
        """False positives when flagging down to each threshold, shape (m,)."""
        return _numbers(np.cumsum(self.between.numbers()[:-1] + self.tied.numbers()))


def _numbers(values: Any) -> Numbers:
    """Name the type that numpy's stubs lose: int64 for whole counts, float64 otherwise."""
    numbers: Numbers = values
    return numbers
