"""A run is saved whole or not at all: killed, crowded, on a full disk, on a locked store."""

import contextlib
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.store.processes import forked, python, said
from veridical.errors import StoreError
from veridical.store import Store, runs
from veridical.store import database as store_database
from veridical.store.drafts import draft
from veridical.store.verdicts import NewVerdict


def saving(place, name: str, times: int):
    """Return work that saves runs one after the other, and says each id when it is saved."""

    def work(say):
        store = Store(place)
        for number in range(times):
            noise = {"schema": "veridical.evaluation/1", "source": {"x": os.urandom(60_000).hex()}}
            run = draft(
                kind="evaluation",
                name=f"{name}-{number}",
                tags=[name, "all"],
                document={**noise, "results": []},
            )
            say(store.save(run).id)

    return work


def whole(store, expected: set[str]) -> None:
    """Check that a store holds at least these runs, and every run whole."""
    n_runs, damaged = store.verify()
    assert damaged == []
    found = {run.id for run in store.runs()}
    assert len(found) == n_runs
    assert expected <= found


def test_a_save_that_is_killed_at_any_moment_is_there_or_is_not(place):
    acknowledged: set[str] = set()
    Store(place).close()
    for number in range(10):
        pid, pipe = forked(saving(place, f"run-{number}", 1000))
        acknowledged.add(os.read(pipe, 22).decode().strip())  # one is saved, others follow
        time.sleep(0.003 * number)
        os.kill(pid, signal.SIGKILL)
        code, lines = said(pid, pipe)
        assert code == -signal.SIGKILL
        acknowledged |= set(lines.split())
        with Store(place) as store:
            whole(store, acknowledged)
            store.save(draft(kind="evaluation"))
    assert len(acknowledged) >= 10


@pytest.mark.parametrize("after", [0, 1, 2])
def test_killed_between_two_statements(place, after, monkeypatch):
    Store(place).close()
    real, count = runs.insert, itertools.count(1)

    def insert(table):
        if next(count) > after:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(table)

    monkeypatch.setattr(runs, "insert", insert)
    code, text = said(*forked(saving(place, "killed", 1)))
    assert code == -signal.SIGKILL, text
    with Store(place) as store:
        assert store.runs() == []
        whole(store, set())


def test_eight_processes_at_once_lose_nothing(place):
    copies = [forked(saving(place, f"writer-{number}", 4)) for number in range(8)]
    ids: set[str] = set()
    for copy in copies:
        code, text = said(*copy)
        assert code == 0, text
        ids |= set(text.split())
    assert len(ids) == 32
    with Store(place) as store:
        whole(store, ids)
        assert len(store.runs(tag="all")) == 32
        for number in range(8):
            assert len(store.runs(tag=f"writer-{number}")) == 4


def test_a_full_disk_is_reported_and_corrupts_nothing(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        kept = store.save(draft(kind="evaluation", name="kept"))
    limit = path.stat().st_size + 20_000
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "from veridical.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    data = tmp_path / "scores.csv"
    lines = [f"{os.urandom(6).hex()},{i % 2},{(i * 7919) % 1000 / 1000}" for i in range(20_000)]
    data.write_text("\n".join(["id,y,p", *lines]), encoding="utf-8")
    words = ["evaluate", data, "--label", "y", "--score", "p", "--id", "id", "--save", "too much"]
    process = python(code, *words, "--store", path)
    out, err = process.communicate()
    assert process.returncode == 65, err
    assert "ROC-AUC" in out  # what was measured is printed all the same
    assert "nothing of this was saved" in err
    assert "saved" not in err.replace("was saved", "")
    with Store(path) as store:
        whole(store, {kept.id})
        assert [run.name for run in store.runs()] == ["kept"]


def test_who_reads_on_a_full_disk_is_told_of_no_saving(tmp_path):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        store.save(draft(kind="evaluation", name="kept"))
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "from veridical.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    for words in (("runs", "list"), ("monitor", "report", "fraud")):
        process = python(code, *words, "--store", path)
        _, err = process.communicate()
        assert process.returncode == 65, err
        assert "the store could not be read or written" in err
        assert "saved" not in err


def test_a_store_that_may_not_grow_is_reported(file_store):
    kept = file_store.save(draft(kind="evaluation", name="kept"))
    with file_store._database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    text = {"schema": "veridical.evaluation/1", "source": {"x": os.urandom(200_000).hex()},
            "results": []}  # fmt: skip
    with pytest.raises(StoreError, match="no space left"):
        file_store.save(draft(kind="evaluation", document=text))
    whole(file_store, {kept.id})


def test_a_locked_store_is_waited_for_and_then_told(tmp_path):
    path = tmp_path / "runs.db"
    Store(path).close()
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with Store(path, patience_s=0.2) as store:
            with pytest.raises(StoreError, match="locked by another process"):
                store.save(draft(kind="evaluation"))
            assert store.runs() == []  # reading goes on
        other.execute("ROLLBACK")
    with Store(path) as store:
        assert store.save(draft(kind="evaluation")).sha256


def test_a_locked_server_is_waited_for_and_then_told(database):
    with Store(database) as store, Store(database, patience_s=0.2) as impatient:
        with store._database.writing():
            with pytest.raises(StoreError, match="locked by another process") as caught:
                impatient.save(draft(kind="evaluation"))
            assert caught.value.exit_code == 65
            assert impatient.runs() == []  # reading goes on
        assert impatient.save(draft(kind="evaluation")).sha256


def test_two_who_keep_the_same_things_in_another_order_take_turns(database):
    first, second = b"one" * 50, b"two" * 50
    with Store(database) as store, Store(database) as other, ThreadPoolExecutor() as threads:
        in_the_middle = threading.Event()

        def backwards():
            with other.database.writing() as connection:
                put(other, connection, "k2", second)
                in_the_middle.set()
                put(other, connection, "k1", second)

        with store.database.writing() as connection:
            put(store, connection, "k1", first)
            waiting = threads.submit(backwards)
            in_the_middle.wait(0.5)  # it never comes: the other waits for its turn
            put(store, connection, "k2", first)
        waiting.result()
        assert [store.verdicts().get(key) for key in ("k1", "k2")] == [first, first]


def test_a_writer_that_stands_still_gives_its_turn_up(database, monkeypatch):
    with Store(database) as store, Store(database) as other:

        def stand_still():
            with contextlib.ExitStack() as stack:
                with monkeypatch.context() as patched:
                    patched.setattr(store_database, "_STANDSTILL_S", 0.3)
                    connection = stack.enter_context(store.database.writing())
                put(store, connection, "k", b"lost")
                assert other.save(draft(kind="evaluation")).sha256  # after a while
                put(store, connection, "k2", b"lost")

        with pytest.raises(StoreError, match="stood still"):
            stand_still()
        assert store.verdicts().get("k") is None
        assert store.verdicts().put("k", b"kept", contract="refusal", model="judge-1") == b"kept"


@pytest.mark.parametrize("level", ["repeatable%5C%20read", "serializable"])
def test_writers_take_turns_whatever_the_default_of_the_server_is(database, level):
    place = f"{database}%20-cdefault_transaction_isolation%3D{level}"
    Store(place).close()

    def many(name):
        with Store(place) as store:
            for at in range(10):
                store.journal("shared").extend(lambda _, at=at: [("one", {"by": name, "at": at})])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(many, "abcd"))
    with Store(place) as store:
        assert len(store.journal("shared").events()) == 40


def put(store, connection, key, reply):
    new = NewVerdict(key, reply, contract="refusal", model="judge-1")
    store.verdicts().put_all_in(connection, [new])


def test_a_server_that_only_reads_is_told(database):
    Store(database).close()
    with Store(f"{database}%20-cdefault_transaction_read_only%3Don") as store:
        assert store.runs() == []
        with pytest.raises(StoreError, match="the store is read-only"):
            store.save(draft(kind="evaluation"))


def test_a_writer_waits_for_another_to_finish(tmp_path):
    path = tmp_path / "runs.db"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: (other.execute("COMMIT"), other.close()))
    release.start()
    with Store(path, patience_s=30) as store:
        store.save(draft(kind="evaluation", name="patient"))
    release.join()


def test_a_read_only_store_is_read_and_not_written(open_folder):
    path = open_folder / "read-only" / "runs.db"
    path.parent.mkdir()
    with Store(path) as store:
        store.save(draft(kind="evaluation", name="kept"))
        store.runs()
    path.chmod(0o444)
    path.parent.chmod(0o555)

    def work(say):
        os.chdir(path.parent)
        if os.geteuid() == 0:  # who may write anywhere
            os.setgid(65534)
            os.setuid(65534)
        with Store("runs.db") as store:
            say(f"{[run.name for run in store.runs()]} {store.verify()}")
            with pytest.raises(StoreError) as caught:
                store.save(draft(kind="evaluation"))
            say(caught.value.what)

    code, text = said(*forked(work))
    path.parent.chmod(0o755)
    assert code == 0, text
    assert text == "['kept'] (1, [])\nthe store is read-only\n"


def test_a_copy_of_the_file_is_a_store(file_store, tmp_path):
    run = file_store.save(draft(kind="evaluation", name="kept"))
    file_store.close()
    shutil.copy(tmp_path / "runs.db", tmp_path / "copy.db")
    with Store(tmp_path / "copy.db") as copy:
        whole(copy, {run.id})


def test_what_is_saved_needs_no_alembic_and_what_is_not_saved_no_database(tmp_path):
    code = (
        "import sys\n"
        "import veridical as vd\n"
        "ev = vd.evaluate({'y': [1, 0], 'p': [.9, .6]}, label='y', score='p')\n"
        "assert 'sqlalchemy' not in sys.modules\n"
        "ev.save(store=sys.argv[1])\n"
        "assert 'sqlalchemy' in sys.modules\n"
        "assert 'alembic' not in sys.modules\n"
        "assert 'pandas' not in sys.modules\n"
    )
    words = [sys.executable, "-c", code, tmp_path / "runs.db"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
