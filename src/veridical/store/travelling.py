"""Runs on their way: out of a store with their ledger, and into another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from veridical.errors import MismatchError
from veridical.store import schema
from veridical.store.archive import ATTEMPT_FIELDS, UNIT_FIELDS, Archived
from veridical.store.records import Packed, pack, result_rows, run_row, unpack
from veridical.store.run import Run

__all__ = ["insert_runs", "with_ledger"]


def with_ledger(connection: Connection, run: Run) -> Archived:
    """Return a run with its ledger."""
    units = [
        {name: getattr(row, name) for name in UNIT_FIELDS}
        for row in connection.execute(
            select(schema.units)
            .where(schema.units.c.run_id == run.id)
            .order_by(schema.units.c.position, schema.units.c.key)
        )
    ]
    attempts = [
        {name: getattr(row, name) for name in ATTEMPT_FIELDS}
        for row in connection.execute(
            select(schema.attempts).where(schema.attempts.c.run_id == run.id)
        )
    ]
    attempts.sort(key=lambda row: (row["key"], row["n"]))
    used = select(schema.attempts.c.artefact_sha256).where(schema.attempts.c.run_id == run.id)
    at = schema.artefacts.c
    rows = connection.execute(select(schema.artefacts).where(at.sha256.in_(used)))
    artefacts = {
        row.sha256: unpack(Packed(row.encoding, row.sha256, row.size, row.content)) for row in rows
    }
    return Archived(run, units, attempts, artefacts)


def insert_runs(connection: Connection, archived: Sequence[Archived]) -> list[Run]:
    """Insert the runs that are not there yet, and return them.

    Raises
    ------
    MismatchError
        A run of this id is there, and is another.
    """
    at = schema.runs.c
    held = {row.id: row.sha256 for row in connection.execute(select(at.id, at.sha256))}
    clashes = [
        one.run for one in archived if held.get(one.run.id, one.run.sha256) != one.run.sha256
    ]
    if clashes:
        raise MismatchError(
            f"{len(clashes):,} runs of the file are in the store already, and differ",
            where=", ".join(run.label for run in clashes[:3]),
            why="one id stands for one run; nothing was imported",
            fix="delete the stored run, or import into another store",
        )
    new = [one for one in archived if one.run.id not in held]
    for one in new:
        _insert(connection, one)
    return [one.run for one in new]


def _insert(connection: Connection, one: Archived) -> None:
    run = one.run
    connection.execute(insert(schema.runs).values(run_row(run)))
    known = set(connection.execute(select(schema.artefacts.c.sha256)).scalars())
    artefacts = {k: v for k, v in (one.artefacts or {}).items() if k not in known}
    rows: dict[Any, list[dict[str, Any]]] = {
        schema.tags: [{"run_id": run.id, "tag": tag} for tag in run.tags],
        schema.results: result_rows(run),
        schema.parts: [
            {"run_id": run.id, "name": name, **pack(content)._asdict()}
            for name, content in run.parts.items()
        ],
        schema.units: [{"run_id": run.id, **unit} for unit in one.units],
        schema.artefacts: [pack(content)._asdict() for content in artefacts.values()],
        schema.attempts: [{"run_id": run.id, **attempt} for attempt in one.attempts],
    }
    for table, values in rows.items():
        if values:
            connection.execute(insert(table), values)
