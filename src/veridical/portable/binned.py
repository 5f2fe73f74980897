"""What a small summary keeps of one score column on one set of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from veridical import strict_json
from veridical.errors import MismatchError, ScoreError
from veridical.summaries import (
    ConfusionCounts,
    LossSums,
    ReliabilityTable,
    ScoreBins,
    ScoreHistogram,
    ScoreTable,
)
from veridical.summaries.losses import Loss
from veridical.tables import check_probabilities
from veridical.tables.scores import TOLERANCE

__all__ = ["LOSSES", "BinnedScores", "as_forecasts"]

LOSSES: Final[tuple[Loss, ...]] = ("squared_error", "log")


@dataclass(frozen=True, eq=False)
class BinnedScores:
    """Scores counted on a key grid, with exact sums beside them; a commutative monoid.

    Attributes
    ----------
    histogram
        Classes in each bin of the grid.
    decisions
        Exact counts at each of the thresholds that were named beforehand.
    reliability, losses
        Sums of the forecasts; None where a score lies outside [0, 1] (or where there is no row),
        and where no cell may tell of few rows.

    Examples
    --------
    >>> import numpy as np
    >>> table = ScoreTable.from_rows(np.array([True, False]), np.array([0.75, 0.5]))
    >>> held = BinnedScores.of(table, "probability/14", bins=10, thresholds=(0.6,))
    >>> held.decisions[0.6]
    ConfusionCounts(tp=1, fp=0, fn=0, tn=1)
    """

    schema: ClassVar[str] = "veridical.binned_scores/1"

    histogram: ScoreHistogram
    decisions: Mapping[float, ConfusionCounts]
    reliability: ReliabilityTable | None = None
    losses: Mapping[Loss, LossSums] | None = None

    @classmethod
    def of(
        cls,
        table: ScoreTable,
        grid: str,
        *,
        bins: int,
        thresholds: Sequence[float],
        fractional: bool = False,
    ) -> BinnedScores:
        """Summarise the exact table of some rows; ``fractional`` if a weight is no whole number.

        On a probability grid the forecasts within 1e-9 outside [0, 1] are moved to 0 or 1.

        Raises
        ------
        ScoreError
            A score lies outside [0, 1] on a probability grid.
        """
        forecasts = as_forecasts(table)
        if forecasts is not None and grid.startswith("probability"):
            table = forecasts
        counted = cls(
            ScoreHistogram.from_table(table, grid, fractional=fractional),
            {threshold: table.at(threshold) for threshold in thresholds},
        )
        if forecasts is None or not forecasts.rows:
            return counted
        return replace(
            counted,
            reliability=ReliabilityTable.from_scores(forecasts, bins=bins),
            losses={loss: LossSums.from_scores(forecasts, loss) for loss in LOSSES},
        )

    @property
    def rows(self) -> int:
        """Rows that were summarised; those of weight zero are absent."""
        return self.histogram.rows

    @property
    def of_forecasts(self) -> bool:
        """Whether there are rows, with all scores in [0, 1], within 1e-9."""
        bins = self.histogram.bins
        if not len(bins):
            return False
        return bool(bins.lowest[0] >= -TOLERANCE and bins.highest[-1] <= 1 + TOLERANCE)

    def __len__(self) -> int:
        return len(self.histogram)

    def __add__(self, other: BinnedScores) -> BinnedScores:
        if not isinstance(other, BinnedScores):
            return NotImplemented
        if not (self.rows and other.rows):
            return self if self.rows else other
        if self.decisions.keys() != other.decisions.keys():
            raise MismatchError(
                "the two count decisions at different thresholds",
                fix="write both files with the same --threshold",
            )
        both = BinnedScores(
            self.histogram + other.histogram,
            {t: counts + other.decisions[t] for t, counts in self.decisions.items()},
        )
        if self.reliability is None or other.reliability is None:
            return both  # one score outside [0, 1] makes none of them a forecast
        return replace(
            both,
            reliability=self.reliability + other.reliability,
            losses=_summed(self.losses or {}, other.losses or {}),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "histogram": self.histogram.to_dict(),
            "decisions": [self.decisions[t].to_dict() for t in sorted(self.decisions)],
            "reliability": self.reliability and self.reliability.to_dict(),
            "losses": self.losses and [self.losses[loss].to_dict() for loss in LOSSES],
        }

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def as_forecasts(table: ScoreTable) -> ScoreTable | None:
    """Return the table of the same rows as forecasts in [0, 1]; None where they are none.

    Scores within 1e-9 outside are moved to 0 or 1, where they tie.

    Examples
    --------
    >>> import numpy as np
    >>> table = ScoreTable.from_rows(np.array([True, False]), np.array([1 + 1e-12, 1.0]))
    >>> as_forecasts(table).scores.tolist()
    [1.0]
    """
    try:
        scores, moved = check_probabilities(table.scores)
    except ScoreError:
        return None
    if not moved:
        return table
    _, bins = ScoreBins.from_table(replace(table, scores=scores)).gathered(scores)
    return ScoreTable(bins.lowest, bins.positives, bins.negatives, table.rows)


def _summed(mine: Mapping[Loss, LossSums], theirs: Mapping[Loss, LossSums]) -> dict[Loss, LossSums]:
    return {loss: mine[loss] + theirs[loss] for loss in LOSSES}
