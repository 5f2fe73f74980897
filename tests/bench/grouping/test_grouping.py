"""What may be pooled, and what is refused by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.building import case, line, submission
from veridical.bench.grouping import (
    CaseHashMismatchError,
    MixedBenchVersionError,
    PromptHashMismatchError,
    grouped,
)
from veridical.bench.scoring.agent_score import score_agents
from veridical.bench.trajectories import DuplicateTrialError
from veridical.errors import MismatchError

CASE = case()
CASES = {CASE.case_id: CASE}
RIGHT = submission("1250.00")


def test_other_versions_prompts_and_cases_are_refused():
    ours = line(CASE, RIGHT)
    for changed, error in (
        ({"bench_version": "1.1.0", "trial": 1}, MixedBenchVersionError),
        ({"bench_version": "1.1.0", "prompt_sha256": "f" * 64, "trial": 1}, MixedBenchVersionError),
        ({"prompt_sha256": "f" * 64, "trial": 1}, PromptHashMismatchError),
        ({"case_sha256": "f" * 64, "trial": 1}, CaseHashMismatchError),
        ({"case_id": "of another suite"}, CaseHashMismatchError),
    ):
        with pytest.raises(error) as caught:
            score_agents(CASES, [ours, replace(ours, **changed)])
        assert isinstance(caught.value, MismatchError)
        assert caught.value.exit_code == 4


def test_a_second_outcome_of_one_trial_is_refused_and_a_second_attempt_is_not():
    failed = line(CASE, None, outcome="infra_error", attempt=1)
    ended = line(CASE, RIGHT, attempt=2)
    (score,) = score_agents(CASES, [failed, ended])
    assert len(score.rows) == 1
    assert score.lines == 2
    with pytest.raises(DuplicateTrialError):
        score_agents(CASES, [ended, replace(ended, attempt=3)])
    with pytest.raises(DuplicateTrialError):
        score_agents(CASES, [ended, replace(ended, run_id="another run")])


@pytest.mark.parametrize(
    "changed",
    [
        {"agent": {"name": "other", "version": "1", "config_sha256": "c"}},
        {"agent": {"name": "agent", "version": "2", "config_sha256": "c"}},
        {"agent": {"name": "agent", "version": "1", "config_sha256": "d"}},
        {"model_returned": "m-2026-02"},
        {"provider": "another"},
        {"sampling": {"temperature": 0.7}},
        {"suite": "another"},
    ],
)
def test_what_makes_another_agent(changed):
    ours = line(CASE, RIGHT, model_returned="m-2026-01", provider="p", sampling={"temperature": 0})
    assert len(grouped([ours, replace(ours, trial=1)])) == 1
    assert len(grouped([ours, replace(ours, **changed)])) == 2


def test_an_attempt_that_no_model_answered_stays_with_its_agent():
    answered = line(CASE, RIGHT, model_returned="m", provider="p")
    failed = line(CASE, None, outcome="infra_error", trial=1)
    (group,) = grouped([failed, answered]).values()
    assert len(group) == 2
    # Of two models it cannot be told which was meant.
    other = replace(answered, model_returned="n", trial=2)
    assert len(grouped([failed, answered, other])) == 3


def test_tokens_of_attempts_that_were_tried_again_are_spent():
    failed = line(
        CASE, None, outcome="infra_error",
        usage={"input": 5, "output": 0, "cache_read": 0, "cache_write": 0},
    )  # fmt: skip
    ended = line(
        CASE, RIGHT, attempt=2,
        usage={"input": 7, "output": 1, "cache_read": 2, "cache_write": 3},
    )  # fmt: skip
    (score,) = score_agents(CASES, [failed, ended])
    assert score.cost.tokens.value == 18.0
    assert score.cost.tokens_per_correct.value == 18.0
