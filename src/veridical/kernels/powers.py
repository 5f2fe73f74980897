"""Exact sums of numbers and of their powers, from which the moments of a mean follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError
from veridical.kernels.arrays import Counts, as_scores
from veridical.kernels.choice import implementation

__all__ = ["MOMENT_UNIT", "MomentSums", "PowerSums", "moment_sums", "power_sums"]

_MOST = 8192.0  # its fourth power, 2**52, is the largest whole part that a block can add up


MOMENT_UNIT = 1074
"""Moments are added up in units of 2**-1074, of which every double is a multiple."""


class PowerSums(NamedTuple):
    """Sums over the finite values.

    Attributes
    ----------
    infinite
        Values that are infinite, which are in no sum.
    sums
        Sums of the first to the fourth power, each term rounded to a multiple of 2**-52 (half to
        even); Python ints in units of 2**-52, which never overflow.
    """

    infinite: int
    sums: list[int]


def power_sums(values: npt.NDArray[np.float64]) -> PowerSums:
    """Add up values, their squares, cubes and fourth powers.

    Parameters
    ----------
    values
        float64, shape (n,), in [0, 8192] or infinite, without NaN.

    Raises
    ------
    InputError
        A value is negative, NaN or too large.

    Examples
    --------
    >>> import numpy as np
    >>> sums = power_sums(np.array([0.5, 3.0, np.inf]))
    >>> sums.infinite, [units / 2**52 for units in sums.sums]
    (1, [3.5, 9.25, 27.125, 81.0625])
    """
    kernel: Callable[..., tuple[Counts, int, int]] = implementation("powers").power_sums
    totals, infinite, outside = kernel(as_scores(values), _MOST)
    if outside:
        raise InputError(
            f"{outside} values are not between 0 and {_MOST:g}",
            where="kernels",
            why="their powers could not be added exactly",
            fix="give values in a larger unit",
        )
    return PowerSums(
        infinite,
        [
            (((high << 26) + low) << 52) + (units_high << 26) + units_low
            for high, low, units_high, units_low in totals.tolist()
        ],
    )


class MomentSums(NamedTuple):
    """Exact sums of doubles, in units of 2**-1074; Python ints, which never overflow.

    Attributes
    ----------
    total
        Sum of the values.
    squares, fourths
        Sums of their squares and fourth powers, each term rounded to a double.
    """

    total: int
    squares: int
    fourths: int


def moment_sums(values: npt.NDArray[np.float64]) -> MomentSums:
    """Add up values of either sign and of any size, their squares and their fourth powers.

    Adding exactly makes the order of the rows, and how they are split, mean nothing.

    Parameters
    ----------
    values
        float64, shape (n,); their fourth powers must be finite.

    Raises
    ------
    InputError
        A fourth power is infinite or NaN.

    Examples
    --------
    >>> import numpy as np
    >>> sums = moment_sums(np.array([1e30, 3.0, -1e30]))
    >>> sums.total == 3 << MOMENT_UNIT
    True
    """
    kernel: Callable[..., tuple[Counts, int]] = implementation("powers").moment_sums
    totals, outside = kernel(as_scores(values))
    if outside:
        raise InputError(
            f"{outside} values have a fourth power that is not finite",
            where="kernels",
            why="their moments could not be added exactly",
            fix="give values in a larger unit",
        )
    return MomentSums(*(_from_exponents(power) for power in totals))


def _from_exponents(halves: Counts) -> int:
    used = np.flatnonzero(halves.any(axis=1))
    # Denormals, of exponent 0, have the unit of exponent 1.
    return sum(
        ((high << 26) + low) << max(0, exponent - 1)
        for exponent, (high, low) in zip(used.tolist(), halves[used].tolist(), strict=True)
    )
