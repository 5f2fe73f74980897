"""Exact sums of numbers and of their powers, in fixed point."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["power_sums"]

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_BLOCK = 1 << 16
_HALF = (1 << 26) - 1
_BITS_OF_ONE = np.float64(1).view(np.int64)


def power_sums(values: Floats, most: float) -> tuple[Counts, int, int]:
    """Return the sums, int64 of shape (4, 4), infinite values, and others above ``most``.

    A row is a power; the columns are the upper part (from bit 26) and the lower 26 bits of the
    sums of the whole parts, and of the rest in units of 2**-52.
    """
    totals = np.zeros((4, 4), dtype=np.int64)
    infinite = outside = 0
    for start in range(0, len(values), _BLOCK):
        x = values[start : start + _BLOCK]
        inside = (x >= 0) & (x <= most)
        if not inside.all():
            of_block = int(np.count_nonzero(x == np.inf))
            infinite += of_block
            outside += int(np.count_nonzero(~inside)) - of_block
            x = x[inside]
        squares = x * x
        for k, power in enumerate((x, squares, squares * x, squares * squares)):
            totals[k] += _halves(power)
    return totals, infinite, outside


def _halves(x: Floats) -> list[int]:
    whole = np.floor(x)
    # x - floor(x) is exact.  In [1, 2] neighbouring doubles are 2**-52 apart, so that adding 1 is
    # the one rounding, and the bits count the steps from 1.
    units = (x - whole + 1.0).view(np.int64) - _BITS_OF_ONE
    parts = (whole.astype(np.int64), units)
    return [int(half.sum()) for part in parts for half in (part >> 26, part & _HALF)]
