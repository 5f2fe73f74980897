"""A store that takes no more: the run stops with an error, and goes on when there is room."""

from contextlib import suppress

import pytest

from tests.rag.campaigns.world import Settings, check_conserved, summary
from veridical.errors import RunNotFoundError, StoreError
from veridical.judge.serving import FaultSchedule
from veridical.rag.running.runs import begin, resume


def check_full_at(world, store, settings, nth):
    """Let every write from the nth on fail; return whether there was one."""
    world.judge_faults.now = FaultSchedule()
    configuration = world.configured(settings)
    usual, left = store.database.writing, nth

    def writing():
        nonlocal left
        left -= 1
        if left < 0:
            raise StoreError("the disk is full; nothing of this was saved")
        return usual()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.database, "writing", writing)
        with suppress(StoreError):
            begin(configuration, store, name="full", use_cache=False)
    try:
        run = store.load("full")
    except RunNotFoundError:  # there was no room for a run at all
        return left < 0
    if run.state != "finished":
        assert left < 0
        closed = resume(configuration, store, "full", use_cache=False)
        assert closed.status == "finished"
        check_conserved(closed)
        assert summary(closed) == summary(begin(configuration, store, use_cache=False))
    store.delete(["full"])
    return left < 0


@pytest.mark.parametrize("nth", [0, 1, 2, 5, 13])
@pytest.mark.parametrize("store_text", ["full", "hashed"])
def test_a_full_disk_stops_a_run_that_goes_on_later(world, store, nth, store_text):
    assert check_full_at(world, store, Settings(store_text=store_text), nth)


@pytest.mark.long
def test_the_disk_may_be_full_at_every_write(world, store):
    nth = 0
    while check_full_at(world, store, Settings(judged_at_once=3), nth):
        nth += 1
    assert nth > 20
