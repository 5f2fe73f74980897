"""Section 1: the interval of a share, by two formulas, and how often each holds the truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from veridical.errors import ParameterError

__all__ = ["Z_95", "Ends", "check_share", "coverage", "wald", "wilson"]

Z_95 = NormalDist().inv_cdf(0.975)
"""Of a bell curve 95% lies within so many standard deviations of its middle: 1.96."""

Ends = tuple[float, float]
"""The lower and the upper end of an interval."""


def check_share(hits: int, n: int) -> None:
    """Refuse counts that are no share.

    Raises
    ------
    ParameterError
        Not ``0 <= hits <= n``, or ``n`` is 0.
    """
    if not 0 <= hits <= n or n == 0:
        raise ParameterError(f"{hits} of {n} is no share", fix="count at least one row")


def wald(hits: int, n: int) -> Ends:
    """Return the interval that most people write: the share, and 1.96 standard errors around it.

    Parameters
    ----------
    hits, n
        How many of how many; ``n`` is at least 1.

    Returns
    -------
    (float, float)
        The ends of a 95% interval; they may lie outside [0, 1].

    Examples
    --------
    >>> [round(end, 3) for end in wald(94, 100)], wald(20, 20)
    ([0.893, 0.987], (1.0, 1.0))
    """
    check_share(hits, n)
    p = hits / n
    half = Z_95 * math.sqrt(p * (1 - p) / n)
    return p - half, p + half


def wilson(hits: int, n: int) -> Ends:
    """Return the interval of all rates that the sample does not contradict.

    A rate contradicts it where the share lies more than 1.96 standard errors *of that rate* away.

    Parameters
    ----------
    hits, n
        As for ``wald``.

    Returns
    -------
    (float, float)
        The ends of a 95% interval, within [0, 1].

    Examples
    --------
    >>> [round(end, 3) for end in wilson(94, 100)], [round(end, 3) for end in wilson(20, 20)]
    ([0.875, 0.972], [0.839, 1.0])
    """
    check_share(hits, n)
    p, z2 = hits / n, Z_95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def coverage(interval: Callable[[int, int], Ends], p: float, n: int) -> float:
    """Return how often an interval holds the truth: exactly, from every sample there can be.

    Parameters
    ----------
    interval
        ``wald`` or ``wilson``.
    p
        The true rate, in (0, 1).
    n
        Rows of a sample.

    Examples
    --------
    >>> round(coverage(wald, 0.95, 20), 2), round(coverage(wilson, 0.95, 20), 2)
    (0.64, 0.92)
    """
    if not 0 < p < 1:
        raise ParameterError(f"a true rate lies between 0 and 1, not at {p}")
    held = 0.0
    for hits in range(n + 1):
        low, high = interval(hits, n)
        if low <= p <= high:
            held += math.comb(n, hits) * p**hits * (1 - p) ** (n - hits)
    return held
