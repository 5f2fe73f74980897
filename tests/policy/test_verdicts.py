"""What a policy says about data: each verdict, vacuous targets, and what can never be green."""

import json
import math

import numpy as np
import pytest

import veridical as vd
from veridical.policy import Policy, PolicyRow, judge, load_policy, shipped_policies
from veridical.policy.deciding import decide
from veridical.policy.schema import Rule
from veridical.policy.verdict import overall
from veridical.results import Interval, Measured, Skipped

RARE = 0.0015


def rare_labels(n: int, seed: int) -> np.ndarray:
    labels = np.zeros(n, dtype=bool)
    labels[np.random.default_rng(seed).permutation(n)[: round(n * RARE)]] = True
    return labels


def evaluated(labels, scores, policy="metric-standard", **settings):
    data = {"y": labels, "p": scores}
    return vd.evaluate(data, label="y", score="p", policy=policy, **settings)


def rows_by_metric(ev) -> dict[str, PolicyRow]:
    return {row.result.metric: row for row in ev.policy.rows}


def result(value, low=None, high=None, n=100, **fields) -> Measured:
    interval = None if low is None else Interval(low, high, 0.95, "wilson")
    return Measured(value, n, interval=interval, n_rows=100, **fields)


@pytest.mark.parametrize(
    ("rule", "given", "verdict"),
    [
        ({"at_least": 0.6}, result(0.7, 0.6, 0.8), "met"),
        ({"at_least": 0.6}, result(0.7, 0.59, 0.8), "undecided"),
        ({"at_least": 0.6}, result(0.5, 0.4, 0.6), "undecided"),
        ({"at_least": 0.6}, result(0.5, 0.4, 0.59), "not met"),
        ({"at_least": 0.6}, result(0.6), "undecided"),
        ({"at_least": 0.6}, result(0.6, notes=("no_interval_known",)), "met"),
        ({"at_least": 0.6}, result(1.0, n=1, notes=("no_interval_uniform",)), "undecided"),
        ({"at_least": 0.6}, result(0.9, notes=("no_interval_without_rows",)), "undecided"),
        ({"at_least": 0.6}, result(0.7, 0.69, 0.71, notes=("few_replicates",)), "undecided"),
        ({"value": 0.6}, result(0.7, 0.69, 0.71, notes=("few_replicates",)), "met"),
        ({"at_least": 0.6}, result(math.nextafter(0.6, 0)), "not met"),
        ({"at_most": 0.6}, result(0.5, 0.4, 0.6), "met"),
        ({"at_most": 0.6}, result(0.5, 0.4, 0.61), "undecided"),
        ({"at_most": 0.6}, result(0.7, 0.61, 0.8), "not met"),
        ({"below": 0.6}, result(0.5, 0.4, math.nextafter(0.6, 0)), "met"),
        ({"below": 0.6}, result(0.5, 0.4, 0.6), "undecided"),
        ({"below": 0.6}, result(0.7, 0.6, 0.8), "not met"),
        ({"below": 0.6}, result(0.6, notes=("no_interval_known",)), "not met"),
        ({"above": 0.6}, result(0.7, math.nextafter(0.6, 1), 0.8), "met"),
        ({"above": 0.6}, result(0.7, 0.6, 0.8), "undecided"),
        ({"above": 0.6}, result(0.5, 0.4, 0.6), "not met"),
        ({"above": 0.4, "below": 0.6}, result(0.5, 0.41, 0.59), "met"),
        ({"at_least": 0.4, "at_most": 0.6}, result(0.5, 0.4, 0.6), "met"),
        ({"at_least": 0.4, "at_most": 0.6}, result(0.5, 0.3, 0.7), "undecided"),
        ({"at_least": 0.4, "at_most": 0.6}, result(0.7, 0.65, 0.7), "not met"),
        ({"value": 0.6}, result(0.6, 0.1, 0.9), "met"),
        ({"value": 0.6}, result(0.59, 0.1, 0.9), "not met"),
        ({"lower_bound": 0.6}, result(0.7, 0.6, 0.8), "met"),
        ({"lower_bound": 0.6}, result(0.7, 0.5, 0.8), "undecided"),
        ({"lower_bound": 0.6}, result(0.9), "undecided"),
        ({"upper_bound": 0.6}, result(0.5, 0.4, 0.6), "met"),
        ({"upper_bound": 0.6}, result(0.7, 0.65, 0.8), "not met"),
        ({"at_least": 0.6}, result(1.0, notes=("no_interval_degenerate",)), "undecided"),
        ({"at_least": 0.6}, result(0.5, notes=("no_interval_degenerate",)), "not met"),
        ({"lower_bound": 0.6}, result(0.5), "not met"),
        ({"at_most": 0.6}, result(0.1, notes=("no_interval_replicates",)), "undecided"),
        ({"value": 0.6}, result(1.0, notes=("no_interval_degenerate",)), "met"),
        ({"at_least": 0.6, "min_n": 101}, result(0.9, 0.8, 1.0), "undecided"),
        ({"at_least": 0.6, "min_n": 100}, result(0.9, 0.8, 1.0), "met"),
        (
            {"at_least": 0.6, "max_skip_rate": 0.1},
            result(0.9, counts={"n_skipped": 12}),
            "not met",
        ),
        (
            {"at_least": 0.6, "max_skip_rate": 0.2},
            result(0.9, 0.8, 1.0, counts={"n_skipped": 12}),
            "met",
        ),
    ],
)
def test_the_verdict_on_one_rule(rule, given, verdict):
    assert decide(Rule(metric="binary.recall", **rule), given)[0] == verdict


def test_the_value_alone_is_read_downwards_where_lower_is_better():
    rule = Rule(metric="calibration.brier", value=0.02)
    assert decide(rule, result(0.02, 0.01, 0.03))[0] == "met"
    assert decide(rule, result(0.021, 0.01, 0.03))[0] == "not met"


def row(verdict, *, vacuous=False) -> PolicyRow:
    given = Skipped("no_rows") if verdict == "skipped" else Measured(1.0, 1)
    return PolicyRow("rule", {}, given, verdict, {"flag nothing": 1.0} if vacuous else {})


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([row("met")], "met"),
        ([row("met", vacuous=True)], "undecided"),
        ([row("met"), row("met", vacuous=True)], "met"),
        ([row("met"), row("skipped")], "undecided"),
        ([row("met"), row("undecided")], "undecided"),
        ([row("met"), row("undecided", vacuous=True)], "undecided"),
        ([row("met"), row("not met", vacuous=True)], "not met"),
        ([row("undecided"), row("not met")], "not met"),
        ([], "undecided"),
    ],
)
def test_the_overall_verdict(rows, verdict):
    assert overall(tuple(rows)) == verdict


def test_brier_and_ece_targets_are_vacuous_on_rare_events():
    labels = rare_labels(20_000, seed=1)
    skilled = np.where(labels, 0.6, 0.0005)
    rows = rows_by_metric(evaluated(labels, skilled))
    for metric in ("calibration.brier", "calibration.ece"):
        assert rows[metric].vacuous, metric
        assert {"always the base rate", "flag nothing"} <= set(rows[metric].met_without_skill)
        assert rows[metric].skill[0].metric == "calibration.brier_skill"
    # A forecast of 0 is wrong in 0.15% of the rows, and a forecast of the base rate b in b (1 - b).
    brier = rows["calibration.brier"].met_without_skill
    assert brier["flag nothing"] == pytest.approx(RARE, rel=1e-12)
    assert brier["always the base rate"] == pytest.approx(RARE * (1 - RARE), rel=1e-12)


def test_targets_that_need_skill_are_not_vacuous():
    labels = rare_labels(20_000, seed=1)
    rows = rows_by_metric(evaluated(labels, np.where(labels, 0.6, 0.0005)))
    for metric in ("binary.roc_auc", "binary.average_precision", "binary.recall@fpr=0.001"):
        assert not rows[metric].vacuous


def test_the_brier_target_is_real_on_balanced_data():
    labels = np.arange(1000) % 2 == 0
    off = np.linspace(0.02, 0.08, 1000)
    rows = rows_by_metric(evaluated(labels, np.where(labels, 1 - off, off)))
    assert not rows["calibration.brier"].vacuous
    assert rows["calibration.brier"].verdict == "met"


def test_an_easy_average_precision_target_shows_its_lift():
    labels = np.arange(1000) % 2 == 0
    policy = Policy(version=1, name="easy", rules=[{"metric": "ap", "at_least": 0.4}])
    ev = evaluated(labels, np.linspace(0, 1, 1000), policy)
    (row,) = ev.policy.rows
    assert row.vacuous
    assert f"lift {ev['ap'].conditions['lift']:.4g}" in row.why
    assert ev.policy.verdict != "met"


@pytest.mark.parametrize(
    ("rule", "trick"),
    [
        ({"metric": "specificity", "at_least": 0.9}, "flag nothing"),
        ({"metric": "accuracy", "at_least": 0.9}, "flag nothing"),
        ({"metric": "recall", "at_least": 0.9}, "flag everything"),
    ],
)
def test_a_target_that_a_trivial_decision_meets_is_vacuous(rule, trick):
    labels = np.arange(1000) % 20 == 0
    policy = Policy(version=1, name="house", rules=[rule])
    ev = evaluated(labels, labels * 1.0, policy, threshold=0.5)
    assert ev.policy.rows[0].verdict == "met"
    assert trick in ev.policy.rows[0].met_without_skill
    assert ev.policy.verdict == "undecided"


def test_random_scores_are_measured_in_expectation():
    # Independent scores: AUC 1/2, AP the base rate, and the mean of p**2 (1 - b) + (1 - p)**2 b.
    labels = np.arange(400) % 8 == 0
    scores = np.random.default_rng(3).random(400)
    rules = [
        {"metric": "roc_auc", "at_least": 0.0},
        {"metric": "ap", "at_least": 0.0},
        {"metric": "brier", "at_most": 1.0},
    ]
    ev = evaluated(labels, scores, Policy(version=1, name="all", rules=rules))
    auc, ap, brier = (row.met_without_skill["random scores"] for row in ev.policy.rows)
    assert auc == pytest.approx(0.5, abs=1e-12)
    assert ap == pytest.approx(1 / 8, abs=1e-12)
    expected = (np.square(scores) * 7 / 8 + np.square(1 - scores) / 8).mean()
    assert brier == pytest.approx(expected, abs=1e-12)


def test_random_scores_match_many_shuffles_of_the_labels():
    rng = np.random.default_rng(4)
    labels, scores = np.arange(300) % 6 == 0, rng.random(300) ** 2
    prices = vd.Costs(fn=9, fp=1)
    rules = [{"metric": "calibration.ece", "at_most": 1}, {"metric": "cost.total", "at_most": 1e9}]
    policy = Policy(version=1, name="all", rules=rules)
    ev = evaluated(labels, scores, policy, costs=prices, threshold=0.4)
    _, cost = (row.met_without_skill["random scores"] for row in ev.policy.rows)
    flagged = scores >= 0.4
    totals = [
        9 * (y & ~flagged).sum() + (~y & flagged).sum()
        for y in (rng.permutation(labels) for _ in range(4000))
    ]
    # Within five standard errors of the mean of the shuffles.
    assert abs(np.mean(totals) - cost) < 5 * np.std(totals) / math.sqrt(len(totals))


@pytest.mark.parametrize("name", shipped_policies())
@pytest.mark.parametrize("n", [2_000, 20_000])
def test_models_without_skill_never_pass_a_shipped_policy(name, n):
    labels = rare_labels(n, seed=n)
    rng = np.random.default_rng(n)
    for scores in (np.zeros(n), np.full(n, RARE), rng.random(n), rng.random(n) * 2 * RARE):
        for intervals in (True, False):
            ev = evaluated(labels, scores, name, intervals=intervals, replicates=100)
            assert ev.policy.verdict != "met"


@pytest.mark.long
@pytest.mark.parametrize("positives", [1, 2, 3, 10])
def test_luck_with_few_positives_does_not_pass(positives):
    n = 1_000
    rng = np.random.default_rng(positives)
    labels = np.arange(n) < positives
    passed = sum(
        evaluated(labels, rng.random(n) * 0.01, replicates=100).policy.verdict == "met"
        for _ in range(200)
    )
    # With one positive, random scores put it first once in n; an interval must not turn that green.
    assert passed == 0


def test_one_lucky_positive_decides_nothing():
    labels = np.arange(1_000) == 0
    rules = [{"metric": "average_precision", "at_least": 0.75}]
    ev = evaluated(labels, -np.arange(1_000.0), Policy(version=1, name="ap", rules=rules))
    assert ev.policy.rows[0].result.value == 1.0
    assert ev.policy.verdict == "undecided"


def test_a_good_model_passes():
    labels = rare_labels(100_000, seed=5)
    rng = np.random.default_rng(5)
    scores = np.where(labels, rng.uniform(0.7, 1, len(labels)), rng.uniform(0, 0.002, len(labels)))
    scores[rng.choice(len(labels), 3, replace=False)] = 0.85  # three false alarms
    ev = evaluated(labels, scores)
    assert ev.policy.verdict == "met"
    assert ev.policy.bands[0].label == "high-efficacy champion candidate"


def test_a_skip_never_passes():
    ev = evaluated(np.zeros(50, dtype=bool), np.linspace(0, 0.01, 50))
    verdicts = {row.verdict for row in ev.policy.rows if not row.result.ok}
    assert verdicts == {"skipped"}
    assert ev.policy.verdict != "met"


def test_scores_that_are_no_probabilities_skip_calibration():
    labels = np.arange(1000) % 2 == 0
    rows = rows_by_metric(evaluated(labels, labels * 10.0))
    assert rows["calibration.brier"].verdict == "skipped"
    assert rows["calibration.brier"].result.reason == "not_probabilities"
    assert rows["binary.roc_auc"].verdict == "met"


def test_no_rows_skip_every_rule():
    ev = evaluated(np.zeros(0, dtype=bool), np.zeros(0))
    assert {row.verdict for row in ev.policy.rows} == {"skipped"}
    assert ev.policy.verdict == "undecided"


def test_the_prices_of_a_policy_are_used_where_none_are_given():
    labels = np.arange(100) % 4 == 0
    scores = np.linspace(0, 1, 100)
    assert evaluated(labels, scores, "bank").settings.costs == load_policy("bank").costs.costs
    ours = vd.Costs(fn=1, fp=1)
    assert evaluated(labels, scores, "bank", costs=ours).settings.costs == ours


def test_a_rule_about_a_group_reads_that_group():
    data = {"y": [1, 0, 1, 0] * 50, "p": [0.9, 0.1, 0.2, 0.8] * 50, "g": ["a", "a", "b", "b"] * 50}
    rules = [
        {"metric": "roc_auc", "at_least": 0.9, "group": "g=a"},
        {"metric": "roc_auc", "at_least": 0.9, "group": "g=b"},
        {"metric": "roc_auc", "at_least": 0.9, "group": "g=c"},
    ]
    ev = vd.evaluate(
        data, label="y", score="p", groups="g", policy=Policy(version=1, name="g", rules=rules)
    )
    assert [row.verdict for row in ev.policy.rows] == ["met", "not met", "skipped"]
    assert ev.policy.rows[2].result.reason == "no_groups"


def test_several_score_columns_each_have_a_verdict():
    labels = np.arange(400) % 2 == 0
    data = {"y": labels, "good": labels * 0.98 + 0.01, "bad": np.full(400, 0.5)}
    rules = [{"metric": "roc_auc", "at_least": 0.9}]
    ev = vd.evaluate(
        data, label="y", score=["good", "bad"], policy=Policy(version=1, name="p", rules=rules)
    )
    assert ev.policy.by_subject == {"good": "met", "bad": "not met"}
    assert ev.policy.verdict == "not met"
    assert ev.subject("good").policy.verdict == "met"


def test_the_document_is_strict_json_and_names_the_policy():
    labels = np.arange(100) % 4 == 0
    ev = evaluated(labels, np.linspace(0, 1, 100), "bank")
    document = json.loads(json.dumps(ev.to_dict(), allow_nan=False))["policy"]
    policy = load_policy("bank")
    assert document["sha256"] == policy.sha256
    assert (document["name"], document["version"]) == ("bank", "2026-V1")
    assert {"rule", "result", "verdict", "vacuous", "why", "note"} <= set(document["rows"][0])
    assert "complian" not in json.dumps(document).casefold()


def test_judging_again_says_the_same():
    labels = np.arange(100) % 4 == 0
    ev = evaluated(labels, np.linspace(0, 1, 100))
    again = judge(load_policy("metric-standard"), ev.results, ev.slices, ev.settings)
    assert again == ev.policy


def weighted(weight, cluster=None):
    """Forty rows, half of them positive, with one weight each."""
    rng = np.random.default_rng(11)
    labels = np.arange(40) % 2 == 0
    data = {"y": labels, "p": labels + rng.normal(size=40), "w": np.full(40, weight)}
    if cluster is not None:
        data["c"] = np.arange(40) // cluster
    return vd.evaluate(
        data,
        ["roc_auc", "recall"],
        label="y",
        score="p",
        weight="w",
        cluster=None if cluster is None else "c",
        threshold=0.5,
    )


def too_few(ev, metric, least):
    """Return what a rule says that asks for so many units, and for nothing that could fail."""
    rule = Rule(metric=metric, value=0.0, min_n=least)
    verdict, why = decide(rule, ev[metric])
    return why if verdict == "undecided" else verdict


@pytest.mark.parametrize("weight", [2.5, 0.025, 1000.5])
def test_the_least_number_is_of_rows_where_weights_are_fractions(weight):
    ev = weighted(weight)
    assert ev["roc_auc"].n != 40
    assert too_few(ev, "roc_auc", 40) == "met"
    assert too_few(ev, "roc_auc", 41) == "40 rows, fewer than 41"
    assert too_few(ev, "recall", 20) == "met"  # of positives, as the metric's own n is
    assert too_few(ev, "recall", 21) == "20 rows, fewer than 21"


def test_whole_weights_are_repeated_rows_but_not_in_clusters():
    assert too_few(weighted(100), "roc_auc", 4000) == "met"
    assert too_few(weighted(100), "roc_auc", 4001) == "n = 4,000, fewer than 4,001"
    assert too_few(weighted(100, cluster=1), "roc_auc", 41) == "40 rows, fewer than 41"


def test_a_gate_on_a_kept_run_counts_the_same_rows(tmp_path):
    ev = weighted(2.5)
    run = ev.save("weighted", store=tmp_path / "runs.db")
    rules = [{"metric": "recall", "value": 0.0, "min_n": 21}]
    verdict = vd.gate(
        "weighted", Policy(version=1, name="x", rules=rules), store=tmp_path / "runs.db"
    )
    assert verdict.rules[0].row.why.startswith("20 rows, fewer than 21")
    assert run.refinalised()["recall"].counts == ev["recall"].counts


def test_a_summary_of_fractional_weights_counts_its_rows_at_most():
    rng = np.random.default_rng(11)
    labels = np.arange(40) % 2 == 0
    data = {
        "y": labels,
        "p": np.clip(0.3 * labels + rng.random(40) / 2, 0, 1),
        "w": np.full(40, 2.5),
    }
    ev = vd.evaluate(vd.summarise(data, label="y", score="p", weight="w"), "roc_auc")
    assert ev["roc_auc"].n == 100
    assert too_few(ev, "roc_auc", 41) == "40 rows, fewer than 41"
