"""Stores of other versions: migrated, or refused before anything is written."""

import gc
import os
import signal
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import inspect

from tests.store.processes import forked, said
from veridical.errors import ParameterError, StoreError, StoreUnreachableError
from veridical.store import Store
from veridical.store.database import Database
from veridical.store.drafts import draft
from veridical.store.location import locate
from veridical.store.migrating import FOLDER, migrate, prepare
from veridical.store.records import pack, result_rows, run_row, seal
from veridical.store.schema import HEAD, MIGRATIONS, metadata, parts, runs, tags


def old_store(place, version="0001") -> Database:
    """A store as the migrations up to ``version`` leave it."""
    database = Database(locate(place))
    database.use_wal()
    with database.writing() as connection:
        migrate(connection, version)
    return database


def old_run(database):
    """A run in a store of version 1, written as that version wrote it."""
    run = draft(kind="evaluation", name="old", tags=["kept"])
    packed = {name: pack(content) for name, content in run.parts.items()}
    run = replace(run, sha256=seal(run, {name: one.sha256 for name, one in packed.items()}))
    with database.writing() as connection:
        connection.execute(runs.insert().values(run_row(run)))
        connection.execute(tags.insert().values(run_id=run.id, tag="kept"))
        assert not result_rows(run)
        for name, one in packed.items():
            connection.execute(parts.insert().values(run_id=run.id, name=name, **one._asdict()))
    return run


def tables(database) -> set[str]:
    with database.reading() as connection:
        return set(inspect(connection).get_table_names())


def test_every_version_has_its_migration():
    files = sorted(path.name for path in (FOLDER / "versions").glob("v*.py"))
    assert [name[1:5] for name in files] == list(MIGRATIONS)
    assert MIGRATIONS[-1] == HEAD
    assert len(MIGRATIONS) >= 2


def test_migrations_lead_to_the_tables_of_a_new_store(place):
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    database = old_store(place, HEAD)
    with database.reading() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": "veridical_version", "compare_type": True}
        )
        found = compare_metadata(context, metadata)
    database.close()
    # Alembic does not see its own table of versions, which is ours to make.
    versions = metadata.tables["veridical_version"]
    assert [one for one in found if one != ("add_table", versions)] == []


def test_a_store_of_the_first_version_is_migrated_and_keeps_its_runs(place):
    database = old_store(place)
    assert "veridical_unit" not in tables(database)
    run = old_run(database)
    database.close()
    with Store(place) as store:
        assert store.load("old").parts == run.parts
        assert store.load("old").tags == ("kept",)
        assert store.verify() == (1, [])
        begun = store.save(draft(kind="bench", state="running"))
        assert store.ledger(begun.id).plan({"a": "h"}) == 1
        assert "veridical_unit" in tables(store._database)


def test_many_processes_migrate_one_store_once(place):
    database = old_store(place)
    old_run(database)
    database.close()
    failures: list[BaseException] = []

    def work():
        try:
            with Store(place) as store:
                store.save(draft(kind="evaluation"))
        except BaseException as error:  # noqa: BLE001 - told in the main thread
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Store(place) as store:
        assert len(store.runs()) == 5


def test_a_migration_that_is_killed_leaves_the_old_version(place):
    database = old_store(place)
    old_run(database)
    database.close()

    def work(_say):
        own = Database(locate(place))
        with own.writing() as connection:
            migrate(connection)
            os.kill(os.getpid(), signal.SIGKILL)

    code, text = said(*forked(work))
    assert code == -signal.SIGKILL, text
    assert "veridical_unit" not in tables(database)
    database.close()
    with Store(place) as store:
        assert store.load("old").name == "old"


def test_a_new_store_that_is_killed_half_made_is_made_by_the_next(place, monkeypatch):
    real = metadata.create_all

    def work(_say):
        def create_all(connection):
            real(connection)
            os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(metadata, "create_all", create_all)
        Store(place)

    code, text = said(*forked(work))
    assert code == -signal.SIGKILL, text
    with Store(place) as store:
        assert store.runs() == []
        store.save(draft(kind="evaluation"))
        assert store.verify() == (1, [])


def test_a_newer_version_is_refused_and_nothing_is_written(place):
    with Store(place) as store:
        store.save(draft(kind="evaluation", name="future"))
        with store._database.writing() as connection:
            connection.exec_driver_sql("UPDATE veridical_version SET version_num = '0099'")
    with pytest.raises(StoreError, match="schema version '0099'") as caught:
        Store(place)
    assert "a newer veridical" in caught.value.fix
    assert caught.value.exit_code == 65


def test_a_store_that_is_refused_leaves_nothing_open(place):
    with Store(place) as store, store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE veridical_version SET version_num = '0099'")
    gc.collect()
    before = set(Path("/dev/fd").iterdir())
    with pytest.raises(StoreError, match="schema version '0099'"):
        Store(place)
    assert set(Path("/dev/fd").iterdir()) <= before


def test_the_database_of_something_else_is_refused(tmp_path):
    path = tmp_path / "mail.db"
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE letters (text)")
        theirs.execute("INSERT INTO letters VALUES ('dear')")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"database of something else.*'letters'"):
        Store(path)
    assert path.read_bytes() == before
    assert not (tmp_path / "mail.db-wal").exists()


def test_tables_of_others_on_a_server_are_left_alone(database):
    place = Database(locate(database))
    with place.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE run (id int)")
    with Store(database) as store:
        store.save(draft(kind="evaluation"))
        assert "run" in tables(place)
    with place.writing() as connection:
        connection.exec_driver_sql("DROP TABLE veridical_version")
    with pytest.raises(StoreError, match="something else"):
        prepare(place)
    place.close()


@pytest.mark.parametrize(
    "content",
    [b"not a database, but long enough to be one" * 50, b"SQLite format 3\0" + b"x" * 2000],
)
def test_a_file_of_garbage_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "runs.db"
    path.write_bytes(content)
    with pytest.raises(StoreError):
        Store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["a?b#c%20.db", "it's.db", "\N{GRINNING FACE}.db", " x .db"])
def test_any_name_of_a_file_is_that_file(tmp_path, name):
    with Store(tmp_path / name) as store:
        store.save(draft(kind="evaluation"))
    assert (tmp_path / name).is_file()
    assert {path.name for path in tmp_path.iterdir()} == {name}


def test_an_empty_file_is_a_new_store(tmp_path):
    (tmp_path / "runs.db").touch()
    with Store(tmp_path / "runs.db") as store:
        assert store.runs() == []


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (".", "the store is a folder"),
        ("no/such/folder/runs.db", "folder of the store does not exist"),
        ("/dev/null", "not a regular file"),
        ("x" * 5000, "no store can be there"),
    ],
)
def test_places_where_no_store_can_be(where, told):
    with pytest.raises(StoreError, match=told) as caught:
        Store(where)
    assert caught.value.exit_code == 65


@pytest.mark.parametrize("where", ["", " ", "a\0b", "mysql://x/y", "postgresql://h:port/x"])
def test_what_names_no_place(where):
    with pytest.raises(ParameterError):
        locate(where)


def test_reading_makes_no_store(tmp_path):
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "runs.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer():
    with pytest.raises(StoreUnreachableError, match="cannot be reached") as caught:
        Store("postgresql://user:hunter2@127.0.0.1:1/runs")
    assert caught.value.exit_code == 69
    assert "hunter2" not in str(caught.value)


def test_a_password_is_never_shown():
    location = locate(
        "postgresql://me:hunter2@db.example:5432/runs?password=hunter2&sslmode=require"
    )
    assert "hunter2" not in location.shown
    assert "hunter2" in location.url
