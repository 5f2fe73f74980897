"""Two independent shares: intervals of their difference and of their ratio, and tests.

Which interval, was decided by coverage (design/interval-coverage.md).
"""

from __future__ import annotations

import math

import numpy as np

from veridical.errors import ParameterError
from veridical.results import Interval
from veridical.stats.normal import check_level, two_sided_p, z
from veridical.stats.proportions import wilson
from veridical.summaries.compared_groups import Share

__all__ = ["difference_interval", "fisher_test", "ratio_interval", "z_test"]

_MOST_HALVINGS = 200

Trials = tuple[float, float]


def difference_interval(a: Share, b: Share, level: float = 0.95) -> Interval:
    """Newcombe's interval of the difference of two shares, a - b.

    Parameters
    ----------
    a, b
        Of independent rows, at least one of each.
    level
        Confidence level, in (0, 1).

    References
    ----------
    R. G. Newcombe (1998), Interval estimation for the difference between independent proportions,
    method 10.  doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I

    Examples
    --------
    >>> interval = difference_interval(Share(56, 70), Share(48, 80))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0524, 0.3339)
    """
    one, two = wilson(*a.trials, level), wilson(*b.trials, level)
    difference = a.rate - b.rate
    low = difference - math.hypot(a.rate - one.low, two.high - b.rate)
    high = difference + math.hypot(one.high - a.rate, b.rate - two.low)
    return Interval(max(low, -1.0), min(high, 1.0), level, "newcombe")


def ratio_interval(a: Share, b: Share, level: float = 0.95) -> Interval:
    """Koopman's score interval of the ratio of two shares, a / b.

    The ratios that a score test does not reject.  It exists where ``a`` is 0 too.

    Parameters
    ----------
    a, b
        Of independent rows, at least one of each; ``b`` is not 0.
    level
        Confidence level, in (0, 1).

    Raises
    ------
    ParameterError
        ``b`` is 0: there is no ratio.

    References
    ----------
    P. A. R. Koopman (1984), Confidence intervals for the ratio of two binomial proportions.
    doi:10.2307/2531405

    Examples
    --------
    >>> interval = ratio_interval(Share(36, 40), Share(16, 80))
    >>> round(interval.low, 2), round(interval.high, 2)
    (2.94, 7.15)
    """
    check_level(level)
    one, two = a.trials, b.trials
    if not b.hits:
        raise ParameterError("there is no ratio to 0", fix="read the difference")
    ratio, limit = a.rate / b.rate, z(level)
    low = 0.0 if not a.hits else _where(one, two, ratio, -1.0, limit)
    high = _where(one, two, ratio or 1.0 / (one[1] * b.rate), 1.0, limit)
    return Interval(min(low, ratio), max(high, ratio), level, "koopman")


def _where(a: Trials, b: Trials, start: float, side: float, limit: float) -> float:
    """Return the ratio, below (-1) or above (1) the one seen, at which the score is the limit."""
    inner, outer = math.log(start), math.log(start) + side
    while abs(_score(a, b, math.exp(outer))) < limit and abs(outer) < 700:
        inner, outer = outer, outer + side * 2 * abs(outer - math.log(start))
    for _ in range(_MOST_HALVINGS):
        middle = (inner + outer) / 2
        if middle in {inner, outer}:
            break
        if abs(_score(a, b, math.exp(middle))) < limit:
            inner = middle
        else:
            outer = middle
    return math.exp(inner)


def _score(a: Trials, b: Trials, ratio: float) -> float:
    """Return how far the shares are from this ratio, in standard errors under it."""
    # The shares of largest likelihood among those with this ratio solve a quadratic equation.
    (a_hits, a_n), (b_hits, b_n) = a, b
    square = (a_n + b_n) * ratio
    linear = a_n * ratio + a_hits + b_n + b_hits * ratio
    root = math.sqrt(max(0.0, linear * linear - 4 * square * (a_hits + b_hits)))
    q = 2 * (a_hits + b_hits) / (linear + root)
    p = min(1.0, q * ratio)
    variance = p * (1 - p) / a_n + ratio * ratio * q * (1 - q) / b_n
    apart = a_hits / a_n - ratio * b_hits / b_n
    if variance <= 0:
        return 0.0 if apart == 0 else math.inf
    return apart / math.sqrt(variance)


def z_test(a: Share, b: Share) -> tuple[float, float] | None:
    """Return the statistic and the two-sided p-value of equal shares, with pooled variance.

    None where all or no rows of both are hits, so that nothing varies.

    Examples
    --------
    >>> statistic, p_value = z_test(Share(40, 100), Share(50, 100))
    >>> round(statistic, 4), round(p_value, 4)
    (-1.4213, 0.1552)
    """
    (a_hits, a_n), (b_hits, b_n) = a.trials, b.trials
    pooled = (a_hits + b_hits) / (a_n + b_n)
    if not 0 < pooled < 1:
        return None
    error = math.sqrt(pooled * (1 - pooled) * (1 / a_n + 1 / b_n))
    statistic = (a.rate - b.rate) / error
    return statistic, two_sided_p(statistic)


def fisher_test(a: Share, b: Share) -> float:
    """Return the two-sided p-value of Fisher's exact test of equal shares.

    Tables that are at most as likely as the one seen count against equality.  It takes whole
    counts of rows that were drawn one by one.

    Examples
    --------
    >>> round(fisher_test(Share(1, 10), Share(8, 12)), 5)
    0.0115
    """
    from scipy.stats import fisher_exact

    table = np.array([[int(one.hits), int(one.n - one.hits)] for one in (a, b)])
    return min(1.0, float(fisher_exact(table).pvalue))
