"""The engine for files larger than memory: two passes, in batches, exact.

The first pass collects the scores of the positives and everything that is a plain sum; the second
counts every row into the slots between them.  Memory grows with the positives, not with the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from veridical.engines.again import BatchPass, Progress, changed, members
from veridical.engines.groups import check_number_of_groups, in_order
from veridical.engines.read import Read, refuse_rows
from veridical.errors import InputError
from veridical.kernels import slot_edges
from veridical.metrics.evidence import DEFAULT_BINS, LacksSummaryError
from veridical.results import Conditions
from veridical.slices import Slice
from veridical.summaries import (
    ConfusionCounts,
    LossSums,
    Ranking,
    ReliabilityTable,
    ScoreSlots,
    ScoreTable,
)
from veridical.summaries.losses import Loss
from veridical.tables import ContentHash, Roles, Rows, iter_rows

__all__ = ["MOST_POSITIVES", "BatchEvidence", "Plan", "TooManyPositivesError", "batch_slices"]

MOST_POSITIVES = 1 << 25
"""Scores of positives that are held in memory (268 MB of float64)."""

Floats: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Key: TypeAlias = tuple[str, str | None]


class TooManyPositivesError(InputError):
    """The positives do not fit in memory; a histogram of the scores does."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the metrics will ask of the evidence.

    Attributes
    ----------
    thresholds
        Thresholds at which decisions will be asked about.
    bins
        Numbers of bins of the reliability tables.
    losses
        Pairs of loss and clip.
    """

    thresholds: tuple[float, ...] = ()
    bins: frozenset[int] = frozenset()
    losses: frozenset[tuple[Loss, float]] = frozenset()


@dataclass(frozen=True, eq=False)
class BatchEvidence:
    """Finished summaries of one slice; the rows are gone."""

    ranking: Ranking
    reliabilities: Mapping[int, ReliabilityTable] = field(default_factory=dict)
    loss_sums: Mapping[tuple[Loss, float], LossSums] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        return self.ranking.rows

    @property
    def kind(self) -> str:
        """How the ranking is held."""
        return "slots" if isinstance(self.ranking, ScoreSlots) else "score table"

    @property
    def table(self) -> ScoreTable:
        """Every distinct score, where they were kept."""
        if isinstance(self.ranking, ScoreTable):
            return self.ranking
        raise LacksSummaryError(
            'every distinct score is needed; read the data with engine="memory"'
        )

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts at a threshold that the plan named; None flags nothing."""
        return self.ranking.at(threshold)

    def reliability(self, bins: int | None) -> ReliabilityTable:
        """Return the reliability table with this many bins, if the plan named them."""
        if bins is None:
            bins = next(iter(self.reliabilities), DEFAULT_BINS)
        if bins not in self.reliabilities:
            raise LacksSummaryError(f"the forecasts were not summed in {bins} bins")
        return self.reliabilities[bins]

    def losses(self, loss: Loss, clip: float) -> LossSums:
        """Return the sums of a loss, if the plan named it."""
        if (loss, clip) not in self.loss_sums:
            raise LacksSummaryError(f"the {loss} losses were not summed")
        return self.loss_sums[loss, clip]


@dataclass(eq=False)
class _Sums:
    """What the first pass gathers of one slice."""

    scores_of_positives: list[Floats] = field(default_factory=list)
    rows: int = 0
    reliabilities: dict[int, ReliabilityTable] = field(default_factory=dict)
    losses: dict[tuple[Loss, float], LossSums] = field(default_factory=dict)

    def add(self, positive: npt.NDArray[np.bool_], scores: Floats) -> None:
        self.rows += len(scores)
        self.scores_of_positives.append(scores[positive])

    def add_forecasts(self, positive: npt.NDArray[np.bool_], p: Floats, plan: Plan) -> None:
        for bins in plan.bins:
            more = ReliabilityTable.from_rows(positive, p, bins=bins)
            held = self.reliabilities.get(bins)
            self.reliabilities[bins] = more if held is None else held + more
        for loss, clip in plan.losses:
            sums = LossSums.from_rows(positive, p, loss, clip)
            before = self.losses.get((loss, clip))
            self.losses[loss, clip] = sums if before is None else before + sums


def batch_slices(
    source: Any, roles: Roles, plan: Plan, *, progress: Progress | None = None, threads: int = 1
) -> tuple[list[Slice], Read]:
    """Read a source twice and return its slices and what was read.

    Parameters
    ----------
    source, roles
        As for ``read_rows``; neither weights, clusters nor price columns.
    plan
        What the metrics will ask for.
    progress
        Called with ``"first pass"`` or ``"second pass"`` and the rows done so far.
    threads
        How many threads may count.

    Raises
    ------
    ParameterError
        Weights, clusters or price columns, which need the rows in memory.
    InputError
        More positives than ``MOST_POSITIVES``, or the source changed between the passes.
    """
    refuse_rows(roles)
    first = _FirstPass(roles, plan)
    for rows in iter_rows(source, roles):
        first.add(rows)
        if progress:
            progress("first pass", first.n_read)
    slots = first.slots()
    done = 0
    for rows in iter_rows(source, roles):
        for key, positive, scores in first.parts(rows, clip=True):
            if key not in slots:
                raise changed()
            slots[key] = slots[key].counted(positive, scores, threads=threads)
        done += rows.n_read
        if progress:
            progress("second pass", done)
    if done != first.n_read or any(slots[key].rows != first.sums[key].rows for key in slots):
        raise changed()
    return first.finished(slots, _passes(source, first, slots, progress)), first.read()


def _passes(
    source: Any, first: _FirstPass, slots: Mapping[Key, ScoreSlots], progress: Progress | None
) -> dict[str | None, BatchPass]:
    """Return how the rows of each group are read again, where there are models to compare."""
    subject, *others = first.roles.scores
    clamped = frozenset(name for name, n in first.clamped.items() if n)
    return {
        group: BatchPass(
            source, first.roles, clamped, held.rows, int(held.total_positives), group, progress
        )
        for (name, group), held in slots.items()
        if name == subject and others
    }


class _FirstPass:
    """Gathers positives and plain sums, slice by slice."""

    def __init__(self, roles: Roles, plan: Plan) -> None:
        self.roles, self.plan = roles, plan
        self.sums: dict[Key, _Sums] = {(subject, None): _Sums() for subject in roles.scores}
        self.n_read = self.n_rows = self.n_positive = 0
        self.clamped = dict.fromkeys(roles.scores, 0)
        self.probability = dict.fromkeys(roles.scores, True)
        self.hash = ContentHash()
        self.names: dict[str, set[str]] = {name: set() for name in roles.groups}
        self.source: Mapping[str, Any] = {}
        self.notes: dict[str, None] = {}

    def add(self, rows: Rows) -> None:
        """Take one batch."""
        self.n_read += rows.n_read
        self.n_rows += rows.n
        self.n_positive += int(np.count_nonzero(rows.positive))
        if self.n_positive > MOST_POSITIVES:
            raise TooManyPositivesError(
                f"there are more than {MOST_POSITIVES:,} positives",
                why="exact slots keep the score of every positive in memory",
                fix='use engine="histogram", with bounds_within= for as narrow bounds as you need',
            )
        self.hash.update(rows.hashed)
        self.source = rows.source
        self.notes.update(dict.fromkeys(rows.notes))
        for name, groups in rows.groups.items():
            self.names[name].update(groups.names)
            check_number_of_groups(name, len(self.names[name]))
        # Whether scores are forecasts is known only after the last batch: clip later.
        for key, positive, scores in self.parts(rows, clip=False):
            self.sums.setdefault(key, _Sums()).add(positive, scores)
        for subject in self.roles.scores:
            self._add_forecasts(rows, subject)

    def _add_forecasts(self, rows: Rows, subject: str) -> None:
        if not self.probability[subject] or not rows.n:
            return
        if not rows.in_unit_interval(subject):
            self.probability[subject] = False
            return
        forecasts, clamped = rows.probabilities(subject)
        self.clamped[subject] += clamped
        for group, chosen in members(rows):
            part = self.sums[subject, group]
            part.add_forecasts(rows.positive[chosen], forecasts[chosen], self.plan)

    def parts(
        self, rows: Rows, *, clip: bool
    ) -> Iterator[tuple[Key, npt.NDArray[np.bool_], Floats]]:
        """Yield the rows of each slice; with ``clip``, forecasts are clamped into [0, 1]."""
        for subject in self.roles.scores:
            scores = rows.scores[subject]
            if clip and self.clamped[subject]:
                scores = _clamped(scores)
            for group, chosen in members(rows):
                yield (subject, group), rows.positive[chosen], scores[chosen]

    def slots(self) -> dict[Key, ScoreSlots]:
        """Return empty slots around the positives that were gathered."""
        made = {}
        for (subject, group), sums in self.sums.items():
            scores = _joined(sums.scores_of_positives)
            sums.scores_of_positives.clear()
            if not self.probability[subject]:
                self.clamped[subject] = 0
            elif self.clamped[subject]:
                scores = _clamped(scores)
            edges, counts = slot_edges(scores)
            made[subject, group] = ScoreSlots.from_edges(edges, counts, self.plan.thresholds)
        return made

    def finished(
        self, slots: Mapping[Key, ScoreSlots], passes: Mapping[str | None, BatchPass]
    ) -> list[Slice]:
        """Return one slice for each score column and group, in the order of the memory engine."""
        order: list[str | None] = [None]
        for name in self.roles.groups:
            order += [f"{name}={value}" for value in in_order(self.names[name])]
        return [
            replace(self._slice(subject, group, slots[subject, group]), again=passes.get(group))
            for subject in self.roles.scores
            for group in order
            if (subject, group) in slots
        ]

    def _slice(self, subject: str, group: str | None, slots: ScoreSlots) -> Slice:
        sums, clamped = self.sums[subject, group], self.clamped[subject]
        is_forecast = self.probability[subject]
        evidence = BatchEvidence(
            slots,
            sums.reliabilities if is_forecast else {},
            sums.losses if is_forecast else {},
        )
        skipped = self.n_read - self.n_rows
        return Slice(
            subject,
            group,
            evidence,
            conditions=Conditions(observed={"n_clamped": clamped} if clamped else {}),
            notes=("clamped",) if clamped else (),
            counts={"n_skipped": skipped} if skipped else {},
        )

    def read(self) -> Read:
        """Return what was read."""
        return Read(
            self.source,
            self.n_read,
            self.n_rows,
            self.n_positive,
            self.hash.hexdigest(),
            tuple(self.notes),
            {name: self.n_rows > 0 and held for name, held in self.probability.items()},
            "batches",
        )


def _joined(parts: list[Floats]) -> Floats:
    joined: Any = np.concatenate(parts) if parts else np.zeros(0)
    return cast(Floats, joined)


def _clamped(scores: Floats) -> Floats:
    clamped: Any = np.clip(scores, 0, 1)
    return cast(Floats, clamped)
