"""Calls that fail for good: counted where they belong, and nothing else moves."""

from dataclasses import replace

import pytest

from tests.rag.campaigns.test_faults import run
from tests.rag.campaigns.world import SLOW, Doomed, Settings, calm, check_conserved, hasty, summary
from veridical.judge.rendering import render
from veridical.judge.serving import FAULTS, FaultSchedule
from veridical.judge.serving.server import _prompt
from veridical.judge.verdicts import Question
from veridical.rag.answers import CaseError
from veridical.rag.exports import cases_csv, cases_junit
from veridical.rag.running.runs import rescore, resume
from veridical.rag.scoring import METRICS, ScoreSettings, questions
from veridical.rag.showing import worst_first

UNREADABLE = [kind for kind, group in FAULTS.items() if group in {"transport", "content", "cut"}]
LARGE = {"gzip_bomb", "huge"}
NO_ANSWER = ["429", "500", "502", "503", "504", "reset", "hang", "garbage", "html", "truncated",
             "gzip_bomb", "huge"]  # fmt: skip


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Two more tries, and not six."""
    hasty(monkeypatch, retries=2)


def doomed_outcomes(record, judge, pipeline, language):
    """Metric to the state that a record's doomed calls put it in."""
    asked = {"role": "user", "content": record.case.question}
    if pipeline.fate(_prompt([asked])) is not None:
        return dict.fromkeys(record.outcomes, "case_error")
    found = {}
    for contract, question in questions(
        record.case, record.reply, ScoreSettings(judge=True)
    ).items():
        if isinstance(question, Question):
            prompt = _prompt(list(render(question, language).messages))
            if judge.fate(prompt) is not None:
                of = [one for one in METRICS.values() if one.contract == contract]
                kinds = [one.canonical(5) for one in of if record.case.kind in one.kinds]
                found |= dict.fromkeys(kinds, "judge_error")
    return found


def check_failures(world, store, seed):
    settings = replace(Settings.drawn(seed), kind="http", judged=True, store_text="full", redact=())
    settings = calm(settings)
    plain = run(world, store, settings, use_cache=False)
    # What hangs, and what keeps the machine busy, stand in schedules of their own.
    apart = LARGE if seed % 3 == 0 else SLOW
    judge = Doomed([one for one in UNREADABLE if one not in apart], seed=seed, share=0.3)
    pipeline = Doomed([one for one in NO_ANSWER if one not in apart], seed=seed, share=0.2)
    failed = run(world, store, settings, judge, pipeline, use_cache=False)
    assert failed.status == "finished"
    for was, now in zip(plain.evaluation.records, failed.evaluation.records, strict=True):
        doomed = doomed_outcomes(was, judge, pipeline, settings.language)
        for metric, outcome in now.outcomes.items():
            if metric in doomed:
                assert (outcome.state, outcome.value) == (doomed[metric], None)
            else:
                assert outcome == was.outcomes[metric]
    return failed


@pytest.mark.parametrize("seed", range(2))
def test_what_fails_for_good_moves_no_other_value(world, store, seed):
    failed = check_failures(world, store, seed)
    cases = worst_first(failed.evaluation.records, settings_of(failed))
    written = cases_csv(cases) + cases_junit(failed.evaluation, cases)
    assert ",nan," not in written.lower()
    assert ",inf" not in written.lower()


def settings_of(closed):
    return closed.evaluation.source["source_match"]


@pytest.mark.long
def test_sixty_schedules_of_failures(world, store):
    states = set()
    for seed in range(60):
        failed = check_failures(world, store, seed)
        states |= {o.state for r in failed.evaluation.records for o in r.outcomes.values()}
    assert {"judge_error", "case_error", "scored", "skipped"} <= states


def test_where_every_answer_fails_every_metric_says_so(world, store):
    closed = run(world, store, Settings(), pipeline=Doomed(["500"], seed=0, share=1.0))
    assert all(isinstance(one.reply.answer, CaseError) for one in closed.evaluation.records)
    for result in closed.evaluation.results:
        assert str(result.reason) == "errors"
        assert result.to_dict()["value"] is None
        assert "most often http_500" in result.detail


@pytest.mark.parametrize("store_text", ["full", "none"])
def test_what_failed_may_be_tried_again_as_long_as_a_run_is_open(world, store, store_text):
    settings = Settings(store_text=store_text, judged_at_once=4)
    plain = run(world, store, settings, use_cache=False)
    stopped = run(world, store, settings, Failing(15), use_cache=False)
    assert any(result.counts["n_judge_errors"] for result in stopped.evaluation.results)
    world.judge_faults.now = FaultSchedule()
    configuration = world.configured(settings)
    resumed = resume(configuration, store, stopped.run.id, retry_failed=True, use_cache=False)
    check_conserved(resumed)
    assert resumed.status == "finished"
    failed = [result.counts["n_judge_errors"] for result in resumed.evaluation.results]
    assert any(failed) == (store_text == "none")  # there is nothing left to ask about
    if store_text == "full":
        assert summary(resumed) == summary(plain)


class Failing(FaultSchedule):
    """The first requests get nothing readable, and then the key is refused."""

    def __init__(self, first):
        super().__init__()
        self._left = first

    def draw(self, number, prompt):  # noqa: ARG002
        self._left -= 1
        return "html" if self._left >= 0 else "401"


class Refused(FaultSchedule):
    """The key is refused from the nth request on."""

    def __init__(self, after):
        super().__init__()
        self._left = after

    def draw(self, number, prompt):  # noqa: ARG002
        self._left -= 1
        return "401" if self._left < 0 else None


@pytest.mark.parametrize("store_text", ["full", "hashed"])
@pytest.mark.parametrize("after", [0, 7, 20])
def test_a_refused_key_stops_the_run_which_goes_on_later(world, store, after, store_text):
    settings = Settings(judged_at_once=2, store_text=store_text)
    plain = run(world, store, settings, use_cache=False)
    stopped = run(world, store, settings, Refused(after), use_cache=False)
    assert (stopped.status, stopped.run.state) == ("stopped:judge", "interrupted")
    assert stopped.failure.code == "http_401"
    assert any(result.counts["n_pending"] for result in stopped.evaluation.results)
    assert not any(result.counts["n_errors"] for result in stopped.evaluation.results)
    world.judge_faults.now = FaultSchedule()
    # How many calls are made at once is how, and not what, is measured.
    configuration = world.configured(replace(settings, judged_at_once=16, at_once=1))
    resumed = resume(configuration, store, stopped.run.id, use_cache=False)
    assert summary(resumed) == summary(plain)


@pytest.mark.parametrize("after", [0, 5, 15])
def test_a_rescoring_that_stopped_goes_on_too(world, store, after):
    origin = run(world, store, Settings(), use_cache=False).run.id
    pipeline, asked = world.pipeline.ledger.requests, world.judge.ledger.requests
    configuration = world.configured(Settings(k=2, source_match="document"))
    closed = rescore(configuration, store, origin, use_cache=False)
    assert world.judge.ledger.requests == asked  # the same questions: their verdicts are there
    assert closed.evaluation["retrieval.recall@2"].n == 4
    configuration = world.configured(Settings(k=2, language="de"))
    plain = rescore(configuration, store, origin, use_cache=False)
    world.judge_faults.now = Refused(after)
    stopped = rescore(configuration, store, origin, use_cache=False)
    assert stopped.status == "stopped:judge"
    world.judge_faults.now = FaultSchedule()
    resumed = resume(configuration, store, stopped.run.id, use_cache=False)
    assert summary(resumed) == summary(plain)
    assert world.pipeline.ledger.requests == pipeline
