"""How many scores lie below, between and exactly at given edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["slot_counts"]

Counts = npt.NDArray[np.int64]

_BLOCK = 1 << 16


def slot_counts(edges: npt.NDArray[Any], scores: npt.NDArray[Any]) -> tuple[Counts, Counts]:
    """Return (between, tied)."""
    m = len(edges)
    # One slot below each edge, one at it, and one above all of them.
    slots = np.zeros(2 * m + 1, dtype=np.int64)
    last = np.append(edges, np.nan).astype(edges.dtype)
    for start in range(0, len(scores), _BLOCK):
        block = scores[start : start + _BLOCK]
        place = np.searchsorted(edges, block, side="left")
        slots += np.bincount(2 * place + (last[place] == block), minlength=2 * m + 1)
    return slots[::2].copy(), slots[1::2].copy()
