"""A RAG run held to the bounds of its configuration, and to a policy."""

import dataclasses
from types import SimpleNamespace

import pytest

from tests.rag.attempts import ERROR, JUDGE, JUDGED, UNJUDGED, Outcome, evaluated
from veridical.errors import ConfigurationError, MismatchError, ParameterError
from veridical.gates.github import workflow_commands
from veridical.gates.junit import gate_junit
from veridical.gates.markdown import gate_markdown
from veridical.policy import Policy
from veridical.rag.gating import gate_rag

GROUNDED = "generation.groundedness"
OVER = "robustness.overrefusal"


def bounds(low=None, high=None, errors=None):
    return SimpleNamespace(min=low, max=high, max_error_rate=errors)


def judged(values, metric=GROUNDED, **given):
    return gate_rag(evaluated({metric: values}), {metric: bounds(**given)})


GOOD = [1.0] * 40 + [0.9] * 10


@pytest.mark.parametrize(
    ("values", "given", "verdict", "code"),
    [
        (GOOD, {"low": 0.9}, "pass", 0),
        ([0.5, 0.4] * 25, {"low": 0.9}, "fail", 1),
        ([0.5, 1.0] * 25, {"low": 0.74}, "undecided", 3),
        ([1.0, 0.9], {"high": 0.5}, "fail", 1),
        ([None] * 5, {"low": 0.1}, "undecided", 3),
    ],
)
def test_the_interval_decides(values, given, verdict, code):
    found = judged(values, **given)
    assert (found.verdict, found.exit_code) == (verdict, code)


@pytest.mark.parametrize(("errors", "verdict"), [(1, "pass"), (2, "fail")])
def test_the_error_rate_is_of_the_cases_that_were_tried(errors, verdict):
    # 49 scored cases and one error are 2% of 50; skipped cases dilute nothing.
    values = GOOD[: 50 - errors] + [ERROR] * errors + [None] * 1000
    found = judged(values, low=0.9, errors=0.02)
    assert found.verdict == verdict
    assert ("2 of 50 ended in an error" in found.rules[0].why) == (verdict == "fail")


def test_a_failed_answer_counts_as_an_error_of_every_metric():
    found = judged([*GOOD, "failed", "failed"], low=0.9, errors=0.02)
    assert found.rules[0].why.startswith("2 of 52 ended in an error")


def test_a_run_of_nothing_but_errors_fails_its_error_rate():
    found = judged([ERROR] * 5, low=0.9, errors=0.5)
    assert (found.verdict, found.exit_code) == ("fail", 1)
    assert "5 of 5 ended in an error" in found.rules[0].why


def test_cases_of_another_kind_are_not_left_out():
    other = Outcome("skipped", reason="wrong_case_kind")
    ev = evaluated({OVER: [0.0, 1.0] * 10 + [other] * 80})
    rule = {"metric": OVER, "max_skip_rate": 0.1, "at_most": 0.9}
    assert gate_rag(ev, policy=Policy(version=1, name="p", rules=[rule])).verdict == "pass"


def test_bounds_and_policy_count_together():
    ev = evaluated({GROUNDED: GOOD})
    house = Policy(version=1, name="house", rules=[{"metric": GROUNDED, "min_n": 60, "value": 0.5}])
    found = gate_rag(ev, {GROUNDED: bounds(low=0.9)}, house)
    assert [rule.verdict for rule in found.rules] == ["undecided", "pass"]
    assert found.policy.name == "house and veridical.yaml"


@pytest.mark.parametrize("given", [{"high": 5.0}, {"low": -1.0}])
def test_a_bound_that_no_value_reaches_is_bad_configuration(given):
    with pytest.raises(ConfigurationError, match="lies outside"):
        judged(GOOD, **given)


def test_nothing_to_judge_by_is_said():
    with pytest.raises(ParameterError, match="nothing to judge"):
        gate_rag(evaluated({GROUNDED: GOOD}))


def test_another_kind_of_run_is_refused():
    import veridical as vd

    scores = vd.evaluate({"y": [1, 0], "p": [0.9, 0.1]}, label="y", score="p")
    with pytest.raises(ParameterError, match="no RAG run"):
        gate_rag(scores, {GROUNDED: bounds(low=0.9)})


NO_WORSE = Policy(
    version=1,
    name="regression",
    rules=[{"metric": GROUNDED, "no_worse_than": "baseline", "margin": 0.2}],
)


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict"),
    [
        ([0.9, 0.8] * 10, [0.9, 0.7] * 10, "pass"),
        ([0.4, 0.3] * 10, [0.9, 0.7] * 10, "fail"),
        # Ten cases failed: whatever they are worth, the sign could be another.
        ([0.9, 0.8] * 10 + ["failed"] * 10, [0.9, 0.7] * 10 + [0.9] * 10, "undecided"),
    ],
)
def test_no_worse_than_the_baseline_is_judged_case_by_case(mine, theirs, verdict):
    found = gate_rag(
        evaluated({GROUNDED: mine}), policy=NO_WORSE, baseline=evaluated({GROUNDED: theirs})
    )
    assert found.verdict == verdict


def test_a_baseline_of_another_judge_is_refused():
    other = dataclasses.replace(JUDGED, judge={**JUDGE, "model": "judge-2"})
    with pytest.raises(MismatchError, match="differ in judge"):
        gate_rag(
            evaluated({GROUNDED: GOOD}, JUDGED),
            policy=NO_WORSE,
            baseline=evaluated({GROUNDED: GOOD}, other),
        )


def test_mixed_judges_are_allowed_by_name_and_said():
    other = dataclasses.replace(JUDGED, judge={**JUDGE, "model": "judge-2"})
    runs = evaluated({GROUNDED: GOOD}, JUDGED), evaluated({GROUNDED: GOOD}, other)
    found = gate_rag(runs[0], policy=NO_WORSE, baseline=runs[1], allow_mixed_judges=True)
    assert found.verdict == "pass"
    assert [(one.field, one.a, one.b) for one in found.allowed] == [
        ("judge_model", "judge-1", "judge-2")
    ]
    assert any(note.startswith("MIXED JUDGES: ") for note in found.notes)
    assert any(note.startswith("MIXED JUDGES: ") for note in found.to_dict()["notes"])


def test_where_nothing_is_mixed_nothing_is_said():
    for conditions in (JUDGED, UNJUDGED):
        run = evaluated({GROUNDED: GOOD}, conditions)
        found = gate_rag(
            run,
            policy=NO_WORSE,
            baseline=evaluated({GROUNDED: [*GOOD[1:], 1.0]}, conditions),
            allow_mixed_judges=True,
        )
        assert (found.verdict, found.allowed, found.notes) == ("pass", (), ())


def test_every_form_of_output_says_the_rule_and_the_verdict():
    found = judged([0.5, 0.4] * 25, low=0.9)
    for text in (gate_junit(found), gate_markdown(found), "\n".join(workflow_commands(found))):
        assert "generation.groundedness at least 0.9" in text
    assert 'failures="1"' in gate_junit(found)


def test_a_metric_of_one_kind_has_no_worst_kind():
    other = Outcome("skipped", reason="wrong_case_kind")
    kinds = ["qa"] * 20 + ["unanswerable"] * 10
    columns = {
        OVER: [1.0] * 4 + [0.0] * 16 + [other] * 10,
        "generation.answer_relevance": [1.0] * 20 + [0.0] * 10,
    }
    found = evaluated(columns, JUDGED, kinds=kinds)
    rules = {OVER: bounds(high=0.1), "generation.answer_relevance": bounds(low=0.9)}
    worst = {one.row.result.metric: one.worst for one in gate_rag(found, rules).rules}
    assert worst[OVER] is None
    assert worst["generation.answer_relevance"].group == "kind=unanswerable"
