"""What a row adds to one model minus what it adds to another, summed over all rows in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field

import numpy as np
import numpy.typing as npt

from veridical.comparison.row_values import Floats, ModelRows, RowValues
from veridical.metrics.intervals import Units
from veridical.slices import RowPass
from veridical.stats.row_sums import ClassSums

__all__ = ["Contrast", "PassSums", "SumsOf"]

ROWS_AT_ONCE = 1 << 18
"""So many rows stay in the cache of a processor, and their slots in memory."""


@dataclass(frozen=True)
class Contrast:
    """One metric of two models, row by row; its identity is that of the metric and the models.

    Attributes
    ----------
    metric, models
        Names of the metric and of the two models.
    values
        What a row adds to each.
    centre
        Subtracted from each difference: its mean, or nearly, so that nothing cancels in the
        squares.
    """

    metric: str
    models: tuple[str, str]
    values: tuple[RowValues, RowValues] = field(compare=False)
    centre: float = field(default=0.0, compare=False)

    @property
    def scale(self) -> float:
        """Size of what rows add to either model."""
        return max(values.scale for values in self.values)

    def differences(self, rows: Mapping[str, ModelRows]) -> Floats:
        """Return the first minus the second, for each row."""
        a, b = (of(rows[name]) for of, name in zip(self.values, self.models, strict=True))
        return a - b - self.centre


@dataclass(frozen=True, eq=False)
class SumsOf:
    """Sums several contrasts over some rows: what is done with a batch, or a partition.

    Attributes
    ----------
    contrasts
        What to sum.
    """

    contrasts: Sequence[Contrast]

    def __call__(self, units: Mapping[str, Units]) -> list[int]:
        """Return the sums of positives and negatives, for each contrast, one after the other."""
        rows = {name: ModelRows(of_model) for name, of_model in units.items()}
        positive = next(iter(units.values())).positive
        return [
            number
            for contrast in self.contrasts
            for sums in _by_class(contrast.differences(rows), positive)
            for number in astuple(sums)
        ]

    def read(self, numbers: Sequence[int]) -> list[tuple[ClassSums, ClassSums]]:
        """Return what was summed of each contrast, positives first."""
        sums = [ClassSums(*numbers[at : at + 4]) for at in range(0, len(numbers), 4)]
        return list(zip(sums[::2], sums[1::2], strict=True))


def _by_class(values: Floats, positive: npt.NDArray[np.bool_]) -> tuple[ClassSums, ClassSums]:
    return ClassSums.of(values[positive]), ClassSums.of(values[~positive])


@dataclass(eq=False)
class PassSums:
    """Sums of contrasts, made in one pass over the rows for all that were announced.

    Examples
    --------
    >>> from veridical.comparison.row_values import InCells
    >>> flags = [InCells(threshold, (1.0, 1.0, 0.0, 0.0)) for threshold in (0.5, 0.8)]
    >>> rows = Units(np.array([True, False]), np.array([0.9, 0.6]))
    >>> both = Contrast("flagged", ("p", "p"), (flags[0], flags[1]))
    >>> of_positives, of_negatives = PassSums().of(both, {"p": rows})
    >>> of_positives.mean, of_negatives.mean
    (Fraction(0, 1), Fraction(1, 1))
    """

    _announced: list[Contrast] = field(default_factory=list)
    _done: dict[Contrast, tuple[ClassSums, ClassSums]] = field(default_factory=dict)

    def announce(self, contrast: Contrast) -> None:
        """Say what will be asked for."""
        self._announced.append(contrast)

    def of(
        self, contrast: Contrast, rows: Mapping[str, Units] | RowPass
    ) -> tuple[ClassSums, ClassSums]:
        """Return the sums of positives and of negatives.

        Parameters
        ----------
        contrast
            What to sum.
        rows
            The rows of the two models, or a way to read them again.
        """
        if contrast not in self._done:
            if contrast not in self._announced:
                self._announced.append(contrast)
            there = set(rows) if isinstance(rows, Mapping) else None
            todo = [one for one in self._announced if there is None or there >= set(one.models)]
            sums = SumsOf(todo)
            numbers = _in_memory(sums, rows) if isinstance(rows, Mapping) else rows.summed(sums)
            self._done |= dict(zip(todo, sums.read(numbers), strict=True))
            self._announced = [one for one in self._announced if one not in self._done]
        return self._done[contrast]


def _in_memory(sums: SumsOf, rows: Mapping[str, Units]) -> list[int]:
    n = len(next(iter(rows.values())).scores)
    starts = range(0, max(n, 1), ROWS_AT_ONCE)
    parts = [sums({name: _some(units, start) for name, units in rows.items()}) for start in starts]
    return [sum(column) for column in zip(*parts, strict=True)]


def _some(units: Units, start: int) -> Units:
    some = slice(start, start + ROWS_AT_ONCE)
    costs = {price: column[some] for price, column in units.costs.items()}
    return Units(units.positive[some], units.scores[some], costs=costs)
