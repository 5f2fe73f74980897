"""Section 4: how many labels, before anybody labels."""

from __future__ import annotations

import math
from statistics import NormalDist

from veridical.errors import ParameterError
from veridical.lessons.uncertainty.shares import Z_95

__all__ = [
    "cases_for_paired_difference",
    "labels_for_difference",
    "labels_for_half_width",
    "most_it_may_be",
]


def labels_for_half_width(half_width: float, p: float = 0.5) -> int:
    """Return how many labels make the interval of a share so narrow.

    Parameters
    ----------
    half_width
        Half of the interval's width, above 0.
    p
        The share that is expected; 0.5 is the worst.

    Examples
    --------
    >>> labels_for_half_width(0.1), labels_for_half_width(0.05)
    (97, 385)
    """
    if not half_width > 0:
        raise ParameterError("an interval of no width takes more labels than there are")
    return math.ceil(Z_95**2 * p * (1 - p) / half_width**2)


def most_it_may_be(n: int) -> float:
    """Return the rate that may still be true where none of ``n`` cases went wrong.

    It is the rate at which that happens once in twenty times; about 3 / n.

    Examples
    --------
    >>> round(most_it_may_be(100), 3), round(most_it_may_be(1_000), 5)
    (0.03, 0.00299)
    """
    if n < 1:
        raise ParameterError("no case says nothing")
    return float(1 - 0.05 ** (1 / n))


def labels_for_difference(first: float, second: float, power: float = 0.8) -> int:
    """Return how many labels *each* of two models needs on cases of its own.

    Parameters
    ----------
    first, second
        The shares that are supposed to be true; they differ.
    power
        How often the difference is to be found, in (0, 1).

    Examples
    --------
    >>> labels_for_difference(0.75, 0.80)
    1091
    """
    varies = first * (1 - first) + second * (1 - second)
    return _rows(varies, second - first, power)


def cases_for_paired_difference(only_first: float, only_second: float, power: float = 0.8) -> int:
    """Return how many cases two models need that answer the same ones.

    Parameters
    ----------
    only_first, only_second
        The shares of cases that only one of both has right.
    power
        As for ``labels_for_difference``.

    Examples
    --------
    >>> cases_for_paired_difference(0.025, 0.075)
    307
    """
    difference = only_second - only_first
    return _rows(only_first + only_second - difference**2, difference, power)


def _rows(variance: float, difference: float, power: float) -> int:
    """Return the rows at which a difference is so many standard errors that it is found."""
    if difference == 0 or not 0 < power < 1:
        raise ParameterError("no difference is never found, and no power is certain")
    errors = Z_95 + NormalDist().inv_cdf(power)
    return math.ceil(errors**2 * variance / difference**2)
