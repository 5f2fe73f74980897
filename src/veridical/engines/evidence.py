"""Evidence from rows in memory: each summary is made when a metric first asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from veridical.metrics.evidence import DEFAULT_BINS
from veridical.summaries import ConfusionCounts, LossSums, Ranking, ReliabilityTable, ScoreTable
from veridical.summaries.losses import Loss
from veridical.summaries.score_slots import ScoreSlots

__all__ = ["SLOTS_FROM_ROWS", "RowEvidence"]

SLOTS_FROM_ROWS = 20_000
"""Smaller data go into a score table, which answers more questions."""


@dataclass(frozen=True, eq=False)
class RowEvidence:
    """The summaries of rows.

    Attributes
    ----------
    positive, scores
        Shape (n,); scores without NaN.
    weight, costs
        Row weights and price columns (``fn_cost``, ...), shape (n,), or None and empty.
    thresholds
        Thresholds at which decisions will be asked about.
    threads
        How many threads may count.
    """

    positive: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.float64] | npt.NDArray[np.float32]
    weight: npt.NDArray[np.float64] | None = None
    costs: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    thresholds: Sequence[float] = ()
    threads: int = 1
    _made: dict[object, object] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows that were summarised; those of weight zero are absent."""
        return len(self.scores) if self.weight is None else int(np.count_nonzero(self.weight))

    @property
    def kind(self) -> str:
        """How the ranking is held."""
        return "slots" if isinstance(self.ranking, ScoreSlots) else "score table"

    @cached_property
    def _by_slots(self) -> bool:
        if self.weight is not None or self.costs or len(self.scores) < SLOTS_FROM_ROWS:
            return False
        return bool(self.positive.any())

    @cached_property
    def ranking(self) -> Ranking:
        """Slots or the score table, whichever is made faster; both give the same walk."""
        if not self._by_slots or "table" in self.__dict__:
            return self.table
        return ScoreSlots.from_rows(
            self.positive, self.scores, thresholds=self.thresholds, threads=self.threads
        )

    @cached_property
    def table(self) -> ScoreTable:
        """Every distinct score."""
        return ScoreTable.from_rows(self.positive, self.scores, weight=self.weight, **self.costs)

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts at a threshold; None flags nothing."""
        if self._by_slots and threshold is not None and threshold not in self.thresholds:
            return self.table.at(threshold)
        return self.ranking.at(threshold)

    def reliability(self, bins: int | None) -> ReliabilityTable:
        """Return the reliability table with this many bins."""
        bins = bins or DEFAULT_BINS
        key = ("reliability", bins)
        if key not in self._made:
            self._made[key] = (
                ReliabilityTable.from_rows(
                    self.positive, self.scores, bins=bins, threads=self.threads
                )
                if self.weight is None
                else ReliabilityTable.from_scores(self.table, bins=bins)
            )
        return self._made[key]  # type: ignore[return-value]

    def losses(self, loss: Loss, clip: float) -> LossSums:
        """Return the sums of a loss."""
        key = (loss, clip)
        if key not in self._made:
            self._made[key] = (
                LossSums.from_rows(self.positive, self.scores, loss, clip)
                if self.weight is None
                else LossSums.from_scores(self.table, loss, clip)
            )
        return self._made[key]  # type: ignore[return-value]
