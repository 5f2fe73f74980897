"""Cells of a key grid that were merged so that none holds few rows.

A grid is a tree: shifted right by one bit, two neighbouring keys become one.  A *cell* is a node of
that tree, given by its first key and its level, the number of bits it is shifted by; a single bin
has level 0.  Two cells are disjoint or one holds the other, so cells of data sets that never met
always have a finest common coarsening.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["finest_levels", "united"]

Keys = npt.NDArray[np.int64]


def finest_levels(keys: Keys, counts: Sequence[Keys], least: int) -> Keys:
    """Return the level of each key's cell: as fine as leaves no count from 1 to ``least - 1``.

    Parameters
    ----------
    keys
        Ascending, shape (m,), m > 0.
    counts
        Several counts of each key, of the classes of each group for example, shape (m,) each.
    least
        The smallest count that a cell may have, but for 0.

    Returns
    -------
    int64, shape (m,).  Where not even the sums of all keys suffice, one cell holds all.

    Examples
    --------
    >>> keys, rows = np.array([0, 1, 2, 6, 7]), np.array([9, 8, 5, 1, 4])
    >>> finest_levels(keys, [rows], least=5).tolist()
    [0, 0, 0, 1, 1]
    """
    stacked = np.stack([np.asarray(column, dtype=np.int64) for column in counts])
    top = int(keys[-1]).bit_length()
    levels = np.full(keys.shape, top, dtype=np.int64)
    here = np.ones(keys.shape, dtype=np.bool_)  # whose cells may still be parted
    for level in range(top - 1, -1, -1):
        starts = _starts(keys >> level)
        sums = np.add.reduceat(stacked, starts, axis=1)
        enough = ((sums == 0) | (sums >= least)).all(axis=0)
        # A cell is parted only if no part of it holds too few.
        parents = _starts(keys[starts] >> (level + 1))
        parted = np.logical_and.reduceat(enough, parents)
        sizes = np.diff(starts[parents], append=len(keys))
        here &= np.repeat(parted, sizes)
        if not here.any():
            break
        levels[here] = level
    return levels


def united(first: Keys, levels: Keys) -> tuple[Keys, Keys]:
    """Return first key and level of the largest given cell that holds each of the cells.

    Examples
    --------
    >>> first, levels = united(np.array([0, 4, 5, 5]), np.array([1, 2, 0, 0]))
    >>> first.tolist(), levels.tolist()
    ([0, 4, 4, 4], [1, 2, 2, 2])
    """
    order = np.lexsort((-levels, first))
    starts, ends = first[order], first[order] + (1 << levels[order])
    reach = np.maximum.accumulate(ends)
    outermost = np.concatenate([[True], starts[1:] >= reach[:-1]])
    holder = order[np.flatnonzero(outermost)[np.cumsum(outermost) - 1]]
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return first[holder][inverse], levels[holder][inverse]


def _starts(values: Keys) -> npt.NDArray[np.intp]:
    """Return where each run of equal values begins."""
    return np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
