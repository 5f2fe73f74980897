"""``Evidence``: the summaries of one slice of the data, made when a metric first asks for them."""

from __future__ import annotations

from typing import Protocol

from veridical.summaries import ConfusionCounts, LossSums, Ranking, ReliabilityTable, ScoreTable
from veridical.summaries.losses import Loss

__all__ = ["Evidence", "LacksSummaryError"]


class LacksSummaryError(LookupError):
    """The evidence does not hold what a metric asks for; the metric is then skipped."""


class Evidence(Protocol):
    """What a metric is computed from, whoever made it: rows in memory, batches, another bank."""

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        ...

    @property
    def kind(self) -> str:
        """How the ranking is held, in words: ``"score table"`` or ``"slots"``."""
        ...

    @property
    def ranking(self) -> Ranking:
        """The exact ranking."""
        ...

    @property
    def table(self) -> ScoreTable:
        """Every distinct score; ``LacksSummaryError`` where they were not kept."""
        ...

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts at a threshold; None flags nothing."""
        ...

    def reliability(self, bins: int) -> ReliabilityTable:
        """Return the reliability table with this many bins."""
        ...

    def losses(self, loss: Loss, clip: float) -> LossSums:
        """Return the sums of a loss."""
        ...
