"""Choosing an engine, and reading the data with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias

from veridical.engines.batches import Plan, Progress, batch_slices
from veridical.engines.memory import slices
from veridical.engines.read import Read
from veridical.errors import ParameterError, ScoreError
from veridical.evaluation.summarised import read_summary
from veridical.finalise import Settings, Slice
from veridical.measures import Measure
from veridical.portable import Summary
from veridical.summaries import LossSums, ReliabilityTable, ScoreTable
from veridical.summaries.losses import Loss
from veridical.tables import Roles, Rows, open_table, read_rows

__all__ = ["Data", "Engine", "plan_for", "read_data", "thresholds_of"]

Engine: TypeAlias = Literal["auto", "memory", "batches"]

BATCHES_FROM_ROWS = 5_000_000
BATCHES_FROM_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Slices of the data, what was read, and the rows where they are in memory."""

    slices: tuple[Slice, ...]
    read: Read
    rows: Rows | None = None

    def refuse_forecasts(self, subject: str) -> NoReturn:
        """Raise: calibration was asked for, and the scores are no forecasts."""
        if self.rows is not None:
            self.rows.probabilities(subject)  # raises with the count and the first rows
        raise ScoreError(
            f"column {subject!r} holds scores outside [0, 1]",
            why="calibration metrics need forecasts of a probability",
            fix="leave the calibration metrics out, or give probabilities",
        )


def thresholds_of(settings: Settings) -> tuple[float, ...]:
    """Return the thresholds at which decisions will be asked about."""
    return () if settings.threshold is None else (settings.threshold,)


def plan_for(asked: Iterable[Measure] | None, settings: Settings, bins: int | None) -> Plan:
    """Return what the batches engine must sum so that every metric can be computed."""
    every_bins, losses = {bins or 10}, {_loss("squared_error", 0.0), _loss("log", 0.0)}
    for one in asked or ():
        arguments = one.arguments()
        if one.definition.summary is ReliabilityTable:
            every_bins.add(int(arguments.get("bins", 10)))
        if one.definition.summary is LossSums:
            losses.add(_loss("log", float(arguments.get("clip", 0.0))))
    return Plan(thresholds_of(settings), frozenset(every_bins), frozenset(losses))


def _loss(loss: Loss, clip: float) -> tuple[Loss, float]:
    return loss, clip


def read_data(
    data: Any,
    roles: Roles,
    settings: Settings,
    plan: Plan,
    *,
    asked: Iterable[Measure] | None = None,
    engine: Engine = "auto",
    threads: int = 1,
    progress: Progress | None = None,
) -> Data:
    """Read the data with the engine asked for, or with the one that fits."""
    if engine not in ("auto", "memory", "batches"):
        raise ParameterError(
            f"engine= is auto, memory or batches, not {engine!r}", fix="choose one of these"
        )
    if isinstance(data, Summary):
        return Data(*read_summary(data, roles))
    if engine == "batches" or (engine == "auto" and _fits_batches(data, roles, asked)):
        parts, read = batch_slices(data, roles, plan, progress=progress, threads=threads)
        return Data(tuple(parts), read)
    rows = read_rows(data, roles)
    read = Read.of(rows)
    parts_in_memory = slices(
        rows,
        settings.costs,
        thresholds=plan.thresholds,
        threads=threads,
        probabilities=read.probabilities,
    )
    return Data(tuple(parts_in_memory), read, rows)


def _fits_batches(data: Any, roles: Roles, asked: Iterable[Measure] | None) -> bool:
    """Whether the data are large files, and all that is asked can be had in two passes."""
    if not isinstance(data, (str, Path)) or roles.weight or roles.cluster or roles.costs:
        return False
    if any(one.definition.summary is ScoreTable for one in asked or ()):
        return False
    described = open_table(data).describe()
    rows = described.get("rows")
    if rows is not None:
        return bool(rows >= BATCHES_FROM_ROWS)
    return bool(described.get("bytes", 0) >= BATCHES_FROM_BYTES)
