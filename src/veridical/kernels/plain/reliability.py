"""Sums of forecasts in equal-width bins, in fixed point."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["reliability_sums"]

_BLOCK = 1 << 16


def reliability_sums(
    positive: npt.NDArray[np.uint8], scores: npt.NDArray[Any], edges: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int64], int]:
    """Return the sums, int64 of shape (bins, 8), and the number of rows outside [0, 1].

    The columns are n, sum of y, and the upper part (from bit 32) and the lower 32 bits of the sums
    of p, p^2 and p*y in units of 2**-52.
    """
    totals = np.zeros((len(edges) - 1, 8), dtype=np.int64)
    outside = 0
    for start in range(0, len(scores), _BLOCK):
        block, y = scores[start : start + _BLOCK], positive[start : start + _BLOCK] != 0
        inside = (block >= 0) & (block <= 1)
        if not inside.all():
            outside += int(np.count_nonzero(~inside))
            block, y = block[inside], y[inside]
        totals += _block_sums(y, block, edges)
    return totals, outside


def _block_sums(
    y: npt.NDArray[np.bool_], scores: npt.NDArray[Any], edges: npt.NDArray[Any]
) -> npt.NDArray[np.int64]:
    bins = len(edges) - 1
    # The product guesses the bin to within one, the edges decide.
    index = np.minimum((scores * scores.dtype.type(bins)).astype(np.int64), bins - 1)
    index = np.maximum(index - (scores <= edges[index]), 0)
    index += scores > edges[index + 1]
    p = scores.astype(np.float64)
    units = _units(p)
    columns = [np.bincount(index, minlength=bins), np.bincount(index[y], minlength=bins)]
    for rows, values in ((index, units), (index, _units(np.square(p))), (index[y], units[y])):
        # Sums of integers below 2**53 are exact in float64, and so are these of one block.
        high = np.bincount(rows, values >> 26, bins).astype(np.int64)
        low = np.bincount(rows, values & ((1 << 26) - 1), bins).astype(np.int64)
        columns += [(high >> 6) + (low >> 32), ((high & 63) << 26) + (low & 0xFFFFFFFF)]
    return np.stack(columns, axis=1)


def _units(p: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    return np.rint(np.ldexp(p, 52)).astype(np.int64)
