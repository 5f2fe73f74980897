"""Pages of runs for whoever browses a store: filtered, sorted and counted by the database.

A list never loads what its runs hold: it is made from their heads and from the table of results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, func, select

from veridical.errors import FileFormatError, VeridicalError
from veridical.store.database import Database
from veridical.store.filtering import Filter, conditions, value_of
from veridical.store.queries import tags_of
from veridical.store.records import Packed, head_of, seal, unpack
from veridical.store.run import CONTEXT, DOCUMENT, Run, RunHead, moment, written
from veridical.store.runs import Store
from veridical.store.schema import (
    attempts,
    from_column,
    parts,
    results,
    runs,
    tags,
    to_column,
    units,
)

__all__ = ["Browser", "Choices", "Damaged", "Headline", "LedgerUnit", "Page", "Sort"]

Sort: TypeAlias = Literal["created", "name", "kind", "state", "value"]

_CHOICES: Final = 500


@dataclass(frozen=True, slots=True)
class Damaged:
    """A run whose row cannot be read."""

    id: str
    why: str


class Page(NamedTuple):
    """Some of the runs that were wanted, and how many there are in all."""

    runs: list[RunHead | Damaged]
    total: int


@dataclass(frozen=True, slots=True)
class Headline:
    """One result as a list shows it; ``skip`` says why where ``value`` is None."""

    metric: str
    subject: str | None
    group: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    skip: str | None


@dataclass(frozen=True, slots=True)
class LedgerUnit:
    """A unit of a ledger: its state, how often it was tried, and how the last try ended."""

    key: str
    state: str
    attempts: int
    outcome: str | None
    error: str | None
    cost: str | None
    ended: datetime | None


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from, the most frequent first; at most five hundred of each."""

    kinds: tuple[str, ...]
    states: tuple[str, ...]
    tags: tuple[str, ...]
    names: tuple[str, ...]
    metrics: tuple[str, ...]


class Browser:
    """Reads pages of runs from a store.

    Parameters
    ----------
    store
        Where the runs are.
    """

    def __init__(self, store: Store) -> None:
        self._database: Database = store._database  # noqa: SLF001 - of the same package
        self._choices: tuple[object, Choices] | None = None

    def page(
        self,
        wanted: Filter,
        *,
        sort: Sort = "created",
        descending: bool = True,
        number: int = 1,
        size: int = 50,
    ) -> Page:
        """Return some of the runs that are wanted, and how many there are in all.

        Parameters
        ----------
        wanted
            Which.
        sort, descending
            In which order; by ``value`` of the metric that is wanted.  What has none comes last.
        number, size
            Which page, from 1, and how many runs it has.  One beyond the last is the last.
        """
        key = value_of(wanted.metric) if sort == "value" else runs.c[sort]
        if sort == "name":
            key = func.lower(key)
        order = [] if sort == "created" else [key.is_(None), key.desc() if descending else key]
        newest_first = descending or sort != "created"
        order += [c.desc() if newest_first else c.asc() for c in (runs.c.created, runs.c.id)]
        holding = tuple(conditions(wanted))
        found = select(runs.c.id).where(*holding).order_by(*order)
        with self._database.reading() as connection:
            if wanted.text is not None or sort == "value":
                # Every run must be looked at: once, for the page and for the number of pages.
                ids = connection.execute(found).scalars().all()
                total, start = len(ids), _start(number, size, len(ids))
                ids = ids[start : start + size]
            else:
                count = select(func.count()).select_from(runs).where(*holding)
                total = connection.execute(count).scalar_one()
                start = _start(number, size, total)
                ids = connection.execute(found.offset(start).limit(size)).scalars().all()
            rows = connection.execute(select(runs).where(runs.c.id.in_(ids)))
            by_id = {row.id: row for row in rows}
            marked = tags_of(connection, ids)
        return Page([_head(by_id[one], marked.get(one, ())) for one in ids], total)

    def head(self, run_id: str) -> RunHead | Damaged | None:
        """Return the head of the run with this id; None where there is none."""
        with self._database.reading() as connection:
            row = connection.execute(select(runs).where(runs.c.id == run_id)).one_or_none()
            marked = tags_of(connection, [run_id])
        return None if row is None else _head(row, marked.get(run_id, ()))

    def before(self, run: RunHead) -> RunHead | None:
        """Return the newest finished run before this one of its kind and name, if there is one."""
        query = select(runs).where(
            runs.c.kind == run.kind,
            runs.c.name == run.name,
            runs.c.state == "finished",
            runs.c.created < written(run.created),
        )
        newest = query.order_by(runs.c.created.desc(), runs.c.id.desc()).limit(1)
        with self._database.reading() as connection:
            row = connection.execute(newest).one_or_none()
        found = None if row is None else _head(row, ())
        return None if isinstance(found, Damaged) else found

    def headlines(
        self, ids: Sequence[str], metric: str | None = None, *, most: int = 2
    ) -> dict[str, list[Headline]]:
        """Return the first results of each run, or those of one metric, on everything."""
        at = results.c
        query = select(results).where(at.run_id.in_(ids), at.slice.is_(None))
        if metric is not None:
            query = query.where(at.metric == to_column(metric))
        found: dict[str, list[Headline]] = {run_id: [] for run_id in ids}
        with self._database.reading() as connection:
            for row in connection.execute(query.order_by(at.run_id, at.position)):
                if len(found[row.run_id]) < most:
                    found[row.run_id].append(_headline(row))
        return found

    def documents(self, heads: Sequence[RunHead]) -> Iterator[tuple[RunHead, Any]]:
        """Yield each run with its document of results, or with the error where it is damaged.

        All are read at once: a query for each would take longer than reading them does.
        """
        by_id = {head.id: head for head in heads}
        query = select(parts).where(parts.c.run_id.in_(by_id), parts.c.name == DOCUMENT)
        with self._database.reading() as connection:
            found = {row.run_id: row for row in connection.execute(query)}
        for head in heads:
            try:
                row = found[head.id]
                packed = Packed(row.encoding, row.sha256, row.size, row.content)
                yield head, Run.of(head, {DOCUMENT: unpack(packed, head.label)}).document
            except KeyError:
                yield (
                    head,
                    FileFormatError(
                        "the run has no document",
                        where=head.label,
                        fix="check the store with `veridical runs verify`",
                    ),
                )
            except VeridicalError as error:
                yield head, error

    def damaged(self, heads: Sequence[RunHead]) -> dict[str, str]:
        """Return which runs are not as they were stored, and what of them, by id.

        Looks at what a list shows: the head, the hashes of the parts, the document and where it
        came from.  Summaries and units are read when they are shown.
        """
        ids = [head.id for head in heads]
        of_runs = parts.c.run_id.in_(ids)
        hashes: dict[str, dict[str, str]] = {run_id: {} for run_id in ids}
        found: dict[str, str] = {}
        with self._database.reading() as connection:
            for row in connection.execute(
                select(parts.c.run_id, parts.c.name, parts.c.sha256).where(of_runs)
            ):
                hashes[row.run_id][row.name] = row.sha256
            read = select(parts).where(of_runs, parts.c.name.in_((DOCUMENT, CONTEXT)))
            for row in connection.execute(read):
                try:
                    unpack(Packed(row.encoding, row.sha256, row.size, row.content))
                except (VeridicalError, TypeError, ValueError):
                    found[row.run_id] = f"its {row.name} does not have its hash"
        for head in heads:
            if head.state != "running" and seal(head, hashes[head.id]) != head.sha256:
                found[head.id] = "its name, tags, state or list of parts does not have its hash"
        return found

    def subjects(self, ids: Sequence[str], metric: str) -> tuple[list[str], list[str]]:
        """Return the subjects and the groups of a metric in these runs, most frequent first."""
        of_metric = results.c.run_id.in_(ids), results.c.metric == to_column(metric)
        with self._database.reading() as connection:
            return tuple(  # type: ignore[return-value]
                [
                    from_column(text) or ""
                    for text in _frequent(
                        connection, select(column).where(*of_metric, column.is_not(None))
                    )
                ]
                for column in (results.c.subject, results.c.slice)
            )

    def count_units(self, run_id: str, *, state: str | None = None, text: str | None = None) -> int:
        """Return how many units of a run's ledger are in a state, and have a text in their key."""
        query = select(func.count()).select_from(units).where(*_of_ledger(run_id, state, text))
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def unit_page(
        self,
        run_id: str,
        *,
        state: str | None = None,
        text: str | None = None,
        offset: int = 0,
        limit: int = 100,
    ) -> list[LedgerUnit]:
        """Return some units of a run's ledger in the order of the plan, with their last attempt."""
        query = select(units.c.key, units.c.state).where(*_of_ledger(run_id, state, text))
        query = query.order_by(units.c.position).offset(offset).limit(limit)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            tries = connection.execute(
                select(attempts)
                .where(attempts.c.run_id == run_id, attempts.c.key.in_([r.key for r in rows]))
                .order_by(attempts.c.n)
            )
            last = {row.key: row for row in tries}
        return [_ledger_unit(row, last.get(row.key)) for row in rows]

    def choices(self) -> Choices:
        """Return what the runs of the store can be filtered by; counted again when runs changed."""
        with self._database.reading() as connection:
            newest = select(func.count(), func.max(runs.c.created)).select_from(runs)
            stamp = tuple(connection.execute(newest).one())
            if self._choices is None or self._choices[0] != stamp:
                self._choices = stamp, _choices(connection)
            return self._choices[1]


def _choices(connection: Connection) -> Choices:
    return Choices(
        kinds=_frequent(connection, select(runs.c.kind)),
        states=_frequent(connection, select(runs.c.state)),
        tags=_frequent(connection, select(tags.c.tag)),
        names=_frequent(connection, select(runs.c.name).where(runs.c.name.is_not(None))),
        metrics=tuple(
            from_column(m) or "" for m in _frequent(connection, select(results.c.metric))
        ),
    )


def _start(number: int, size: int, total: int) -> int:
    """Return where a page begins; where it would begin beyond the end, the last one does."""
    return size * max(0, min(number, -(-total // size)) - 1)


def _frequent(connection: Connection, column: Select[Any]) -> tuple[str, ...]:
    of = column.subquery().c[0]
    query = select(of).group_by(of).order_by(func.count().desc(), of).limit(_CHOICES)
    return tuple(connection.execute(query).scalars())


def _of_ledger(run_id: str, state: str | None, text: str | None) -> Iterable[ColumnElement[bool]]:
    yield units.c.run_id == run_id
    if state is not None:
        yield units.c.state == state
    if text is not None:
        part = (to_column(text) or "").lower()
        yield func.lower(units.c.key).contains(part, autoescape=True)


def _ledger_unit(row: Any, tried: Any) -> LedgerUnit:
    return LedgerUnit(
        key=from_column(row.key) or "",
        state=row.state,
        attempts=0 if tried is None else tried.n,
        outcome=None if tried is None else tried.outcome,
        error=None if tried is None else from_column(tried.error),
        cost=None if tried is None else tried.cost,
        ended=None if tried is None else moment(tried.ended),
    )


def _head(row: Any, marked: tuple[str, ...]) -> RunHead | Damaged:
    try:
        return head_of(row, marked)
    except (TypeError, ValueError) as error:
        return Damaged(str(row.id), VeridicalError.what_of(error)[:200])


def _headline(row: Any) -> Headline:
    return Headline(
        metric=from_column(row.metric) or "",
        subject=from_column(row.subject),
        group=from_column(row.slice),
        value=row.value,
        low=row.low,
        high=row.high,
        n=row.n,
        skip=row.skip,
    )
