"""Choosing an engine, and reading the data with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, get_args

from veridical.engines.again import Progress
from veridical.engines.batches import (
    MOST_POSITIVES,
    Plan,
    TooManyPositivesError,
    batch_slices,
)
from veridical.engines.memory import slices
from veridical.engines.read import Read
from veridical.errors import ParameterError, ScoreError
from veridical.evaluation.summarised import read_summary
from veridical.measures import Measure
from veridical.portable import Summary
from veridical.slices import Settings, Slice
from veridical.summaries import LossSums, ReliabilityTable, ScoreTable
from veridical.summaries.losses import Loss
from veridical.tables import (
    LazyTable,
    Roles,
    Rows,
    Table,
    is_spark,
    open_table,
    read_ids,
    read_rows,
)

if TYPE_CHECKING:
    from veridical.portable.rereading import Wanted

__all__ = ["Data", "Engine", "plan_for", "read_data", "thresholds_of"]

Engine: TypeAlias = Literal["auto", "memory", "batches", "histogram", "group_by", "spark"]

BATCHES_FROM_ROWS = 5_000_000
BATCHES_FROM_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Slices of the data, what was read, and the rows where they are in memory."""

    slices: Sequence[Slice]
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
    wanted: Wanted,
    asked: Iterable[Measure] | None = None,
    engine: Engine = "auto",
    threads: int = 1,
    progress: Progress | None = None,
) -> Data:
    """Read the data with the engine asked for, or with the one that fits."""
    _check_engine(engine)
    if isinstance(data, Summary):
        return Data(*read_summary(data, roles))
    if engine == "spark" or (engine == "auto" and is_spark(data)):
        return _on_spark(data, roles, plan)
    table = open_table(data)
    chosen = _fitting(table, roles, asked) if engine == "auto" else engine
    if roles.id is not None and chosen != "memory":
        read_ids(table.read([roles.id])[roles.id])  # checked, and not kept
        roles = replace(roles, id=None)
    if chosen == "group_by":
        return _grouped(table, roles)
    if chosen == "memory":
        return _in_memory(table, roles, settings, plan, threads)
    if chosen == "batches":
        try:
            return Data(*batch_slices(table, roles, plan, progress=progress, threads=threads))
        except TooManyPositivesError:
            if engine == "batches":
                raise
    from veridical.portable.rereading import histogram_slices

    return Data(
        *histogram_slices(
            table,
            roles,
            settings,
            wanted,
            bins=_bins(plan, asked),
            thresholds=plan.thresholds,
            threads=threads,
            progress=progress,
        )
    )


def _check_engine(engine: str) -> None:
    if engine not in get_args(Engine):
        raise ParameterError(
            f"engine= is {', '.join(get_args(Engine))}, not {engine!r}", fix="choose one of these"
        )


def _in_memory(table: Table, roles: Roles, settings: Settings, plan: Plan, threads: int) -> Data:
    rows = read_rows(table, roles)
    read = Read.of(rows)
    parts_in_memory = slices(
        rows,
        settings.costs,
        thresholds=plan.thresholds,
        threads=threads,
        probabilities=read.probabilities,
    )
    return Data(tuple(parts_in_memory), read, rows)


def _bins(plan: Plan, asked: Iterable[Measure] | None) -> int:
    """Return the one number of bins that a histogram is summed in: that of a metric asked for."""
    of_metrics = (one.arguments().get("bins") for one in asked or ())
    return next((int(bins) for bins in of_metrics if bins in plan.bins), min(plan.bins))


def _fitting(table: Table, roles: Roles, asked: Iterable[Measure] | None) -> Engine:
    """Return an engine for data of this size that can do all that is asked."""
    every_score = any(one.definition.summary is ScoreTable for one in asked or ())
    if roles.weight or roles.cluster or roles.costs or every_score:
        return "memory"
    rows, size = table.size()
    large = size >= BATCHES_FROM_BYTES if rows is None else rows >= BATCHES_FROM_ROWS
    if not large:
        return "memory"
    if not isinstance(table, LazyTable):
        return "batches"
    from veridical.engines.survey import survey

    many = survey(table.query, roles).n_positive > MOST_POSITIVES
    return "group_by" if many else "batches"


def _on_spark(data: Any, roles: Roles, plan: Plan) -> Data:
    if roles.id is not None:
        raise ParameterError(
            "id= is for rows that are read here",
            why="the names of all rows would be collected from the cluster",
            fix="leave id= out; count distinct ids with Spark",
        )
    if not is_spark(data):
        raise ParameterError(
            'engine="spark" works on Spark data frames',
            why="the rows are counted by the cluster that holds them",
            fix="give a data frame of Spark, or leave engine= out",
        )
    from veridical.engines.spark import spark_slices

    parts, read = spark_slices(data, roles, plan)
    return Data(tuple(parts), read)


def _grouped(table: Table, roles: Roles) -> Data:
    if not isinstance(table, LazyTable):
        raise ParameterError(
            'engine="group_by" works on queries: DuckDB relations, lazy frames of polars, ...',
            why="the engine that holds the rows groups them",
            fix="leave engine= out",
        )
    from veridical.engines.group_by import group_by_slices

    parts, read = group_by_slices(table.query, roles)
    return Data(tuple(parts), read)
