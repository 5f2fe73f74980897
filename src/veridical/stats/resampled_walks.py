"""Statistics of many resampled walks at once: one row a replicate, one column a threshold.

A bootstrap replicate of the rows is a new set of counts in the same slots, so a replicate of a
metric needs no sorting.  Every function here takes ``ResampledWalks`` of B replicates and returns
B values; a replicate in which the metric is undefined is NaN, and ``percentile_interval`` counts
it.  NaN never leaves this layer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.summaries import Walk
from veridical.summaries.fixed_point import FixedArray

__all__ = [
    "ResampledWalks",
    "Statistic",
    "auc",
    "average_precision",
    "flagged",
    "gini",
    "ks",
    "partial_auc",
    "precision_at_recall",
    "precision_in_top",
    "ratio",
    "recall_at_fpr",
    "recall_at_precision",
    "recall_in_top",
    "row_sums",
]

Counts: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Values: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ResampledWalks:
    """B walks over the same m thresholds.

    Attributes
    ----------
    thresholds
        Descending, shape (m,).
    positives, tied
        Positives and negatives at each threshold, int64 or float64, shape (B, m); may be 0.
    between
        Negatives above threshold 0, between thresholds, below the last, shape (B, m + 1).
    fn_cost, fp_cost_tied, fp_cost_between, review_cost_tied, review_cost_between
        Sums of price columns in the same slots, or None where the price is one number.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> walks = ResampledWalks.of(ScoreTable.from_rows(labels, scores).walk)
    >>> walks.tp.tolist(), walks.fp.tolist(), auc(walks).tolist()
    ([[1.0, 2.0]], [[0.0, 1.0]], [0.75])
    """

    thresholds: npt.NDArray[np.floating]
    positives: Counts
    tied: Counts
    between: Counts
    fn_cost: Values | None = None
    fp_cost_tied: Values | None = None
    fp_cost_between: Values | None = None
    review_cost_tied: Values | None = None
    review_cost_between: Values | None = None

    @classmethod
    def of(cls, walk: Walk) -> ResampledWalks:
        """Return the walk itself as one replicate."""

        def one_row(column: FixedArray | None) -> Values | None:
            return None if column is None else column.to_float()[np.newaxis]

        return cls(
            walk.thresholds,
            walk.positives.numbers()[np.newaxis],
            walk.tied.numbers()[np.newaxis],
            walk.between.numbers()[np.newaxis],
            one_row(walk.fn_cost),
            one_row(walk.fp_cost_tied),
            one_row(walk.fp_cost_between),
            one_row(walk.review_cost_tied),
            one_row(walk.review_cost_between),
        )

    def __len__(self) -> int:
        return len(self.positives)

    @cached_property
    def tp(self) -> Values:
        """True positives when flagging down to each threshold, shape (B, m)."""
        return np.cumsum(self.positives, axis=1, dtype=np.float64)

    @cached_property
    def fp(self) -> Values:
        """False positives when flagging down to each threshold, shape (B, m)."""
        return flagged(self.tied, self.between)

    @cached_property
    def total_positives(self) -> Values:
        """P of each replicate, shape (B,)."""
        return row_sums(self.positives)

    @cached_property
    def total_negatives(self) -> Values:
        """N of each replicate, shape (B,)."""
        return row_sums(self.tied) + row_sums(self.between)

    @property
    def tp_before(self) -> Values:
        """Positives strictly above each threshold, shape (B, m)."""
        return self.tp - self.positives

    @property
    def fp_before(self) -> Values:
        """Negatives strictly above each threshold, shape (B, m)."""
        return self.fp - self.tied


Statistic: TypeAlias = Callable[[ResampledWalks], Values]
"""A metric of each replicate: walks to values of shape (B,)."""


def row_sums(values: Counts) -> Values:
    """Return the sum of each replicate, shape (B,)."""
    sums: Values = values.sum(axis=1, dtype=np.float64)
    return sums


def flagged(tied: Counts, between: Counts) -> Values:
    """Return the sums over everything at or above each threshold, shape (B, m)."""
    down_to: Values = np.cumsum(tied + between[:, :-1], axis=1, dtype=np.float64)
    return down_to


def ratio(numerator: Values, denominator: Values) -> Values:
    """Return the quotient, NaN where the denominator is 0."""
    quotient: Values = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


def _column(values: Values) -> Values:
    return values[:, np.newaxis]


def auc(walks: ResampledWalks) -> Values:
    """Area under the ROC curve; undefined without positives or without negatives."""
    negatives = _column(walks.total_negatives)
    right = row_sums(walks.positives * (negatives - walks.fp + walks.tied / 2))
    return ratio(right, walks.total_positives * walks.total_negatives)


def gini(walks: ResampledWalks) -> Values:
    """``2 * AUC - 1``; undefined where the AUC is."""
    return 2 * auc(walks) - 1


def average_precision(walks: ResampledWalks) -> Values:
    """Sum of (R_n - R_(n-1)) P_n over distinct thresholds; undefined without positives."""
    precision = np.nan_to_num(ratio(walks.tp, walks.tp + walks.fp))
    return ratio(row_sums(walks.positives * precision), walks.total_positives)


def ks(walks: ResampledWalks) -> Values:
    """Largest distance between the two score distributions, in either direction.

    Undefined without positives or without negatives.
    """
    positives, negatives = _column(walks.total_positives), _column(walks.total_negatives)
    above = ratio(walks.tp, positives) - ratio(walks.fp, negatives)
    below = ratio(walks.fp_before, negatives) - ratio(walks.tp_before, positives)
    both_present = (walks.total_positives > 0) & (walks.total_negatives > 0)
    largest = np.maximum(above, below).max(axis=1, initial=0.0)
    return np.where(both_present, largest, np.nan)


def recall_at_fpr(fpr: float) -> Statistic:
    """Highest recall over observed thresholds whose false-positive rate is at most ``fpr``.

    Flag nothing always qualifies.  Undefined without positives or without negatives.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> labels, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> walks = ResampledWalks.of(ScoreTable.from_rows(labels, scores).walk)
    >>> recall_at_fpr(0.1)(walks).tolist(), recall_at_fpr(0.5)(walks).tolist()
    ([0.5], [1.0])
    """

    def statistic(walks: ResampledWalks) -> Values:
        allowed = ratio(walks.fp, _column(walks.total_negatives)) <= fpr
        recall = ratio(row_sums(walks.positives * allowed), walks.total_positives)
        return np.where(walks.total_negatives > 0, recall, np.nan)

    return statistic


def recall_at_precision(precision: float) -> Statistic:
    """Highest recall over thresholds whose precision is at least ``precision``; 0 if none is.

    Undefined without positives.
    """

    def statistic(walks: ResampledWalks) -> Values:
        reached = ratio(walks.tp, walks.tp + walks.fp) >= precision
        most = np.where(reached, walks.tp, 0.0).max(axis=1, initial=0.0)
        return ratio(most, walks.total_positives)

    return statistic


def precision_at_recall(recall: float) -> Statistic:
    """Precision at the highest threshold whose recall is at least ``recall`` (> 0).

    Undefined without positives.
    """

    def statistic(walks: ResampledWalks) -> Values:
        reached = ratio(walks.tp, _column(walks.total_positives)) >= recall
        # Recall only grows, so the first threshold that reaches it is at the count of the others;
        # where none does (there are no positives), the NaN behind the last answers.
        first = (~reached).sum(axis=1)[:, np.newaxis]
        precision = ratio(walks.tp, walks.tp + walks.fp)
        padded = np.concatenate([precision, np.full((len(walks), 1), np.nan)], axis=1)
        return np.take_along_axis(padded, first, axis=1)[:, 0]

    return statistic


def partial_auc(max_fpr: float) -> Statistic:
    """McClish's standardised area under the ROC curve up to ``max_fpr``, in (0, 1].

    ``(1 + (A - lowest) / (highest - lowest)) / 2`` with A the area under the ROC curve, linear
    between its points, and the area of a random and of a perfect ranking.  Undefined without
    positives or without negatives.

    References
    ----------
    D. K. McClish (1989), Analyzing a portion of the ROC curve. doi:10.1177/0272989X8900900307
    """

    def statistic(walks: ResampledWalks) -> Values:
        positives, negatives = _column(walks.total_positives), _column(walks.total_negatives)
        limit = max_fpr * negatives
        # Where the curve enters, runs flat until, and leaves each threshold, cut off at the limit.
        before, after = np.minimum(walks.fp_before, limit), np.minimum(walks.fp, limit)
        flat_from = np.concatenate([np.zeros_like(limit), after], axis=1)
        flat_to = np.concatenate([before, limit], axis=1)
        height = np.concatenate([np.zeros_like(limit), walks.tp], axis=1)
        flat = row_sums((flat_to - flat_from) * height)
        share = np.nan_to_num(ratio(after - before, walks.tied.astype(np.float64)))
        sloped = (after - before) * (walks.tp_before + walks.positives * share / 2)
        area = ratio(flat + row_sums(sloped), walks.total_positives * walks.total_negatives)
        lowest, highest = max_fpr**2 / 2, max_fpr
        return np.where(
            (positives > 0)[:, 0], (1 + (area - lowest) / (highest - lowest)) / 2, np.nan
        )

    return statistic


def _hits_in_top(walks: ResampledWalks, k: int) -> Values:
    """Return the expected positives among the k highest scores, ties broken at random."""
    flagged_before = walks.tp_before + walks.fp_before
    group = (walks.positives + walks.tied).astype(np.float64)
    share = np.nan_to_num(ratio(k - flagged_before, group))
    return row_sums(walks.positives * np.clip(share, 0.0, 1.0))


def precision_in_top(k: int) -> Statistic:
    """Share of positives expected among the k highest scores; undefined with fewer rows."""

    def statistic(walks: ResampledWalks) -> Values:
        enough = walks.total_positives + walks.total_negatives >= k
        return np.where(enough, _hits_in_top(walks, k) / k, np.nan)

    return statistic


def recall_in_top(k: int) -> Statistic:
    """Share of the positives expected among the k highest scores; undefined without positives."""
    return lambda walks: ratio(_hits_in_top(walks, k), walks.total_positives)
