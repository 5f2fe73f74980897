"""``Partition``: the cells of one column, frozen on a reference and never refitted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema

__all__ = ["MISSING", "RARE", "UNSEEN", "Partition"]

MISSING = "(missing)"
UNSEEN = "(unseen)"
RARE = "(other)"
RARE_SHARE = 0.005

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Partition:
    """The cells that the rows of one column fall into; the last one holds missing values.

    Attributes
    ----------
    edges
        Of numbers: finite, ascending, distinct.  A cell is open below and closed above,
        the outer two go to infinity.
    points
        Those of the edges that are a cell of their own.
    levels
        Of categories: distinct texts.  All other levels of the reference share the cell
        ``(other)``, and what the reference does not have shares ``(unseen)``.
    rare
        The levels of the reference that share ``(other)``; None for numbers.

    Examples
    --------
    >>> cells = Partition.of_numbers(np.array([5.0] * 100), bins=10)
    >>> cells.names, cells.count(np.array([5.0, 6.0]), missing=1).tolist()
    (('< 5', '5', '> 5', '(missing)'), [0, 1, 1, 1])
    """

    schema: ClassVar[str] = "veridical.partition/1"

    edges: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    levels: tuple[str, ...] = ()
    rare: tuple[str, ...] | None = None

    @classmethod
    def of_numbers(cls, values: Floats, bins: int) -> Self:
        """Cut at the quantiles of a reference, which are values of it.

        Edge k of ``bins`` is the order statistic ceil(k n / bins): every engine finds the same.
        An edge that several quantiles share is a cell of its own, and so is a lowest edge that is
        the largest value: what lies below a constant is not the constant.

        Parameters
        ----------
        values
            Finite, shape (n,), n >= 1; missing ones left out.
        bins
            At least 2.
        """
        n = len(values)
        at = _places(n, bins)
        ordered = np.partition(values, sorted({*at, n - 1}))
        return cls._cut([float(ordered[place]) for place in at], float(ordered[n - 1]))

    @classmethod
    def of_counts(cls, values: Floats, counts: npt.NDArray[np.int64], bins: int) -> Self:
        """Cut at the quantiles of a reference that holds each value ``counts`` times.

        Parameters
        ----------
        values
            Finite, ascending, distinct, shape (m,).
        counts
            At least one of them positive, shape (m,).
        bins
            At least 2.
        """
        rows = np.cumsum(counts)
        at = np.searchsorted(rows, np.array([*_places(int(rows[-1]), bins), rows[-1] - 1]) + 1)
        *quantiles, largest = (float(value) for value in values[at])
        return cls._cut(quantiles, largest)

    @classmethod
    def _cut(cls, quantiles: Sequence[float], largest: float) -> Self:
        quantiles = [value + 0.0 for value in quantiles]  # there is one zero
        edges = tuple(dict.fromkeys(quantiles))
        points = tuple(edge for edge in edges if quantiles.count(edge) > 1)
        if edges[0] == largest and not points:
            points = edges[:1]
        return cls(edges, points)

    @classmethod
    def of_levels(cls, counts: Mapping[str, int]) -> Self:
        """Take the levels of a reference, the most frequent first, rare ones (< 0.5%) together."""
        total = sum(counts.values())
        ordered = sorted(counts, key=lambda level: (-counts[level], level))
        kept = [level for level in ordered if counts[level] >= RARE_SHARE * total]
        rare = tuple(sorted(set(ordered) - set(kept)))
        return cls(levels=tuple(kept), rare=rare)

    @property
    def numeric(self) -> bool:
        """Whether the cells are of numbers."""
        return self.rare is None

    @property
    def names(self) -> tuple[str, ...]:
        """What each cell is called."""
        if not self.numeric:
            return (*self.levels, RARE, UNSEEN, MISSING)
        names: list[str] = []
        below = -math.inf
        for edge in self.edges:
            names.append(_between(below, edge, closed=edge not in self.points))
            if edge in self.points:
                names.append(f"{edge:.6g}")
            below = edge
        return (*names, _between(below, math.inf, closed=False), MISSING)

    def count(self, values: Floats, missing: int = 0) -> npt.NDArray[np.int64]:
        """Return how many numbers fall into each cell, int64, shape (cells,)."""
        counted = np.bincount(self.places(values), minlength=len(self.names))
        counted[-1] += missing
        return counted.astype(np.int64)

    def places(self, values: Floats) -> npt.NDArray[np.int64]:
        """Return which cell each number falls into, int64, shape (n,)."""
        edges = np.array(self.edges, dtype=np.float64)
        is_point = np.isin(edges, self.points)
        cells_below = np.arange(len(edges) + 1) + np.concatenate(([0], np.cumsum(is_point)))
        # The number of edges below a value; one that equals a point lies one cell further.
        below = np.searchsorted(edges, values, side="left")
        cell = cells_below[below]
        inside = below < len(edges)
        on_point = np.zeros(len(values), dtype=np.bool_)
        on_point[inside] = (edges[below[inside]] == values[inside]) & is_point[below[inside]]
        return np.asarray(cell + on_point, dtype=np.int64)

    def count_levels(self, counts: Mapping[str, int], missing: int = 0) -> npt.NDArray[np.int64]:
        """Return how many rows fall into each cell, from the rows of each level."""
        place = {level: at for at, level in enumerate(self.levels)}
        rare = dict.fromkeys(self.rare or (), len(self.levels))
        counted = np.zeros(len(self.names), dtype=np.int64)
        for level, rows in counts.items():
            counted[place.get(level, rare.get(level, len(self.levels) + 1))] += rows
        counted[-1] += missing
        return counted

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        if self.numeric:
            cells: dict[str, Any] = {"edges": list(self.edges), "points": list(self.points)}
        else:
            cells = {"levels": list(self.levels), "rare": list(self.rare or ())}
        return {"schema": self.schema, **cells}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        if "edges" in data:
            edges, points = _numbers(data["edges"]), _numbers(data["points"])
            ascending = all(a < b for a, b in pairwise(edges))
            if not edges or not ascending or not set(points) <= set(edges):
                raise FileFormatError(
                    "edges ascend, and points are some of them", fix="freeze the reference again"
                )
            return cls(edges, points)
        levels, rare = _texts(data["levels"]), _texts(data["rare"])
        if len({*levels, *rare}) < len(levels) + len(rare):
            raise FileFormatError("a level occurs twice", fix="freeze the reference again")
        return cls(levels=levels, rare=rare)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def _between(low: float, high: float, *, closed: bool) -> str:
    if low == -math.inf:
        return f"{'<=' if closed else '<'} {high:.6g}"
    if high == math.inf:
        return f"> {low:.6g}"
    return f"({low:.6g}, {high:.6g}{']' if closed else ')'}"


def _numbers(given: Iterable[Any]) -> tuple[float, ...]:
    numbers = tuple(given)
    if not all(type(x) in {int, float} and math.isfinite(x) for x in numbers):
        raise FileFormatError("an edge is a finite number", fix="freeze the reference again")
    return tuple(float(x) for x in numbers)


def _texts(given: Sequence[Any]) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(level, str) for level in given):
        raise FileFormatError("a level is a text", fix="freeze the reference again")
    return tuple(given)


def _places(n: int, bins: int) -> list[int]:
    """Return the places of the quantiles among n ordered values, from 0."""
    return [-(-k * n // bins) - 1 for k in range(1, bins)]
