"""``Verdicts``: valid replies of judges, by the hash of everything that could change them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, CursorResult, delete, func, select

from veridical.errors import FileFormatError
from veridical.store import schema
from veridical.store.database import Database, insert_all_unless_there
from veridical.store.records import Packed, pack, unpack
from veridical.store.run import moment, written

__all__ = ["KeptVerdicts", "NewVerdict", "Verdicts"]

_AT_ONCE = 500
_V = schema.verdicts.c


@dataclass(frozen=True, slots=True)
class KeptVerdicts:
    """How many replies are kept of one contract and model.

    Attributes
    ----------
    contract, model
        What was asked, and of whom.
    n
        How many replies.
    size
        Their bytes, compressed.
    oldest, newest
        When they were given, in UTC.
    """

    contract: str
    model: str
    n: int
    size: int
    oldest: datetime
    newest: datetime


@dataclass(frozen=True, slots=True)
class NewVerdict:
    """A reply to be kept: under which key, and to what and by whom it was given."""

    key: str
    reply: bytes
    contract: str
    model: str


class Verdicts:
    """The replies in a store.  ``Store.verdicts()`` makes it.

    Examples
    --------
    >>> import tempfile
    >>> from veridical.store import Store
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     verdicts = store.verdicts()
    ...     verdicts.put("key", b"first", contract="refusal", model="judge-1")
    ...     verdicts.put("key", b"second", contract="refusal", model="judge-1")
    ...     verdicts.get("key"), verdicts.get("another key"), verdicts.delete()
    b'first'
    b'first'
    (b'first', None, 1)
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> bytes | None:
        """Return the reply that is kept under a key; None where there is none that is whole."""
        return self.get_all([key]).get(key)

    def get_all(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the replies that are kept, and whole, by their keys."""
        with self._database.reading() as connection:
            return self._found(connection, keys)

    def put(self, key: str, reply: bytes, *, contract: str, model: str) -> bytes:
        """Keep a reply unless there is one already; return the one that is kept."""
        with self._database.writing() as connection:
            return self.put_all_in(connection, [NewVerdict(key, reply, contract, model)])[0]

    def put_all_in(self, connection: Connection, new: Sequence[NewVerdict]) -> list[bytes]:
        """Do as ``put`` for many within a transaction that is open, ``GroupCommit``'s for one."""
        rows = [_row(one) for one in {one.key: one for one in reversed(new)}.values()]
        if insert_all_unless_there(connection, schema.verdicts, rows) == len(new):
            return [one.reply for one in new]
        kept = self._found(connection, [one.key for one in new])
        damaged = [row for row in rows if row["key"] not in kept]
        if damaged:
            keys = [row["key"] for row in damaged]
            connection.execute(delete(schema.verdicts).where(_V.key.in_(keys)))
            insert_all_unless_there(connection, schema.verdicts, damaged)
        return [kept.setdefault(one.key, one.reply) for one in new]

    def _found(self, connection: Connection, keys: Sequence[str]) -> dict[str, bytes]:
        columns = (_V.key, _V.encoding, _V.sha256, _V.size, _V.content)
        found: dict[str, bytes] = {}
        for at in range(0, len(keys), _AT_ONCE):
            query = select(*columns).where(_V.key.in_(keys[at : at + _AT_ONCE]))
            for row in connection.execute(query):
                # Asking again is safe; believing a damaged reply would not be.
                with suppress(FileFormatError):
                    found[row.key] = unpack(Packed(row.encoding, row.sha256, row.size, row.content))
        return found

    def kept(self) -> list[KeptVerdicts]:
        """Return what is kept, by contract and model."""
        query = (
            select(
                _V.contract,
                _V.model,
                func.count(),
                func.sum(func.length(_V.content)),
                func.min(_V.created),
                func.max(_V.created),
            )
            .group_by(_V.contract, _V.model)
            .order_by(_V.contract, _V.model)
        )
        with self._database.reading() as connection:
            rows: Sequence[Any] = connection.execute(query).all()
        return [
            KeptVerdicts(
                contract,
                schema.from_column(model) or "",
                n,
                int(size),
                moment(oldest),
                moment(newest),
            )
            for contract, model, n, size, oldest, newest in rows
        ]

    def delete(self, *, older_than: timedelta | None = None, model: str | None = None) -> int:
        """Delete replies and return how many: all, or those that are older, or of one model."""
        wanted: list[ColumnElement[bool]] = []
        if older_than is not None:
            wanted.append(_V.created < written(datetime.now(UTC) - older_than))
        if model is not None:
            wanted.append(_V.model == schema.to_column(model))
        with self._database.writing() as connection:
            gone = connection.execute(delete(schema.verdicts).where(*wanted))
        return cast("CursorResult[Any]", gone).rowcount


def _row(new: NewVerdict) -> dict[str, Any]:
    return {
        "key": new.key,
        "contract": new.contract,
        "model": schema.to_column(new.model),
        "created": written(datetime.now(UTC)),
        **pack(new.reply)._asdict(),
    }
