"""Two shares: intervals of their difference and of their ratio, and tests of equal ones.

Which interval, was decided by coverage (design/interval-coverage.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from veridical.errors import ParameterError
from veridical.results import Interval
from veridical.stats.normal import check_level, two_sided_p, z
from veridical.stats.proportions import wilson
from veridical.stats.standard_error import StandardError, t_p_value, t_quantile
from veridical.summaries.compared_groups import Share

__all__ = [
    "MOST_OF_FISHER",
    "difference_interval",
    "fisher_test",
    "ratio_interval",
    "share_interval",
    "z_test",
]

MOST_OF_FISHER = 2**31
"""Rows of both samples: products of two counts fit into 64 bits."""

_MOST_HALVINGS = 200

Trials = tuple[float, float]


def share_interval(share: Share, level: float = 0.95) -> Interval:
    """Wilson's interval of a share, of as many rows as know it as well.

    Parameters
    ----------
    share
        Of at least one row.
    level
        Confidence level, in (0, 1).

    References
    ----------
    E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data, Survey Methodology 24, for the effective
    number of rows and Student's t.

    Examples
    --------
    >>> share_interval(Share(40, 100)) == share_interval(Share(80, 200, effective=100.0))
    True
    """
    return wilson(*_trials(share, level), level)


def difference_interval(a: Share, b: Share, level: float = 0.95) -> Interval:
    """Newcombe's interval of the difference of two shares, a - b.

    Parameters
    ----------
    a, b
        Of at least one row each; independent, but for what clusters with rows of both have in
        common (``Share.correlation``).
    level
        Confidence level, in (0, 1).

    References
    ----------
    R. G. Newcombe (1998), Interval estimation for the difference between independent proportions,
    method 10.  doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
    The same (1998), Improved confidence intervals for the difference between binomial proportions
    based on paired data, method 10, Statistics in Medicine 17, 2635-2650.

    Examples
    --------
    >>> interval = difference_interval(Share(56, 70), Share(48, 80))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0524, 0.3339)
    """
    one, two = share_interval(a, level), share_interval(b, level)
    difference, correlation = a.rate - b.rate, _correlation(a, b)
    low = difference - _apart(a.rate - one.low, two.high - b.rate, correlation)
    high = difference + _apart(one.high - a.rate, b.rate - two.low, correlation)
    return Interval(max(low, -1.0), min(high, 1.0), level, "newcombe")


def ratio_interval(a: Share, b: Share, level: float = 0.95) -> Interval:
    """Koopman's score interval of the ratio of two shares, a / b.

    The ratios that a score test does not reject.  It exists where ``a`` is 0 too.  What clusters
    have in common enters the variance of the score, and not the shares that are most likely.

    Parameters
    ----------
    a, b
        As for ``difference_interval``; ``b`` is not 0.
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
    one, two, correlation = _trials(a, level), _trials(b, level), _correlation(a, b)
    if not b.hits:
        raise ParameterError("there is no ratio to 0", fix="read the difference")
    ratio, limit = a.rate / b.rate, z(level)
    score = partial(_score, one, two, correlation)
    low = 0.0 if not a.hits else _where(score, ratio, -1.0, limit)
    high = _where(score, ratio or 1.0 / (one[1] * b.rate), 1.0, limit)
    return Interval(min(low, ratio), max(high, ratio), level, "koopman")


def _where(score: Callable[[float], float], start: float, side: float, limit: float) -> float:
    """Return the ratio, below (-1) or above (1) the one seen, at which the score is the limit."""
    inner, outer = math.log(start), math.log(start) + side
    while abs(score(math.exp(outer))) < limit and abs(outer) < 700:
        inner, outer = outer, outer + side * 2 * abs(outer - math.log(start))
    for _ in range(_MOST_HALVINGS):
        middle = (inner + outer) / 2
        if middle in {inner, outer}:
            break
        if abs(score(math.exp(middle))) < limit:
            inner = middle
        else:
            outer = middle
    return math.exp(inner)


def _score(a: Trials, b: Trials, correlation: float, ratio: float) -> float:
    """Return how far the shares are from this ratio, in standard errors under it."""
    # The shares of largest likelihood among those with this ratio solve a quadratic equation.
    (a_hits, a_n), (b_hits, b_n) = a, b
    square = (a_n + b_n) * ratio
    linear = a_n * ratio + a_hits + b_n + b_hits * ratio
    root = math.sqrt(max(0.0, linear * linear - 4 * square * (a_hits + b_hits)))
    q = 2 * (a_hits + b_hits) / (linear + root)
    p = min(1.0, q * ratio)
    of_a, of_b = p * (1 - p) / a_n, ratio * ratio * q * (1 - q) / b_n
    variance = of_a + of_b - 2 * correlation * math.sqrt(max(0.0, of_a * of_b))
    apart = a_hits / a_n - ratio * b_hits / b_n
    if variance <= 0:
        return 0.0 if apart == 0 else math.inf
    return apart / math.sqrt(variance)


def _trials(share: Share, level: float) -> Trials:
    """Return hits and rows, as few of them as Student's t asks for what is known of a variance."""
    hits, n = share.trials
    if math.isinf(share.degrees_of_freedom):
        return hits, n
    fewer = (z(level) / t_quantile(level, share.degrees_of_freedom)) ** 2
    return hits * fewer, n * fewer


def _correlation(a: Share, b: Share) -> float:
    """Return the correlation of two shares, nearer to 0 by Newcombe's correction.

    A correlation of 1 that was seen on some clusters is no proof that the two never differ.
    """
    if a.correlation <= 0:
        return a.correlation
    (_, a_n), (_, b_n) = a.trials, b.trials
    hits = math.sqrt(a_n * a.rate * (1 - a.rate) * b_n * b.rate * (1 - b.rate))
    return max(0.0, a.correlation - 1 / (2 * hits)) if hits else 0.0


def _apart(a: float, b: float, correlation: float) -> float:
    """Return the error of a difference of estimates that have these errors and correlation."""
    return math.hypot(a - correlation * b, b * math.sqrt(1 - correlation * correlation))


def z_test(a: Share, b: Share) -> tuple[float, float] | None:
    """Return the statistic and the two-sided p-value of equal shares, with pooled variance.

    The p-value is the normal one, and Student's where variances are estimated.  None where all or
    no rows of both are hits, or clusters move both alike to the last digit, so that nothing varies.

    Parameters
    ----------
    a, b
        As for ``difference_interval``.

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
    covered = 2 * _correlation(a, b) / math.sqrt(a_n * b_n)
    variance = pooled * (1 - pooled) * (1 / a_n + 1 / b_n - covered)
    if variance <= 0:
        return None
    statistic = (a.rate - b.rate) / math.sqrt(variance)
    # Of a sum of two variances, Satterthwaite's degrees of freedom.
    unknown = 1 / (a_n**2 * a.degrees_of_freedom) + 1 / (b_n**2 * b.degrees_of_freedom)
    if not unknown:
        return statistic, two_sided_p(statistic)
    freedom = (1 / a_n + 1 / b_n) ** 2 / unknown
    return statistic, t_p_value(statistic, StandardError(1.0, freedom))


def fisher_test(a: Share, b: Share) -> float:
    """Return the two-sided p-value of Fisher's exact test of equal shares.

    Tables that are at most as likely as the one seen count against equality.  It takes whole
    counts of rows that were drawn one by one, at most ``MOST_OF_FISHER`` of both.

    Parameters
    ----------
    a, b
        Counted (``Share.is_counted``), of at least one row each.

    Examples
    --------
    >>> round(fisher_test(Share(1, 10), Share(8, 12)), 5)
    0.0115
    """
    from scipy.stats import fisher_exact

    table = np.array([[int(one.hits), int(one.n - one.hits)] for one in (a, b)])
    return min(1.0, float(fisher_exact(table).pvalue))
