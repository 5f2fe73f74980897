"""Which runs are wanted, as conditions of the database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, exists, false, func, or_, select

from veridical.store.run import written
from veridical.store.schema import results, runs, tags, to_column

__all__ = ["Filter", "conditions", "value_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which runs are wanted; None leaves a field open.

    Attributes
    ----------
    kind, state, name, tag
        Exactly this one.
    metric
        With a result of this metric, by its canonical name.
    text
        With this in the name, the id, a tag or a subject, whatever its case.
    since
        Created then or later.
    """

    kind: str | None = None
    state: str | None = None
    name: str | None = None
    tag: str | None = None
    metric: str | None = None
    text: str | None = None
    since: datetime | None = None


def conditions(wanted: Filter) -> Iterator[ColumnElement[bool]]:
    """Yield what must hold of a run."""
    exact = (wanted.kind, wanted.state, wanted.name, wanted.tag)
    if any(value is not None and not _can_be_kept(value) for value in exact):
        yield false()
        return
    for column, value in (
        (runs.c.kind, wanted.kind),
        (runs.c.state, wanted.state),
        (runs.c.name, wanted.name),
    ):
        if value is not None:
            yield column == value
    if wanted.tag is not None:
        yield exists().where(tags.c.run_id == runs.c.id, tags.c.tag == wanted.tag)
    if wanted.metric is not None:
        of_run = results.c.run_id == runs.c.id
        yield exists().where(of_run, results.c.metric == to_column(wanted.metric))
    if wanted.since is not None:
        yield runs.c.created >= written(wanted.since)
    if wanted.text is not None:
        yield _holds(wanted.text)


def _keepable(text: str) -> str:
    """Return a text that no name holds in place of one that none can hold."""
    return text if _can_be_kept(text) else "\n"


def _can_be_kept(text: str) -> bool:
    """Return whether a database can hold a text at all, and so be asked for it."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def _holds(text: str) -> ColumnElement[bool]:
    def within(column: ColumnElement[Any], part: str) -> ColumnElement[bool]:
        found = func.lower(column).contains(part.lower(), autoescape=True)
        # SQLite knows upper and lower case of A to Z alone.
        return found if part.isascii() else or_(found, column.contains(part, autoescape=True))

    plain = to_column(text) or ""
    return or_(
        within(runs.c.name, _keepable(text)),
        within(runs.c.id, plain),
        # Looked through once, not once a run.
        runs.c.id.in_(select(tags.c.run_id).where(within(tags.c.tag, _keepable(text)))),
        runs.c.id.in_(select(results.c.run_id).where(within(results.c.subject, plain))),
    )


def value_of(metric: str | None) -> ColumnElement[Any]:
    """Return the value of a run's first result of a metric on everything."""
    at = results.c
    of_run = at.run_id == runs.c.id, at.metric == to_column(metric), at.slice.is_(None)
    return select(at.value).where(*of_run).order_by(at.position).limit(1).scalar_subquery()
