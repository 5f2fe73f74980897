"""Rows counted on the line, a fixed grid of keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["histogram_counts", "line_keys"]

Counts = npt.NDArray[np.int64]

_SIGN = np.uint64(1 << 63)
_OFFSET = np.uint64((1023 - 127) << 52)
_MIDDLE = np.uint64(1 << 60)
_ONE = np.uint64(1)


def histogram_counts(
    positive: npt.NDArray[np.uint8], scores: npt.NDArray[Any], bits: int
) -> tuple[Counts, Counts, npt.NDArray[Any], npt.NDArray[Any]]:
    """Return (positives, negatives, lowest, highest) of each bin."""
    bins = 1 << bits
    scores = scores + scores.dtype.type(0)  # -0.0 becomes 0.0
    y = positive != 0
    keys = line_keys(scores.astype(np.float64), bits)
    low = np.full(bins, np.inf, scores.dtype)
    high = np.full(bins, -np.inf, scores.dtype)
    np.minimum.at(low, keys, scores)
    np.maximum.at(high, keys, scores)
    positives = np.bincount(keys[y], minlength=bins)
    return positives, np.bincount(keys, minlength=bins) - positives, low, high


def line_keys(scores: npt.NDArray[np.float64], bits: int) -> Counts:
    """Return the top bits of the ordered image, its exponent cut from 11 bits to 8."""
    image = scores.view(np.uint64)
    magnitude = np.maximum(image & ~_SIGN, _OFFSET) - _OFFSET
    magnitude = np.minimum(magnitude, _MIDDLE - _ONE)
    ordered = np.where(image >= _SIGN, _MIDDLE - _ONE - magnitude, _MIDDLE + magnitude)
    keys: Counts = (ordered >> np.uint64(61 - bits)).astype(np.int64)
    return keys
