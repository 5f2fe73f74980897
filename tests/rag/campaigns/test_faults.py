"""Whatever goes wrong on the way: what comes through in the end is the same to the byte."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.rag.campaigns.world import (
    JUDGE_FAULTS,
    PIPELINE_FAULTS,
    SLOW,
    Settings,
    be_patient,
    calm,
    check_conserved,
    passing,
    summary,
    wait_until_idle,
)
from veridical.errors import MismatchError
from veridical.judge.serving import FaultSchedule
from veridical.rag.comparing import compare_rag
from veridical.rag.running.runs import begin
from veridical.store import Store


def run(world, store, settings, judge=None, pipeline=None, *, use_cache=True):
    """A whole run under schedules of faults; None for nothing that goes wrong."""
    world.judge_faults.now = judge or FaultSchedule()
    world.pipeline_faults.now = pipeline or FaultSchedule()
    be_patient(world.judge_faults.now, world.pipeline_faults.now)
    closed = begin(world.configured(settings), store, use_cache=use_cache)
    check_conserved(closed)
    return closed


def faults_met(world):
    return world.judge.ledger.faults + world.pipeline.ledger.faults


def check_schedule(world, store, seed) -> Counter[str]:
    """Check one schedule under settings of its own; return the faults that were met."""
    judge, pipeline = passing(JUDGE_FAULTS, seed), passing(PIPELINE_FAULTS, seed)
    settings = Settings.drawn(seed)
    if SLOW & {fault.kind for fault in (*judge.faults, *pipeline.faults)}:
        settings = calm(settings)
    for server in (world.judge, world.pipeline):
        wait_until_idle(server)
        server.ledger.most_at_once = 0
    plain = run(world, store, settings, use_cache=False)
    assert plain.status == "finished"
    assert world.judge.ledger.most_at_once <= settings.judged_at_once
    assert world.pipeline.ledger.most_at_once <= settings.at_once
    assert all(result.counts["n_errors"] == 0 for result in plain.evaluation.results)
    before = faults_met(world)
    faulty = run(world, store, settings, judge, pipeline)
    met = faults_met(world) - before
    assert summary(faulty) == summary(plain), seed
    if settings.store_text == "full":
        requests = world.judge.ledger.requests
        warm = run(world, store, settings, judge, pipeline)
        assert world.judge.ledger.requests == requests  # all of it was kept
        assert summary(warm) == summary(plain), seed
    store.verdicts().delete()
    return met


@pytest.mark.parametrize("seed", range(6))
def test_a_schedule_moves_no_byte(world, store, seed):
    assert check_schedule(world, store, seed)


@pytest.mark.long
def test_two_hundred_schedules_move_no_byte(world, store):
    met: Counter[str] = Counter()
    for seed in range(200):
        met += check_schedule(world, store, seed)
    assert met.keys() == {*JUDGE_FAULTS, *PIPELINE_FAULTS}


def test_every_pipeline_gives_the_same_values(world, store):
    kinds = ("static", "python", "http")
    closed = [run(world, store, Settings(kind=kind), use_cache=False) for kind in kinds]
    values = [
        [(str(r.metric), r.group, r.to_dict()["value"], r.counts) for r in one.evaluation.results]
        for one in closed
    ]
    assert values[0] == values[1] == values[2]
    states = {o.state for r in closed[0].evaluation.records for o in r.outcomes.values()}
    assert states == {"scored", "skipped", "not_applicable"}
    assert len(closed[0].evaluation.records[0].outcomes) == 13


def check_together(world, place):
    """Check that three runs at the same time give what one of them gives."""
    kinds = [kind for kind in JUDGE_FAULTS if kind not in SLOW]
    world.judge_faults.now = passing(kinds, 3, share=0.2)
    be_patient()
    configuration = world.configured(Settings(kind="static", repeats=2))

    def one(name):
        with Store(place) as opened:
            return begin(configuration, opened, name=name)

    with Store(place), ThreadPoolExecutor(3) as threads:
        closed = list(threads.map(one, "abc"))
    assert {each.status for each in closed} == {"finished"}
    assert len({summary(each) for each in closed}) == 1


def test_runs_at_the_same_time_do_not_meet(world, tmp_path):
    check_together(world, tmp_path / "runs.db")


def test_what_an_endpoint_does_not_take_is_part_of_who_judged(world, store, monkeypatch):
    plain = run(world, store, Settings(), use_cache=False)
    monkeypatch.setattr(world.judge, "_refuses", ("temperature", "max_tokens"))
    other = run(world, store, Settings(judged_at_once=4), use_cache=False)
    assert other.status == "finished"
    judge = other.evaluation["generation.groundedness"].conditions["judge"]
    assert list(judge["dropped"]) == ["max_tokens", "temperature"]
    assert other.evaluation.source["judge"]["dropped"] == ["max_tokens", "temperature"]
    assert other.evaluation.source["judge"]["served"] == ["served-1"]
    assert "dropped" not in plain.evaluation["generation.groundedness"].conditions["judge"]
    with pytest.raises(MismatchError, match="judged differently"):
        compare_rag(plain.evaluation, other.evaluation)
    assert compare_rag(plain.evaluation, other.evaluation, allow_mixed_judges=True).notes
    unjudged = compare_rag(plain.evaluation, other.evaluation, ["retrieval.mrr"])
    assert unjudged.notes == ()
