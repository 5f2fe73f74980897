"""Decisions at a threshold, row by row: who was right, and how much each row moves a metric."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.costs import Costs
from veridical.kernels.arrays import as_score
from veridical.measures import Measure
from veridical.metrics.intervals import Units
from veridical.results import Interval, Measured
from veridical.stats.influence import Influence, mean_influence
from veridical.stats.normal import z
from veridical.summaries import ConfusionCounts

__all__ = [
    "bonett_price",
    "cost_influence",
    "decision_influence",
    "discordant",
    "distance_influence",
    "flagged",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

STEP = Fraction(1, 1 << 20)
"""Share of a cell by which it is moved to see how a metric follows."""


def flagged(units: Units, threshold: float | None) -> Mask:
    """Return which rows score at least the threshold, compared in the type of the scores.

    None flags nothing.
    """
    if threshold is None:
        return np.zeros(len(units.scores), dtype=np.bool_)
    at_least: Mask = units.scores >= as_score(threshold, units.scores.dtype)
    return at_least


def discordant(right_a: Mask, right_b: Mask) -> tuple[int, int]:
    """Return how many rows only the first, and only the second, decided rightly."""
    return int(np.count_nonzero(right_a & ~right_b)), int(np.count_nonzero(right_b & ~right_a))


def bonett_price(only_first: int, only_second: int, n: int, level: float) -> Interval:
    """Interval of the difference of two proportions on the same n rows.

    Wald's interval after adding one row to each discordant cell, which keeps its coverage in
    small samples.

    Parameters
    ----------
    only_first, only_second
        Rows that only one of the two decided rightly.
    n
        All rows, >= 1.
    level
        Confidence level, in (0, 1).

    References
    ----------
    D. G. Bonett and R. M. Price (2012), Adjusted Wald confidence interval for a difference of
    binomial proportions based on paired data. doi:10.3102/1076998611411915

    Examples
    --------
    >>> interval = bonett_price(1, 7, 21, 0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.508, -0.013)
    """
    first, second = (only_first + 1) / (n + 2), (only_second + 1) / (n + 2)
    centre = first - second
    half = z(level) * math.sqrt((first + second - centre**2) / (n + 2))
    return Interval(max(-1.0, centre - half), min(1.0, centre + half), level, "bonett-price")


def decision_influence(measure: Measure, units: Units, threshold: float | None) -> Influence | None:
    """Return a metric of the four counts and the influence of each row on it.

    A row counts in one of the four cells, so its influence is the derivative of the metric by
    that cell, times the number of rows.

    Parameters
    ----------
    measure
        A metric of ``ConfusionCounts``.
    units
        Rows, perhaps weighted.
    threshold
        Scores at or above it are flagged.

    Returns
    -------
    Influence or None
        None where the metric has no value, or none nearby.

    Examples
    --------
    >>> from veridical.metrics import find
    >>> units = Units(np.array([True, True, False]), np.array([0.9, 0.2, 0.8]))
    >>> precision = decision_influence(find("precision"), units, 0.5)
    >>> precision.estimate, precision.values.round(6).tolist()
    (0.5, [0.75, 0.0, -0.75])
    """
    cell = np.where(flagged(units, threshold), 0, 2) + np.where(units.positive, 0, 1)
    # Cells in the order of ConfusionCounts: tp, fp, fn, tn.
    totals = [Fraction(total) for total in np.bincount(cell, units.weight, 4).tolist()]
    estimate = _value(measure, totals)
    slopes = [_slope(measure, totals, k) if totals[k] else 0.0 for k in range(4)]
    if estimate is None or None in slopes:
        return None
    n = float(sum(totals))
    return Influence(estimate, n * np.array(slopes, dtype=np.float64)[cell])


def _slope(measure: Measure, totals: list[Fraction], k: int) -> float | None:
    step = totals[k] * STEP
    more, less = (
        _value(measure, [t + sign * step if i == k else t for i, t in enumerate(totals)])
        for sign in (1, -1)
    )
    return None if more is None or less is None else (more - less) / float(2 * step)


def _value(measure: Measure, totals: list[Fraction]) -> float | None:
    cells = [int(total) if total.denominator == 1 else total for total in totals]
    result = measure.definition.function(ConfusionCounts(*cells), **measure.arguments())
    return result.value if isinstance(result, Measured) else None


def cost_influence(units: Units, costs: Costs, threshold: float | None) -> Influence:
    """Return the mean cost of a row at a threshold and the influence of each row on it.

    Parameters
    ----------
    units
        Rows, with the price columns that ``costs`` names.
    costs
        Prices.
    threshold
        Scores at or above it are flagged; None flags nothing, -inf everything.

    Examples
    --------
    >>> units = Units(np.array([True, False, False]), np.array([0.2, 0.8, 0.1]))
    >>> cost_influence(units, Costs(fn=10, fp=1, review=1), 0.5).estimate
    4.0
    """
    flag, positive = flagged(units, threshold), units.positive
    falls_due = {"fn": positive & ~flag, "fp": ~positive & flag, "review": flag}
    total = np.zeros(len(flag))
    for name, rows in falls_due.items():
        amount = costs.amount(name)
        total += rows * (units.costs[f"{name}_cost"] if amount is None else amount)
    return mean_influence(total, units.weight)


def distance_influence(units: Units, threshold: float) -> Influence:
    """Return TPR - FPR at a threshold and the influence of each row on it.

    Examples
    --------
    >>> units = Units(np.array([True, True, False, False]), np.array([0.9, 0.4, 0.6, 0.1]))
    >>> distance_influence(units, 0.5).values.tolist()
    [1.0, -1.0, -1.0, 1.0]
    """
    flag, positive = flagged(units, threshold).astype(np.float64), units.positive
    weight = np.ones(len(flag)) if units.weight is None else units.weight
    tpr, fpr = (float(np.average(flag[c], weights=weight[c])) for c in (positive, ~positive))
    share = float(np.average(positive, weights=weight))
    return Influence(
        tpr - fpr, np.where(positive, (flag - tpr) / share, (fpr - flag) / (1 - share))
    )
