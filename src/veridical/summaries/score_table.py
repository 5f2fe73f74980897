"""``ScoreTable``: each distinct score with its positives and negatives; exact, not small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import MismatchError
from veridical.kernels import sorted_groups
from veridical.kernels.arrays import as_score
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts, Count
from veridical.summaries.fixed_point import FixedArray, exact_number
from veridical.summaries.walk import Walk

__all__ = ["ScoreTable"]

Floats = npt.NDArray[np.float64] | npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """How many positives and negatives have each distinct score.

    Everything that depends on the ranking of the rows follows from it exactly.  A commutative
    monoid: ``a + b`` merges, ``ScoreTable.empty()`` is the identity.

    Attributes
    ----------
    scores
        Distinct scores, ascending, float64 or float32, shape (m,).  No NaN; infinities are legal;
        -0.0 is stored as 0.0.
    positives, negatives
        Rows (or summed weights) of each class at each score.
    rows
        Rows that were summarised; rows of weight zero are absent.
    fn_cost, fp_cost, review_cost
        Where a price is a column: its sum at each score over positives (missed), over negatives
        (flagged wrongly), and over both (reviewed).  None where the price is one number.

    Examples
    --------
    >>> table = ScoreTable.from_rows(np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1]))
    >>> table.scores.tolist(), table.positives.whole.tolist()
    ([0.1, 0.4, 0.6, 0.9], [0, 1, 0, 1])
    >>> table.at(0.5)
    ConfusionCounts(tp=1, fp=1, fn=1, tn=1)
    """

    schema: ClassVar[str] = "veridical.score_table/1"

    scores: Floats
    positives: FixedArray
    negatives: FixedArray
    rows: int
    fn_cost: FixedArray | None = None
    fp_cost: FixedArray | None = None
    review_cost: FixedArray | None = None

    @classmethod
    def empty(cls, dtype: npt.DTypeLike = np.float64) -> ScoreTable:
        """Return the identity: no rows."""
        none = FixedArray.zeros(0)
        return cls(np.zeros(0, dtype=dtype), none, none, 0)

    @classmethod
    def from_rows(
        cls,
        positive: npt.NDArray[np.bool_],
        scores: Floats,
        *,
        weight: npt.NDArray[np.float64] | None = None,
        fn_cost: npt.NDArray[np.float64] | None = None,
        fp_cost: npt.NDArray[np.float64] | None = None,
        review_cost: npt.NDArray[np.float64] | None = None,
    ) -> ScoreTable:
        """Summarise rows.

        Parameters
        ----------
        positive
            bool, shape (n,).
        scores
            float64 or float32, shape (n,), no NaN; compared in its own dtype.
        weight, fn_cost, fp_cost, review_cost
            Finite, non-negative, shape (n,), or None.  A row of weight w counts as w rows, and
            so do its costs.
        """
        if weight is not None and not weight.all():
            keep = weight > 0
            positive, scores, weight = positive[keep], scores[keep], weight[keep]
            fn_cost, fp_cost, review_cost = (
                None if cost is None else cost[keep] for cost in (fn_cost, fp_cost, review_cost)
            )
        if weight is None and fn_cost is None and fp_cost is None and review_cost is None:
            groups = sorted_groups(positive, scores)
            classes = FixedArray(groups.positives), FixedArray(groups.negatives)
            return cls(groups.scores, *classes, rows=len(scores))
        scores = scores + scores.dtype.type(0)  # -0.0 + 0.0 is 0.0: the two tie
        order = np.argsort(scores, kind="stable")
        ranked, positive = scores[order], positive[order]
        starts = _run_starts(ranked)
        units = (
            FixedArray.from_int(np.ones(len(ranked)))
            if weight is None
            else FixedArray.from_float(weight[order])
        )

        def at_each(
            cost: npt.NDArray[np.float64] | None, rows: npt.NDArray[np.bool_] | None
        ) -> FixedArray | None:
            if cost is None:
                return None
            amount = cost[order] if weight is None else cost[order] * weight[order]
            if rows is not None:
                amount = np.where(rows, amount, 0.0)
            return FixedArray.from_float(amount).sums_from(starts)

        return cls(
            ranked[starts],
            _masked(units, positive).sums_from(starts),
            _masked(units, ~positive).sums_from(starts),
            len(ranked),
            at_each(fn_cost, positive),
            at_each(fp_cost, ~positive),
            at_each(review_cost, None),
        )

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def total_positives(self) -> Count:
        """P, exactly."""
        return exact_number(self.positives.total())

    @cached_property
    def total_negatives(self) -> Count:
        """N, exactly."""
        return exact_number(self.negatives.total())

    @property
    def total(self) -> Count:
        """P + N, exactly."""
        return exact_number(self.positives.total() + self.negatives.total())

    @property
    def is_whole(self) -> bool:
        """Whether all weights are whole numbers, so that counts are counts of rows."""
        return self.positives.is_whole and self.negatives.is_whole

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts when scores ``>= threshold`` are flagged; None flags nothing."""
        cut = (
            len(self)
            if threshold is None
            else int(np.searchsorted(self.scores, self._as_score(threshold), "left"))
        )
        above, below = slice(cut, None), slice(None, cut)
        flagged = self.positives[above], self.negatives[above]
        missed = self.positives[below], self.negatives[below]
        return ConfusionCounts(*(exact_number(cell.total()) for cell in (*flagged, *missed)))

    @cached_property
    def walk(self) -> Walk:
        """The descending walk over thresholds that ranking metrics are computed from."""
        return self._walk(None)

    def walk_at(self, threshold: float) -> Walk:
        """Return the walk with one more stop: the lowest score that is still flagged."""
        flagged = len(self) - int(np.searchsorted(self.scores, self._as_score(threshold), "left"))
        return self._walk(flagged - 1 if flagged else None)

    def _walk(self, stop: int | None) -> Walk:
        down = slice(None, None, -1)
        return Walk.from_groups(
            self.scores[down],
            self.positives[down],
            self.negatives[down],
            self.fn_cost and self.fn_cost[down],
            self.fp_cost and self.fp_cost[down],
            self.review_cost and self.review_cost[down],
            stop=stop,
        )

    def _as_score(self, threshold: float) -> np.floating:
        """Return the threshold in the dtype that scores are compared in."""
        return as_score(threshold, self.scores.dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: ScoreTable) -> ScoreTable:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        if not (len(self) and len(other)):
            if len(self) or len(other):
                return self if len(self) else other
            # Two empty ones may differ in the type of score or in prices: always take the same.
            return min(self, other, key=lambda table: strict_json.canonical(table.to_dict()))
        if self.scores.dtype != other.scores.dtype:
            raise MismatchError(
                f"one summary has {self.scores.dtype} scores, the other {other.scores.dtype}",
                why="scores that tie in float32 may differ in float64",
                fix="write both files with the same score type",
            )
        scores = np.concatenate([self.scores, other.scores])
        order = np.argsort(scores, kind="stable")
        starts = _run_starts(scores[order])

        def merged(name: str) -> FixedArray | None:
            mine, theirs = getattr(self, name), getattr(other, name)
            if (mine is None) != (theirs is None):
                raise MismatchError(
                    f"only one of the summaries has {name} as a column",
                    fix="write both files with the same columns of prices",
                )
            return None if mine is None else mine.concatenated(theirs)[order].sums_from(starts)

        return ScoreTable(
            scores[order][starts],
            self.positives.concatenated(other.positives)[order].sums_from(starts),
            self.negatives.concatenated(other.negatives)[order].sums_from(starts),
            self.rows + other.rows,
            merged("fn_cost"),
            merged("fp_cost"),
            merged("review_cost"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form: scores as hexadecimal floats, sums as exact integers."""
        return {
            "schema": self.schema,
            "dtype": str(self.scores.dtype),
            "rows": self.rows,
            "scores": [float(s).hex() for s in self.scores],
            **{name: _write(getattr(self, name)) for name in _COLUMNS},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ScoreTable:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        scores = np.array([float.fromhex(s) for s in data["scores"]], dtype=data["dtype"])
        columns = {name: _read(data[name]) for name in _COLUMNS}
        return cls(scores, rows=data["rows"], **columns)  # type: ignore[arg-type]

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


_COLUMNS = ("positives", "negatives", "fn_cost", "fp_cost", "review_cost")


def _write(column: FixedArray | None) -> list[str] | None:
    # Strings: a JSON reader may keep only 53 bits of a number.
    return None if column is None else [str(unit) for unit in column.units()]


def _read(column: list[str] | None) -> FixedArray | None:
    return None if column is None else FixedArray.from_units(int(unit) for unit in column)


def _run_starts(ranked: Floats) -> npt.NDArray[np.intp]:
    """Return where each run of equal values begins."""
    if len(ranked) == 0:
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))


def _masked(units: FixedArray, rows: npt.NDArray[np.bool_]) -> FixedArray:
    fraction = None if units.fraction is None else np.where(rows, units.fraction, 0)
    return FixedArray(np.where(rows, units.whole, 0), fraction)
