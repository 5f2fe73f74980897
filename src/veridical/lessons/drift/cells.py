"""Section 1: cells that the reference sets, and how many rows of each side fall into them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from veridical.errors import InputError, ParameterError

__all__ = ["Cell", "cell_of", "counts", "quantile_edges"]

Cell = tuple[int, bool]
"""How many edges lie below a value, and whether it stands on an edge that is its own cell."""

Edges = dict[float, bool]
"""The edges, ascending, and of each whether it is a cell of its own."""


def quantile_edges(reference: Sequence[float], bins: int = 10) -> Edges:
    """Return the values that cut the reference into equal parts.

    Edge k of B is the value at place ceil(k n / B) in order of size: a value that was seen, never
    one in between.

    Parameters
    ----------
    reference
        Finite numbers, at least one.
    bins
        How many parts, at least 2; 10 are deciles.

    Returns
    -------
    dict of float to bool
        True where several edges fall on one value, as they do where it is frequent: then it is a
        cell of its own.  So is the only value of a constant.

    Examples
    --------
    >>> quantile_edges([1, 2, 3, 4, 5, 6, 7, 8], bins=4)
    {2.0: False, 4.0: False, 6.0: False}
    >>> quantile_edges([0, 0, 0, 0, 0, 0, 1, 2], bins=4)
    {0.0: True}
    """
    if bins < 2:
        raise ParameterError(f"there are at least 2 cells, not {bins}")
    ordered = _finite(reference)
    places = [math.ceil(k * len(ordered) / bins) for k in range(1, bins)]
    found = Counter(ordered[place - 1] for place in places)
    edges = {edge: times > 1 for edge, times in found.items()}
    lowest = min(edges)
    if lowest == ordered[-1]:  # what lies below a constant is not the constant
        edges[lowest] = True
    return edges


def _finite(values: Sequence[float]) -> list[float]:
    ordered = sorted(float(value) for value in values)
    if not ordered or not all(math.isfinite(value) for value in ordered):
        raise InputError("a column has at least one number, and only finite ones")
    return ordered


def cell_of(value: float, edges: Edges) -> Cell:
    """Return the cell that a value falls into: above the edge below it, at most the edge above it.

    Below the lowest edge and above the highest there is no end: no value falls out.

    Examples
    --------
    >>> edges = quantile_edges([1, 2, 3, 4, 5, 6, 7, 8], bins=4)
    >>> cell_of(2, edges), cell_of(2.1, edges), cell_of(99, edges)
    ((0, False), (1, False), (3, False))
    """
    return bisect_left(list(edges), value), edges.get(value, False)


def counts(values: Sequence[float], edges: Edges) -> Counter[Cell]:
    """Return how many values fall into each cell.

    Examples
    --------
    >>> edges = quantile_edges([1, 2, 3, 4, 5, 6, 7, 8], bins=4)
    >>> [counts([1, 2, 2, 7], edges)[cell, False] for cell in range(4)]
    [3, 0, 0, 1]
    """
    return Counter(cell_of(value, edges) for value in _finite(values))
