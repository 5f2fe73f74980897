"""Calibration from bins: whether forecast probabilities mean what they say.

Notation: forecast p, label y in {0, 1}; in bin m, |B_m| rows, conf the mean forecast and acc the
event rate; ybar the event rate of all rows.  Bins are equal-width and right-closed; the first also
holds 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.measures import integer, metric
from veridical.metrics import intervals
from veridical.metrics.outcomes import found, one_class
from veridical.results import Conditions, Measured, Result, Skipped
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
    "ece",
    "mce",
]

BINS = integer("bins", 10, low=1, high=10_000)


def _bins(table: ReliabilityTable) -> tuple[npt.NDArray[np.float64], ...]:
    """Return |B|, conf and acc of the bins that hold rows."""
    n, sum_p, sum_y = (table.column(name) for name in ("n", "sum_p", "sum_y"))
    held = n > 0
    return n[held], sum_p[held] / n[held], sum_y[held] / n[held]


def _per_bin(table: ReliabilityTable) -> Conditions:
    n = table.column("n").tolist()
    return found(rows_per_bin=[int(x) if x.is_integer() else x for x in n])


def _is_empty(table: ReliabilityTable) -> bool:
    # Not by the rounded n: three rows of weight 0.1 are rows.
    return not any(table.n)


def _n(table: ReliabilityTable) -> int:
    return round(table.total("n"))


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
    if _is_empty(table):
        return Skipped("no_rows")
    n, conf, acc = _bins(table)
    value = float(np.sum(n / n.sum() * np.abs(acc - conf)))
    return Measured(value, _n(table), conditions=_per_bin(table))


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
    if _is_empty(table):
        return Skipped("no_rows")
    _, conf, acc = _bins(table)
    return Measured(float(np.max(np.abs(acc - conf))), _n(table), conditions=_per_bin(table))


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
    if _is_empty(table):
        return Skipped("no_rows")
    return Measured(_brier(table), _n(table))


def _brier(table: ReliabilityTable) -> float:
    # sum of (p - y)^2 = sum p^2 - 2 sum p y + sum y, added exactly before the one division.
    units = sum(table.sum_p2) - 2 * sum(table.sum_py) + sum(table.sum_y)
    return max(0.0, units / sum(table.n))


def _base_rate(table: ReliabilityTable) -> float:
    return table.total("sum_y") / table.total("n")


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
    rate = _base_rate(table)
    return Measured(
        1 - _brier(table) / (rate * (1 - rate)), _n(table), conditions=found(base_rate=rate)
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
    if _is_empty(table):
        return Skipped("no_rows")
    n, conf, acc = _bins(table)
    value = float(np.sum(n / n.sum() * (conf - acc) ** 2))
    return Measured(value, _n(table))


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
    if _is_empty(table):
        return Skipped("no_rows")
    n, _, acc = _bins(table)
    value = float(np.sum(n / n.sum() * (acc - _base_rate(table)) ** 2))
    return Measured(value, _n(table))


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
    if _is_empty(table):
        return Skipped("no_rows")
    rate = _base_rate(table)
    value = rate * (1 - rate)
    return Measured(value, _n(table))


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
    if _is_empty(table):
        return Skipped("no_rows")
    within = table.column("sum_p2") - _product(table, "sum_p", "sum_p")
    value = max(0.0, float(within.sum())) / table.total("n")
    return Measured(value, _n(table))


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
    if _is_empty(table):
        return Skipped("no_rows")
    within = table.column("sum_py") - _product(table, "sum_p", "sum_y")
    value = 2 * float(within.sum()) / table.total("n")
    return Measured(value, _n(table))


def _product(table: ReliabilityTable, one: str, two: str) -> npt.NDArray[np.float64]:
    """Return the product of two sums divided by |B|, per bin; 0 in empty bins."""
    n = table.column("n")
    product = table.column(one) * table.column(two)
    return np.divide(product, n, out=np.zeros_like(n), where=n > 0)
