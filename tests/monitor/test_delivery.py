"""Requests reach their target once in effect, or are given up and shown."""

import http.server
import importlib.util
import json
import os
import signal
import sys
import threading
import time
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import event

from tests.store.processes import forked, said
from veridical.errors import MismatchError, ParameterError
from veridical.monitor import Monitor, State, deliver, read_rules
from veridical.monitor.rules import Target
from veridical.monitor.signing import HEADER, signature
from veridical.monitor.targets import DeliveryError, send
from veridical.store import Store

SECRET = "a secret of sixteen"  # noqa: S105
PAYLOAD = {"id": "0123456789abcdef0123456789abcdef", "type": "t", "data": {"psi": 0.5}}


def column(shift, n=2_000, seed=0):
    return {"score": np.random.default_rng(seed).normal(shift, 1.0, n)}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_WEBHOOK_SECRET", SECRET)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "runs.db") as made:
        yield made


@pytest.fixture(scope="session")
def receiver_module(root):
    path = root / "examples" / "retrain-receiver" / "receiver.py"
    spec = importlib.util.spec_from_file_location("receiver", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def receiver(receiver_module, tmp_path):
    """The example receiver, running; its address, and the folder of what it took."""
    server = receiver_module.serve(0, str(tmp_path / "received"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", tmp_path / "received"
    server.shutdown()
    server.server_close()


@pytest.fixture
def answering():
    """A server that answers each post with the next status of a list, the last one for ever."""
    servers = []

    def make(*statuses, pause_s=0.0):
        seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                seen.append((dict(self.headers), body))
                time.sleep(pause_s)
                self.send_response(statuses[min(len(seen), len(statuses)) - 1])
                self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/hook", seen

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


def webhook(url, **options):
    return {"kind": "webhook", "url": url, "allow_private": True, **options}


def requested(store, **rules):
    """A monitor with a request that waits to go out."""
    monitor = Monitor(store, "fraud")
    monitor.start(column(0.0), read_rules(rules))
    monitor.observe(column(0.0, seed=1), "2026-01")
    assert monitor.observe(column(2.0, seed=2), "2026-02").state is State.RETRAIN_REQUESTED
    return monitor


class Clock:
    """A clock that is moved by sleeping."""

    def __init__(self, start):
        self.time, self.slept = start, []

    def now(self):
        return self.time

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.time += timedelta(seconds=seconds)


def test_from_drift_to_an_answer(store, receiver):
    url, folder = receiver
    monitor = requested(store, target=webhook(url))
    (attempt,) = deliver(monitor)
    assert (attempt.outcome, attempt.detail) == ("delivered", "HTTP 202")
    (file,) = folder.glob("[!.]*")
    request = json.loads(file.read_bytes())
    assert request == dict(monitor.status().requests[0].payload)
    assert request["specversion"] == "1.0"
    assert request["type"] == "veridical.retrain.requested"
    assert (request["subject"], request["data"]["column"]) == ("2026-02", "score")
    assert list(deliver(monitor)) == []
    monitor.answer("acked", actor="anna")
    assert monitor.status().state is State.COOLDOWN


def test_nothing_goes_out_before_it_is_approved(store, receiver):
    url, folder = receiver
    monitor = requested(store, target=webhook(url), approval="person")
    assert list(deliver(monitor)) == []
    monitor.approve(actor="anna")
    with pytest.raises(MismatchError, match="approval"):
        monitor.approve(actor="anna")
    assert [attempt.outcome for attempt in deliver(monitor)] == ["delivered"]
    assert len(list(folder.glob("[!.]*"))) == 1


def test_a_receiver_that_fails_for_an_hour_is_tried_again_and_then_given_up(store, answering):
    url, seen = answering(500)
    monitor = requested(
        store, target=webhook(url), attempts=5, backoff_s=60.0, longest_wait_s=900.0
    )
    clock = Clock(monitor.events()[-1].created)
    attempts = []
    for attempt in deliver(monitor, wait=True, sleep=clock.sleep, now=clock.now):
        attempts.append(attempt)
        clock.time = monitor.events()[-1].created  # attempts are dated by the real clock
    assert [one.outcome for one in attempts] == ["failed"] * 4 + ["dead"]
    assert [round(pause) for pause in clock.slept] == [60, 120, 240, 480]
    assert len({body for _, body in seen}) == 1
    status = monitor.status()
    assert (status.state, status.pending.outcome) == (State.RETRAIN_REQUESTED, "dead")
    assert list(deliver(monitor)) == []
    monitor.revive(actor="anna")
    assert status.pending.id == monitor.status().pending.id
    assert [one.number for one in deliver(monitor)] == [1]


def test_what_is_not_due_is_not_tried(store, answering):
    url, seen = answering(503, 202)
    monitor = requested(store, target=webhook(url), backoff_s=3600.0)
    assert [one.outcome for one in deliver(monitor)] == ["failed"]
    assert list(deliver(monitor)) == []
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("statuses", "pause_s", "told"),
    [((302,), 0.0, "redirects"), ((401,), 0.0, "HTTP 401"), ((202,), 3.0, "no reply")],
)
def test_what_is_no_delivery(answering, statuses, pause_s, told):
    url, seen = answering(*statuses, pause_s=pause_s)
    with pytest.raises(DeliveryError, match=told):
        send(Target(**webhook(url, timeout_s=1.0)), PAYLOAD)
    assert len(seen) == 1


def test_private_addresses_only_where_they_are_allowed(answering):
    url, seen = answering(202)
    for name in (url, url.replace("127.0.0.1", "localhost")):
        with pytest.raises(DeliveryError, match="private"):
            send(Target(**webhook(name, allow_private=False)), PAYLOAD)
    assert seen == []


def test_a_name_is_sent_as_it_was_written(answering):
    url, seen = answering(202)
    named = url.replace("127.0.0.1", "localhost")
    send(Target(**webhook(named)), PAYLOAD)
    assert seen[0][0]["host"] == named.split("/")[2]
    assert seen[0][0]["content-type"].startswith("application/cloudevents+json")


def test_without_a_secret_nothing_is_sent(answering, monkeypatch):
    url, seen = answering(202)
    monkeypatch.delenv("VERIDICAL_WEBHOOK_SECRET")
    with pytest.raises(DeliveryError, match="VERIDICAL_WEBHOOK_SECRET"):
        send(Target(**webhook(url)), PAYLOAD)
    assert seen == []


def test_a_receiver_that_is_away():
    with pytest.raises(DeliveryError, match="no reply"):
        send(Target(**webhook("http://127.0.0.1:9/")), PAYLOAD)
    with pytest.raises(DeliveryError, match="not found"):
        send(Target(**webhook("http://no-such-host.invalid/")), PAYLOAD)


@pytest.mark.parametrize(
    ("forgery", "status"), [("secret", 401), ("body", 401), ("old", 401), ("none", 401)]
)
def test_the_receiver_refuses_forgeries(receiver, forgery, status):
    import urllib.error
    import urllib.request

    url, folder = receiver
    body, now = json.dumps(PAYLOAD).encode(), int(time.time())
    header = signature(
        b"another" if forgery == "secret" else SECRET.encode(),
        b"{}" if forgery == "body" else body,
        now - 3600 if forgery == "old" else now,
    )
    headers = {} if forgery == "none" else {HEADER: header}
    request = urllib.request.Request(url, body, headers)  # noqa: S310
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)  # noqa: S310
    assert caught.value.code == status
    assert list(folder.iterdir()) == []


def test_the_receiver_takes_a_replay_once(receiver):
    url, folder = receiver
    target = Target(**webhook(url))
    assert [send(target, PAYLOAD) for _ in range(3)] == ["HTTP 202", "HTTP 200", "HTTP 200"]
    assert len(list(folder.iterdir())) == 1


def test_a_command_reads_the_request(tmp_path):
    taken = tmp_path / "taken"
    copy = f"import sys; open({str(taken)!r}, 'wb').write(sys.stdin.buffer.read())"
    target = Target(kind="command", argv=[sys.executable, "-c", copy])
    assert send(target, PAYLOAD) == "exit code 0"
    assert json.loads(taken.read_bytes()) == PAYLOAD
    failing = Target(kind="command", argv=[sys.executable, "-c", "raise SystemExit('no \x1b[1m')"])
    with pytest.raises(DeliveryError, match="exit code 1") as caught:
        send(failing, PAYLOAD)
    assert str(caught.value).isprintable()
    with pytest.raises(DeliveryError, match="cannot be started"):
        send(Target(kind="command", argv=["/no/such/command"]), PAYLOAD)
    sleeping = Target(
        kind="command", argv=[sys.executable, "-c", "import time; time.sleep(60)"], timeout_s=0.5
    )
    with pytest.raises(DeliveryError, match="no end"):
        send(sleeping, PAYLOAD)


def test_a_file_is_written_whole_and_under_its_id(tmp_path):
    send(Target(path=str(tmp_path / "out")), PAYLOAD)
    (file,) = (tmp_path / "out").iterdir()
    assert file.stem == PAYLOAD["id"]
    (tmp_path / "in the way").write_text("")
    with pytest.raises(DeliveryError, match="written"):
        send(Target(path=str(tmp_path / "in the way")), PAYLOAD)


@pytest.mark.parametrize("name", ["", " x", "a\nb", "x" * 101, "\x1b[0m"])
def test_names_are_checked(store, name):
    with pytest.raises(ParameterError):
        Monitor(store, name)


def test_a_monitor_begins_once_and_is_not_guessed(store):
    requested(store)
    with pytest.raises(MismatchError, match="there is a monitor"):
        Monitor(store, "fraud").start(column(0.0), read_rules({}))
    with pytest.raises(MismatchError, match="no monitor"):
        Monitor(store, "other").status()


def test_few_rows_say_nothing(store):
    monitor = Monitor(store, "m")
    monitor.start(column(0.0), read_rules({"min_rows": 500}))
    status = monitor.observe(column(3.0, n=400), "2026-01")
    assert (status.state, str(status.observations[0].light)) == (State.STABLE, "insufficient_data")


def cycle(path, url):
    """What a scheduler starts each month."""
    with Store(path) as store:
        monitor = Monitor(store, "fraud")
        monitor.observe(column(2.0, seed=2), "2026-02")
        list(deliver(monitor, wait=True))


def killed_at(path, url, point):
    """Run the cycle in a process that kills itself at a statement; return whether it got there."""

    def work(_):
        counted = 0

        def count(*_):
            nonlocal counted
            counted += 1
            if counted == point:
                os.kill(os.getpid(), signal.SIGKILL)

        from sqlalchemy.engine import Engine

        for moment in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, moment, count)
        cycle(path, url)

    code, told = said(*forked(work))
    assert code in {0, -signal.SIGKILL}, told
    return code != 0


def _killed_everywhere(tmp_path, receiver, points):
    url, folder = receiver
    for point in points:
        path = tmp_path / f"{point}.db"
        with Store(path) as store:
            monitor = Monitor(store, "fraud")
            rules = {"target": webhook(url), "attempts": 50, "backoff_s": 0.001}
            monitor.start(column(0.0), read_rules(rules))
        got_there = killed_at(path, url, point)
        assert killed_at(path, url, 0) is False  # the scheduler starts it again
        with Store(path) as store:
            status = Monitor(store, "fraud").status()
            assert status.state is State.DISPATCHED
            assert [one.period for one in status.observations] == ["2026-02"]
            (request,) = status.requests
            taken = [file for file in folder.glob("[!.]*") if file.stem == request.id]
            assert len(taken) == 1
            for file in taken:
                file.unlink()
        assert list(folder.glob("[!.]*")) == []
        if not got_there:
            return point
    return None


def test_killed_anywhere_there_is_one_effective_request(tmp_path, receiver):
    _killed_everywhere(tmp_path, receiver, (1, 9, 23, 37, 45, 52, 60))


@pytest.mark.long
def test_killed_at_every_statement(tmp_path, receiver):
    assert _killed_everywhere(tmp_path, receiver, range(1, 400)) is not None


def test_two_schedulers_at_once_make_one_request(tmp_path, receiver):
    url, folder = receiver
    path = tmp_path / "runs.db"
    with Store(path) as store:
        Monitor(store, "fraud").start(column(0.0), read_rules({"target": webhook(url)}))
    copies = [forked(lambda _: cycle(path, url)) for _ in range(4)]
    assert [said(*copy)[0] for copy in copies] == [0] * 4
    with Store(path) as store:
        status = Monitor(store, "fraud").status()
    assert (len(status.requests), status.state) == (1, State.DISPATCHED)
    assert len(list(folder.glob("[!.]*"))) == 1
