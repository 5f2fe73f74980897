"""Exact sums of numbers and of their powers, from which the moments of a mean follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError
from veridical.kernels.arrays import Counts, as_scores
from veridical.kernels.choice import implementation

__all__ = ["PowerSums", "power_sums"]

_MOST = 8192.0  # its fourth power, 2**52, is the largest whole part that a block can add up


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
