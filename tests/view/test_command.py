"""`veridical view`: where it listens, how it ends, and what it says when it cannot begin."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from veridical.cli import main
from veridical.store import Store
from veridical.store.drafts import draft
from veridical.view.server import DEFAULT_PORT, Door, listen

PATIENCE_S = 30


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A store with one run, in the folder that commands run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_STORE", raising=False)
    with Store(tmp_path / "runs.db") as store:
        store.save(draft(kind="bench", name="kept"))
    return tmp_path / "runs.db"


def command(*words, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("VERIDICAL")}
    return subprocess.Popen(
        [sys.executable, "-m", "veridical", "view", "--no-browser", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment | variables,
    )


def ask(origin, path, **headers):
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=PATIENCE_S)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()


@pytest.mark.parametrize("variable", [True, False])
def test_it_listens_on_this_machine_and_ends_with_ctrl_c(place, variable):
    where = {"VERIDICAL_STORE": str(place)} if variable else {}
    words = [] if variable else ["--store", str(place)]
    process = command("--port", "0", *words, **where)
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        origin, _, token = address.partition("/?token=")
        assert len(token) >= 32
        status, headers, _ = ask(origin, f"/?token={token}")
        assert status == 303
        cookie = headers["set-cookie"].split(";")[0]
        status, headers, page = ask(origin, "/", Cookie=cookie)
        assert status == 200
        assert "kept" in page
        assert "server" not in headers
        assert ask(origin, "/")[0] == 403
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 0
    assert out == ""
    # Names of runs, and the token, stand in addresses: nothing of them is logged.
    assert "GET" not in err
    assert token not in err
    assert "Ctrl-C ends it" in err


def test_a_token_is_drawn_anew_for_each_viewer():
    doors = [Door(0), Door(0)]
    secrets = {door.token for door in doors} | {door.once for door in doors}
    assert len(secrets) == 4
    assert len({door.port for door in doors}) == 2
    for door in doors:
        assert door.socket.getsockname()[0] == "127.0.0.1"
        assert door.once not in door.address
        door.socket.close()


def test_the_usual_port_gives_way_where_it_is_taken():
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", DEFAULT_PORT))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which is as good
        with listen(None) as other:
            assert other.getsockname()[1] != DEFAULT_PORT


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(place, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["view", "--no-browser", "--store", str(place), "--port", str(port)]) == 64
    err = capsys.readouterr().err
    assert f"port {port} of 127.0.0.1 cannot be used: Address already in use" in err
    assert "leave --port out" in err


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_is_a_number(place, capsys, port):
    assert main(["view", "--no-browser", "--store", str(place), "--port", port]) == 64
    assert port in capsys.readouterr().err


def test_a_store_that_is_not_there_says_how_to_make_one(place, capsys):
    assert main(["view", "--no-browser", "--store", "nowhere.db"]) == 65
    err = capsys.readouterr().err
    assert "there is no store (nowhere.db)" in err
    assert "--save" in err
    assert not (place.parent / "nowhere.db").exists()


def test_a_file_that_is_no_store_is_refused(place, capsys):
    other = place.parent / "other.db"
    other.write_bytes(b"something else entirely, and long enough to be read as a page" * 20)
    assert main(["view", "--no-browser", "--store", str(other)]) == 65
    assert "no store" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_one_sentence_says_what_to_install(place, capsys, monkeypatch, missing):
    for name in [n for n in sys.modules if n.split(".")[0] == missing or "veridical.view" in n]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["view", "--no-browser", "--store", str(place)]) == 69
    err = capsys.readouterr().err
    assert f"{missing} is not installed" in err
    assert "pip install 'starlette>=0.40' 'uvicorn>=0.30'" in err


def test_the_viewer_is_on_the_path_of_no_other_command(place):
    words = (
        "import sys\n"
        "from veridical.cli import main\n"
        "main(['runs', 'list', '--store', sys.argv[1]])\n"
        "main(['view', '--help'])\n"
        "print(sorted({'starlette', 'uvicorn', 'jinja2'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", words, str(place)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "kept" in done.stdout
    assert "Ctrl-C ends it" in " ".join(done.stdout.split())
