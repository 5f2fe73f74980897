"""Sums over the rows of two models' differences, exact, so that any split and order agree.

What each row adds to a metric of the one model, minus what it adds to that of the other, is one
number a row.  The tests of a difference need the moments of these numbers in each class and nothing
else, so rows may come in batches, from partitions, or all at once: the digits are the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
import numpy.typing as npt

from veridical.kernels import MOMENT_UNIT, moment_sums
from veridical.reasons import SkipReason
from veridical.results import Interval
from veridical.stats.normal import normal_interval, two_sided_p
from veridical.stats.standard_error import (
    StandardError,
    scaled_interval,
    standard_error_from_moments,
    t_p_value,
)

__all__ = [
    "ClassSums",
    "PairedDifference",
    "delong_difference",
    "influence_difference",
    "tested_by_t",
]

NO_SPREAD = 1e-14
"""A standard error this small beside what rows add is the rounding of zero."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of two models measured on the same rows.

    Attributes
    ----------
    difference
        First minus second.
    variance
        Its estimated variance, or None where it cannot be estimated.
    interval
        The interval of the difference, or why there is none.
    p_value
        Two-sided, of "no difference"; None without a variance.
    """

    difference: float
    variance: float | None
    interval: Interval | SkipReason
    p_value: float | None


@dataclass(frozen=True, slots=True)
class ClassSums:
    """Sums over some rows; a commutative monoid.

    Attributes
    ----------
    n
        How many rows.
    total, squares, fourths
        Sums of the values, their squares and their fourth powers, in units of 2**-1074.

    Examples
    --------
    >>> sums = ClassSums.of(np.array([1.0, 3.0])) + ClassSums.of(np.array([5.0]))
    >>> sums.n, sums.mean, sums.spread
    (3, Fraction(3, 1), Fraction(8, 3))
    """

    n: int = 0
    total: int = 0
    squares: int = 0
    fourths: int = 0

    @classmethod
    def of(cls, values: npt.NDArray[np.float64]) -> Self:
        """Add up values of shape (n,)."""
        return cls(len(values), *moment_sums(values))

    def __add__(self, other: ClassSums) -> ClassSums:
        return ClassSums(
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            self.fourths + other.fourths,
        )

    @property
    def mean(self) -> Fraction:
        """Mean of the values; there must be one."""
        return Fraction(self.total, self.n << MOMENT_UNIT)

    @property
    def spread(self) -> Fraction:
        """Mean square of the values about their mean."""
        return max(Fraction(0), Fraction(self.squares, self.n << MOMENT_UNIT) - self.mean**2)

    @property
    def fourth(self) -> Fraction:
        """Mean fourth power of the values, whose mean should be nearly 0."""
        return Fraction(self.fourths, self.n << MOMENT_UNIT)


def influence_difference(
    difference: float, sums: ClassSums, scale: float, level: float
) -> PairedDifference:
    """Compare two models by how much more each row moves the metric of the one.

    Parameters
    ----------
    difference
        First minus second.
    sums
        Of the differences of influence values, all rows, about 0.
    scale
        Size of the influence values of either model, beside which a tiny spread is rounding.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    PairedDifference
        ``degenerate_variance`` when the two models do not differ on any row, or there are fewer
        than two rows.
    """
    error = None
    if sums.n:
        moments = float(sums.spread), float(sums.fourth)
        error = standard_error_from_moments(float(sums.n), *moments, scale=0.0)
    return tested_by_t(difference, error, scale, level)


def tested_by_t(
    difference: float, error: StandardError | None, scale: float, level: float
) -> PairedDifference:
    """Return Student's interval and test of a difference; none where its error is rounding."""
    if error is None or error.value <= NO_SPREAD * scale:
        return PairedDifference(difference, None, SkipReason.DEGENERATE_VARIANCE, None)
    interval = scaled_interval(difference, error, level, "influence")
    return PairedDifference(difference, error.value**2, interval, t_p_value(difference, error))


def delong_difference(
    difference: float, of_positives: ClassSums, of_negatives: ClassSums, level: float
) -> PairedDifference:
    """Compare two areas under the ROC curve by DeLong's variance of their difference.

    Parameters
    ----------
    difference
        First minus second.
    of_positives, of_negatives
        Of the differences of structural components in each class.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    PairedDifference
        ``degenerate_variance`` when a class has a single row or the two models rank every row
        alike.
    """
    classes = (of_positives, of_negatives)
    if min(sums.n for sums in classes) < 2:
        return PairedDifference(difference, None, SkipReason.DEGENERATE_VARIANCE, None)
    variance = float(sum(sums.spread / (sums.n - 1) for sums in classes))
    # Components are multiples of 1/(2P) and 1/(2N): a variance below this is rounding of zero.
    if variance <= 1e-30:
        return PairedDifference(difference, 0.0, SkipReason.DEGENERATE_VARIANCE, None)
    error = math.sqrt(variance)
    interval = normal_interval(difference, error, level, "delong", bounds=(-1.0, 1.0))
    return PairedDifference(difference, variance, interval, two_sided_p(difference / error))
