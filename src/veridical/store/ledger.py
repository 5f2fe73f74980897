"""``Ledger``: every unit of a run in exactly one state, every attempt at it on record.

A unit is a case to be answered, a verdict to be given: whatever may fail on its own.

::

    pending --claim--> running --settle--> done | failed | skipped
       |                  |
       |                  +--release, resume--> pending        (nobody works on it any more)
       +--settle--> skipped                                    (it will not be tried)

States change in transactions, and what is settled stays settled, unless ``resume(retry=True)``
opens failed units again.  A claim carries its number; one that was given to somebody else meanwhile
can neither record nor settle, so that a process that was thought dead cannot count twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Connection, Select, func, insert, select, update

from veridical.errors import MismatchError, ParameterError, RunNotFoundError
from veridical.store import schema
from veridical.store.attempts import ABANDONED, UNIT_STATES, Attempt, Claim, UnitState
from veridical.store.database import Database, insert_unless_there
from veridical.store.records import Packed, pack, unpack
from veridical.store.run import moment, written

__all__ = [
    "UNIT_STATES",
    "Attempt",
    "Claim",
    "Ledger",
    "UnitState",
    "column_of",
    "key_of",
    "moment_now",
]

_SETTLED: Final = ("done", "failed", "skipped")
_LONGEST_KEY: Final = 500
_U, _A = schema.units.c, schema.attempts.c


class Ledger:
    """The units of one run.  ``Store.ledger(run_id)`` makes it.

    Examples
    --------
    >>> import tempfile
    >>> from veridical.store import Store
    >>> from veridical.store.drafts import draft
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     ledger = store.ledger(store.save(draft(kind="bench", state="running")).id)
    ...     _ = ledger.plan({"case-1": "hash of case 1", "case-2": "hash of case 2"})
    ...     [claim] = ledger.claim()
    ...     ledger.record(claim, "scored", artefact=b"{}", settle="done")
    ...     ledger.counts()["done"], ledger.pending()
    (1, ['case-2'])
    """

    def __init__(self, database: Database, run_id: str) -> None:
        self._database = database
        self.run_id = run_id
        self._owner = secrets.token_hex(8)

    def plan(self, units: Mapping[str, str]) -> int:
        """Add units that are not there yet, in their order, and return how many were added.

        Parameters
        ----------
        units
            Key to the hash of what is to be done for it.

        Raises
        ------
        MismatchError
            A unit is there with another hash: the work changed under the run.
        """
        keyed = {column_of(key): payload for key, payload in units.items()}
        with self._database.writing() as connection:
            self._check_run(connection)
            rows = connection.execute(
                select(_U.key, _U.payload_sha256).where(_U.run_id == self.run_id)
            )
            known = {row.key: row.payload_sha256 for row in rows}
            changed = [key for key, payload in keyed.items() if known.get(key, payload) != payload]
            if changed:
                raise MismatchError(
                    f"{len(changed):,} units are not what was planned",
                    where=", ".join(repr(schema.from_column(key)) for key in changed[:3]),
                    why="one run measures one set of units",
                    fix="start another run",
                )
            new = [
                {
                    "run_id": self.run_id,
                    "key": key,
                    "position": at,
                    "state": "pending",
                    "payload_sha256": payload,
                    "claims": 0,
                }
                for at, (key, payload) in enumerate(keyed.items(), len(known))
                if key not in known
            ]
            if new:
                connection.execute(insert(schema.units), new)
        return len(new)

    def claim(self, most: int = 1) -> list[Claim]:
        """Take up to ``most`` pending units, first planned first; nobody else gets them.

        An empty list means that none is pending; others may be running.
        """
        with self._database.writing() as connection:
            return self.claim_in(connection, most)

    def claim_in(self, connection: Connection, most: int = 1) -> list[Claim]:
        """Do as ``claim`` within a transaction that is open, ``GroupCommit``'s for one."""
        time = moment_now()
        free = (
            select(_U.key, _U.claims, _U.payload_sha256)
            .where(_U.run_id == self.run_id, _U.state == "pending")
            .order_by(_U.position)
            .limit(most)
        )
        rows = connection.execute(free).all()
        if rows:
            connection.execute(
                update(schema.units)
                .where(_U.run_id == self.run_id, _U.key.in_([row.key for row in rows]))
                .values(
                    state="running",
                    claims=_U.claims + 1,
                    owner=self._owner,
                    claimed=written(time),
                )
            )
        return [Claim(key_of(row.key), row.claims + 1, row.payload_sha256, time) for row in rows]

    def record(
        self,
        claim: Claim,
        outcome: str,
        *,
        error: str | None = None,
        cost: Decimal | None = None,
        artefact: bytes | None = None,
        settle: UnitState | None = None,
    ) -> None:
        """Put an attempt on record, and move its unit on, both or neither.

        Parameters
        ----------
        claim
            What ``claim`` returned.
        outcome, error, cost
            See ``Attempt``.
        artefact
            What it produced; kept once, however often it occurs.
        settle
            The state that the unit ends in; None gives it back as pending, to be tried again.

        Raises
        ------
        MismatchError
            The unit was given to somebody else meanwhile; nothing was recorded.
        """
        with self._database.writing() as connection:
            self.record_in(
                connection, claim, outcome, error=error, cost=cost, artefact=artefact, settle=settle
            )

    def record_in(
        self,
        connection: Connection,
        claim: Claim,
        outcome: str,
        *,
        error: str | None = None,
        cost: Decimal | None = None,
        artefact: bytes | None = None,
        settle: UnitState | None = None,
    ) -> None:
        """Do as ``record`` within a transaction that is open, ``GroupCommit``'s for one."""
        state = settle or "pending"
        if state not in {*_SETTLED, "pending"}:
            raise ParameterError(f"a unit does not end in {state!r}", fix="settle it as done")
        packed = None if artefact is None else pack(artefact)
        self._move(connection, claim, state)
        if packed is not None:
            insert_unless_there(connection, schema.artefacts, packed._asdict())
        row = self._attempt_row(claim.key, claim.n, claim.started, outcome) | {
            "error": schema.to_column(error),
            "cost": None if cost is None else str(cost),
            "artefact_sha256": None if packed is None else packed.sha256,
        }
        connection.execute(insert(schema.attempts), row)

    def settle(self, key: str, state: UnitState = "skipped") -> None:
        """Settle a pending unit that will not be tried.

        Raises
        ------
        MismatchError
            It is not pending.
        """
        if state not in _SETTLED:
            raise ParameterError(f"a unit is not settled as {state!r}", fix="settle it as skipped")
        with self._database.writing() as connection:
            changed = connection.execute(
                update(schema.units)
                .where(_U.run_id == self.run_id, _U.key == column_of(key), _U.state == "pending")
                .values(state=state)
            )
            if changed.rowcount != 1:
                raise MismatchError(
                    "the unit is not pending",
                    where=repr(key)[:80],
                    why="settled stays settled",
                    fix="settle units that are pending",
                )

    def release(self, claim: Claim) -> None:
        """Give a unit back that was not tried; no attempt is recorded."""
        with self._database.writing() as connection:
            self._move(connection, claim, "pending")

    def resume(self, *, retry: bool = False) -> int:
        """Make the running units of other processes pending again, and return how many.

        To be called by whoever takes a run over, when nobody else works on it: each gets an
        attempt with the outcome ``abandoned``.

        Parameters
        ----------
        retry
            Whether failed units are opened again too.
        """
        with self._database.writing() as connection:
            abandoned = connection.execute(
                select(_U.key, _U.claims, _U.claimed).where(
                    _U.run_id == self.run_id, _U.state == "running", _U.owner != self._owner
                )
            ).all()
            rows = [
                self._attempt_row(key_of(row.key), row.claims, moment(row.claimed), ABANDONED)
                for row in abandoned
            ]
            if rows:
                connection.execute(insert(schema.attempts), rows)
            states = _U.state == "running", _U.owner != self._owner
            opened = connection.execute(self._reopening().where(*states)).rowcount
            if retry:
                opened += connection.execute(self._reopening().where(_U.state == "failed")).rowcount
        return int(opened)

    def counts(self) -> dict[UnitState, int]:
        """Return how many units are in each state, every state named."""
        query = select(_U.state, func.count()).where(_U.run_id == self.run_id).group_by(_U.state)
        with self._database.reading() as connection:
            found: dict[str, int] = {row[0]: row[1] for row in connection.execute(query)}
        return {state: found.get(state, 0) for state in UNIT_STATES}

    def units(self, state: UnitState | None = None) -> list[str]:
        """Return the units in the order of the plan, of one state or all."""
        query = select(_U.key).where(_U.run_id == self.run_id).order_by(_U.position)
        if state is not None:
            query = query.where(_U.state == state)
        with self._database.reading() as connection:
            return [key_of(key) for key in connection.execute(query).scalars()]

    def pending(self) -> list[str]:
        """Return the units that nobody works on yet, in the order of the plan."""
        return self.units("pending")

    def attempts(self, key: str | None = None) -> list[Attempt]:
        """Return the attempts at one unit, or at all, in the order of the plan and of time."""
        query: Select[Any] = (
            select(*schema.attempts.c)
            .join(schema.units)
            .where(_A.run_id == self.run_id)
            .order_by(_U.position, _A.n)
        )
        if key is not None:
            query = query.where(_A.key == column_of(key))
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [
            Attempt(
                key_of(row.key),
                row.n,
                row.outcome,
                schema.from_column(row.error),
                None if row.cost is None else Decimal(row.cost),
                moment(row.started),
                moment(row.ended),
                row.artefact_sha256,
            )
            for row in rows
        ]

    def artefact(self, sha256: str) -> bytes:
        """Return what an attempt produced, by its hash."""
        at = schema.artefacts.c
        with self._database.reading() as connection:
            row = connection.execute(
                select(at.encoding, at.sha256, at.size, at.content).where(at.sha256 == sha256)
            ).one_or_none()
        if row is None:
            raise RunNotFoundError(
                f"there is no artefact {sha256[:80]!r}",
                fix="check the store with `veridical runs verify`",
            )
        return unpack(Packed(row.encoding, row.sha256, row.size, row.content))

    def _check_run(self, connection: Connection) -> None:
        query = select(schema.runs.c.state).where(schema.runs.c.id == self.run_id)
        state = connection.execute(query).scalar()
        if state is None:
            raise RunNotFoundError(
                "there is no such run", where=self.run_id, fix="see `veridical runs list`"
            )
        if state not in {"running", "interrupted"}:
            raise MismatchError(
                f"the run is {state}",
                where=self.run_id,
                why="what is finished does not change",
                fix="begin a new run",
            )

    def _move(self, connection: Connection, claim: Claim, state: str) -> None:
        """Change the state of a claimed unit; the number says whether the claim still holds."""
        changed = connection.execute(
            update(schema.units)
            .where(
                _U.run_id == self.run_id,
                _U.key == column_of(claim.key),
                _U.state == "running",
                _U.owner == self._owner,
                _U.claims == claim.n,
            )
            .values(state=state, owner=None, claimed=None)
        )
        if changed.rowcount != 1:
            raise MismatchError(
                "the unit is no longer this one's to work on",
                where=repr(claim.key)[:80],
                why="it was taken over, and would count twice",
                fix="leave it to whoever has it now",
            )

    def _reopening(self) -> Any:
        values = {"state": "pending", "owner": None, "claimed": None}
        return update(schema.units).where(_U.run_id == self.run_id).values(values)

    def _attempt_row(self, key: str, n: int, started: datetime, outcome: str) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "key": column_of(key),
            "n": n,
            "outcome": outcome,
            "error": None,
            "cost": None,
            "started": written(started),
            "ended": written(moment_now()),
            "artefact_sha256": None,
        }


def moment_now() -> datetime:
    """Return this moment, in UTC."""
    return datetime.now(UTC)


def column_of(key: str) -> str:
    """Return the key of a unit as its column holds it."""
    column = schema.to_column(key)
    if not column or len(column) > _LONGEST_KEY:
        raise ParameterError(
            f"the key of a unit is a text of 1 to {_LONGEST_KEY} characters",
            where=ascii(key)[:80],
            fix="name units by shorter ids",
        )
    return column


def key_of(column: str) -> str:
    """Read back what ``column_of`` wrote."""
    return schema.from_column(column) or ""
