"""How many scores lie below, between and exactly at given edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["slot_counts"]

Counts = npt.NDArray[np.int64]

_BLOCK = 1 << 16


def slot_counts(
    edges: npt.NDArray[Any], scores: npt.NDArray[Any]
) -> tuple[Counts, Counts, int, int, float, float]:
    """Return (between, tied, rows with NaN, rows outside [0, 1], lowest, highest)."""
    m = len(edges)
    # One slot below each edge, one at it, one above all of them, and one for NaN.
    slots = np.zeros(2 * m + 2, dtype=np.int64)
    outside, low, high = 0, np.inf, -np.inf
    last = np.append(edges, np.nan).astype(edges.dtype)
    for start in range(0, len(scores), _BLOCK):
        block = scores[start : start + _BLOCK]
        place = np.searchsorted(edges, block, side="left")
        slot = 2 * place + (last[place] == block)
        slot[np.isnan(block)] = 2 * m + 1
        slots += np.bincount(slot, minlength=2 * m + 2)
        outside += int(np.count_nonzero((block < 0) | (block > 1)))
        low = min(low, float(np.fmin.reduce(block)))
        high = max(high, float(np.fmax.reduce(block)))
    return slots[:-1:2].copy(), slots[1:-1:2].copy(), int(slots[-1]), outside, low + 0.0, high + 0.0
