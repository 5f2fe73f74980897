"""Sums of forecasts in equal-width bins: all that ECE and the Brier score ask of the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError, ScoreError
from veridical.kernels.arrays import Floats, Labels, as_bytes, as_scores, same_length
from veridical.kernels.choice import implementation
from veridical.kernels.threads import over_chunks

__all__ = ["ReliabilitySums", "reliability_sums"]

_MOST_BINS = 1 << 16


class ReliabilitySums(NamedTuple):
    """Sums a bin, as Python ints, which never overflow.

    Attributes
    ----------
    n, sum_y
        Rows and positives in each bin, shape (bins,).
    sum_p, sum_p2, sum_py
        Sums of p, p^2 and p*y in units of 2**-52, shape (bins,).  p, and the double p*p, are each
        rounded once to a multiple of the unit, half to even; from there on the sums are exact, and
        do not depend on the order of the rows.
    """

    n: list[int]
    sum_y: list[int]
    sum_p: list[int]
    sum_p2: list[int]
    sum_py: list[int]


def reliability_sums(
    positive: Labels, scores: Floats, bins: int = 10, *, threads: int = 1
) -> ReliabilitySums:
    """Sum forecasts, their squares and their products with the labels in each bin.

    Parameters
    ----------
    positive
        bool or uint8, shape (n,).
    scores
        Forecasts in [0, 1], float64 or float32, shape (n,).
    bins
        Number of equal-width bins ((m - 1)/M, m/M], of which the first also holds 0; 1 to 65536.
        Edges are in the dtype of the scores.
    threads
        How many threads share the rows.  The result does not depend on it.

    Raises
    ------
    ScoreError
        When a forecast is NaN or outside [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> sums = reliability_sums(np.array([True, False]), np.array([0.25, 0.5]), bins=2)
    >>> sums.n, sums.sum_y, [total / 2**52 for total in sums.sum_p]
    ([2, 0], [1, 0], [0.75, 0.0])
    """
    labels, scores = as_bytes(positive), as_scores(scores)
    same_length(positive=labels, scores=scores)
    if not 1 <= bins <= _MOST_BINS:
        raise ParameterError(f"bins is {bins}", fix=f"use 1 to {_MOST_BINS} bins")
    edges = (np.arange(bins + 1) / bins).astype(scores.dtype)
    kernel: Callable[..., tuple[npt.NDArray[np.int64], int]]
    kernel = implementation("reliability").reliability_sums

    def sums_of(labels: npt.NDArray[np.uint8], scores: Floats) -> npt.NDArray[Any]:
        totals, outside = kernel(labels, scores, edges)
        return np.append(totals.ravel(), outside)

    *totals, outside = over_chunks(sums_of, (labels, scores), threads).tolist()
    if outside:
        raise ScoreError(
            f"{outside} forecasts are outside [0, 1] or NaN",
            where="kernels",
            why="a bin of probabilities cannot hold them",
            fix="clamp or drop them first",
        )
    n, y, *halves = (totals[column::8] for column in range(8))
    wide = [
        [(high << 32) + low for high, low in zip(halves[k], halves[k + 1], strict=True)]
        for k in (0, 2, 4)
    ]
    return ReliabilitySums(n, y, *wide)
