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
from veridical.rag.running.working import Work
from veridical.store import Store, schema
from veridical.store.ledger_batches import BatchLedger


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


def test_what_another_process_works_on_is_not_finished(world, store, monkeypatch):
    world.judge_faults.now = FaultSchedule()
    configuration = world.configured(Settings())
    plain = begin(configuration, store, use_cache=False)
    with monkeypatch.context() as patch:
        patch.setattr("veridical.rag.running.runs.close", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            begin(configuration, store, name="open", use_cache=False)
    run = store.load("open")
    other = store.ledger(run.id)
    unit = other.units("done")[-1]
    with store.database.writing() as connection:
        connection.execute(other._reopening().where(schema.units.c.key == unit))
    usual = BatchLedger.resume

    def resumed(ledger, *, retry=False):
        found = usual(ledger, retry=retry)
        other.claim()  # the other process is quicker
        return found

    monkeypatch.setattr(BatchLedger, "resume", resumed)
    closed = resume(configuration, store, "open", use_cache=False)
    assert (closed.status, closed.run.state) == ("interrupted", "interrupted")
    monkeypatch.setattr(BatchLedger, "resume", usual)
    assert summary(resume(configuration, store, "open", use_cache=False)) == summary(plain)


def test_a_signal_at_the_very_end_leaves_a_finished_run(world, store, monkeypatch):
    world.judge_faults.now = FaultSchedule()
    usual = Work.run

    async def run(work, tasks):
        await usual(work, tasks)
        work.stop.interrupt()

    monkeypatch.setattr(Work, "run", run)
    assert begin(world.configured(Settings()), store).status == "finished"
