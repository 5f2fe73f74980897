"""Questions to a store: which runs, which results, and everything of one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, false, select

from veridical.measures import Measure
from veridical.store import schema
from veridical.store.records import Packed, check_seal, head_of, unpack
from veridical.store.run import Run, RunHead, State, spelt, written

__all__ = ["Point", "heads_of", "points_of", "results_like", "runs_like", "tags_of", "whole"]


@dataclass(frozen=True, slots=True)
class Point:
    """One result of one run, as trends and lists show it.

    Attributes
    ----------
    run
        The run.
    metric, subject, group
        What was measured.
    value, low, high
        The value and the ends of its interval; None where there are none.
    n
        The denominator of the metric.
    skip
        Why there is no value; None where there is one.
    """

    run: RunHead
    metric: str
    subject: str | None
    group: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    skip: str | None


def runs_like(
    *,
    kind: str | None,
    name: str | None,
    tag: str | None,
    state: State | None,
    since: datetime | None,
    metric: str | Measure | None,
    limit: int | None,
) -> Select[Any]:
    """Return the question for some runs, newest first; see ``Store.runs``."""
    runs, tags, results = schema.runs, schema.tags, schema.results
    query = select(runs).order_by(runs.c.created.desc(), runs.c.id.desc()).limit(limit)
    for column, value in ((runs.c.kind, kind), (runs.c.name, name), (runs.c.state, state)):
        if value is not None:
            query = query.where(_is(column, value))
    if tag is not None:
        query = query.where(exists().where(tags.c.run_id == runs.c.id, _is(tags.c.tag, tag)))
    if since is not None:
        query = query.where(runs.c.created >= written(since))
    if metric is not None:
        same = results.c.run_id == runs.c.id, results.c.metric == str(metric)
        query = query.where(exists().where(*same))
    return query


def _is(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Return the condition that a column is a text; one that cannot be stored is nowhere."""
    wanted = spelt(text)
    return column == wanted if schema.is_storable(wanted) else false()


def heads_of(connection: Connection, query: Select[Any]) -> list[RunHead]:
    """Return the heads that a question for runs finds."""
    rows = connection.execute(query).all()
    tags = tags_of(connection, select(query.subquery().c.id))
    return [head_of(row, tags.get(row.id, ())) for row in rows]


def results_like(
    metrics: Iterable[str | Measure] | None,
    *,
    runs: Sequence[str] | None,
    name: str | None,
    subject: str | None,
    group: str | None,
) -> Select[Any]:
    """Return the question for some results, oldest run first; see ``Store.points``."""
    at = schema.results.c
    query = select(schema.results, *schema.runs.c).join(schema.runs)
    query = query.order_by(schema.runs.c.created, schema.runs.c.id, at.position)
    query = query.where(
        at.slice.is_(None) if group is None else at.slice == schema.to_column(group)
    )
    if metrics is not None:
        query = query.where(at.metric.in_([str(metric) for metric in metrics]))
    if runs is not None:
        query = query.where(schema.runs.c.id.in_(runs))
    if name is not None:
        query = query.where(_is(schema.runs.c.name, name))
    if subject is not None:
        query = query.where(at.subject == schema.to_column(subject))
    return query


def points_of(connection: Connection, query: Select[Any]) -> list[Point]:
    """Return the results that a question for results finds."""
    rows = connection.execute(query).all()
    tags = tags_of(connection, select(query.subquery().c.run_id))
    return [
        Point(
            head_of(row, tags.get(row.id, ())),
            schema.from_column(row.metric) or "",
            schema.from_column(row.subject),
            schema.from_column(row.slice),
            row.value,
            row.low,
            row.high,
            row.n,
            row.skip,
        )
        for row in rows
    ]


def whole(connection: Connection, head: RunHead) -> Run:
    """Return a run with all its parts, every hash checked."""
    query = select(schema.parts).where(schema.parts.c.run_id == head.id)
    rows = connection.execute(query).all()
    check_seal(head, {row.name: row.sha256 for row in rows})
    parts = {
        row.name: unpack(Packed(row.encoding, row.sha256, row.size, row.content), head.label)
        for row in rows
    }
    return Run.of(head, parts)


def tags_of(connection: Connection, ids: Select[Any] | Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of runs, sorted as they were sealed; a database may sort otherwise."""
    tags: dict[str, tuple[str, ...]] = {}
    rows = connection.execute(select(schema.tags).where(schema.tags.c.run_id.in_(ids)))
    for row in rows:
        tags[row.run_id] = (*tags.get(row.run_id, ()), row.tag)
    return {run_id: tuple(sorted(found)) for run_id, found in tags.items()}
