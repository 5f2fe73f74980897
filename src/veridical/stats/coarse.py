"""Fewer stops of a walk, for a bootstrap whose cost does not grow with the positives.

A replicate draws one number for each slot.  Above some thousands of slots neighbouring stops differ
by far less than the interval is wide, and a walk over some of them varies as the whole walk does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veridical.kernels.arrays import as_score
from veridical.summaries import Walk
from veridical.summaries.fixed_point import FixedArray

__all__ = ["COARSENED_ABOVE", "coarsened"]

COARSENED_ABOVE = 5000
"""Stops up to which every one of them is resampled."""

STOPS = 600
"""Stops that share the positives equally; as many again stand ever denser towards the top."""


def coarsened(walk: Walk, threshold: float | None = None) -> Walk:
    """Return a walk that stops at some of the thresholds: at all of the first, at fewer further on.

    At the stops that are kept, true and false positives are those of the whole walk.  What was
    counted between two of them counts as tied at the lower.

    Parameters
    ----------
    walk
        Whole counts, no price columns, at least one stop.
    threshold
        A threshold at which the walk must stay readable.

    Examples
    --------
    >>> from veridical.summaries import ScoreTable
    >>> scores = np.arange(20_000) / 20_000
    >>> walk = ScoreTable.from_rows(scores > 0.5, scores).walk
    >>> len(walk), len(coarsened(walk)) <= 2 * STOPS
    (9999, True)
    """
    at = _chosen(walk, threshold)
    tp, fp = walk.tp[at], walk.fp[at]
    return Walk(
        walk.thresholds[at],
        FixedArray.from_int(np.diff(tp, prepend=0)),
        FixedArray.from_int(np.diff(fp, prepend=0)),
        FixedArray.from_int(np.append(np.zeros(len(at)), walk.between.whole[-1])),
    )


def _chosen(walk: Walk, threshold: float | None) -> npt.NDArray[np.intp]:
    """Return which stops stay: by equal shares of positives, and by ever longer strides."""
    m = len(walk)
    shares = np.linspace(0, walk.tp[-1], STOPS)
    strides = np.geomspace(1, m, STOPS).astype(np.intp) - 1
    every = [np.searchsorted(walk.tp, shares[1:]), strides, np.array([m - 1])]
    if threshold is not None:
        flagged = int((walk.thresholds >= as_score(threshold, walk.thresholds.dtype)).sum())
        every.append(np.array([max(0, flagged - 1)]))
    return np.unique(np.concatenate(every)).astype(np.intp)
