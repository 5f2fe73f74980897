"""Exact sums of weights by cell, and of the products that tell how unevenly they are spread."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.summaries.confusion import Count
from veridical.summaries.fixed_point import FixedArray, exact_number
from veridical.summaries.spread import PAIRS, Spread

__all__ = ["cell_spreads", "cell_sums"]

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.int64]


def cell_sums(cells: Codes, weight: Floats | None, size: int) -> list[Count]:
    """Return the sum of the weights in each of ``size`` cells, in steps of 2**-52.

    Parameters
    ----------
    cells
        The cell of each row, shape (n,).
    weight
        Shape (n,); None where each row counts as one.

    Examples
    --------
    >>> cell_sums(np.array([1, 0, 1]), np.array([0.5, 2.0, 0.25]), 3)
    [2, Fraction(3, 4), 0]
    """
    if weight is None:
        return np.bincount(cells, minlength=size).tolist()  # type: ignore[no-any-return]
    sums: list[Count] = [0] * size
    if not len(cells):
        return sums
    order = np.argsort(cells, kind="stable")
    occupied, starts = np.unique(cells[order], return_index=True)
    found = FixedArray.from_float(weight[order]).sums_from(starts)
    for cell, units in zip(occupied.tolist(), found.units(), strict=True):
        sums[cell] = exact_number(units)
    return sums


def cell_spreads(
    cells: Codes, weight: Floats | None, cluster: Codes | None, groups: int
) -> list[Spread]:
    """Return the spread of the rows of each group.

    Parameters
    ----------
    cells
        Four times the group, plus the cell in the order of ``spread.CELLS``; shape (n,).
    weight, cluster
        Shape (n,); None where each row counts as one, is drawn by itself.
    groups
        How many there are.
    """
    ones = np.ones(len(cells)) if weight is None else weight
    squares = np.bincount(cells, ones * ones, 4 * groups).reshape(-1, 4)
    of_rows = [_exact(four) for four in squares.tolist()]
    if cluster is None:
        return [Spread.of_squares(four) for four in of_rows]
    # One line for each cluster within a group: what it adds to the four cells.
    units, at = np.unique(cells // 4 * (int(cluster.max()) + 1) + cluster, return_inverse=True)
    adds = np.bincount(at * 4 + cells % 4, ones, 4 * len(units)).reshape(-1, 4)
    of = units // (int(cluster.max()) + 1)
    moments = np.array([np.bincount(of, adds[:, i] * adds[:, j], groups) for i, j in PAIRS]).T
    return [Spread(four, _exact(ten)) for four, ten in zip(of_rows, moments.tolist(), strict=True)]


def _exact(numbers: Sequence[float]) -> tuple[Count, ...]:
    return tuple(int(one) if one.is_integer() else Fraction(one) for one in numbers)
