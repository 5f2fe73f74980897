"""Two processes on one run: whichever goes on, nothing counts twice and no byte moves."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from tests.rag.campaigns.test_kills import asked, slow  # noqa: F401
from tests.rag.campaigns.world import Settings, check_conserved, summary
from veridical import strict_json
from veridical.errors import MismatchError
from veridical.judge.serving import FaultSchedule
from veridical.rag.running.runs import begin, resume
from veridical.store import Store


def check_taken_over(world, place, settings, after):
    """Let a second process take a run over after so many requests of the first."""
    world.judge_faults.now = FaultSchedule()
    configuration = world.configured(settings)
    with Store(place) as store:
        plain = begin(configuration, store, use_cache=False)

    def first():
        with Store(place) as store, suppress(MismatchError):
            begin(configuration, store, name="taken", use_cache=False)

    began = asked(world)
    with ThreadPoolExecutor(1) as thread, Store(place) as store:
        running = thread.submit(first)
        while asked(world) - began < after and not running.done():
            time.sleep(0.001)
        with suppress(MismatchError):  # it was finished already, or is now
            resume(configuration, store, "taken", use_cache=False)
        running.result()
        if store.load("taken").state != "finished":
            closed = resume(configuration, store, "taken", use_cache=False)
            assert closed.status == "finished"
            check_conserved(closed)
            assert summary(closed) == summary(plain)
        kept = store.load("taken")
        counts = store.ledger(kept.id).counts()
        assert counts["pending"] == counts["running"] == 0
        assert strict_json.canonical(kept.document) == summary(plain)
        store.delete(["taken"])


@pytest.mark.parametrize("after", [5, 40, 80])
@pytest.mark.parametrize("store_text", ["full", "hashed"])
def test_a_run_that_two_work_on(slow, tmp_path, after, store_text):  # noqa: F811
    settings = Settings(copies=2, at_once=3, judged_at_once=3, store_text=store_text)
    check_taken_over(slow, tmp_path / "runs.db", settings, after)
