"""Decisions at a threshold: how much each row moves a metric of them, and two proportions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from veridical.measures import Measure
from veridical.results import Interval, Measured
from veridical.stats.normal import z
from veridical.summaries import ConfusionCounts

__all__ = ["Cells", "bonett_price", "decision_influence", "distance_influence"]

Cells: TypeAlias = tuple[float, float, float, float]
"""A number for true positives, false positives, false negatives, true negatives."""

STEP = Fraction(1, 1 << 20)
"""Share of a cell by which it is moved to see how a metric follows."""


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


def decision_influence(measure: Measure, counts: ConfusionCounts) -> Cells | None:
    """Return how much a row in each cell of a decision moves a metric of the four counts.

    It is the derivative of the metric by that cell, times the number of rows.

    Parameters
    ----------
    measure
        A metric of ``ConfusionCounts``.
    counts
        Of all rows, perhaps weighted.

    Returns
    -------
    tuple or None
        For true positives, false positives, false negatives, true negatives; None where the
        metric has no value nearby.

    Examples
    --------
    >>> from veridical.metrics import find
    >>> found = decision_influence(find("precision"), ConfusionCounts(tp=1, fp=1, fn=1, tn=0))
    >>> [round(cell, 6) for cell in found]
    [0.75, -0.75, 0.0, 0.0]
    """
    totals = [Fraction(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]
    tp, fp, fn, tn = (_slope(measure, totals, k) if totals[k] else 0.0 for k in range(4))
    if tp is None or fp is None or fn is None or tn is None:
        return None
    n = float(sum(totals))
    return n * tp, n * fp, n * fn, n * tn


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


def distance_influence(counts: ConfusionCounts) -> Cells:
    """Return how much a row in each cell moves TPR - FPR at a threshold.

    Examples
    --------
    >>> distance_influence(ConfusionCounts(tp=1, fp=1, fn=1, tn=1))
    (1.0, -1.0, -1.0, 1.0)
    """
    positives, negatives = counts.tp + counts.fn, counts.fp + counts.tn
    tpr, fpr = (
        float(Fraction(a) / Fraction(b))
        for a, b in ((counts.tp, positives), (counts.fp, negatives))
    )
    share = float(Fraction(positives) / Fraction(positives + negatives))
    return (1 - tpr) / share, (fpr - 1) / (1 - share), -tpr / share, fpr / (1 - share)
