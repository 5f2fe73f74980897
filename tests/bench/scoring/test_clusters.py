"""Intervals go by templates: cases of one template resemble each other, and repeats are no news."""

from __future__ import annotations

import pytest

from tests.bench.building import case, line, submission
from veridical.bench.scoring.agent_score import AgentScore, score_agents
from veridical.results import Interval
from veridical.stats.proportions import wilson

RIGHT, WRONG = submission("1250.00"), submission("1.00")


def agent(right: list[bool], templates: list[str], trials: int = 1, **rest) -> AgentScore:
    cases = {
        f"c{at:02}": case(f"c{at:02}", template=template, **rest)
        for at, template in enumerate(templates)
    }
    lines = [
        line(of, RIGHT if ok else WRONG, trial=trial)
        for of, ok in zip(cases.values(), right, strict=True)
        for trial in range(trials)
    ]
    (score,) = score_agents(cases, lines)
    return score


def exact(score: AgentScore) -> Interval:
    interval = score.rates["bench.exact_match"].interval
    assert interval
    return interval


def test_a_template_of_its_own_for_each_case_is_plain_wilson():
    found = exact(agent([True] * 7 + [False] * 3, [f"t{at}" for at in range(10)]))
    assert found == wilson(7, 10)


def test_templates_that_are_right_or_wrong_as_a_whole_are_one_trial_each():
    right = [at // 5 % 2 == 0 for at in range(40)]
    found = exact(agent(right, [f"t{at // 5}" for at in range(40)]))
    plain = wilson(20, 40)
    assert found.method == "wilson-clusters"
    # Eight templates of one mind each; the estimate of their spread costs a degree of freedom.
    assert wilson(4, 8).width * 0.9 < found.width < wilson(4, 8).width * 1.2
    assert found.width > 1.8 * plain.width


def test_templates_that_do_not_matter_cost_nothing():
    right = [at % 2 == 0 for at in range(40)]
    found = exact(agent(right, [f"t{at // 10}" for at in range(40)]))
    assert (found.low, found.high) == pytest.approx((wilson(20, 40).low, wilson(20, 40).high))


@pytest.mark.parametrize("right", [[True] * 12, [at % 3 == 0 for at in range(12)]])
def test_trials_and_twins_of_a_case_count_once(right):
    templates = [f"t{at % 6}" for at in range(12)]
    once, often = agent(right, templates), agent(right, templates, trials=5)
    assert exact(often).width >= exact(once).width - 1e-12
    assert often.rates["bench.exact_match"].conditions["effective_n"] <= 12
    assert often.rates["bench.exact_match"].n == 60


def test_a_magnitude_goes_by_templates_too():
    right = [at // 10 == 0 for at in range(40)]
    alike = agent(right, [f"t{at // 10}" for at in range(40)]).magnitudes["GBP"].interval
    apart = agent(right, [f"t{at}" for at in range(40)]).magnitudes["GBP"].interval
    assert alike
    assert apart
    assert alike.width > 1.5 * apart.width
