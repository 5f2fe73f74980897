"""``BatchLedger``: the ledger of a run that works on many units at once, in few statements.

Every method takes a transaction that is open, ``GroupCommit``'s for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, insert, select, update

from veridical.errors import MismatchError
from veridical.store import schema
from veridical.store.attempts import Claim, UnitState
from veridical.store.database import insert_all_unless_there
from veridical.store.ledger import Ledger, column_of, key_of, moment_now
from veridical.store.records import Packed, pack, unpack
from veridical.store.run import written

__all__ = ["BatchLedger", "Done", "Settled"]

_AT_ONCE = 500
_U, _A, _F = schema.units.c, schema.attempts.c, schema.artefacts.c

# Built once: to build such a statement takes longer than to run it.
_THESE = _U.run_id == bindparam("of_run"), _U.key.in_(bindparam("keys", expanding=True))
_FREE = (
    select(_U.key, _U.claims, _U.payload_sha256)
    .where(*_THESE, _U.state == "pending")
    .order_by(_U.position)
)
_TAKE = (
    update(schema.units)
    .where(*_THESE)
    .values(
        state="running",
        claims=_U.claims + 1,
        owner=bindparam("taker"),
        claimed=bindparam("time"),
    )
)
_MOVE = (
    update(schema.units)
    .where(
        *_THESE,
        _U.state == "running",
        _U.owner == bindparam("holder"),
        _U.claims == bindparam("n"),
    )
    .values(state=bindparam("to"), owner=None, claimed=None)
)
_SETTLE = update(schema.units).where(*_THESE, _U.state == "pending").values(state=bindparam("to"))


@dataclass(frozen=True, slots=True)
class Done:
    """An attempt to be put on record; see ``Ledger.record``."""

    claim: Claim
    outcome: str
    artefact: bytes | None = None
    error: str | None = None
    cost: Decimal | None = None
    settle: UnitState = "done"


class Settled(NamedTuple):
    """A unit that came to an end.

    Attributes
    ----------
    key, state
        The unit, and how it ended.
    outcome, artefact
        Of its last attempt; None where it was settled without one.
    """

    key: str
    state: UnitState
    outcome: str | None
    artefact: bytes | None


class BatchLedger(Ledger):
    """The units of one run, many at a time.

    Examples
    --------
    >>> import tempfile
    >>> from veridical.store import Store
    >>> from veridical.store.drafts import draft
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     run = store.save(draft(kind="rag", state="running"))
    ...     ledger = BatchLedger(store.database, run.id)
    ...     _ = ledger.plan({"a": "hash of a", "b": "hash of b"})
    ...     with store.database.writing() as connection:
    ...         [claim] = ledger.claim_these_in(connection, ["b"])
    ...         ledger.record_all_in(connection, [Done(claim, "answered", b"{}")])
    ...     [(one.key, one.artefact) for one in ledger.settled()], ledger.pending()
    ([('b', b'{}')], ['a'])
    """

    def claim_these_in(self, connection: Connection, keys: Sequence[str]) -> list[Claim]:
        """Take those of these units that are pending, in the order of the plan."""
        time = moment_now()
        claims: list[Claim] = []
        for some in _slices([column_of(key) for key in keys]):
            of = {"of_run": self.run_id}
            rows = connection.execute(_FREE, of | {"keys": some}).all()
            taken = {"keys": [row.key for row in rows], "taker": self._owner, "time": written(time)}
            connection.execute(_TAKE, of | taken)
            claims += [
                Claim(key_of(row.key), row.claims + 1, row.payload_sha256, time) for row in rows
            ]
        return claims

    def record_all_in(self, connection: Connection, done: Sequence[Done]) -> None:
        """Put attempts on record, and settle their units, all or none.

        Raises
        ------
        MismatchError
            A unit was given to somebody else meanwhile.
        """
        self._move_all(connection, [(one.claim, one.settle) for one in done])
        packed = [None if one.artefact is None else pack(one.artefact) for one in done]
        artefacts = {one.sha256: one._asdict() for one in packed if one is not None}
        insert_all_unless_there(connection, schema.artefacts, list(artefacts.values()))
        rows = [
            self._attempt_row(one.claim.key, one.claim.n, one.claim.started, one.outcome)
            | {
                "error": schema.to_column(one.error),
                "cost": None if one.cost is None else str(one.cost),
                "artefact_sha256": None if kept is None else kept.sha256,
            }
            for one, kept in zip(done, packed, strict=True)
        ]
        if rows:
            connection.execute(insert(schema.attempts), rows)

    def release_all_in(self, connection: Connection, claims: Sequence[Claim]) -> None:
        """Give units back that were not tried; no attempt is recorded."""
        self._move_all(connection, [(claim, "pending") for claim in claims])

    def release_own_in(self, connection: Connection) -> None:
        """Give back every unit that this ledger claimed and did not settle."""
        connection.execute(self._reopening().where(_U.state == "running", _U.owner == self._owner))

    def settle_all_in(self, connection: Connection, keys: Sequence[str], state: UnitState) -> None:
        """Settle those of these units that are pending, and will not be tried."""
        for some in _slices([column_of(key) for key in keys]):
            connection.execute(_SETTLE, {"of_run": self.run_id, "keys": some, "to": state})

    def settled(self) -> Iterator[Settled]:
        """Yield the units that came to an end, in the order of the plan."""
        last = and_(_A.run_id == _U.run_id, _A.key == _U.key, _A.n == _U.claims)
        query = (
            select(_U.key, _U.state, _A.outcome, _F.sha256, _F.encoding, _F.size, _F.content)
            .select_from(schema.units.outerjoin(schema.attempts, last).outerjoin(schema.artefacts))
            .where(_U.run_id == self.run_id, _U.state.in_(("done", "failed", "skipped")))
            .order_by(_U.position)
        )
        with self._database.reading() as connection:
            for row in connection.execute(query):
                held = None
                if row.sha256 is not None:
                    held = unpack(Packed(row.encoding, row.sha256, row.size, row.content))
                yield Settled(key_of(row.key), row.state, row.outcome, held)

    def _move_all(self, connection: Connection, moves: Sequence[tuple[Claim, UnitState]]) -> None:
        def kind(move: tuple[Claim, UnitState]) -> tuple[str, int]:
            return move[1], move[0].n

        for (state, n), group in groupby(sorted(moves, key=kind), key=kind):
            for some in _slices([column_of(claim.key) for claim, _ in group]):
                whose = {"of_run": self.run_id, "holder": self._owner}
                changed = connection.execute(_MOVE, whose | {"keys": some, "n": n, "to": state})
                if changed.rowcount != len(some):
                    raise MismatchError(
                        f"{len(some) - changed.rowcount:,} units are no longer this one's",
                        where=repr(schema.from_column(some[0]))[:80],
                        why="they were taken over, and would count twice",
                        fix="let one process at a time work on a run",
                    )


def _slices(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield keys in lists that every database takes as the parameters of one statement."""
    for at in range(0, len(keys), _AT_ONCE):
        yield keys[at : at + _AT_ONCE]
