"""``Verdicts``: valid replies of judges, by the hash of everything that could change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, CursorResult, delete, func, select

from veridical.errors import FileFormatError
from veridical.store import schema
from veridical.store.database import Database, insert_unless_there
from veridical.store.records import Packed, pack, unpack
from veridical.store.run import moment, written

__all__ = ["KeptVerdicts", "Verdicts"]

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
        with self._database.reading() as connection:
            return self.get_in(connection, key)

    def get_in(self, connection: Connection, key: str) -> bytes | None:
        """Do as ``get`` within a transaction that is open."""
        query = select(_V.encoding, _V.sha256, _V.size, _V.content).where(_V.key == key)
        row = connection.execute(query).one_or_none()
        if row is None:
            return None
        try:
            return unpack(Packed(row.encoding, row.sha256, row.size, row.content))
        except FileFormatError:  # asking again is safe; believing it would not be
            return None

    def put(self, key: str, reply: bytes, *, contract: str, model: str) -> bytes:
        """Keep a reply unless there is one already; return the one that is kept."""
        with self._database.writing() as connection:
            return self.put_in(connection, key, reply, contract=contract, model=model)

    def put_in(
        self, connection: Connection, key: str, reply: bytes, *, contract: str, model: str
    ) -> bytes:
        """Do as ``put`` within a transaction that is open, ``GroupCommit``'s for one."""
        row = {
            "key": key,
            "contract": contract,
            "model": schema.to_column(model),
            "created": written(datetime.now(UTC)),
            **pack(reply)._asdict(),
        }
        if insert_unless_there(connection, schema.verdicts, row):
            return reply
        kept = self.get_in(connection, key)
        if kept is not None:
            return kept
        connection.execute(delete(schema.verdicts).where(_V.key == key))  # a damaged one
        insert_unless_there(connection, schema.verdicts, row)
        return reply

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
