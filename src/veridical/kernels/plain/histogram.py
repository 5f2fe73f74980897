"""Rows counted on a fixed grid of keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["histogram_counts"]

Counts = npt.NDArray[np.int64]

_SIGN = np.uint64(1 << 63)
_OFFSET = np.uint64((1023 - 127) << 52)
_MIDDLE = np.uint64(1 << 60)
_ONE = np.uint64(1)


def histogram_counts(
    positive: npt.NDArray[np.uint8],
    scores: npt.NDArray[Any],
    bits: int,
    probabilities: bool,  # noqa: FBT001 - called by position, as the compiled twin is
) -> tuple[Counts, Counts, npt.NDArray[Any], npt.NDArray[Any], int]:
    """Return (positives, negatives, lowest, highest) of each bin, and rows that are in none."""
    bins = 1 << bits
    scores = scores + scores.dtype.type(0)  # -0.0 becomes 0.0
    y = positive != 0
    outside = 0
    if probabilities:
        inside = (scores >= 0) & (scores <= 1)
        outside = int(np.count_nonzero(~inside))
        scores, y = scores[inside], y[inside]
    keys = (_probability_keys if probabilities else _line_keys)(scores.astype(np.float64), bits)
    low = np.full(bins, np.inf, scores.dtype)
    high = np.full(bins, -np.inf, scores.dtype)
    np.minimum.at(low, keys, scores)
    np.maximum.at(high, keys, scores)
    positives = np.bincount(keys[y], minlength=bins)
    return positives, np.bincount(keys, minlength=bins) - positives, low, high, outside


def _probability_keys(scores: npt.NDArray[np.float64], bits: int) -> Counts:
    # Scaling by a power of two is exact, and so is the floor: no bin depends on the machine.
    return np.minimum(np.floor(np.ldexp(scores, bits)), (1 << bits) - 1).astype(np.int64)


def _line_keys(scores: npt.NDArray[np.float64], bits: int) -> Counts:
    image = scores.view(np.uint64)
    magnitude = image & ~_SIGN
    kept = np.where(magnitude < _OFFSET, np.uint64(0), magnitude - _OFFSET)
    kept = np.minimum(kept, _MIDDLE - _ONE)
    ordered = np.where(image >= _SIGN, _MIDDLE - _ONE - kept, _MIDDLE + kept)
    return (ordered >> np.uint64(61 - bits)).astype(np.int64)
