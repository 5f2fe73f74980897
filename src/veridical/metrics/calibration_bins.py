"""Calibration errors from bins: how far forecast probabilities are from event rates.

Notation: forecast p, label y in {0, 1}; in bin m, |B_m| rows, conf the mean forecast and acc the
event rate.  Bins are equal-width and right-closed; the first also holds 0.
"""

from __future__ import annotations

import numpy as np

from veridical.measures import metric
from veridical.metrics import intervals
from veridical.metrics.calibration_values import BINS, filled_bins, is_empty, whole_n
from veridical.metrics.outcomes import found
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.summaries import ReliabilityTable

__all__ = ["ece", "mce"]


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="lower",
    bounds=(0, 1),
    interval=intervals.consistency_band,
    aliases=["expected_calibration_error"],
    companions=["calibration.brier"],
    probabilities=True,
)
def ece(table: ReliabilityTable, bins: int = 10) -> Result:
    """Expected calibration error: mean distance between forecast and event rate, over the bins.

    Formula
    -------
    sum over bins of |B_m| / n |acc - conf|

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  It is biased upwards where bins hold few rows, even for a perfect
    model, so rows per bin and a consistency band (what a calibrated model would show at this n)
    stand beside it.  A bootstrap interval would cover nothing, so none is given.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), AAAI; Broecker and Smith (2007), doi:10.1175/WAF993.1.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.95, 1.0]))
    >>> round(ece.function(table).value, 12)
    0.475
    """
    if is_empty(table):
        return Skipped("no_rows")
    n, conf, acc = filled_bins(table)
    value = float(np.sum(n / n.sum() * np.abs(acc - conf)))
    return Measured(value, whole_n(table), conditions=_per_bin(table))


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="lower",
    bounds=(0, 1),
    interval=intervals.consistency_band,
    aliases=["maximum_calibration_error", "max_calibration_error"],
    probabilities=True,
)
def mce(table: ReliabilityTable, bins: int = 10) -> Result:
    """Maximum calibration error: the worst bin's distance between forecast and event rate.

    Formula
    -------
    max over bins of |acc - conf|

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  A bin of few rows can dominate it; rows per bin stand beside it.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), AAAI.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.95, 0.2]))
    >>> round(mce.function(table).value, 12)
    0.2
    """
    if is_empty(table):
        return Skipped("no_rows")
    _, conf, acc = filled_bins(table)
    return Measured(float(np.max(np.abs(acc - conf))), whole_n(table), conditions=_per_bin(table))


def _per_bin(table: ReliabilityTable) -> Conditions:
    n = table.column("n").tolist()
    return found(rows_per_bin=[int(x) if x.is_integer() else x for x in n])
