"""What a policy says about fairness, and which of its targets cannot fail."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from veridical.metrics import find
from veridical.parity import evaluate_fairness
from veridical.policy import Policy, Rule
from veridical.policy.at_these_rates import most_unequal
from veridical.policy.deciding import meets
from veridical.results import Measured
from veridical.summaries import ConfusionCounts
from veridical.summaries.compared_groups import ComparedGroups

DIR = "fairness.disparate_impact_ratio"
DPD = "fairness.demographic_parity_difference"
EOD = "fairness.equal_opportunity_difference"
ODDS = "fairness.equalized_odds_difference"


def table(a: tuple[int, int], b: tuple[int, int]) -> dict[str, list]:
    """Return so many favourable decisions (1) of so many rows of two groups."""
    sides = {"a": a, "b": b}
    return {
        "d": [int(i < hits) for hits, n in sides.values() for i in range(n)],
        "g": [name for name, (_, n) in sides.items() for _ in range(n)],
    }


def judged(a, b, favourable=1, **settings):
    ev = evaluate_fairness(
        table(a, b), decision="d", groups="g", favourable=favourable, reference="b",
        policy="fairness-standard", **settings,
    )  # fmt: skip
    return {row.result.metric: row for row in ev.policy.rows}, ev.policy


def test_a_flag_so_rare_that_no_difference_can_fail():
    """Of 2,000 rows each, 60 flags against 3: twenty times as many."""
    rows, verdict = judged((60, 2000), (3, 2000))
    assert rows[DPD].verdict == "met"
    assert rows[DPD].vacuous
    assert "285 in 10,000" in rows[DPD].why
    assert rows[DIR].verdict == "not met"
    assert not rows[DIR].vacuous
    rows, verdict = judged((60, 2000), (3, 2000), favourable=0)
    assert rows[DIR].verdict == "met"
    assert rows[DIR].vacuous
    assert "ratio of unfavourable decisions, 20" in rows[DIR].why
    assert verdict.verdict == "undecided"  # without labels, and of nothing but vacuous targets


def test_the_boundary_is_exact():
    for rate, vacuous in ((100, True), (101, False)):
        rows, _ = judged((100, 2000), (rate, 2000))
        assert rows[DPD].vacuous is vacuous
        rows, _ = judged((2000 - 100, 2000), (2000 - rate, 2000))
        assert rows[DPD].vacuous is vacuous


def test_a_target_that_could_fail_decides():
    rows, _ = judged((1000, 2000), (1000, 2000))
    assert (rows[DIR].verdict, rows[DIR].vacuous) == ("met", False)
    assert (rows[DPD].verdict, rows[DPD].vacuous) == ("met", False)
    assert rows[EOD].verdict == "skipped"
    rows, _ = judged((400, 2000), (1000, 2000))
    assert rows[DIR].verdict == rows[DPD].verdict == "not met"
    rows, _ = judged((82, 200), (100, 200))
    assert rows[DIR].verdict == "undecided"


def test_each_group_is_judged():
    data = {"d": [1, 0] * 90, "g": ["a", "a", "b", "b", "c", "c"] * 30}
    ev = evaluate_fairness(data, decision="d", groups="g", favourable=1, policy="fairness-standard")
    assert len(ev.policy.rows) == 3 * len(ev.subjects) == 6
    assert ev.to_dict()["policy"]["name"] == "fairness-standard"


def test_a_rule_may_be_about_one_group():
    data = {"d": [1, 0] * 90, "g": ["a", "a", "b", "b", "c", "c"] * 30}
    bounds = {"metric": DPD, "at_least": -0.2, "at_most": 0.2}
    for group, verdicts in (("g=b", ["met"]), ("g=x", ["skipped", "skipped"])):
        policy = Policy(version=1, name="house", rules=[{**bounds, "group": group}])
        ev = evaluate_fairness(data, decision="d", groups="g", favourable=1, policy=policy)
        assert ev.subjects == ("g=b", "g=c")
        assert [row.verdict for row in ev.policy.rows] == verdicts
    assert ev.policy.rows[0].result.reason == "no_groups"


RULES = [
    Rule(metric=DPD, at_least=-0.3, at_most=0.3),
    Rule(metric=EOD, at_least=-0.3, at_most=0.4),
    Rule(metric=ODDS, at_most=0.3),
    Rule(metric=DIR, at_least=0.6, at_most=1.7),
]
counts = st.builds(ConfusionCounts, *[st.integers(0, 6)] * 4)
FAIRNESS = [str(rule.metric) for rule in RULES]


def rates_of(metric, groups):
    if metric == ODDS:
        return [groups.found, groups.mistaken]
    return [groups.found if metric == EOD else groups.selected]


@given(counts, counts, counts, counts, st.sampled_from(RULES))
def test_no_decisions_at_such_rates_break_a_vacuous_rule(a, b, c, d, rule):
    """Others, whose rates stay below the highest or above the lowest, meet it as well."""
    measure = find(rule.metric)
    seen, other = ComparedGroups(a, b), ComparedGroups(c, d)
    found, elsewhere = measure.function(seen), measure.function(other)
    if not isinstance(found, Measured) or not isinstance(elsewhere, Measured):
        return
    inside = all(
        max(s.rate for s in there) <= max(s.rate for s in here)
        if max(s.rate for s in here) <= 1 - min(s.rate for s in here) and rule.metric != DIR
        else min(s.rate for s in there) >= min(s.rate for s in here)
        for here, there in zip(
            rates_of(rule.metric, seen), rates_of(rule.metric, other), strict=True
        )
    )
    if most_unequal(rule, found) and inside:
        assert meets(rule, elsewhere.value)


def test_a_gate_on_a_stored_run(tmp_path):
    ev = evaluate_fairness(
        table((60, 2000), (3, 2000)), [DPD], decision="d", groups="g", favourable=1
    )
    policy = Policy(
        version=1, name="house", rules=[{"metric": DPD, "at_least": -0.05, "at_most": 0.05}]
    )
    with vd.Store(tmp_path / "runs.db") as store:
        ev.save("fair", store=store)
        verdict = vd.gate("fair", policy, store=store)
    (row,) = verdict.policy.rows
    assert row.vacuous


@pytest.mark.parametrize("metric", FAIRNESS)
def test_what_others_wrote_is_not_judged_vacuous(metric):
    rule = next(rule for rule in RULES if rule.metric == metric)
    assert most_unequal(rule, Measured(0.0 if metric != DIR else 1.0, 10)) == {}


@pytest.mark.parametrize("weight", [0.001, 1.0, 2.0, 250.5])
@pytest.mark.parametrize("clusters", [False, True])
def test_min_n_counts_rows_whatever_they_weigh(weight, clusters):
    """100 rows: they are fewer than 101, unless a whole weight says that each stands for more."""
    decided = table((20, 40), (30, 61))  # the last of them weighs nothing
    data = {
        **decided,
        "y": [row % 2 for row in range(101)],
        "w": [weight] * 100 + [0.0],
        "c": [row % 20 for row in range(101)],
    }
    names = {DIR: 99, DPD: 1, ODDS: 1}
    verdicts = {}
    for least in (100, 101):
        rules = [Rule(metric=name, at_most=most, min_n=least) for name, most in names.items()]
        ev = evaluate_fairness(
            data, names, decision="d", groups=["g"], favourable=1, reference="b", label="y",
            weight="w", cluster="c" if clusters else None,
            policy=Policy(version=1, name="house", rules=rules),
        )  # fmt: skip
        verdicts[least] = {row.verdict for row in ev.policy.rows}
    assert verdicts[100] == {"met"}
    repeated = weight == 2.0 and not clusters
    assert verdicts[101] == ({"met"} if repeated else {"undecided"})


BANDED = [{"at_least": 0.1, "label": "high"}, {"label": "low"}]
ROWS = 400


@pytest.fixture(scope="module")
def scored():
    rng = np.random.default_rng(3)
    score = (rng.random(ROWS) * 0.98 + 0.01).round(3)
    return {
        "g": np.where(np.arange(ROWS) % 3, "a", "b"),
        "s": score,
        "logit": score * 8 - 4,
        "y": (rng.random(ROWS) < score).astype(int),
        "d": (score > 0.5).astype(int),
    }


def house(*rules, bands=()):
    of = [{"metric": name, "bands": BANDED} for name in bands]
    return Policy(version=1, name="house", rules=list(rules), bands=of)


OF_SCORES = (
    {"metric": "binary.roc_auc", "at_least": 0.6},
    {"metric": "binary.roc_auc", "at_least": 0.6, "group": "g=a"},
    {"metric": "calibration.ece", "at_most": 0.2, "group": "g=b"},
    {"metric": "calibration.slope", "at_least": 0.5},
    {"metric": "binary.recall", "at_least": 0.1},
)


def told(rows):
    return [(row.rule, row.verdict, row.why, row.skill, row.result.value) for row in rows]


def test_what_a_policy_asks_for_is_measured_beside_what_was_asked_for(scored, tmp_path):
    rules = ({"metric": EOD, "at_least": -0.5}, *OF_SCORES)
    policy = house(*rules, bands=[DPD, "calibration.mce"])
    of = {"label": "y", "score": "s", "threshold": 0.5, "groups": "g"}
    ev = evaluate_fairness(scored, DIR, favourable=1, policy=policy, **of)
    assert [row.verdict for row in ev.policy.rows].count("skipped") == 0
    # The same file says the same of scores as it does to `evaluate`.
    scores = vd.evaluate(scored, "brier", policy=house(*OF_SCORES, bands=["calibration.mce"]), **of)
    assert told(ev.policy.rows[1:]) == told(scores.policy.rows)
    of_difference, of_error = ev.policy.bands
    assert (of_difference.result, of_difference.label) == (ev[DPD], "low")
    assert [of_error] == list(scores.policy.bands)
    assert ev.policy.sha256 == policy.sha256
    ev.save("x", store=tmp_path / "runs.db")
    run = vd.load_run("x", store=tmp_path / "runs.db")
    assert run.evaluation.policy == ev.policy
    assert run.document == ev.to_dict()
    html = ev.report(tmp_path / "page.html").read_text()
    assert 'scope="col">Of</th>' in html


def test_a_summary_is_asked_the_same(scored):
    summary = vd.summarise(scored, label="y", score="s", groups="g", exact=True)
    given = {"groups": "g", "favourable": 1, "threshold": 0.5}
    of_rows = evaluate_fairness(
        scored, DIR, label="y", score="s", policy=house(*OF_SCORES[:4]), **given
    )
    of_summary = evaluate_fairness(summary, DIR, policy=house(*OF_SCORES[:4]), **given)
    for a, b in zip(of_rows.policy.rows, of_summary.policy.rows, strict=True):
        assert (a.rule, a.verdict, float(a.result)) == (b.rule, b.verdict, float(b.result))


def test_a_threshold_of_a_summary_decides_its_rules_too(scored):
    summary = vd.summarise(scored, label="y", score="s", groups="g", thresholds=[0.3, 0.5])
    given = {"groups": "g", "favourable": 1, "threshold": 0.5}
    ev = evaluate_fairness(summary, DIR, policy=house(OF_SCORES[-1]), **given)
    assert [row.verdict for row in ev.policy.rows] == ["met"]


@pytest.mark.parametrize(
    ("given", "reason", "said"),
    [
        ({"decision": "d"}, "unsupported_by_engine", "no scores with labels"),
        ({"decision": "d", "score": "s"}, "unsupported_by_engine", "no scores with labels"),
        ({"decision": "d", "score": "logit", "label": "y"}, "not_probabilities", "outside [0, 1]"),
    ],
)
def test_a_rule_that_cannot_be_measured_says_why(scored, given, reason, said):
    rules = ({"metric": DIR, "at_least": 0.1}, *OF_SCORES[:1], OF_SCORES[2])
    drift = {"metric": "drift.psi", "at_most": 0.1}
    ev = evaluate_fairness(scored, groups="g", favourable=1, policy=house(*rules, drift), **given)
    of_group, of_ranks, of_forecasts, of_drift = ev.policy.rows
    assert (of_group.verdict, of_drift.verdict) == ("met", "skipped")
    assert "no drift" in of_drift.result.detail
    assert of_ranks.verdict == (
        "met" if given["score" if "label" in given else "decision"] == "logit" else "skipped"
    )
    assert (str(of_forecasts.result.reason), said in of_forecasts.result.detail) == (reason, True)
