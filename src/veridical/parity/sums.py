"""Exact sums of weights by cell, and of the products that tell how unevenly they are spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.summaries.confusion import Count
from veridical.summaries.fixed_point import FixedArray, exact_number
from veridical.summaries.spread import PAIRS, Spread

__all__ = ["ClusterSums", "cell_spreads", "cell_sums"]

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.int64]

_WHOLE: Final = float(2**53)
"""Below it, sums of whole numbers are exact in any order."""


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


class ClusterSums(NamedTuple):
    """What each cluster adds to the cells of each group that it has rows of.

    Attributes
    ----------
    group, cluster
        Shape (k,), in order of group and cluster.
    adds
        Sums of weights, by cell in the order of ``spread.CELLS``; shape (k, 4).
    """

    group: Codes
    cluster: Codes
    adds: Floats

    @classmethod
    def of(cls, cells: Codes, weight: Floats | None, cluster: Codes) -> Self:
        """Return the sums of rows; arguments as for ``cell_spreads``."""
        size = int(cluster.max(initial=0)) + 1
        units, at = np.unique(cells // 4 * size + cluster, return_inverse=True)
        adds = _sums(at * 4 + cells % 4, _rounded(weight, len(cells)), 4 * len(units))
        return cls(units // size, units % size, adds.reshape(-1, 4))

    def moments(self, groups: int) -> list[tuple[Count, ...]]:
        """Return, for each group, the sums of products of cells in the order of ``PAIRS``."""
        sums = [_sums(self.group, self.adds[:, i] * self.adds[:, j], groups) for i, j in PAIRS]
        return [_exact(ten) for ten in np.array(sums).T.tolist()]

    def shared(self, groups: int, reference: int) -> dict[int, tuple[Count, ...]]:
        """Return ``ComparedGroups.shared`` of each group that has clusters with the reference.

        Parameters
        ----------
        groups
            How many there are.
        reference
            Which of them others are held against, from 0.
        """
        beside = self.group == reference
        theirs = self.cluster[beside]
        both = ~beside & np.isin(self.cluster, theirs)
        at = np.searchsorted(theirs, self.cluster[both])
        mine, other, of = self.adds[both], self.adds[beside][at], self.group[both]
        sums = [_sums(of, mine[:, i] * other[:, j], groups) for i, j in np.ndindex(4, 4)]
        sixteen = np.array(sums).T.tolist()
        return {int(group): _exact(sixteen[group]) for group in np.unique(of)}


def cell_spreads(
    cells: Codes, weight: Floats | None, clusters: ClusterSums | None, groups: int
) -> list[Spread]:
    """Return the spread of the rows of each group.

    Parameters
    ----------
    cells
        Four times the group, plus the cell in the order of ``spread.CELLS``; shape (n,).
    weight
        Shape (n,); None where each row counts as one.
    clusters
        Of the same rows; None where each is drawn by itself.
    groups
        How many there are.
    """
    weight = _rounded(weight, len(cells))
    # A row of weight 0 is absent; one of a whole weight is so many rows of weight 1.
    is_whole = bool((weight == np.floor(weight)).all())
    of_rows = (weight, weight) if is_whole else (weight**2, weight**4)
    rows, squares, fourths = (
        [_exact(four) for four in _sums(cells, sizes, 4 * groups).reshape(-1, 4).tolist()]
        for sizes in ((weight > 0).astype(np.float64), *of_rows)
    )
    if clusters is None:
        by_group = zip(squares, rows, fourths, strict=True)
        return [Spread.of_squares(*sizes) for sizes in by_group]
    of = zip(squares, clusters.moments(groups), rows, fourths, strict=True)
    return [Spread(*sizes) for sizes in of]


def _exact(numbers: Sequence[float]) -> tuple[Count, ...]:
    return tuple(int(one) if one.is_integer() else Fraction(one) for one in numbers)


def _rounded(weight: Floats | None, size: int) -> Floats:
    """Return weights in the steps that ``cell_sums`` adds them up in."""
    return np.ones(size) if weight is None else FixedArray.from_float(weight).to_float()


def _sums(at: Codes, numbers: Floats, size: int) -> Floats:
    """Return the sum of the numbers at each place, the same in whichever order they come."""
    sums = np.asarray(np.bincount(at, numbers, size), np.float64)
    if sums.max(initial=0.0) < _WHOLE and (numbers == np.floor(numbers)).all():
        return sums
    order = np.argsort(at, kind="stable")
    places, starts = np.unique(at[order], return_index=True)
    ends = [*starts[1:].tolist(), len(at)]
    ordered = numbers[order].tolist()
    for place, start, end in zip(places.tolist(), starts.tolist(), ends, strict=True):
        sums[place] = math.fsum(ordered[start:end])
    return sums
