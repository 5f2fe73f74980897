"""Intervals for a proportion: Wilson, and Clopper-Pearson in one and two sides.

Counts may be real numbers: an effective number of trials is rarely whole.
"""

from __future__ import annotations

import math

from veridical.errors import ParameterError
from veridical.results import Interval
from veridical.stats.normal import check_level, z

__all__ = ["clopper_pearson", "clopper_pearson_upper", "wilson"]


def _check(successes: float, n: float) -> None:
    if not (math.isfinite(n) and n > 0 and 0 <= successes <= n):
        raise ParameterError(
            f"{successes} of {n} is not a proportion", fix="give 0 <= successes <= n with n > 0"
        )


def wilson(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion.

    Parameters
    ----------
    successes, n
        Real numbers, ``0 <= successes <= n``, ``n > 0``.
    level
        Confidence level, in (0, 1).

    Raises
    ------
    ParameterError
        If ``n`` is 0 (the proportion is undefined) or the counts contradict each other.

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference.
    doi:10.1080/01621459.1927.10502953

    Examples
    --------
    >>> interval = wilson(0, 10)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.2775)
    """
    _check(successes, n)
    p, z2 = successes / n, z(level) ** 2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    # At 0 and at n one end is exact algebraically; rounding must not move it.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low, high, level, "wilson")


def clopper_pearson(successes: float, n: float, level: float = 0.95) -> Interval:
    """Clopper and Pearson's exact two-sided interval; covers at least ``level``, often more.

    Parameters
    ----------
    successes, n
        Real numbers, ``0 <= successes <= n``, ``n > 0``.
    level
        Confidence level, in (0, 1).

    Raises
    ------
    ParameterError
        If ``n`` is 0 or the counts contradict each other.

    References
    ----------
    C. J. Clopper and E. S. Pearson (1934). doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> interval = clopper_pearson(0, 10)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.3085)
    """
    one_sided = (1 + check_level(level)) / 2
    low = 1.0 - clopper_pearson_upper(n - successes, n, one_sided)
    high = clopper_pearson_upper(successes, n, one_sided)
    if successes > 0:
        # 1 - upper(misses) loses digits of a small bound; ask for the bound itself.
        low = _beta_quantile(1 - one_sided, successes, n - successes + 1)
    return Interval(low, high, level, "clopper-pearson")


def clopper_pearson_upper(successes: float, n: float, level: float = 0.95) -> float:
    """Return the exact one-sided upper bound: the true rate is below it at ``level``.

    Parameters
    ----------
    successes, n
        Real numbers, ``0 <= successes <= n``, ``n > 0``.
    level
        One-sided confidence level, in (0, 1).

    Raises
    ------
    ParameterError
        If ``n`` is 0 or the counts contradict each other.

    Examples
    --------
    No false positive in 1,000 negatives: the rule of three.

    >>> round(clopper_pearson_upper(0, 1000), 5)
    0.00299
    """
    _check(successes, n)
    check_level(level)
    return 1.0 if successes == n else _beta_quantile(level, successes + 1, n - successes)


def _beta_quantile(p: float, a: float, b: float) -> float:
    from scipy.special import betaincinv  # slow to import, and Wilson's interval does without

    return float(betaincinv(a, b, p))
