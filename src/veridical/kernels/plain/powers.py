"""Exact sums of numbers and of their powers, in fixed point."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["moment_sums", "power_sums"]

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_BLOCK = 1 << 16
_HALF = (1 << 26) - 1
_EXPONENTS = 2047
_MANTISSA_BITS = 52
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


def moment_sums(values: Floats) -> tuple[Counts, int]:
    """Return exact sums by exponent, int64 of shape (3, 2047, 2), and how many are not finite.

    The first axis is the values, their squares and their fourth powers; the last the upper part
    (from bit 26) and the lower 26 bits of the signed mantissas.
    """
    totals = np.zeros((3, _EXPONENTS, 2), dtype=np.int64)
    outside = 0
    for start in range(0, len(values), _BLOCK):
        x = values[start : start + _BLOCK]
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            squares = x * x
            inside = squares * squares < np.inf
        outside += int(np.count_nonzero(~inside))
        x, squares = x[inside], squares[inside]
        with np.errstate(under="ignore"):
            for k, power in enumerate((x, squares, squares * squares)):
                totals[k] += _by_exponent(power)
    return totals, outside


def _by_exponent(x: Floats) -> Counts:
    bits = x.view(np.int64)
    exponents = (bits >> _MANTISSA_BITS) & _EXPONENTS
    hidden = np.where(exponents > 0, 1 << _MANTISSA_BITS, 0)
    mantissas = (bits & ((1 << _MANTISSA_BITS) - 1)) | hidden
    mantissas = np.where(bits < 0, -mantissas, mantissas)
    # At most 2**27 times the length of a block: exact as floats, which is what bincount adds.
    halves = (mantissas >> 26, mantissas & _HALF)
    sums = [np.bincount(exponents, half, minlength=_EXPONENTS) for half in halves]
    return np.stack(sums, axis=1).astype(np.int64)
