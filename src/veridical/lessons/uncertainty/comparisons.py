"""Section 3: two models on the same cases, and many comparisons at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from veridical.errors import ParameterError
from veridical.lessons.uncertainty.shares import Z_95, Ends

__all__ = ["Paired", "any_false_alarm", "holm", "mcnemar", "paired_example", "sign_flips"]

_MOST_FLIPPED = 20


@dataclass(frozen=True)
class Paired:
    """Two models on the same cases, counted by who was right.

    Attributes
    ----------
    both, only_first, only_second, neither
        How many cases of each kind.

    Examples
    --------
    >>> one = Paired(both=145, only_first=5, only_second=15, neither=35)
    >>> one.n, one.first, one.second, round(one.difference, 3)
    (200, 0.75, 0.8, 0.05)
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def n(self) -> int:
        """All cases."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def first(self) -> float:
        """The share that the first model has right."""
        return (self.both + self.only_first) / self.n

    @property
    def second(self) -> float:
        """The share that the second model has right."""
        return (self.both + self.only_second) / self.n

    @property
    def difference(self) -> float:
        """Second minus first; cases that both have right, or wrong, add nothing."""
        return (self.only_second - self.only_first) / self.n

    def interval(self, *, paired: bool = True) -> Ends:
        """Return the 95% interval of the difference: difference and 1.96 standard errors around it.

        Parameters
        ----------
        paired
            False forgets that the cases are the same, and adds both models' variances.
        """
        if paired:
            varies = (self.only_first + self.only_second) / self.n - self.difference**2
        else:
            varies = self.first * (1 - self.first) + self.second * (1 - self.second)
        half = Z_95 * math.sqrt(varies / self.n)
        return self.difference - half, self.difference + half


def paired_example() -> Paired:
    """Return two models on the same 200 cases: 150 and 160 of them right.

    Examples
    --------
    >>> paired_example().only_first, paired_example().only_second
    (5, 15)
    """
    return Paired(both=145, only_first=5, only_second=15, neither=35)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the p-value of "both are right equally often", from the cases that tell them apart.

    If the hypothesis holds, each such case is a toss of a coin.

    Parameters
    ----------
    only_first, only_second
        Cases that only one of the two has right.

    Returns
    -------
    float
        How often coins are at least that uneven, on either side; 1 without such cases.

    Examples
    --------
    >>> round(mcnemar(1, 9), 4), round(mcnemar(5, 15), 4)
    (0.0215, 0.0414)
    """
    n, fewer = only_first + only_second, min(only_first, only_second)
    if fewer < 0:
        raise ParameterError("a number of cases is never negative")
    as_uneven = 0
    for heads in range(fewer + 1):
        as_uneven += math.comb(n, heads)
    return min(1.0, 2 * as_uneven * 0.5**n)


def sign_flips(differences: Sequence[float]) -> float:
    """Return the p-value of "on no case does it matter which model answers".

    Then each difference might as well have had the other sign: all ways to set the signs are
    tried, and those counted that give at least the sum that was seen.

    Parameters
    ----------
    differences
        Second minus first, one a case; at most 20 that are not 0.

    Examples
    --------
    >>> sign_flips([0.2, 0.1, 0.3, 0.4, 0.5])
    0.0625
    """
    moved = [abs(one) for one in differences if one != 0]
    if len(moved) > _MOST_FLIPPED:
        raise ParameterError(
            f"{len(moved)} cases have more ways than one can try here",
            fix="the library draws some of them: veridical.compare",
        )
    seen = abs(math.fsum(differences))
    as_far = 0
    for signs in product((1, -1), repeat=len(moved)):
        total = math.fsum(sign * one for sign, one in zip(signs, moved, strict=True))
        if abs(total) >= seen - 1e-12:  # sums are rounded
            as_far += 1
    return as_far * 0.5 ** len(moved)


def any_false_alarm(tests: int, alpha: float = 0.05) -> float:
    """Return how often at least one of several independent tests cries wolf where nothing is.

    Examples
    --------
    >>> round(any_false_alarm(1), 2), round(any_false_alarm(20), 2)
    (0.05, 0.64)
    """
    return 1 - (1 - alpha) ** tests


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values that may be read each by itself, although several were looked at.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none may be smaller than
    the one before it.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    so_far, left = 0.0, len(p_values)
    for index in sorted(range(len(p_values)), key=lambda i: p_values[i]):
        so_far = max(so_far, min(1.0, left * p_values[index]))
        adjusted[index] = so_far
        left -= 1
    return adjusted
