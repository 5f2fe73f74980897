"""Connections and transactions: one writer at a time, all or nothing, clear errors."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from veridical.errors import StoreError, StoreUnreachableError
from veridical.extras import not_installed
from veridical.store.location import DEFAULT, Location

__all__ = ["PATIENCE_S", "Database", "insert_all_unless_there", "insert_unless_there"]

PATIENCE_S: Final = 30.0
"""How long a transaction waits for another one's to end."""

_WRITING = "veridical_writing"

_STANDSTILL_S = 15.0
"""How long a writer on a server may do nothing: others wait for it, and longer than that."""

# Held to the end of a transaction; the first number is ours, the second the store's own schema.
_WRITE_LOCK: Final = (
    "SELECT set_config('idle_in_transaction_session_timeout', '{:.0f}', true),"
    " pg_advisory_xact_lock(1936614252, hashtext(coalesce(current_schema(), '')))"
)


class Database:
    """A place to keep runs, and how to read and write there.

    Parameters
    ----------
    location
        The place.
    create
        Whether to make a file that is not there.
    patience_s
        How long to wait for other writers, in seconds.
    """

    def __init__(
        self, location: Location, *, create: bool = True, patience_s: float = PATIENCE_S
    ) -> None:
        self.location = location
        self.patience_s = patience_s
        if location.path is None:
            self.engine = _server_engine(location, patience_s)
        else:
            self.engine = self._file_engine(_checked_path(location.path, create=create))

    @property
    def is_file(self) -> bool:
        """Whether it is a file of SQLite."""
        return self.location.path is not None

    def close(self) -> None:
        """Close what is open; a later use opens it again."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that sees one state of the store."""
        with self._translated(), self.engine.connect() as connection:
            if not self.is_file:
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection whose changes all happen at the end of the block, or none does.

        Nobody else writes to the store in between.
        """
        with self._translated(saving=True), self.engine.connect() as plain:
            connection = plain.execution_options(**{_WRITING: True})
            if not self.is_file:  # whatever the server's default: what others wrote is to be seen
                connection.execution_options(isolation_level="READ COMMITTED")
            with connection.begin():
                if not self.is_file:
                    # Rows alone would do, were they always written in one order: what runs share
                    # (verdicts, artefacts) comes as it comes, and two writers would deadlock.
                    connection.exec_driver_sql(_WRITE_LOCK.format(1000 * _STANDSTILL_S))
                yield connection

    def _file_engine(self, path: Path) -> Engine:
        target = _uri(path)

        def connect() -> sqlite3.Connection:
            opened = sqlite3.connect(
                target,
                uri=True,
                timeout=self.patience_s,
                isolation_level=None,  # transactions begin and end where we say
                check_same_thread=False,
            )
            opened.execute("PRAGMA foreign_keys = ON")
            opened.execute("PRAGMA synchronous = FULL")
            return opened

        engine = create_engine("sqlite+pysqlite://", creator=connect, poolclass=QueuePool)
        event.listen(engine, "begin", _begin)
        return engine

    @contextmanager
    def _translated(self, *, saving: bool = False) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._told(error.orig, saving=saving) from error
        except sqlite3.Error as error:
            raise self._told(error, saving=saving) from error
        except SQLAlchemyError as error:  # a pool without a free connection, for one
            raise StoreError(
                f"the store cannot be used: {_first_line(error)}",
                where=self.location.shown,
                fix="try again when less is written to it, or name another store",
            ) from error

    def _told(self, error: BaseException | None, *, saving: bool) -> StoreError:
        where, why = self.location.shown, _first_line(error)
        state = getattr(error, "sqlstate", None)
        gone = state is None or state.startswith(("08", "28", "3D", "57P"))
        kinds = {kind.__name__ for kind in type(error).__mro__}  # psycopg may not be installed
        if "OperationalError" in kinds and not self.is_file and gone:
            return StoreUnreachableError(
                f"the store's server cannot be reached: {why}",
                where=where,
                fix="start the server, or correct --store (VERIDICAL_STORE)",
            )
        for code, (what, fix) in _KNOWN.items():
            if code in {state, getattr(error, "sqlite_errorname", "")[: len(code)]}:
                # Reading takes space too: SQLite writes down who reads.
                lost = "; nothing of this was saved" if saving and code in _UNSAVED else ""
                return StoreError(f"{what}{lost}", where=where, why=why, fix=fix)
        return StoreError(
            f"the store refused: {why}",
            where=where,
            fix="check the store with `veridical runs verify`",
        )

    def use_wal(self) -> None:
        """Let readers go on while one writes; the file remembers it.

        Changing this needs the file for oneself, and SQLite does not always wait for that.
        """
        if not self.is_file:
            return
        end = time.monotonic() + self.patience_s
        with self._translated():
            raw = self.engine.raw_connection()
            try:
                cursor: Any = raw.cursor()
                while cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                    try:
                        cursor.execute("PRAGMA journal_mode = WAL").fetchone()
                    except sqlite3.OperationalError:
                        if time.monotonic() > end:
                            raise
                        time.sleep(0.01)
                    else:
                        return
            finally:
                raw.close()


_LOCKED = (
    "the store is locked by another process",
    "wait until that is done, and run it again",
)
_FULL = (
    "there is no space left for the store",
    "free space, or choose another place with --store",
)
_READ_ONLY = (
    "the store is read-only",
    "change its permissions and those of its folder, or choose another place with --store",
)
_KNOWN: Final = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_FULL": _FULL,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_IOERR": (
        "the store could not be read or written",
        "free space, check the disk, or choose another place with --store",
    ),
    "SQLITE_NOTADB": (
        "this is no store: the file is something else",
        "name another file with --store",
    ),
    "SQLITE_CORRUPT": (
        "the store is damaged",
        "take a copy from before, or import what was exported",
    ),
    "SQLITE_CANTOPEN": (
        "the store cannot be opened",
        "check that its folder exists, and the permissions",
    ),
    "SQLITE_TOOBIG": (
        "the run is larger than a store of this kind can hold",
        "save it without --id, or use PostgreSQL",
    ),
    "55P03": _LOCKED,
    "40P01": _LOCKED,  # a deadlock, with somebody else's program: ours take turns
    "40001": _LOCKED,
    "25P03": (
        f"the server ended a transaction that stood still for {_STANDSTILL_S:g} s",
        "run it again",
    ),
    "3F000": (
        "the database has no schema to write to",
        "create it, or correct search_path in --store",
    ),
    "53100": _FULL,
    "25006": _READ_ONLY,
    "42501": _READ_ONLY,
}
"""What SQLite calls an error, or the beginning of it; PostgreSQL's code of it; and what we say."""

_UNSAVED: Final = frozenset({"SQLITE_FULL", "SQLITE_IOERR", "53100"})
"""Errors after which whoever saves must know that all of it is lost."""


_COUNTED: Final = {"preserve_rowcount": True}
"""Without it nobody knows afterwards how many rows an INSERT wrote on PostgreSQL."""


def insert_unless_there(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless its key is there, whoever else inserts it; return whether it was new."""
    statement = _unless_there(connection, table)
    return connection.execute(statement, row, execution_options=_COUNTED).rowcount == 1


def insert_all_unless_there(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
) -> int:
    """Insert those rows whose keys are not there; return how many that were."""
    if not rows:
        return 0
    statement = _unless_there(connection, table)
    return connection.execute(statement, list(rows), execution_options=_COUNTED).rowcount


def _unless_there(connection: Connection, table: Table) -> Any:
    kind: Any
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql as kind
    else:
        from sqlalchemy.dialects import sqlite as kind
    return kind.insert(table).on_conflict_do_nothing()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITING, False)
    # Immediate: two transactions that read first and write later would deadlock.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _uri(path: Path) -> str:
    """Return what SQLite opens; where nothing can be written, it must not try to."""
    target = f"file:{quote(os.fsencode(path.absolute()))}"
    log = Path(f"{path}-wal")
    if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        unmerged = log.exists() and log.stat().st_size > 0
        return f"{target}?mode=ro" if unmerged else f"{target}?mode=ro&immutable=1"
    return target


def _checked_path(path: Path, *, create: bool) -> Path:
    where = str(path)
    try:
        if path.is_dir():
            raise StoreError(
                "the store is a folder", where=where, fix=f"name a file, such as {path / 'runs.db'}"
            )
        if path.exists():
            if not path.is_file():
                raise StoreError(
                    "the store is not a regular file", where=where, fix="name another file"
                )
            return path
        if not create:
            raise StoreError(
                "there is no store",
                where=where,
                fix="keep a run first: `veridical evaluate --save`, or `veridical rag run`",
            )
        if path.parent == DEFAULT.parent:
            path.parent.mkdir(exist_ok=True)
        if not path.parent.is_dir():
            raise StoreError(
                "the folder of the store does not exist",
                where=str(path.parent),
                fix=f"create it: mkdir -p {path.parent}",
            )
    except (OSError, ValueError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(
            f"no store can be there: {getattr(error, 'strerror', None) or error}",
            where=ascii(where)[:80],
            fix="choose another place with --store",
        ) from error
    return path


def _server_engine(location: Location, patience_s: float) -> Engine:
    try:
        engine = create_engine(
            location.url, pool_pre_ping=True, connect_args={"connect_timeout": 10}
        )
    except ImportError as error:
        raise not_installed("psycopg", "postgres") from error

    def be_patient(opened: Any, _record: object) -> None:
        with opened.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(patience_s * 1000)}")
        opened.commit()

    event.listen(engine, "connect", be_patient)
    return engine


def _first_line(error: object) -> str:
    return str(error).strip().partition("\n")[0][:200]
