"""Distinct scores with their positives and negatives, by numpy's sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["sorted_groups"]

Counts = npt.NDArray[np.int64]


def sorted_groups(
    positive: npt.NDArray[np.uint8], scores: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Counts, Counts]:
    """Return (distinct scores ascending, positives, negatives)."""
    is_positive = positive != 0
    scores = scores + scores.dtype.type(0)  # -0.0 + 0.0 is 0.0: the two tie
    at_positive, positives = _runs(np.sort(scores[is_positive]))
    at_negative, negatives = _runs(np.sort(scores[~is_positive]))
    place = np.searchsorted(at_negative, at_positive)
    tied = np.append(at_negative, np.nan).astype(scores.dtype)[place] == at_positive
    # Each score that only positives have shifts all later ones by a place.
    only_positive = ~tied
    place += np.cumsum(only_positive) - only_positive
    size = len(at_negative) + np.count_nonzero(only_positive)
    has_negative = np.ones(size, dtype=np.bool_)
    has_negative[place[only_positive]] = False
    distinct = np.empty(size, dtype=scores.dtype)
    positive_rows, negative_rows = np.zeros((2, size), dtype=np.int64)
    distinct[has_negative], negative_rows[has_negative] = at_negative, negatives
    distinct[place], positive_rows[place] = at_positive, positives
    return distinct, positive_rows, negative_rows


def _runs(ranked: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Counts]:
    """Return the distinct values of a sorted array, and how often each occurs."""
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]])[: len(ranked)])
    return ranked[starts], np.diff(starts, append=len(ranked))
