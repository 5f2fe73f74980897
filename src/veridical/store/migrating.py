"""Bringing a store to the newest schema: made new, migrated, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, inspect, select

from veridical.errors import StoreError
from veridical.store.database import Database
from veridical.store.schema import HEAD, MIGRATIONS, PREFIX, metadata, versions

__all__ = ["FOLDER", "migrate", "prepare", "version_of"]

FOLDER: Final = Path(__file__).parent / "migrations"


def prepare(database: Database) -> None:
    """Make the tables of a new store, migrate those of an older one.

    Raises
    ------
    StoreError
        It was written by a newer version, or is the database of something else.
    """
    with database.reading() as connection:
        if version_of(connection, database) == HEAD:
            return
    database.use_wal()
    with database.writing() as connection:
        found = version_of(connection, database)  # another process may have been here first
        if found is None:
            metadata.create_all(connection)
            connection.execute(versions.insert().values(version_num=HEAD))
        elif found != HEAD:
            migrate(connection)


def version_of(connection: Connection, database: Database) -> str | None:
    """Return the version of the schema; None where there are no tables yet.

    Raises
    ------
    StoreError
        There are tables, and they are not ours; or ours of a version that is not known here.
    """
    names = set(inspect(connection).get_table_names())
    where = database.location.shown
    if versions.name not in names:
        others = sorted(names if database.is_file else {n for n in names if n.startswith(PREFIX)})
        if others:
            raise StoreError(
                f"this is the database of something else: it has the table {others[0]!r}"[:200],
                where=where,
                why="nothing of it may be overwritten",
                fix="name another place with --store",
            )
        return None
    found = connection.execute(select(versions.c.version_num)).scalars().all()
    if len(found) != 1 or found[0] not in MIGRATIONS:
        raise StoreError(
            f"the store has schema version {', '.join(map(ascii, found))[:40] or 'none'}; "
            f"this veridical knows {MIGRATIONS[0]} to {HEAD}",
            where=where,
            why="a newer version of veridical wrote it",
            fix="install a newer veridical",
        )
    return str(found[0])


def migrate(connection: Connection, target: str = HEAD) -> None:
    """Run the migrations up to ``target`` inside the transaction of ``connection``."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)

    def steps(revision: Any, _context: Any) -> Any:
        return scripts._upgrade_revs(target, revision)  # noqa: SLF001 - as Alembic's command does

    with EnvironmentContext(config, scripts, fn=steps) as environment:
        environment.configure(connection=connection, version_table=versions.name)
        environment.run_migrations()
