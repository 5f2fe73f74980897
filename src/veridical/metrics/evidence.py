"""``Evidence``: the summaries of one slice of the data, made when a metric first asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from veridical.summaries import (
    ConfusionCounts,
    LossSums,
    Ranking,
    ReliabilityTable,
    ScoreBins,
    ScoreTable,
)
from veridical.summaries.losses import Loss

__all__ = ["DEFAULT_BINS", "BinnedEvidence", "Evidence", "LacksSummaryError", "TableEvidence"]


DEFAULT_BINS = 10


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
        """How the ranking is held: ``"score table"``, ``"slots"``, ``"histogram ..."``."""
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

    def reliability(self, bins: int | None) -> ReliabilityTable:
        """Return the reliability table with this many bins; None where any number will do."""
        ...

    def losses(self, loss: Loss, clip: float) -> LossSums:
        """Return the sums of a loss."""
        ...


@runtime_checkable
class BinnedEvidence(Protocol):
    """Evidence that forgot the order of rows inside bins of scores: its ranking has bounds.

    It names nothing but the bins, because older Pythons look at every name of a protocol to find
    out whether an object follows it, and evidence raises for what it lacks.
    """

    @property
    def bins(self) -> ScoreBins:
        """What each bin holds."""
        ...


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """The evidence of rows that are known by their score table alone.

    Attributes
    ----------
    table
        Every distinct score.

    Examples
    --------
    >>> import numpy as np
    >>> table = ScoreTable.from_rows(np.array([True, False]), np.array([0.75, 0.5]))
    >>> TableEvidence(table).reliability(10).total("sum_p")
    1.25
    """

    table: ScoreTable

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        return self.table.rows

    @property
    def kind(self) -> str:
        """How the ranking is held."""
        return "score table"

    @property
    def ranking(self) -> Ranking:
        """The table itself."""
        return self.table

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts at a threshold; None flags nothing."""
        return self.table.at(threshold)

    def reliability(self, bins: int | None) -> ReliabilityTable:
        """Return the reliability table with this many bins."""
        return ReliabilityTable.from_scores(self.table, bins=bins or DEFAULT_BINS)

    def losses(self, loss: Loss, clip: float) -> LossSums:
        """Return the sums of a loss."""
        return LossSums.from_scores(self.table, loss, clip)
