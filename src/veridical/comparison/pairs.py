"""Two models on the same rows, and whether the rows of two models are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.metrics.intervals import Units
from veridical.slices import RowPass, Settings, Slice

__all__ = ["Pair", "Side", "different_rows"]

MOST_REPEATED_ROWS = 20_000_000


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two models.

    Attributes
    ----------
    name
        How it is called in the comparison.
    part
        Its summaries and rows.
    settings
        What it is measured with.
    kept
        What several comparisons of this model need, by name.
    """

    name: str
    part: Slice
    settings: Settings
    kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def has_rows(self) -> bool:
        """Whether its rows are in memory."""
        return self.part.rows is not None

    def can_pair(self, other: Side) -> bool:
        """Whether the rows of both are at hand, or can be read together again."""
        if self.has_rows and other.has_rows:
            return True
        return self.part.again is not None and self.part.again is other.part.again

    @property
    def has_forecasts(self) -> bool:
        """Whether its scores, as far as they are at hand, are probabilities."""
        if self.part.rows is None or not len(self.part.rows.scores):
            return True
        scores = self.part.rows.scores
        return bool(scores.min() >= 0 and scores.max() <= 1)

    @cached_property
    def rows(self) -> Units:
        """Its rows, one an independent draw.

        Whole weights stand for repeated rows, which are repeated here; rows of weight 0 are left
        out.  With clusters, and beyond 20 million rows, the weights stay what they are.
        """
        rows = self.part.rows
        if rows is None:
            raise ParameterError(
                f"the rows of {self.name!r} are not in memory",
                fix="measure it on rows in memory, or compare what was kept",
            )
        if rows.weight is None:
            return rows
        repeated = (
            rows.codes is None
            and rows.weight.sum() <= MOST_REPEATED_ROWS
            and np.array_equal(rows.weight, np.floor(rows.weight))
        )
        times = rows.weight if repeated else rows.weight > 0
        index = np.repeat(np.arange(len(rows.scores)), times.astype(np.intp))
        return Units(
            rows.positive[index],
            rows.scores[index],
            None if repeated else rows.weight[index],
            None if rows.codes is None else rows.codes[index],
            {name: column[index] for name, column in rows.costs.items()},
        )


@dataclass(frozen=True, eq=False)
class Pair:
    """Two models measured on the same rows, in the same order.

    Attributes
    ----------
    a, b
        The sides; their rows agree in everything but the scores.
    """

    a: Side
    b: Side

    @property
    def in_memory(self) -> bool:
        """Whether the rows of both are in memory."""
        return self.a.has_rows and self.b.has_rows

    @property
    def models(self) -> tuple[str, str]:
        """What the two are called where their rows are."""
        if self.in_memory:
            return self.a.name, self.b.name
        return str(self.a.part.subject), str(self.b.part.subject)

    @property
    def rows(self) -> Mapping[str, Units] | RowPass:
        """The rows of both, or a way to read them again."""
        if self.in_memory:
            return dict(zip(self.models, (self.a.rows, self.b.rows), strict=True))
        again = self.a.part.again
        if again is None or again is not self.b.part.again:
            raise ParameterError(
                "the rows of the two models are not read together",
                fix="measure both in one evaluation",
            )
        return again

    @property
    def independent(self) -> bool:
        """Whether every row is a draw of its own and counts once."""
        # Weights and clusters keep rows in memory.
        return not self.in_memory or (self.a.rows.codes is None and self.a.rows.weight is None)


def different_rows(a: Side, b: Side) -> list[str]:
    """Return in what the rows of two sides differ: rows, weight, cluster; [] where they match.

    Rows match when there are equally many, with the same labels, weights and clusters in the same
    order.
    """
    one, two = a.part.rows, b.part.rows
    if one is None or two is None:
        # Without the rows, their counts are all that can tell them apart.
        counts = [side.part.evidence.at(None) for side in (a, b)]
        return [] if counts[0] == counts[1] else ["rows"]
    if not np.array_equal(one.positive, two.positive):
        return ["rows"]
    differing = []
    if not _same(one.weight, two.weight):
        differing.append("weight")
    if not _same_partition(one.codes, two.codes):
        differing.append("cluster")
    return differing


def _same(one: npt.NDArray[np.float64] | None, two: npt.NDArray[np.float64] | None) -> bool:
    if one is None or two is None:
        return one is two
    return np.array_equal(one, two)


def _same_partition(one: npt.NDArray[np.intp] | None, two: npt.NDArray[np.intp] | None) -> bool:
    """Whether two codings put the same rows together; the numbers themselves mean nothing."""
    if one is None or two is None:
        return one is two
    return bool(np.array_equal(_by_first_row(one), _by_first_row(two)))


def _by_first_row(codes: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    of_rows: npt.NDArray[np.intp] = first[inverse.ravel()]
    return of_rows
