"""Exact sums of weights by cell, and of the products that tell how unevenly they are spread."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.summaries.confusion import Count
from veridical.summaries.fixed_point import FixedArray, exact_number
from veridical.summaries.spread import PAIRS, Spread

__all__ = ["ClusterSums", "cell_spreads", "cell_sums"]

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
        adds = np.bincount(at * 4 + cells % 4, weight, 4 * len(units)).reshape(-1, 4)
        return cls(units // size, units % size, adds.astype(np.float64))

    def moments(self, groups: int) -> list[tuple[Count, ...]]:
        """Return, for each group, the sums of products of cells in the order of ``PAIRS``."""
        sums = [self._sum(self.group, self.adds[:, i] * self.adds[:, j], groups) for i, j in PAIRS]
        return [_exact(ten) for ten in np.array(sums).T.tolist()]

    def shared(self, groups: int, reference: int) -> dict[int, tuple[Count, ...]]:
        """Return ``ComparedGroups.shared`` of each group that has clusters with the reference."""
        beside = self.group == reference
        theirs, others = self.cluster[beside], np.flatnonzero(~beside)
        at = np.searchsorted(theirs, self.cluster[others]).clip(max=max(0, len(theirs) - 1))
        both = theirs[at] == self.cluster[others] if len(theirs) else np.zeros(len(others), bool)
        mine, other = self.adds[others[both]], self.adds[beside][at[both]]
        of = self.group[others[both]]
        sums = [self._sum(of, mine[:, i] * other[:, j], groups) for i, j in np.ndindex(4, 4)]
        sixteen = np.array(sums).T.tolist()
        return {int(group): _exact(sixteen[group]) for group in np.unique(of)}

    @staticmethod
    def _sum(group: Codes, products: Floats, groups: int) -> Floats:
        return np.asarray(np.bincount(group, products, groups), np.float64)


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
    weight = np.ones(len(cells)) if weight is None else weight
    # A row of weight 0 is absent.
    rows, squares, fourths = (
        [_exact(four) for four in np.bincount(cells, sizes, 4 * groups).reshape(-1, 4).tolist()]
        for sizes in ((weight > 0).astype(np.float64), weight**2, weight**4)
    )
    if clusters is None:
        by_group = zip(squares, rows, fourths, strict=True)
        return [Spread.of_squares(*sizes) for sizes in by_group]
    of = zip(squares, clusters.moments(groups), rows, fourths, strict=True)
    return [Spread(*sizes) for sizes in of]


def _exact(numbers: Sequence[float]) -> tuple[Count, ...]:
    return tuple(int(one) if one.is_integer() else Fraction(one) for one in numbers)
