"""Distinct scores with their positives and negatives, by numpy's sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["sorted_groups", "sorted_slots"]

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


def sorted_slots(
    positive: npt.NDArray[np.uint8], scores: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Counts, Counts, Counts]:
    """Return (distinct scores of positives ascending, positives, tied negatives, between)."""
    is_positive = positive != 0
    scores = scores + scores.dtype.type(0)  # -0.0 + 0.0 is 0.0: the two tie
    if scores.min(initial=0) >= 0:
        return _slots_of_packed(is_positive, scores)
    edges, positives = _runs(np.sort(scores[is_positive]))
    at_negative = np.sort(scores[~is_positive])
    below = np.searchsorted(at_negative, edges, "left")
    up_to = np.searchsorted(at_negative, edges, "right")
    return edges, positives, up_to - below, _between(below, up_to, len(at_negative))


def _slots_of_packed(
    is_positive: npt.NDArray[np.bool_], scores: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Counts, Counts, Counts]:
    """Sort once, with the class in the lowest bit: no score here has a sign bit to keep."""
    dtype = scores.dtype
    keys = scores.view(f"u{dtype.itemsize}")  # the caller's copy
    keys <<= 1
    keys |= is_positive
    keys.sort()
    at = np.flatnonzero(keys & keys.dtype.type(1))
    edge_keys = keys[at]
    firsts = np.flatnonzero(np.concatenate([[True], edge_keys[1:] != edge_keys[:-1]])[: len(at)])
    edge_keys, positives = edge_keys[firsts], np.diff(firsts, append=len(at))
    up_to = at[firsts] - firsts  # in front of its first positive are earlier ones and negatives
    below = up_to.copy()
    # Negatives of the same score stand right before; without any, no search is worth its time.
    tied = np.flatnonzero(keys[np.maximum(at[firsts] - 1, 0)] == edge_keys - 1)
    start = np.searchsorted(keys, edge_keys[tied] - 1, "left")
    below[tied] -= at[firsts[tied]] - start
    edges = (edge_keys >> keys.dtype.type(1)).view(dtype)
    return edges, positives, up_to - below, _between(below, up_to, len(keys) - len(at))


def _between(below: Counts, up_to: Counts, n: int) -> Counts:
    """Return how many negatives lie below, between and above the edges."""
    between: Counts = np.append(below, n) - np.concatenate([[0], up_to])
    return between


def _runs(ranked: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Counts]:
    """Return the distinct values of a sorted array, and how often each occurs."""
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]])[: len(ranked)])
    return ranked[starts], np.diff(starts, append=len(ranked))
