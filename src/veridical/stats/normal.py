"""The normal distribution and the logit scale, for intervals."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from veridical.errors import ParameterError
from veridical.parameters import number
from veridical.results import Interval

if TYPE_CHECKING:
    from statistics import NormalDist

__all__ = ["check_level", "expit", "logit", "normal_interval", "two_sided_p", "z"]


@cache
def _standard_normal() -> NormalDist:
    from statistics import NormalDist  # 2 ms, and not every command has intervals

    return NormalDist()


def check_level(level: float) -> float:
    """Return ``level`` if it is a confidence level, in (0, 1).

    Raises
    ------
    ParameterError
        Otherwise, or if float64 cannot tell it from 1.
    """
    found = number("level", level)
    if not (found > 0.0 and 0.5 + found / 2 < 1.0):
        raise ParameterError(
            f"a confidence level lies between 0 and 1, not {level}", fix="give level=0.95"
        )
    return found


def z(level: float) -> float:
    """Return the half-width, in standard errors, of a two-sided normal interval.

    Parameters
    ----------
    level
        Confidence level, in (0, 1).

    Examples
    --------
    >>> round(z(0.95), 6)
    1.959964
    """
    return _standard_normal().inv_cdf(0.5 + check_level(level) / 2)


def two_sided_p(statistic: float) -> float:
    """Return the two-sided p-value of a standard normal statistic, accurate far into the tail.

    Examples
    --------
    >>> round(two_sided_p(1.959963984540054), 6)
    0.05
    """
    return math.erfc(abs(statistic) / math.sqrt(2.0))


def logit(p: float) -> float:
    """Return ``log(p / (1 - p))`` for p in (0, 1).

    Examples
    --------
    >>> logit(0.5)
    0.0
    """
    return math.log(p) - math.log1p(-p)


def expit(x: float) -> float:
    """Return ``1 / (1 + exp(-x))`` without overflow, the inverse of ``logit``.

    Examples
    --------
    >>> expit(0.0), expit(-1000.0)
    (0.5, 0.0)
    """
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


def normal_interval(
    estimate: float,
    standard_error: float,
    level: float,
    method: str,
    *,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """Return ``estimate`` plus and minus z standard errors, cut off at ``bounds``.

    Examples
    --------
    >>> normal_interval(0.5, 0.0, 0.95, "influence").width
    0.0
    """
    half = z(level) * standard_error
    low, high = max(bounds[0], estimate - half), min(bounds[1], estimate + half)
    return Interval(low, high, level, method)
