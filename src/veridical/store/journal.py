"""``Journal``: what happened, event by event; added to, never changed, and sealed.

The hash of an event covers the hash of the one before it, so that an event that was changed, taken
out or put in is found.  (That the last ones were cut off can only be seen by who knows a later
hash: the one that is printed with each status.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, insert, select

from veridical import strict_json
from veridical.errors import FileFormatError, StoreError
from veridical.store import schema
from veridical.store.database import Database
from veridical.store.run import moment, written

__all__ = ["Event", "Journal", "journals"]

_FIRST: Final = "0" * 64

NewEvent = tuple[str, Mapping[str, Any]]
"""Its kind, and what is to be said of it."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes
    ----------
    number
        From 1, without gaps.
    created
        When it was written down, in UTC.
    kind, body
        What it is, and what is said of it: a JSON object.
    sha256
        Seal over all of it and of the event before.
    """

    number: int
    created: datetime
    kind: str
    body: Mapping[str, Any]
    sha256: str


class Journal:
    """The events of one name in a store.

    Examples
    --------
    >>> import tempfile
    >>> from veridical.store import Store
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     journal = store.journal("monitor/fraud")
    ...     _ = journal.extend(lambda before: [("seen", {"n": len(before)})])
    ...     _ = journal.extend(lambda before: [("seen", {"n": len(before)})])
    ...     [(event.number, event.kind, event.body) for event in journal.events()]
    [(1, 'seen', {'n': 0}), (2, 'seen', {'n': 1})]
    """

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self.name = name

    def events(self) -> list[Event]:
        """Return all events in their order.

        Raises
        ------
        StoreError
            One was changed, or is missing.
        """
        with self._database.reading() as connection:
            return self._read(connection)

    def extend(self, decide: Callable[[Sequence[Event]], Sequence[NewEvent]]) -> list[Event]:
        """Add events, all or none, and return those that were added.

        Parameters
        ----------
        decide
            From the events so far to those to add.  Nobody else adds any in between.

        Raises
        ------
        StoreError
            An event was changed, or is missing.
        """
        with self._database.writing() as connection:
            return self._extended(connection, decide)

    def _extended(
        self, connection: Connection, decide: Callable[[Sequence[Event]], Sequence[NewEvent]]
    ) -> list[Event]:
        before = self._read(connection)
        last = before[-1] if before else None
        added: list[Event] = []
        for kind, body in decide(before):
            number = 1 if last is None else last.number + 1
            previous = _FIRST if last is None else last.sha256
            content, created = strict_json.canonical(dict(body)), datetime.now(UTC)
            seal = _seal(self.name, number, written(created), kind, content, previous)
            connection.execute(
                insert(schema.events).values(
                    journal=schema.to_column(self.name),
                    number=number,
                    created=written(created),
                    kind=kind,
                    body=content,
                    sha256=seal,
                )
            )
            last = Event(number, created, kind, strict_json.loads(content), seal)
            added.append(last)
        return added

    def _read(self, connection: Connection) -> list[Event]:
        at = schema.events.c
        query = (
            select(at.number, at.created, at.kind, at.body, at.sha256)
            .where(at.journal == schema.to_column(self.name))
            .order_by(at.number)
        )
        found: list[Event] = []
        previous = _FIRST
        for place, row in enumerate(connection.execute(query), 1):
            seal = _seal(self.name, row.number, row.created, row.kind, row.body, previous)
            if (row.number, row.sha256) != (place, seal):
                raise self._damaged(place)
            try:
                body = strict_json.loads(row.body)
            except FileFormatError as error:
                raise self._damaged(place) from error
            found.append(Event(place, moment(row.created), row.kind, body, seal))
            previous = seal
        return found

    def _damaged(self, place: int) -> StoreError:
        return StoreError(
            f"event {place} of the journal {self.name!r} is not what was written, or is missing",
            where=self._database.location.shown,
            why="what follows from it cannot be trusted",
            fix="restore the store from a backup",
        )


def journals(database: Database) -> list[str]:
    """Return the names of all journals, sorted."""
    names = select(schema.events.c.journal).distinct()
    with database.reading() as connection:
        return sorted(schema.from_column(row.journal) or "" for row in connection.execute(names))


def _seal(name: str, number: int, created: str, kind: str, content: bytes, previous: str) -> str:
    return strict_json.sha256(
        {
            "journal": name,
            "number": number,
            "created": created,
            "kind": kind,
            "body": content.decode("utf-8", "backslashreplace"),
            "previous": previous,
        }
    )
