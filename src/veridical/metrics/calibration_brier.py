"""The Brier score, its skill, and the five terms that it is made of.

Notation: forecast p, label y in {0, 1}; in bin m, |B_m| rows, conf the mean forecast and acc the
event rate; ybar the event rate of all rows.  Bins are equal-width and right-closed; the first also
holds 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.measures import metric
from veridical.metrics import intervals
from veridical.metrics.calibration_values import BINS, base_rate, filled_bins, is_empty, whole_n
from veridical.metrics.outcomes import found, one_class
from veridical.results import Measured, Result, Skipped
from veridical.summaries import ReliabilityTable
from veridical.summaries.fixed_point import FRACTION_BITS, exact_number

__all__ = [
    "brier",
    "brier_reliability",
    "brier_resolution",
    "brier_skill",
    "brier_uncertainty",
    "brier_within_covariance",
    "brier_within_variance",
]


@metric(
    "calibration",
    summary=ReliabilityTable,
    better="lower",
    bounds=(0, 1),
    interval=intervals.mean_loss("squared_error"),
    aliases=["brier_score", "brier_score_loss", "mean_squared_error_of_forecast"],
    companions=["calibration.brier_skill"],
    probabilities=True,
)
def brier(table: ReliabilityTable) -> Result:
    """Mean squared distance between forecast and outcome; a strictly proper score.

    Formula
    -------
    mean of (p - y)^2

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  On rare events a constant forecast of the base rate already scores
    ybar (1 - ybar), so the skill against it stands beside it.

    References
    ----------
    Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([0, 0, 0]) == 1, np.array([0.1, 0.4, 0.9]))
    >>> round(brier.function(table).value, 12)
    0.326666666667
    """
    if is_empty(table):
        return Skipped("no_rows")
    return Measured(_brier(table), whole_n(table))


def _brier(table: ReliabilityTable) -> float:
    # sum of (p - y)^2 = sum p^2 - 2 sum p y + sum y, added exactly before the one division.
    units = sum(table.sum_p2) - 2 * sum(table.sum_py) + sum(table.sum_y)
    return max(0.0, units / sum(table.n))


@metric(
    "calibration",
    summary=ReliabilityTable,
    bounds=(None, 1),
    interval=intervals.brier_skill,
    aliases=["brier_skill_score", "bss"],
    probabilities=True,
)
def brier_skill(table: ReliabilityTable) -> Result:
    """Share of the base-rate forecast's Brier score that the model removes.

    Formula
    -------
    1 - Brier / (ybar (1 - ybar))

    When it is undefined
    --------------------
    A class is absent: skipped ``no_positives`` or ``no_negatives``.  Below 0 the model is worse
    than always forecasting the base rate.

    References
    ----------
    Murphy (1988), doi:10.1175/1520-0493(1988)116<2417:SSBOTM>2.0.CO;2.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.75, 0.25]))
    >>> brier_skill.function(table).value
    0.75
    """
    positives, rows = (
        exact_number(sum(units) >> FRACTION_BITS) for units in (table.sum_y, table.n)
    )
    if skipped := one_class(positives, rows - positives):
        return skipped
    rate = base_rate(table)
    return Measured(
        1 - _brier(table) / (rate * (1 - rate)), whole_n(table), conditions=found(base_rate=rate)
    )


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="lower",
    bounds=(0, 1),
    interval=intervals.no_interval,
    probabilities=True,
)
def brier_reliability(table: ReliabilityTable, bins: int = 10) -> Result:
    """Brier term: squared distance of forecast and event rate, bin by bin.

    Formula
    -------
    REL = sum over bins of |B_m| / n (conf - acc)^2

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  The five terms always add up:
    Brier = REL - RES + UNC + WBV - WBC.

    References
    ----------
    Murphy (1973), A New Vector Partition of the Probability Score, Journal of Applied
    Meteorology 12.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.75, 0.25]))
    >>> round(brier_reliability.function(table).value, 12)
    0.0625
    """
    if is_empty(table):
        return Skipped("no_rows")
    n, conf, acc = filled_bins(table)
    value = float(np.sum(n / n.sum() * (conf - acc) ** 2))
    return Measured(value, whole_n(table))


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="higher",
    bounds=(0, 0.25),
    interval=intervals.no_interval,
    probabilities=True,
)
def brier_resolution(table: ReliabilityTable, bins: int = 10) -> Result:
    """Brier term: how far the bins' event rates spread around the base rate.

    Formula
    -------
    RES = sum over bins of |B_m| / n (acc - ybar)^2

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.

    References
    ----------
    Murphy (1973), A New Vector Partition of the Probability Score, Journal of Applied
    Meteorology 12.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.75, 0.25]))
    >>> round(brier_resolution.function(table).value, 12)
    0.25
    """
    if is_empty(table):
        return Skipped("no_rows")
    n, _, acc = filled_bins(table)
    value = float(np.sum(n / n.sum() * (acc - base_rate(table)) ** 2))
    return Measured(value, whole_n(table))


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="lower",
    bounds=(0, 0.25),
    interval=intervals.no_interval,
    probabilities=True,
)
def brier_uncertainty(table: ReliabilityTable, bins: int = 10) -> Result:
    """Brier term: variance of the outcome, a property of the data and not of the model.

    Formula
    -------
    UNC = ybar (1 - ybar)

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.

    References
    ----------
    Murphy (1973), A New Vector Partition of the Probability Score, Journal of Applied
    Meteorology 12.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.75, 0.25]))
    >>> round(brier_uncertainty.function(table).value, 12)
    0.25
    """
    if is_empty(table):
        return Skipped("no_rows")
    rate = base_rate(table)
    value = rate * (1 - rate)
    return Measured(value, whole_n(table))


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="lower",
    bounds=(0, 0.25),
    interval=intervals.no_interval,
    probabilities=True,
)
def brier_within_variance(table: ReliabilityTable, bins: int = 10) -> Result:
    """Brier term: spread of the forecasts inside their bins.

    Formula
    -------
    WBV = (1 / n) sum of (p - conf)^2

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  It is 0 when all forecasts in a bin are equal.

    References
    ----------
    Stephenson, Coelho and Jolliffe (2008), doi:10.1175/2007WAF2006116.1.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.75, 0.25]))
    >>> round(brier_within_variance.function(table).value, 12)
    0.0
    """
    if is_empty(table):
        return Skipped("no_rows")
    within = table.column("sum_p2") - _product(table, "sum_p", "sum_p")
    value = max(0.0, float(within.sum())) / table.total("n")
    return Measured(value, whole_n(table))


@metric(
    "calibration",
    summary=ReliabilityTable,
    parameters=[BINS],
    main="bins",
    better="higher",
    bounds=(-0.5, 0.5),
    interval=intervals.no_interval,
    probabilities=True,
)
def brier_within_covariance(table: ReliabilityTable, bins: int = 10) -> Result:
    """Brier term: how forecasts follow outcomes inside their bins (higher is better).

    Formula
    -------
    WBC = (2 / n) sum of (p - conf)(y - acc)

    When it is undefined
    --------------------
    No row: skipped ``no_rows``.  It is 0 when all forecasts in a bin are equal.

    References
    ----------
    Stephenson, Coelho and Jolliffe (2008), doi:10.1175/2007WAF2006116.1.

    Examples
    --------
    >>> table = ReliabilityTable.from_rows(np.array([1, 0]) == 1, np.array([0.75, 0.25]))
    >>> round(brier_within_covariance.function(table).value, 12)
    0.0
    """
    if is_empty(table):
        return Skipped("no_rows")
    within = table.column("sum_py") - _product(table, "sum_p", "sum_y")
    value = 2 * float(within.sum()) / table.total("n")
    return Measured(value, whole_n(table))


def _product(table: ReliabilityTable, one: str, two: str) -> npt.NDArray[np.float64]:
    """Return the product of two sums divided by |B|, per bin; 0 in empty bins."""
    n = table.column("n")
    product = table.column(one) * table.column(two)
    return np.divide(product, n, out=np.zeros_like(n), where=n > 0)
