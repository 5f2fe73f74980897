"""From a summary to slices that metrics are computed from, as from rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.engines.groups import in_order
from veridical.metrics.evidence import DEFAULT_BINS, Evidence, LacksSummaryError, TableEvidence
from veridical.portable.binned import BinnedScores, as_forecasts
from veridical.portable.header import EXACT
from veridical.portable.summary import Held, Key, Summary
from veridical.results import Conditions
from veridical.slices import Slice
from veridical.summaries import (
    ConfusionCounts,
    LossSums,
    Ranking,
    ReliabilityTable,
    ScoreBins,
    ScoreTable,
)
from veridical.summaries.losses import Loss

__all__ = ["HistogramEvidence", "are_forecasts", "evidence_of", "kind_of", "slices_of"]


@dataclass(frozen=True, slots=True)
class HistogramEvidence:
    """Evidence of binned scores: bounds of what depends on their order, exact sums for the rest.

    Attributes
    ----------
    held
        The scores of one slice.
    refined
        The bins where the rows of some were read again; None where they were not.
    """

    held: BinnedScores
    refined: ScoreBins | None = None

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        return self.held.rows

    @property
    def kind(self) -> str:
        """How the ranking is held."""
        again = "" if self.refined is None else ", read again where open"
        merged = "" if self.held.histogram.last is None else ", small cells merged"
        return f"histogram {self.held.histogram.grid}{merged}{again}"

    @property
    def bins(self) -> ScoreBins:
        """What each bin holds."""
        return self.held.histogram.bins if self.refined is None else self.refined

    @property
    def ranking(self) -> Ranking:
        """Nothing: the order of scores inside a bin is unknown."""
        raise self._lacks("the order of scores inside a bin")

    @property
    def table(self) -> ScoreTable:
        """Nothing: single scores are unknown."""
        raise self._lacks("every distinct score")

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts at a threshold that cuts no bin, or that was named beforehand."""
        if threshold is not None and threshold in self.held.decisions:
            return self.held.decisions[threshold]
        worst, best = self.bins.at(threshold)
        if worst != best:
            raise self._lacks(f"decisions at the threshold {threshold:.15g}")
        return best

    def reliability(self, bins: int | None) -> ReliabilityTable:
        """Return the reliability table, if it has this many bins."""
        if not self.rows:
            return ReliabilityTable.empty(bins or DEFAULT_BINS)
        table = self.held.reliability
        if table is None or bins not in {None, table.bins}:
            raise self._lacks("forecasts" if bins is None else f"forecasts in {bins} bins")
        return table

    def losses(self, loss: Loss, clip: float) -> LossSums:
        """Return the sums of a loss that was not clipped."""
        if not self.rows:
            return LossSums(loss, clip)
        if clip or self.held.losses is None:
            clipped = f" clipped at {clip:g}" if clip else ""
            raise self._lacks(f"sums of the {loss.replace('_', ' ')} of forecasts{clipped}")
        return self.held.losses[loss]

    def _lacks(self, what: str) -> LacksSummaryError:
        if self.held.histogram.last is not None:
            return LacksSummaryError(f"a summary with a smallest cell does not hold {what}")
        return LacksSummaryError(
            f"a summary with binned scores does not hold {what}; summarise with exact=True "
            "(--exact), or evaluate the rows"
        )


def evidence_of(held: Held, *, forecasts: bool) -> Evidence:
    """Return what metrics of one slice are computed from."""
    if isinstance(held, BinnedScores):
        return HistogramEvidence(held)
    clamped = as_forecasts(held) if forecasts else None
    return TableEvidence(held if clamped is None else clamped)


def are_forecasts(summary: Summary, score: str) -> bool:
    """Return whether all scores of a column lie in [0, 1], within 1e-9."""
    held = summary.parts[Key(score)]
    if not held.rows:  # nothing but rows of weight zero
        return summary.rows > 0 and score not in summary.tally.outside
    if isinstance(held, BinnedScores):
        return held.of_forecasts
    return as_forecasts(held) is not None


def kind_of(summary: Summary, score: str) -> str:
    """Return how the scores of a column are held, in words."""
    held, least = summary.header.scores[score], summary.header.min_cell
    merged = f", cells of at least {least:,}" if least else ""
    return held if held == EXACT else f"histogram {held}{merged}"


def slices_of(summary: Summary, subjects: Sequence[str], groups: Sequence[str]) -> Iterator[Slice]:
    """Yield one slice for each score column: all rows first, then each value of each group.

    Parameters
    ----------
    summary
        What was summarised.
    subjects, groups
        Score columns and grouping columns of it.

    Examples
    --------
    >>> from veridical.portable import summarise
    >>> data = {"y": [1, 0, 1], "p": [0.9, 0.6, 0.4], "region": ["n", "s", "s"]}
    >>> summary = summarise(data, label="y", score="p", groups="region")
    >>> [part.group for part in slices_of(summary, ["p"], ["region"])]
    [None, 'region=n', 'region=s']
    """
    for subject in subjects:
        forecasts = are_forecasts(summary, subject)
        for key in _keys(summary, subject, groups):
            held = summary.parts[key]
            yield Slice(
                subject,
                key.group,
                evidence_of(held, forecasts=forecasts),
                conditions=_conditions(summary, subject, forecasts=forecasts),
                notes=tuple(_notes(summary, subject, forecasts=forecasts)),
                counts=_counts(summary),
            )


def _keys(summary: Summary, subject: str, groups: Sequence[str]) -> Iterator[Key]:
    yield Key(subject)
    for column in groups:
        values = [k.value for k in summary.parts if (k.score, k.column) == (subject, column)]
        for value in in_order(value for value in values if value is not None):
            yield Key(subject, column, value)


def _conditions(summary: Summary, subject: str, *, forecasts: bool) -> Conditions:
    outside = summary.tally.outside.get(subject, 0)
    observed = {"n_clamped": outside} if forecasts and outside else {}
    return Conditions({} if summary.header.weight is None else {"weighted": True}, observed)


def _notes(summary: Summary, subject: str, *, forecasts: bool) -> Iterator[str]:
    if forecasts and subject in summary.tally.outside:
        yield "clamped"
    if any(count > 1 for count in summary.sources.values()):
        yield "repeated_source"
    if summary.header.weight is not None:
        yield "no_interval_without_rows" if summary.tally.fractional else "frequency_weights"


def _counts(summary: Summary) -> dict[str, int]:
    skipped = summary.tally.n_read - summary.tally.rows
    return {"n_skipped": skipped} if skipped else {}
