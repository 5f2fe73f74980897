"""Nothing is connected to but what the configuration names: of a run, and of what reads one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.rag.campaigns.world import Settings
from veridical.cli import main
from veridical.judge.serving import FaultSchedule, MockServer, in_thread

_WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
_seen: list[tuple[str, object]] | None = None


def _hook(event, arguments):
    if _seen is not None and event in _WATCHED:
        _seen.append((event, arguments))


sys.addaudithook(_hook)  # for good: there is no way to take one off


@contextmanager
def watched() -> Iterator[list[tuple[str, object]]]:
    """Write down whom this process calls."""
    global _seen  # noqa: PLW0603
    _seen = []
    try:
        yield _seen
    finally:
        _seen = None


def called(seen):
    """The addresses that were connected to, and the names that were looked up."""
    reached = {arguments[1] for event, arguments in seen if event == "socket.connect"}
    named = {arguments[0] for event, arguments in seen if event.startswith("socket.get")}
    assert not any(event == "socket.sendto" for event, _ in seen)
    return reached | (named - {"127.0.0.1"})  # an address needs no server of names


def address(server):
    return "127.0.0.1", server._port


@pytest.fixture
def call(world, tmp_path, monkeypatch, capsys):
    """Run a command of `veridical rag` on a store of this test."""
    monkeypatch.chdir(tmp_path)
    world.judge_faults.now = world.pipeline_faults.now = FaultSchedule()

    def command(*words, configured=True):
        where = ["--store", str(tmp_path / "runs.db")]
        config = ["--config", str(world.folder)] if configured else []
        code = main([*words, *config, *where])
        assert code == 0, (words, capsys.readouterr().err)

    return command


def test_what_is_static_calls_nobody(world, call):
    world.configured(Settings(kind="static", judged=False))
    with watched() as seen:
        assert main(["rag", "validate", "--config", str(world.folder)]) == 0
        call("rag", "run", "--name", "a")
        call("rag", "run", "--name", "b")
    assert called(seen) == set()


def test_a_run_calls_its_endpoints_and_reading_it_nobody(world, call):
    world.configured(Settings(kind="http"))
    with in_thread(MockServer(lambda _: "{}")) as proxy, pytest.MonkeyPatch.context() as patch:
        for name in ("http_proxy", "https_proxy", "all_proxy"):  # is for the world outside
            patch.setenv(name, proxy.base_url.removesuffix("/v1"))
        with watched() as seen:
            call("rag", "run", "--name", "a")
            call("rag", "run", "--name", "b", "--no-cache")
    assert called(seen) == {address(world.judge), address(world.pipeline)}
    with watched() as seen:
        call("rag", "rescore", "a", "--name", "c")
        call("rag", "gate", "a")
        call("rag", "compare", "a", "b", configured=False)
        call("rag", "report", "a", "--report", "a.html", "--csv", "a.csv", "--junit", "a.xml",
             configured=False)  # fmt: skip
        call("rag", "cache", configured=False)
        call("runs", "list", configured=False)
        call("runs", "export", "a", "-o", "a.runs", configured=False)
    assert called(seen) == set()


def test_what_is_elsewhere_is_called_by_the_proxy_of_the_environment_alone(world, call):
    with in_thread(MockServer(lambda _: "{}")) as proxy, pytest.MonkeyPatch.context() as patch:
        patch.setenv("http_proxy", proxy.base_url.removesuffix("/v1"))
        patch.setenv("VERIDICAL_JUDGE_BASE_URL", "http://judge.invalid/v1")
        patch.setenv("VERIDICAL_JUDGE_MODEL", "judge-1")
        world.configured(Settings(kind="static", judged=False))
        with watched() as seen:
            call("rag", "run")
    assert called(seen) == {address(proxy)}
