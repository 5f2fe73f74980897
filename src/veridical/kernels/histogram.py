"""Rows counted on a fixed grid: small, mergeable without any agreement, and lossy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from veridical.errors import MismatchError, ParameterError
from veridical.kernels.arrays import Counts, Floats, Labels, as_bytes, as_scores, same_length
from veridical.kernels.choice import implementation
from veridical.kernels.threads import over_chunks

__all__ = ["Histogram", "histogram_counts"]

_MOST_BITS = 24


class Histogram(NamedTuple):
    """Rows in each bin of a grid, in ascending order of score.

    Attributes
    ----------
    positives, negatives
        Rows of each class, int64, shape (2**bits,).
    low, high
        Lowest and highest score in each bin, in the dtype of the scores, shape (2**bits,); inf and
        -inf, which change no minimum and no maximum, where a bin is empty.
    """

    positives: Counts
    negatives: Counts
    low: Floats
    high: Floats

    def __add__(self, other: object) -> Histogram:
        """Return the histogram of both sets of rows, which were counted on the same grid."""
        if not isinstance(other, Histogram):
            return NotImplemented
        mine, theirs = ((len(x.low), x.low.dtype) for x in (self, other))
        if mine != theirs:
            raise MismatchError(
                f"{mine[0]} {mine[1]} bins cannot be added to {theirs[0]} {theirs[1]} bins",
                why="bins of different grids hold different scores",
                fix="count both on the same grid",
            )
        return Histogram(
            self.positives + other.positives,
            self.negatives + other.negatives,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )


def histogram_counts(
    positive: Labels, scores: Floats, bits: int = 12, *, threads: int = 1
) -> Histogram:
    """Count positives and negatives in each bin of the line, a grid that depends on no data.

    A bin is given by the top bits of the order-preserving integer image of the score as a double,
    with its exponent cut from 11 bits to 8: magnitudes below 2**-127 count as zero, those from
    2**129 on share the outermost bins.  float32 and float64 scores use the same grid.

    Parameters
    ----------
    positive
        bool or uint8, shape (n,).
    scores
        float64 or float32 without NaN, shape (n,).
    bits
        The grid has 2**bits bins; 1 to 24.
    threads
        How many threads share the rows.  The result does not depend on it.

    Examples
    --------
    >>> import numpy as np
    >>> found = histogram_counts(np.array([1, 0, 1], np.uint8), np.array([-0.1, 0.2, 0.9]), bits=1)
    >>> found.positives.tolist(), found.negatives.tolist(), found.low.tolist()
    ([1, 1], [0, 1], [-0.1, 0.2])
    """
    labels, scores = as_bytes(positive), as_scores(scores)
    same_length(positive=labels, scores=scores)
    if not 1 <= bits <= _MOST_BITS:
        raise ParameterError(f"bits is {bits}", fix=f"use 1 to {_MOST_BITS}")
    kernel: Callable[..., tuple[Any, ...]] = implementation("histogram").histogram_counts

    def count(labels: Labels, scores: Floats) -> Histogram:
        return Histogram(*kernel(labels, scores, bits))

    return over_chunks(count, (labels, scores), threads)
