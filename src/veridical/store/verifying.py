"""Recomputing every hash of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from veridical.errors import VeridicalError
from veridical.store import schema
from veridical.store.attempts import UNIT_STATES
from veridical.store.database import Database
from veridical.store.records import Packed, head_of, result_rows, seal, unpack
from veridical.store.run import KINDS, STATES, Run

__all__ = ["Damage", "verified"]


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that is not as it was stored.

    Attributes
    ----------
    where
        The run by name and id, or what else it is.
    what
        What is wrong with it.
    """

    where: str
    what: str

    def to_dict(self) -> dict[str, str]:
        """Return it as one JSON object."""
        return {"where": self.where, "what": self.what}


def verified(database: Database, run_ids: Sequence[str] | None = None) -> tuple[int, list[Damage]]:
    """Return how many runs were checked, and all that is damaged.

    Parameters
    ----------
    database
        The store.
    run_ids
        Which runs; None for all, and for what belongs to none.
    """
    found: list[Damage] = []
    with database.reading() as connection:
        query = select(schema.runs.c.id).order_by(schema.runs.c.created, schema.runs.c.id)
        ids = list(connection.execute(query).scalars()) if run_ids is None else list(run_ids)
        if run_ids is None:
            found += _of_the_file(connection, database)
        for run_id in ids:
            found += _of_run(connection, run_id)
        if run_ids is None:
            found += _of_artefacts(connection)
    return len(ids), found


def _of_run(connection: Connection, run_id: str) -> Iterator[Damage]:
    row = connection.execute(select(schema.runs).where(schema.runs.c.id == run_id)).one()
    where = f"{row.name} ({row.id})" if row.name else str(row.id)
    try:
        tags = connection.execute(select(schema.tags.c.tag).where(schema.tags.c.run_id == run_id))
        head = head_of(row, tuple(sorted(tags.scalars())))
        if head.kind not in KINDS or head.state not in STATES:
            yield Damage(where, f"its kind is {head.kind!r}, its state {head.state!r}"[:200])
    except (VeridicalError, TypeError, ValueError) as error:
        yield Damage(where, f"its row cannot be read: {_told(error)}")
        return
    parts: dict[str, bytes] = {}
    hashes: dict[str, str] = {}
    whole = True
    for part in connection.execute(select(schema.parts).where(schema.parts.c.run_id == run_id)):
        hashes[part.name] = part.sha256
        try:
            packed = Packed(part.encoding, part.sha256, part.size, part.content)
            parts[part.name] = unpack(packed)
        except (VeridicalError, TypeError, ValueError):
            whole = False
            yield Damage(where, f"its {part.name} does not have its hash")
    if head.state != "running" and seal(head, hashes) != head.sha256:
        yield Damage(where, "its name, tags, state or list of parts does not have its hash")
    if whole:
        yield from _of_contents(connection, Run.of(head, parts), where)
    yield from _of_ledger(connection, run_id, where)


def _of_contents(connection: Connection, run: Run, where: str) -> Iterator[Damage]:
    try:
        expected = result_rows(run)
        if run.n_results != len(expected):
            yield Damage(where, "it has another number of results than it says")
        _ = (run.settings, run.environment, run.left_out, run.git, run.summaries, run.units)
    except (VeridicalError, AttributeError, KeyError, TypeError, ValueError) as error:
        yield Damage(where, f"what it holds cannot be read: {_told(error)}")
        return
    rows = connection.execute(
        select(schema.results)
        .where(schema.results.c.run_id == run.id)
        .order_by(schema.results.c.position)
    )
    if [dict(row._mapping) for row in rows] != expected:  # noqa: SLF001 - SQLAlchemy's own word
        yield Damage(where, "its results in lists and trends are not those of its document")


def _of_ledger(connection: Connection, run_id: str, where: str) -> Iterator[Damage]:
    units, attempts = schema.units.c, schema.attempts.c
    states = set(connection.execute(select(units.state).where(units.run_id == run_id)).scalars())
    if not states <= set(UNIT_STATES):
        yield Damage(where, "a unit of it is in no known state")
    beyond = connection.execute(
        select(func.count())
        .select_from(schema.attempts.join(schema.units))
        .where(attempts.run_id == run_id, (attempts.n > units.claims) | (attempts.n < 1))
    ).scalar_one()
    if beyond:
        yield Damage(where, f"{beyond:,} attempts at its units were never claimed")


def _of_artefacts(connection: Connection) -> Iterator[Damage]:
    for row in connection.execute(select(schema.artefacts)):
        try:
            unpack(Packed(row.encoding, row.sha256, row.size, row.content))
        except (VeridicalError, TypeError, ValueError):
            yield Damage(f"artefact {str(row.sha256)[:12]}", "it does not have its hash")


def _of_the_file(connection: Connection, database: Database) -> Iterator[Damage]:
    if not database.is_file:
        return
    for pragma in ("quick_check", "foreign_key_check"):
        rows = connection.exec_driver_sql(f"PRAGMA {pragma}").all()
        for row in rows[:5]:
            if tuple(row) != ("ok",):
                yield Damage("the file", f"{pragma}: {', '.join(map(str, row))}"[:200])


def _told(error: BaseException) -> str:
    what = error.what if isinstance(error, VeridicalError) else f"{type(error).__name__}: {error}"
    return str(what)[:200]
