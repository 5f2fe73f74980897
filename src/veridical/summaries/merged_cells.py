"""Cells of a key grid that were merged so that none holds few rows.

A *cell* is a run of neighbouring keys, from its first to its last.  Where it ends is chosen among
the boundaries of the grid, those of coarse grids first: a boundary has the *rank* of the coarsest
nested grid that it is one of, the number of zeros its key ends in.  Data sets that never met choose
many of the same boundaries therefore, and what two have in common parts the sum of both.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["finest_cells", "united"]

Keys = npt.NDArray[np.int64]


def finest_cells(
    keys: Keys, counts: Sequence[Keys], least: int, size: int, parted: Sequence[int] = ()
) -> tuple[Keys, Keys]:
    """Return first and last key of each key's cell, none with a count of 1 to ``least - 1``.

    Between two keys that hold rows the boundary of the highest rank is a candidate.  Candidates
    are taken one by one, those of high rank first and then from below, wherever both sides of the
    cell that one parts hold enough.

    Parameters
    ----------
    keys
        Ascending, shape (m,), m > 0.
    counts
        Several counts of each key, of the classes of each group for example, shape (m,) each.
    least
        The smallest count that a cell may have, but for 0.
    size
        How many keys the grid has.
    parted
        Places among the keys where cells end in any case.

    Returns
    -------
    first, last
        int64, shape (m,).  Where not even the sums of all keys suffice, one cell holds all.

    Examples
    --------
    >>> keys, rows = np.array([0, 1, 2, 6, 7]), np.array([9, 8, 5, 1, 4])
    >>> first, last = finest_cells(keys, [rows], least=5, size=8)
    >>> first.tolist(), last.tolist()
    ([0, 1, 2, 4, 4], [0, 1, 3, 7, 7])
    """
    stacked = np.stack([np.asarray(column, dtype=np.int64) for column in counts])
    sums = np.concatenate([np.zeros((len(stacked), 1), np.int64), stacked.cumsum(axis=1)], axis=1)
    boundaries = _highest_between(keys[:-1], keys[1:])
    ranks = _trailing_zeros(boundaries)
    # Places among the keys where cells begin or end.
    cuts = sorted({0, len(keys), *parted})
    for place in np.lexsort((boundaries, -ranks)).tolist():
        at = bisect_left(cuts, place + 1)
        if cuts[at] == place + 1:
            continue
        below, cut, above = cuts[at - 1], place + 1, cuts[at]
        parts = np.diff(sums[:, [below, cut, above]], axis=1)
        if ((parts == 0) | (parts >= least)).all():
            insort(cuts, cut)
    ends = np.concatenate([[0], boundaries[np.array(cuts[1:-1], dtype=np.int64) - 1], [size]])
    cell = np.repeat(np.arange(len(cuts) - 1), np.diff(cuts))
    return ends[:-1][cell], ends[1:][cell] - 1


def united(first: Keys, last: Keys) -> tuple[Keys, Keys]:
    """Return first and last key of the runs that given cells make up where they overlap.

    Examples
    --------
    >>> first, last = united(np.array([0, 4, 5, 8]), np.array([1, 6, 7, 9]))
    >>> first.tolist(), last.tolist()
    ([0, 4, 4, 8], [1, 7, 7, 9])
    """
    order = np.argsort(first, kind="stable")
    starts, ends = first[order], np.maximum.accumulate(last[order])
    begins = np.flatnonzero(np.concatenate([[True], starts[1:] > ends[:-1]]))
    run = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(order)))
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return starts[begins][run][inverse], ends[np.append(begins[1:], len(order)) - 1][run][inverse]


def _highest_between(low: Keys, high: Keys) -> Keys:
    """Return the number of the most trailing zeros above ``low`` and up to ``high``."""
    # The leading bits that both share, then a one, then zeros; or high itself, if it is that.
    bits = np.frexp((low ^ high).astype(np.float64))[1].astype(np.int64)
    return np.asarray(high >> (bits - 1) << (bits - 1), dtype=np.int64)


def _trailing_zeros(keys: Keys) -> Keys:
    """Return how many zeros a number ends in; keys are positive and below 2**53."""
    lowest = (keys & -keys).astype(np.float64)
    return np.asarray(np.frexp(lowest)[1] - 1, dtype=np.int64)
