"""``ScoreBins``: classes counted in disjoint intervals of the score, and what that leaves open.

A bin knows its lowest and highest score.  Where the two are equal all its rows tie, and nothing is
open: the bin is an *atom*.  In a *split* bin at least one row has each of the two scores, and the
order of its rows is unknown.  Every order is possible, so the two extreme ones give certified
bounds; both are themselves score tables, from which any metric can be computed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from veridical.summaries.confusion import ConfusionCounts
from veridical.summaries.fixed_point import FixedArray
from veridical.summaries.score_table import ScoreTable

__all__ = ["COLUMNS", "COSTS", "ScoreBins", "is_zero"]

Floats = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

COSTS: Final = ("fn_cost", "fp_cost", "review_cost")
COLUMNS: Final = ("positives", "negatives", *COSTS)


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Bins of scores, ascending and disjoint; none is empty.

    Attributes
    ----------
    lowest, highest
        Lowest and highest score in each bin, float64 or float32, shape (m,).  No NaN.
    positives, negatives
        Rows (or summed weights) of each class in each bin.
    rows
        Rows that were summarised; rows of weight zero are absent.
    fn_cost, fp_cost, review_cost
        Sums of price columns, as in ``ScoreTable``, or None.
    fractional
        Whether a row has a weight that is no whole number.  Its bin may then hold any number of
        rows, even where the sum of the weights is whole.
    attained
        Whether the lowest and highest scores are scores of rows; else all scores lie between them.

    Examples
    --------
    >>> two = FixedArray.from_int([2])
    >>> bins = ScoreBins(np.array([0.25]), np.array([0.75]), two, two, rows=4)
    >>> bins.pessimistic.scores.tolist(), bins.pessimistic.positives.whole.tolist()
    ([0.25, 0.75], [2, 0])
    >>> [counts.tp for counts in bins.at(0.5)]
    [0, 2]
    """

    lowest: Floats
    highest: Floats
    positives: FixedArray
    negatives: FixedArray
    rows: int
    fn_cost: FixedArray | None = None
    fp_cost: FixedArray | None = None
    review_cost: FixedArray | None = None
    fractional: bool = False
    attained: bool = True

    @classmethod
    def from_table(cls, table: ScoreTable) -> ScoreBins:
        """Return one bin a distinct score; all of them are atoms."""
        columns = {name: getattr(table, name) for name in COLUMNS}
        fractional = not table.is_whole
        return cls(table.scores, table.scores, rows=table.rows, fractional=fractional, **columns)

    def __len__(self) -> int:
        return len(self.lowest)

    def chosen(self, index: npt.NDArray[Any]) -> ScoreBins:
        """Return some of the bins, as part of the same rows."""
        columns: dict[str, Any] = {name: _taken(getattr(self, name), index) for name in COLUMNS}
        return replace(self, lowest=self.lowest[index], highest=self.highest[index], **columns)

    def followed_by(self, other: ScoreBins, rows: int) -> ScoreBins:
        """Return the bins of both, unsorted, which hold ``rows`` rows together."""
        columns: dict[str, Any] = {
            name: _joined(getattr(self, name), getattr(other, name)) for name in COLUMNS
        }
        lowest = np.concatenate([self.lowest, other.lowest])
        highest = np.concatenate([self.highest, other.highest])
        fractional = self.fractional or other.fractional
        attained = self.attained and other.attained
        return ScoreBins(
            lowest, highest, rows=rows, fractional=fractional, attained=attained, **columns
        )

    def gathered(self, keys: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ScoreBins]:
        """Return the distinct keys, ascending, and one bin of all that has each key.

        Parameters
        ----------
        keys
            One a bin, shape (m,), m > 0, monotone in the score.
        """
        order = np.argsort(keys, kind="stable")
        ranked = keys[order]
        starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
        sums: dict[str, Any] = {
            name: None if column is None else column[order].sums_from(starts)
            for name in COLUMNS
            for column in (getattr(self, name),)
        }
        lowest = np.minimum.reduceat(self.lowest[order], starts)
        highest = np.maximum.reduceat(self.highest[order], starts)
        return ranked[starts], replace(self, lowest=lowest, highest=highest, **sums)

    @property
    def split(self) -> Mask:
        """Which bins hold several scores, shape (m,)."""
        return self.lowest < self.highest

    @property
    def mixed(self) -> Mask:
        """Which bins hold several scores and both classes, shape (m,)."""
        return self.split & ~is_zero(self.positives) & ~is_zero(self.negatives)

    @property
    def is_whole(self) -> bool:
        """Whether all weights are whole numbers, so that counts are counts of rows."""
        return not self.fractional and self.positives.is_whole and self.negatives.is_whole

    @cached_property
    def pessimistic(self) -> ScoreTable:
        """The worst ranking that these bins allow: in each, negatives above positives.

        No true operating point lies below its ROC curve.  Prices of review fall due first.
        """
        return self._arranged(positives_first=False)

    @cached_property
    def optimistic(self) -> ScoreTable:
        """The best ranking that these bins allow: in each, positives tied above negatives.

        No true operating point lies above its ROC curve.  Prices of review fall due last.
        """
        return self._arranged(positives_first=True)

    def at(self, threshold: float | None) -> tuple[ConfusionCounts, ConfusionCounts]:
        """Return the worst and the best counts when scores ``>= threshold`` are flagged.

        They are equal, and exact, unless the threshold falls inside a split bin: above its lowest
        score and not above its highest.
        """
        return self.pessimistic.at(threshold), self.optimistic.at(threshold)

    def _arranged(self, *, positives_first: bool) -> ScoreTable:
        """Put one class at the highest score of each split bin, the other at the lowest."""
        split, nowhere = self.split, np.zeros(len(self), dtype=np.bool_)
        up, down = (split, nowhere) if positives_first else (nowhere, split)
        # Of a bin with one class, at least one row is known to stand at the other end.
        known = (split & self.is_whole & self.attained).astype(np.int64) * (
            1 if positives_first else -1
        )
        columns = {
            "positives": _ends(self.positives, up, -known * (self.negatives.whole == 0)),
            "negatives": _ends(self.negatives, down, known * (self.positives.whole == 0)),
            "fn_cost": _ends(self.fn_cost, up),
            "fp_cost": _ends(self.fp_cost, down),
            "review_cost": _ends(self.review_cost, down),
        }
        scores = np.stack([self.lowest, self.highest], axis=1).ravel()
        holds = [column for column in columns.values() if column is not None]
        kept = np.flatnonzero(~np.logical_and.reduce([is_zero(column) for column in holds]))
        parts = {name: _taken(column, kept) for name, column in columns.items()}
        return ScoreTable(scores[kept], rows=self.rows, **parts)  # type: ignore[arg-type]


def is_zero(column: FixedArray) -> Mask:
    """Return where a column is exactly zero."""
    zero: Mask = column.whole == 0
    return zero if column.fraction is None else zero & (column.fraction == 0)


def _taken(column: FixedArray | None, index: npt.NDArray[Any] | slice) -> FixedArray | None:
    """Return some elements of a column that may be absent."""
    return None if column is None else column[index]


def _joined(one: FixedArray | None, two: FixedArray | None) -> FixedArray | None:
    return None if one is None or two is None else one.concatenated(two)


def _ends(
    column: FixedArray | None, up: Mask, moved: npt.NDArray[np.int64] | int = 0
) -> FixedArray | None:
    """Return what stands at the lowest and at the highest score of each bin, shape (2 m,).

    All of it stands at the highest where ``up``, else at the lowest; ``moved`` rows more at the
    highest.
    """
    if column is None:
        return None

    def parted(values: npt.NDArray[np.int64], more: Any) -> npt.NDArray[np.int64]:
        at_highest = np.where(up, values, 0) + more
        return np.stack([values - at_highest, at_highest], axis=1).ravel()

    fraction = None if column.fraction is None else parted(column.fraction, 0)
    return FixedArray(parted(column.whole, moved), fraction)
