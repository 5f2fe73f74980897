"""Distinct scores with their positives and negatives, by numpy's sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


def sorted_groups(
    positive: npt.NDArray[np.uint8], scores: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Counts, Counts]:
    """Return (distinct scores ascending, positives, negatives)."""
    is_positive = positive != 0
    scores = scores + scores.dtype.type(0)  # -0.0 + 0.0 is 0.0: the two tie
    at_positive, positives = runs(np.sort(scores[is_positive]))
    at_negative, negatives = runs(np.sort(scores[~is_positive]))
    distinct, _ = runs(np.sort(np.concatenate([at_positive, at_negative]), kind="stable"))
    return (
        distinct,
        _placed(positives, np.searchsorted(distinct, at_positive), len(distinct)),
        _placed(negatives, np.searchsorted(distinct, at_negative), len(distinct)),
    )


def runs(ranked: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Counts]:
    """Return the distinct values of a sorted array, and how often each occurs."""
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]])[: len(ranked)])
    return ranked[starts], np.diff(starts, append=len(ranked))


def _placed(counts: Counts, places: npt.NDArray[np.intp], size: int) -> Counts:
    column = np.zeros(size, dtype=np.int64)
    column[places] = counts
    return column
