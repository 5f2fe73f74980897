"""The summaries behind an evaluation of scores, written so that it can be computed again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from veridical.engines.batches import BatchEvidence
from veridical.errors import FileFormatError
from veridical.measures import Measure
from veridical.metrics import find
from veridical.metrics.evidence import DEFAULT_BINS, Evidence, LacksSummaryError
from veridical.portable.binned import BinnedScores
from veridical.portable.slicing import HistogramEvidence
from veridical.results import Conditions
from veridical.slices import Slice
from veridical.summaries import (
    ConfusionCounts,
    LossSums,
    Ranking,
    ReliabilityTable,
    ScoreHistogram,
    ScoreSlots,
    ScoreTable,
)
from veridical.summaries.base import check_schema
from veridical.summaries.losses import Loss

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = ["MOST_ENTRIES", "KeptEvidence", "scores_kept", "slice_kept"]

MOST_ENTRIES: Final = 250_000
"""Distinct scores, over all models and groups; more take longer to write than to measure again."""

_SCHEMA: Final = "veridical.slice/1"

Kept = dict[str, Any]


@dataclass(frozen=True, eq=False)
class KeptEvidence(BatchEvidence):
    """Finished summaries, with every score beside a ranking that lacks them."""

    every_score: ScoreTable | None = None

    @property
    def table(self) -> ScoreTable:
        """Every distinct score, where they were kept."""
        return super().table if self.every_score is None else self.every_score

    def reliability(self, bins: int | None) -> ReliabilityTable:
        """Return the reliability table: as it was summed, else of every score that was kept."""
        with contextlib.suppress(LacksSummaryError):
            return super().reliability(bins)
        return ReliabilityTable.from_scores(self.table, bins=bins or DEFAULT_BINS)


def scores_kept(ev: Evaluation) -> tuple[list[Kept], str]:
    """Return the portable summaries of an evaluation, or none and why."""
    if ev.summary is not None:
        return [{"subject": None, "group": None, "summary": ev.summary.to_dict()}], ""
    asked: dict[str | None, dict[Measure, None]] = {}
    for result in ev.results:
        if result.ok or result.reason != "not_probabilities":
            asked.setdefault(result.subject, {})[find(result.metric)] = None
    kept, entries = [], 0
    for part in ev.slices:
        evidence, measures = part.evidence, asked.get(part.subject, {})
        if isinstance(evidence, HistogramEvidence):
            if evidence.refined is not None:
                return [], "bins of scores were read again, and what they hold is not kept"
            counted, size = _binned(evidence.held), len(evidence.held)
        else:
            counted, size = _exact(evidence, measures)
        entries += size
        if entries > MOST_ENTRIES:
            return [], f"there are more than {MOST_ENTRIES:,} distinct scores"
        kept.append({"subject": part.subject, "group": part.group, "summary": _form(part, counted)})
    return kept, "" if kept else "they are not there any more"


def _form(part: Slice, counted: Kept) -> Kept:
    return {
        "schema": _SCHEMA,
        **counted,
        "settings": part.conditions.settings,
        "observed": part.conditions.observed,
        "notes": list(part.notes),
        "counts": dict(part.counts),
        "whole_units": part.units is not None,
    }


def _binned(held: BinnedScores) -> Kept:
    return {"binned": held.to_dict(), "thresholds": sorted(held.decisions)}


def _table_of(evidence: Evidence, measures: Iterable[Measure]) -> ScoreTable | None:
    """Return every score, where a metric needs them and the ranking is held in another way."""
    needed = any(one.definition.summary is ScoreTable for one in measures)
    if not needed or isinstance(evidence.ranking, ScoreTable):
        return None
    with contextlib.suppress(LacksSummaryError):
        return evidence.table
    return None


def _exact(evidence: Evidence, measures: Iterable[Measure]) -> tuple[Kept, int]:
    """Return a ranking with the sums that metrics asked for, and how many scores it names."""
    ranking: Any = evidence.ranking
    table = _table_of(evidence, measures)
    reliability: dict[int, Any] = {}
    losses: dict[tuple[Loss, float], Any] = {}
    for one in measures:
        try:
            for bins in _bins(one):
                reliability[bins] = evidence.reliability(bins).to_dict()
            for loss, clip in _losses(one):
                losses[loss, clip] = evidence.losses(loss, clip).to_dict()
        except LacksSummaryError:  # then the metric was skipped, and will be again
            continue
    form = {
        "ranking": ranking.to_dict(),
        "table": None if table is None else table.to_dict(),
        "reliability": list(reliability.values()),
        "losses": list(losses.values()),
    }
    return form, len(ranking) + (0 if table is None else len(table))


def _bins(measure: Measure) -> Iterator[int]:
    if measure.definition.summary is ReliabilityTable:
        yield int(measure.arguments().get("bins") or DEFAULT_BINS)


def _losses(measure: Measure) -> Iterator[tuple[Loss, float]]:
    """Yield the losses that a metric of forecasts is computed from, or its interval is."""
    if measure.definition.summary is LossSums:
        yield "log", float(measure.arguments().get("clip") or 0.0)
    if measure.definition.summary is ReliabilityTable:
        yield "squared_error", 0.0


def _table(data: Mapping[str, Any]) -> ScoreTable:
    table = ScoreTable.from_dict(data)
    if {len(table.positives), len(table.negatives)} != {len(table.scores)}:
        raise FileFormatError(
            "a table has not as many counts as scores",
            fix="check the store with `veridical runs verify`",
        )
    return table


def slice_kept(data: Mapping[str, Any]) -> tuple[Slice, bool]:
    """Read back a slice, and whether its intervals resample units that are not there any more.

    Raises
    ------
    FileFormatError
        A field is damaged.
    """
    held = data["summary"]
    if held["schema"] != _SCHEMA:
        raise FileFormatError(
            f"expected {_SCHEMA}, found {str(held['schema'])[:40]!r}",
            fix="check the store with `veridical runs verify`",
        )
    evidence = _binned_evidence(held) if "binned" in held else _exact_evidence(held)
    notes: Sequence[str] = held["notes"]
    part = Slice(
        data["subject"],
        data["group"],
        evidence,
        conditions=Conditions(held["settings"], held["observed"]),
        notes=tuple(notes),
        counts=held["counts"],
    )
    return part, bool(held["whole_units"])


def _exact_evidence(held: Mapping[str, Any]) -> Evidence:
    ranking: Ranking
    if held["ranking"]["schema"] == ScoreTable.schema:
        ranking = _table(held["ranking"])
    else:
        ranking = ScoreSlots.from_dict(held["ranking"])
    tables = [ReliabilityTable.from_dict(one) for one in held["reliability"]]
    losses = [LossSums.from_dict(one) for one in held["losses"]]
    return KeptEvidence(
        ranking,
        {table.bins: table for table in tables},
        {(sums.loss, sums.clip): sums for sums in losses},
        None if held["table"] is None else _table(held["table"]),
    )


def _binned_evidence(held: Mapping[str, Any]) -> Evidence:
    data = held["binned"]
    check_schema(data, BinnedScores.schema)
    decisions = map(ConfusionCounts.from_dict, data["decisions"])
    losses = [LossSums.from_dict(one) for one in data["losses"] or ()]
    scores = BinnedScores(
        ScoreHistogram.from_dict(data["histogram"]),
        dict(zip(held["thresholds"], decisions, strict=True)),
        data["reliability"] and ReliabilityTable.from_dict(data["reliability"]),
        {sums.loss: sums for sums in losses} or None,
    )
    return HistogramEvidence(scores)
