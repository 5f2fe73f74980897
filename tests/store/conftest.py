"""Stores to test on: every test that asks for ``place`` runs on a file and on a server."""

import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

import veridical as vd
from veridical.store import Store
from veridical.store.location import VARIABLE

_PATIENCE_S = 30


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, without settings from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)


def _binaries() -> Path | None:
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _unavailable(message: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach; those of pytest are for their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="veridical-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server(open_folder) -> Iterator[str]:
    """A PostgreSQL server of our own on a free port; its URL without a database."""
    binaries = _binaries()
    if binaries is None:
        _unavailable("needs PostgreSQL: apt-get install postgresql")
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    user = {"user": "postgres"} if as_root else {}  # the server refuses to run as root
    folder = open_folder
    data, log = folder / "data", folder / "log"
    words = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-sync", "-D", data]
    try:
        if as_root:
            shutil.chown(folder, "postgres")
        subprocess.run(
            [binaries / "initdb", *words], check=True, capture_output=True, cwd=folder, **user
        )
    except (OSError, subprocess.CalledProcessError, LookupError) as error:
        told = (getattr(error, "stderr", None) or str(error).encode()).decode(errors="replace")
        _unavailable(f"PostgreSQL cannot be set up: {told.strip().splitlines()[-1:]}")
    port = _free_port()
    options = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    fast = ["-c", "fsync=off", "-c", "max_connections=50"]  # a test outlives no power cut
    with log.open("wb") as lines:
        process = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-p", str(port), *options, *fast],
            stdout=lines,
            stderr=lines,
            cwd=folder,
            **user,
        )
    url = f"postgresql://postgres@127.0.0.1:{port}"
    try:
        _await(url, process, log)
        yield url
    finally:
        process.send_signal(signal.SIGQUIT)  # at once, and nothing is kept
        process.wait(_PATIENCE_S)


def _await(url: str, process: subprocess.Popen, log: Path) -> None:
    import psycopg

    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            psycopg.connect(f"{url}/postgres", connect_timeout=2).close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                _unavailable(f"PostgreSQL does not start: {log.read_text(errors='replace')[-500:]}")
            time.sleep(0.05)
        else:
            return


_NUMBERS = itertools.count()


@pytest.fixture
def database(server) -> Iterator[str]:
    """The URL of an empty part of the server's database, its schema."""
    import psycopg

    name = f"runs_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    yield f"{server}/postgres?options=-csearch_path%3D{name}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute("SET lock_timeout = 5000")
        with contextlib.suppress(psycopg.errors.LockNotAvailable):  # a test left one open
            connection.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path) -> str:
    """Where a store can be made: a file, and then a database of a server."""
    if request.param == "sqlite":
        return str(tmp_path / "runs.db")
    return request.getfixturevalue("database")


@pytest.fixture
def store(place) -> Iterator[Store]:
    """An empty store."""
    with Store(place) as opened:
        yield opened


@pytest.fixture
def file_store(tmp_path) -> Iterator[Store]:
    """An empty store in a file, for what does not depend on the database."""
    with Store(tmp_path / "runs.db") as opened:
        yield opened


ROWS = {
    "id": ["a", "b", "c", "d", "e", "f"],
    "y": [1, 0, 1, 0, 1, 0],
    "p": [0.9, 0.6, 0.4, 0.1, 0.8, 0.3],
    "q": [0.2, 0.7, 0.1, 0.3, 0.6, 0.4],
    "g": ["x", "x", "y", "y", "x", "y"],
}


@pytest.fixture(scope="session")
def ev() -> vd.Evaluation:
    """Six rows, two models, one group, a threshold and prices: every part of a document."""
    return vd.evaluate(
        ROWS,
        label="y",
        score=["p", "q"],
        id="id",
        groups="g",
        threshold=0.5,
        costs=vd.Costs(fn=850, fp=Decimal("25.10"), review=5, currency="USD"),
        policy="metric-standard",
    )
