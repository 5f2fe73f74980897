"""Standard errors with the degrees of freedom they were estimated with, and their intervals.

A standard error is itself an estimate.  Where a few rows carry most of it (the first false alarm
above a rare positive, one badly wrong forecast) it is a poor one, and plus or minus 1.96 of it
covers too little.  The degrees of freedom here say how poor: they are chosen so that the variance
estimate varies as much as a chi-square on that many would (Satterthwaite's argument, with the
fourth moment of the data).  Intervals use Student's t on them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from veridical.reasons import SkipReason
from veridical.results import Interval
from veridical.stats.normal import check_level, expit, logit

__all__ = [
    "ROUNDING",
    "Scale",
    "StandardError",
    "scaled_interval",
    "standard_error",
    "standard_error_from_moments",
    "t_p_value",
    "t_quantile",
    "unit_totals",
]

Values: TypeAlias = npt.NDArray[np.float64]
Scale: TypeAlias = Literal["identity", "logit", "log"]

ROUNDING = 1e-12
"""A standard error this small beside the values it came from is the rounding of zero."""


@dataclass(frozen=True, slots=True)
class StandardError:
    """A standard error > 0 and how well it is known.

    Attributes
    ----------
    value
        The standard error.
    degrees_of_freedom
        >= 1; of the chi-square that varies as much as the squared standard error does.
    """

    value: float
    degrees_of_freedom: float = math.inf


def standard_error(values: Values, counts: Values | None = None) -> StandardError | None:
    """Return the standard error of the mean of independent values.

    Parameters
    ----------
    values
        Shape (k,), finite.
    counts
        How often each value occurs, shape (k,); None is once each.

    Returns
    -------
    StandardError or None
        None with fewer than two values, or when all are equal.

    References
    ----------
    F. E. Satterthwaite (1946), An approximate distribution of estimates of variance components.
    doi:10.2307/3002019

    Examples
    --------
    >>> error = standard_error(np.array([1.0, 2.0, 3.0, 4.0]))
    >>> round(error.value, 4), round(error.degrees_of_freedom, 2)
    (0.6455, 3.0)
    """
    counts = np.ones(len(values)) if counts is None else counts
    n = float(counts.sum())
    if n < 2:
        return None
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return None
    scaled = values / largest
    centred = scaled - counts @ scaled / n
    second, fourth = (float(counts @ centred**power / n) for power in (2, 4))
    error = standard_error_from_moments(n, second, fourth, scale=1.0)
    return error and StandardError(largest * error.value, error.degrees_of_freedom)


def standard_error_from_moments(
    n: float, second: float, fourth: float, scale: float
) -> StandardError | None:
    """Return the standard error of a mean of n independent values from their moments.

    Parameters
    ----------
    n
        How many values.
    second, fourth
        Means of the second and the fourth power of the centred values.
    scale
        Size of the values, beside which a tiny spread is the rounding of zero.

    Examples
    --------
    >>> error = standard_error_from_moments(4, 1.25, 2.5625, scale=4.0)
    >>> round(error.value, 4), round(error.degrees_of_freedom, 2)
    (0.6455, 3.0)
    """
    if n < 2 or second <= (ROUNDING * scale) ** 2:
        return None
    excess = fourth / second**2 - 1.0
    # Kurtosis 3 gives n degrees, as for normal data; nothing can be known better than n - 1.
    freedom = n - 1.0 if excess <= 0 else min(2.0 * n / excess, n - 1.0)
    return StandardError(math.sqrt(second / (n - 1.0)), max(1.0, freedom))


def unit_totals(
    influence: Values, weight: Values | None = None, units: npt.NDArray[np.intp] | None = None
) -> Values:
    """Return one independent value a unit, whose mean moves as the metric does.

    Parameters
    ----------
    influence
        Influence value of each row, shape (n,).
    weight
        Weight of each row; a row is one draw, however heavy.  Rows of weight 0 are absent.
        (Integer weights that stand for repeated rows: repeat the rows.)
    units
        Cluster of each row as an integer from 0, shape (n,); None makes every row a unit.

    Returns
    -------
    numpy.ndarray
        Shape (number of units,): summed, weighted influence over mean weight.

    Examples
    --------
    >>> unit_totals(np.array([1.0, -1.0, 2.0]), units=np.array([0, 0, 1])).tolist()
    [0.0, 1.3333333333333333]
    """
    weighted: Values = influence if weight is None else influence * weight
    total = float(len(influence) if weight is None else weight.sum())
    if units is not None:
        present = np.bincount(units, weight) > 0
        weighted = np.bincount(units, weighted)[present].astype(np.float64)
    elif weight is not None:
        weighted = weighted[weight > 0]
    return weighted * (len(weighted) / total)


def t_quantile(level: float, degrees_of_freedom: float) -> float:
    """Return the half-width, in standard errors, of Student's two-sided interval.

    Examples
    --------
    >>> round(t_quantile(0.95, 10), 4)
    2.2281
    """
    return float(stdtrit(degrees_of_freedom, 0.5 + check_level(level) / 2))


def t_p_value(difference: float, error: StandardError) -> float:
    """Return the two-sided p-value of "the true value is 0".

    Examples
    --------
    >>> round(t_p_value(2.0, StandardError(1.0, 10)), 4)
    0.0734
    """
    return 2.0 * float(stdtr(error.degrees_of_freedom, -abs(difference) / error.value))


def scaled_interval(
    estimate: float,
    error: StandardError | None,
    level: float,
    method: str,
    *,
    scale: Scale = "identity",
) -> Interval | SkipReason:
    """Return Student's interval, made on a scale where the estimate is nearer to normal.

    Parameters
    ----------
    estimate
        Any number; in (0, 1) on the logit scale, > 0 on the log scale.
    error
        Of the estimate itself (carried to the scale by the delta method), or None.
    level
        Confidence level, in (0, 1).
    method
        What the interval is called.
    scale
        ``"logit"`` stays inside (0, 1), ``"log"`` above 0.

    Returns
    -------
    Interval or SkipReason
        ``degenerate_variance`` without a standard error, or at the end of the scale.

    Examples
    --------
    >>> error = StandardError(0.02, 50)
    >>> interval = scaled_interval(0.05, error, 0.95, "influence-logit", scale="logit")
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0221, 0.1092)
    """
    if error is None:
        return SkipReason.DEGENERATE_VARIANCE
    half = t_quantile(level, error.degrees_of_freedom) * error.value
    if scale == "identity":
        return Interval(estimate - half, estimate + half, level, method)
    if scale == "log":
        if estimate <= 0:
            return SkipReason.DEGENERATE_VARIANCE
        factor = math.exp(min(half / estimate, 700.0))
        return Interval(estimate / factor, estimate * factor, level, method)
    if not 0 < estimate < 1:
        return SkipReason.DEGENERATE_VARIANCE
    half /= estimate * (1.0 - estimate)
    centre = logit(estimate)
    return Interval(expit(centre - half), expit(centre + half), level, method)
