"""Rules about a baseline, and about the shares left out or in error."""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

import veridical as vd
from veridical.policy import Policy, judge
from veridical.policy.deciding import decide
from veridical.policy.schema import Rule
from veridical.results import Bounds, Conditions, Interval, Measured, Skipped

VALUE = Measured(0.8, 100, metric="retrieval.ndcg@10", n_rows=100)


def apart(value, low=None, high=None, notes=()):
    interval = None if low is None else Interval(low, high, 0.95, "bootstrap")
    return Measured(value, 100, interval=interval, notes=notes, conditions=Conditions())


@pytest.mark.parametrize(
    ("difference", "verdict", "why"),
    [
        (apart(0.0, -0.01, 0.01), "met", ""),
        (apart(0.02, 0.01, 0.03), "met", ""),
        (apart(-0.005, -0.011, 0.001), "undecided", "straddles the margin"),
        (apart(0.0, -0.011, 0.011), "undecided", "straddles the margin"),
        (apart(-0.02, -0.03, -0.01), "undecided", "straddles the margin"),
        (apart(-0.02, -0.03, -0.0101), "not met", "worse than the baseline"),
        (apart(0.0), "undecided", "no interval"),
        (apart(0.0, notes=("no_unit_differs",)), "met", "no unit differs"),
        (Skipped("no_relevant", detail="no query in both"), "undecided", "no query in both"),
        (None, "undecided", "no baseline"),
    ],
)
def test_no_worse_than_the_baseline(difference, verdict, why):
    rule = Rule(metric="retrieval.ndcg@10", no_worse_than="baseline", margin=0.01)
    found, told = decide(rule, VALUE, difference)
    assert found == verdict
    assert why in told


def test_a_lower_loss_is_no_worse():
    rule = Rule(metric="calibration.brier", no_worse_than="baseline", margin=0.01)
    given = Measured(0.1, 100, n_rows=100)
    assert decide(rule, given, apart(-0.05, -0.06, -0.04))[0] == "met"
    assert decide(rule, given, apart(0.05, 0.04, 0.06))[0] == "not met"
    assert decide(rule, given, apart(0.01, 0.0, 0.02))[0] == "undecided"


@pytest.mark.parametrize(
    ("bound", "difference", "verdict"),
    [
        (0.9, apart(0.0, -0.001, 0.001), "not met"),
        (0.7, apart(-0.5, -0.6, -0.4), "not met"),
        (0.7, apart(0.0, -0.1, 0.1), "undecided"),
        (0.7, apart(0.0, -0.001, 0.001), "met"),
    ],
)
def test_a_bound_and_a_margin_must_both_hold(bound, difference, verdict):
    rule = Rule(metric="ndcg@10", at_least=bound, no_worse_than="baseline", margin=0.01)
    given = replace(VALUE, interval=Interval(0.75, 0.85, 0.95, "bootstrap"))
    assert decide(rule, given, difference)[0] == verdict


@pytest.mark.parametrize(
    ("metric", "n_rows", "skipped", "verdict"),
    [
        # Rows left out stand beside n_rows: 10 of 100.
        ("binary.roc_auc", 90, 10, "met"),
        ("binary.roc_auc", 90, 11, "not met"),
        # Queries without a value are part of n_rows: 10 of 100.
        ("retrieval.ndcg@10", 100, 10, "met"),
        ("retrieval.ndcg@10", 100, 11, "not met"),
    ],
)
def test_the_share_left_out_is_of_all_that_was_read(metric, n_rows, skipped, verdict):
    rule = Rule(metric=metric, max_skip_rate=0.1)
    given = Measured(0.5, 90, metric=metric, n_rows=n_rows, counts={"n_skipped": skipped})
    assert decide(rule, given)[0] == verdict


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [({"n_errors": 2}, "met"), ({"n_errors": 3}, "not met"), ({}, "undecided")],
)
def test_errors_are_counted_or_the_rule_is_undecided(counts, verdict):
    rule = Rule(metric="retrieval.ndcg@10", max_error_rate=0.02)
    given = Measured(0.5, 98, metric="retrieval.ndcg@10", n_rows=98, counts=counts)
    assert decide(rule, given)[0] == verdict


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"no_worse_than": "baseline"}, "stand together"),
        ({"margin": 0.1, "at_least": 0.5}, "stand together"),
        ({"no_worse_than": "yesterday", "margin": 0.1}, "baseline"),
        ({"no_worse_than": "baseline", "margin": -0.1}, "greater than or equal to 0"),
        ({"max_error_rate": 1.5}, "less than or equal to 1"),
        ({"min_n": 10}, "has no bound"),
    ],
)
def test_what_is_no_rule(fields, message):
    with pytest.raises(ValidationError, match=message):
        Rule(metric="retrieval.ndcg@10", **fields)


def test_a_metric_without_a_better_side_has_no_margin():
    with pytest.raises(ValidationError, match="no better side"):
        Rule(metric="calibration.slope", no_worse_than="baseline", margin=0.1)


def judged(rule, **settings):
    labels = np.arange(400) % 2 == 0
    ev = vd.evaluate({"y": labels, "p": np.where(labels, 0.9, 0.1)}, label="y", score="p")
    policy = Policy(version=1, name="house", rules=[rule])
    return judge(policy, ev.results, ev.slices, ev.settings, **settings)


def test_a_rule_about_what_is_missing_cannot_turn_a_verdict_green():
    verdict = judged({"metric": "roc_auc", "max_skip_rate": 0.0})
    assert verdict.rows[0].verdict == "met"
    assert verdict.rows[0].vacuous
    assert verdict.verdict == "undecided"


@pytest.mark.parametrize(("lead", "vacuous"), [(0.0, False), (0.49, False), (0.5, True)])
def test_being_no_worse_than_a_worthless_baseline_is_vacuous(lead, vacuous):
    # The model has an AUC of 1, so the baseline has 1 - lead; a forecast without skill has 0.5.
    rule = {"metric": "roc_auc", "no_worse_than": "baseline", "margin": 0.0}
    verdict = judged(rule, against=lambda *_: apart(lead, lead, lead))
    assert verdict.rows[0].verdict == "met"
    assert verdict.rows[0].vacuous is vacuous
    assert verdict.verdict == ("undecided" if vacuous else "met")


def test_without_a_baseline_evaluate_leaves_the_rule_undecided():
    verdict = judged({"metric": "roc_auc", "no_worse_than": "baseline", "margin": 0.0})
    assert verdict.verdict == "undecided"
    assert "no baseline was given" in verdict.rows[0].why


@pytest.mark.parametrize(
    ("rule", "bounds", "verdict"),
    [
        ({"at_least": 0.8}, Bounds(0.8, 0.82), "met"),
        ({"at_least": 0.8}, Bounds(0.79, 0.82), "undecided"),
        ({"at_least": 0.9}, Bounds(0.79, 0.82), "not met"),
        ({"value": 0.8}, Bounds(0.8, 0.82), "met"),
        ({"value": 0.8}, Bounds(0.79, 0.82), "undecided"),
        ({"value": 0.83}, Bounds(0.79, 0.82), "not met"),
    ],
)
def test_a_value_that_is_known_within_bounds_is_judged_by_both_ends(rule, bounds, verdict):
    given = Measured(0.81, 100, bounds=bounds, n_rows=100, notes=("no_interval_known",))
    found, why = decide(Rule(metric="binary.roc_auc", **rule), given)
    assert found == verdict
    assert ("certified bounds straddle" in why) == (verdict == "undecided")


def test_an_interval_never_hides_the_certified_bounds():
    interval = Interval(0.805, 0.815, 0.95, "delong-logit")
    given = Measured(0.81, 100, bounds=Bounds(0.79, 0.82), interval=interval, n_rows=100)
    assert decide(Rule(metric="binary.roc_auc", at_least=0.8), given)[0] == "undecided"


@pytest.mark.parametrize("level", [0.5, 0.9, 0.949])
def test_intervals_that_cover_less_than_the_policy_asks_for_decide_nothing(level):
    narrow = Interval(0.79, 0.81, level, "wilson")
    given = Measured(0.8, 100, interval=narrow, metric="binary.recall", n_rows=100)
    for rule in ({"at_least": 0.7}, {"at_least": 0.9}, {"lower_bound": 0.7}):
        found, told = decide(Rule(metric="binary.recall", **rule), given)
        assert (found, f"a {100 * level:g}% interval" in told) == ("undecided", True)
        assert decide(Rule(metric="binary.recall", **rule), given, level=level)[0] != "undecided"
    assert decide(Rule(metric="binary.recall", value=0.7), given)[0] == "met"

    rule = Rule(metric="binary.recall", no_worse_than="baseline", margin=0.1)
    difference = Measured(0.0, 100, interval=Interval(-0.01, 0.01, level, "wilson"))
    assert decide(rule, VALUE, difference)[0] == "undecided"
    assert decide(rule, VALUE, difference, level)[0] == "met"


def test_the_level_of_a_policy_is_part_of_what_it_says():
    rules = [{"metric": "roc_auc", "at_least": 0.7}]
    data = {"y": [1, 1, 1, 0, 0, 0] * 9, "p": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1] * 9}
    ev = vd.evaluate(data, "roc_auc", label="y", score="p", level=0.5)
    usual, lenient = (
        Policy(version=1, name="house", rules=rules, **given) for given in ({}, {"level": 0.5})
    )
    assert usual.sha256 == Policy(version=1, name="house", rules=rules, level=0.95).sha256
    assert usual.sha256 != lenient.sha256
    assert judge(usual, ev.results, ev.slices, ev.settings).verdict == "undecided"
    assert judge(lenient, ev.results, ev.slices, ev.settings).verdict == "met"
    for level in (0.0, 1.0, float("nan"), 95):
        with pytest.raises(ValidationError):
            Policy(version=1, name="house", rules=rules, level=level)
