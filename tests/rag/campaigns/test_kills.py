"""A process that is killed at any moment leaves a run that ends with the same bytes."""

import random
import subprocess
import sys
import time
from collections import Counter

import pytest

from tests.rag.campaigns.world import Settings, World, check_conserved, summary, wait_until_idle
from veridical.errors import RunNotFoundError
from veridical.rag.running.runs import begin, resume
from veridical.store import Store

_PATIENCE_S = 60
AT_ONCE = 3
SETTINGS = Settings(copies=3, at_once=AT_ONCE, judged_at_once=AT_ONCE)


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A world in which every call takes a moment."""
    with World(tmp_path_factory.mktemp("slow"), latency_s=0.01).open() as opened:
        yield opened


def asked(world):
    """How many requests both servers got."""
    return world.judge.ledger.requests + world.pipeline.ledger.requests


def killed(world, place, words, after):
    """Start a process, and kill it when the servers got so many more requests."""
    before = asked(world)
    command = [sys.executable, "-m", "veridical", "rag", *words, "--store", place]
    process = subprocess.Popen(
        [*command, "--config", str(world.folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + _PATIENCE_S
    while process.poll() is None and asked(world) - before < after:
        assert time.monotonic() < until
        time.sleep(0.001)
    process.kill()
    process.communicate()
    for server in (world.judge, world.pipeline):
        wait_until_idle(server)


def repeated(now, before):
    """How many prompts were paid more than once."""
    return sum(n - 1 for n in (now - before).values())


def check_kills(world, place, settings, kills, draw):
    """Kill one run so many times, finish it, and hold it against one that nothing disturbed."""
    configuration = world.configured(settings)
    with Store(place) as store:
        began = asked(world)
        plain = begin(configuration, store, use_cache=False)
        of = asked(world) - began
    paid = [Counter(one.ledger.prompts) for one in (world.judge, world.pipeline)]
    no_cache = draw.choice([["--no-cache"], []])
    for n in range(kills):
        words = ["resume", "killed"] if n else ["run", "--name", "killed"]
        killed(world, place, [*words, *no_cache], draw.randrange(1, of * 3 // (4 * kills)))
    with Store(place) as store:
        state = store.load("killed").state
        assert state == "running"
        closed = resume(configuration, store, "killed", use_cache=not no_cache)
        assert closed.status == "finished"
        check_conserved(closed)
        assert summary(closed) == summary(plain)
        store.delete(["killed"])
        store.verdicts().delete()
    for one, before in zip((world.judge, world.pipeline), paid, strict=True):
        assert repeated(one.ledger.prompts, before) <= kills * settings.at_once


@pytest.mark.parametrize("kills", [1, 2])
def test_a_killed_run_goes_on(slow, tmp_path, kills):
    check_kills(slow, str(tmp_path / "runs.db"), SETTINGS, kills, random.Random(kills))


def test_a_run_that_only_was_not_closed_asks_nobody(slow, tmp_path, monkeypatch):
    configuration = slow.configured(Settings())
    with Store(tmp_path / "runs.db") as store:
        with monkeypatch.context() as patch:
            patch.setattr("veridical.rag.running.runs.close", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                begin(configuration, store, name="open", use_cache=False)
        assert store.load("open").state == "running"
        requests = asked(slow)
        closed = resume(configuration, store, "open", use_cache=False)
        assert asked(slow) == requests
        assert closed.status == "finished"
        assert summary(closed) == summary(begin(configuration, store, use_cache=False))


@pytest.mark.long
def test_fifty_kills_in_forty_runs(slow, tmp_path):
    place = str(tmp_path / "runs.db")
    for seed in range(40):
        draw = random.Random(seed)
        kills = 2 if seed % 4 == 0 else 1
        check_kills(slow, place, SETTINGS, kills, draw)


@pytest.mark.long
def test_kills_of_runs_that_keep_no_texts(slow, tmp_path):
    place = str(tmp_path / "runs.db")
    at_once = 5  # a case has five questions at most, and they are one step
    for seed in range(10):
        settings = Settings(copies=3, at_once=at_once, judged_at_once=at_once, store_text="hashed")
        check_kills(slow, place, settings, 1, random.Random(seed))


def test_a_run_that_is_not_there_cannot_go_on(slow, tmp_path):
    with Store(tmp_path / "runs.db") as store, pytest.raises(RunNotFoundError):
        resume(slow.configured(SETTINGS), store, "nothing")
