"""The numbers that the specification of classification and calibration works out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import betaincinv

import veridical as vd
from veridical.errors import LabelError
from veridical.summaries import ConfusionCounts, ScoreTable

FRAUDS = ([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
"""Two frauds scored 0.9 and 0.4; two legitimate rows scored 0.6 and 0.1."""


def rows_of(tp: int, fp: int, fn: int, tn: int) -> tuple[list[int], list[float]]:
    """Return labels and 0/1 scores with these confusion counts at threshold 0.5."""
    labels = [1] * tp + [0] * fp + [1] * fn + [0] * tn
    return labels, [1.0] * (tp + fp) + [0.0] * (fn + tn)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("precision", 6 / 8),
        ("recall", 6 / 10),
        ("f1", 12 / 18),
        ("accuracy", 94 / 100),
        ("fpr", 2 / 90),
        ("specificity", 88 / 90),
        ("npv", 88 / 92),
        ("balanced_accuracy", (6 / 10 + 88 / 90) / 2),
        ("mcc", (6 * 88 - 2 * 4) / math.sqrt(8 * 10 * 90 * 92)),
        ("fbeta@2", 5 * 6 / (5 * 6 + 2 + 4 * 4)),
        ("fbeta@0.5", 1.25 * 6 / (1.25 * 6 + 2 + 0.25 * 4)),
        ("fbeta@0", 6 / 8),
    ],
)
def test_hundred_transactions_ten_frauds_eight_flagged_six_rightly(metric, expected):
    result = vd.measure(f"binary.{metric}", *rows_of(6, 2, 4, 88), threshold=0.5)
    assert result.value == pytest.approx(expected, abs=1e-12)
    assert result.value in result.interval


@pytest.mark.parametrize(
    ("metric", "n"),
    [("recall", 10), ("precision", 8), ("specificity", 90), ("npv", 92), ("accuracy", 100)],
)
def test_n_is_the_metrics_own_denominator(metric, n):
    result = vd.measure(f"binary.{metric}", *rows_of(6, 2, 4, 88), threshold=0.5)
    assert (result.n, result.n_rows) == (n, 100)


def test_precision_1_with_recall_a_tenth_gives_f1_0_18():
    result = vd.measure("binary.f1", *rows_of(1, 0, 9, 90), threshold=0.5)
    assert round(result.value, 2) == 0.18
    assert result.value == pytest.approx(2 / 11, abs=1e-12)


def test_flag_nothing_on_ten_thousand_rows_at_one_percent():
    labels, scores = rows_of(0, 0, 100, 9900)
    accuracy = vd.measure("binary.accuracy", labels, scores, threshold=0.5)
    assert accuracy.value == 0.99
    assert accuracy.conditions["majority_class_accuracy"] == 0.99
    assert "majority_baseline" in accuracy.notes
    assert vd.measure("binary.recall", labels, scores, threshold=0.5).value == 0
    precision = vd.measure("binary.precision", labels, scores, threshold=0.5)
    assert (precision.ok, precision.reason) == (False, "nothing_flagged")
    assert vd.measure("binary.f1", labels, scores, threshold=0.5).value == 0


@pytest.mark.parametrize(("positives", "beside"), [(9, True), (10, False), (90, False), (91, True)])
def test_the_majority_class_stands_beside_accuracy_where_one_class_is_rare(positives, beside):
    labels, scores = rows_of(positives, 0, 0, 100 - positives)
    result = vd.measure("binary.accuracy", labels, scores, threshold=0.5)
    assert ("majority_class_accuracy" in result.conditions) is beside


def test_accuracy_is_never_shown_first():
    ev = vd.evaluate({"y": FRAUDS[0], "s": FRAUDS[1]}, label="y", score="s", threshold=0.5)
    assert list(ev).index("binary.accuracy") == len(ev) - 1


def test_three_of_four_pairs():
    assert vd.measure("binary.roc_auc", *FRAUDS).value == 0.75
    assert vd.measure("binary.gini", *FRAUDS).value == 0.5
    assert vd.measure("binary.recall", *FRAUDS, threshold=0.5).value == 0.5
    assert vd.measure("binary.fpr", *FRAUDS, threshold=0.5).value == 0.5


def test_roc_auc_is_never_reported_alone():
    ev = vd.evaluate({"y": FRAUDS[0], "s": FRAUDS[1]}, "roc_auc", label="y", score="s")
    assert list(ev) == [
        "binary.roc_auc",
        "binary.average_precision",
        "binary.recall@fpr=0.0001",
        "binary.recall@fpr=0.001",
    ]
    assert [ev[name].requested for name in ev] == ["roc_auc", None, None, None]


def test_average_precision_can_fall_below_the_prevalence():
    labels, scores = [0] * 98 + [1] * 2, np.arange(100, 0, -1)
    result = vd.measure("binary.average_precision", labels, scores)
    assert result.value == pytest.approx((1 / 99 + 2 / 100) / 2, abs=1e-12)
    assert result.value < result.conditions["prevalence"] == 0.02
    assert result.conditions["lift"] == pytest.approx(result.value / 0.02, abs=1e-12)


# Costs at each threshold of the four scores -----------------------------------------------------


@pytest.mark.parametrize(
    ("fn", "fp", "costs", "best"),
    [
        (10, 1, {0.9: 10, 0.6: 11, 0.4: 1, 0.1: 2}, 0.4),
        (1, 10, {0.9: 1, 0.6: 11, 0.4: 10, 0.1: 20}, 0.9),
    ],
)
def test_threshold_by_price_of_the_four_scores(fn, fp, costs, best):
    prices = vd.Costs(fn=fn, fp=fp)
    for threshold, cost in costs.items():
        result = vd.measure("cost.total", *FRAUDS, costs=prices, threshold=threshold)
        assert result.value == cost
    result = vd.measure("cost.best_threshold", *FRAUDS, costs=prices)
    assert (result.value, result.conditions["threshold"]) == (min(costs.values()), best)
    assert result.conditions["cost_flag_nothing"] == 2 * fn
    assert result.conditions["cost_flag_all"] == 2 * fp
    saving = vd.measure("cost.saving", *FRAUDS, costs=prices)
    assert saving.value == min(2 * fn, 2 * fp) - result.value
    in_use = vd.measure("cost.saving", *FRAUDS, costs=prices, threshold=0.6)
    assert in_use.value == costs[0.6] - result.value


def test_one_false_positive_of_the_bank_costs_30():
    bank = vd.Costs(fn=850, fp=25, review=5)
    assert bank.false_alarm == 30
    assert bank.bayes_threshold == pytest.approx(30 / 875, abs=1e-15)
    result = vd.measure("cost.total", *rows_of(6, 2, 4, 88), costs=bank, threshold=0.5)
    assert result.value == 850 * 4 + 25 * 2 + 5 * 8
    best = vd.measure("cost.best_threshold", *FRAUDS, costs=bank)
    assert best.conditions["cost_of_one_false_alarm"] == 30
    # Flag nothing 1700; 0.9: 855; 0.6: 885; 0.4: 25 + 15 = 40; 0.1: 50 + 20 = 70.
    assert (best.value, best.conditions["threshold"]) == (40, 0.4)


def test_money_in_cents_is_added_exactly():
    prices = vd.Costs(fn=0.1, fp=0.2)
    labels, scores = rows_of(0, 1, 3, 0)
    # 3 * 0.1 + 1 * 0.2 is 0.5 in money; in floats 0.1 + 0.1 + 0.1 is 0.30000000000000004.
    assert vd.measure("cost.total", labels, scores, costs=prices, threshold=0.5).value == 0.5
    best = vd.measure("cost.best_threshold", labels, scores, costs=prices)
    assert (best.value, best.conditions["cost_flag_nothing"]) == (0.2, 0.3)


# The synthetic example --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def synthetic():
    """50 positives N(1.5, 1), drawn first, then 450 negatives N(0, 1)."""
    generator = np.random.default_rng(0)
    scores = np.concatenate([generator.normal(1.5, 1, 50), generator.normal(0, 1, 450)])
    return np.repeat([1, 0], [50, 450]), scores


def test_synthetic_ranking(synthetic):
    auc = vd.measure("binary.roc_auc", *synthetic)
    assert auc.value == pytest.approx(0.8894666666666666, abs=1e-12)
    ap = vd.measure("binary.average_precision", *synthetic)
    assert ap.value == pytest.approx(0.5412426828550405, abs=1e-12)
    point = vd.measure("binary.precision@recall=0.8", *synthetic)
    assert point.value == pytest.approx(0.3125, abs=1e-12)
    assert point.conditions["threshold"] == 0.8461713905816606


def test_synthetic_auc_is_the_trapezoid_too(synthetic):
    labels, scores = synthetic
    walk = [(0.0, 0.0)]
    for threshold in np.sort(np.unique(scores))[::-1]:
        flagged = scores >= threshold
        walk.append(((flagged & (labels == 0)).sum() / 450, (flagged & (labels == 1)).sum() / 50))
    x, y = np.array(walk).T
    area = float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))
    assert vd.measure("binary.roc_auc", *synthetic).value == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize(
    ("fn", "fp", "threshold", "cost", "cells", "rates"),
    [
        (1, 1, 2.140422650443282, 40, (15, 5, 35, 445), {"precision": 0.75, "recall": 0.30}),
        (10, 1, 0.7565007506461916, 162, (44, 102, 6, 348), {"recall": 0.88}),
        (1, 10, 3.301634869866125, 48, (2, 0, 48, 450), {"precision": 1.0}),
    ],
)
def test_synthetic_thresholds_by_price(synthetic, fn, fp, threshold, cost, cells, rates):
    result = vd.measure("cost.best_threshold", *synthetic, costs=vd.Costs(fn=fn, fp=fp))
    assert result.value == cost
    at = result.conditions
    assert at["threshold"] == threshold
    assert (at["tp"], at["fp"], at["fn"], at["tn"]) == cells
    for name, rate in rates.items():
        decided = vd.measure(f"binary.{name}", *synthetic, threshold=threshold)
        assert decided.value == pytest.approx(rate, abs=1e-12)


# Recall at a fixed false positive rate ----------------------------------------------------------


def ranked(*runs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return rows from the best score down, as runs of (label, how many), all scores distinct."""
    labels = np.concatenate([np.full(n, label) for label, n in runs])
    return labels, np.arange(len(labels), 0, -1.0)


def test_29_of_100_negatives_satisfy_a_rate_of_0_29():
    # 0.29 * 100 is 28.999999999999996 in doubles, 29 / 100 is the double 0.29.
    labels, scores = ranked((0, 29), (1, 1), (0, 71), (1, 1))
    result = vd.measure("binary.recall@fpr=0.29", labels, scores)
    assert result.value == 0.5
    assert result.conditions["attained_fpr"] == 0.29


def test_the_sample_rate_is_no_guarantee_and_its_upper_bound_is_printed():
    labels, scores = ranked((1, 5), (0, 1), (1, 5), (0, 999))
    result = vd.measure("binary.recall@fpr=0.001", labels, scores)
    assert result.value == 1.0
    assert result.conditions["attained_fpr"] == 0.001
    upper = float(betaincinv(1 + 1, 1000 - 1, 0.95))  # one-sided Clopper-Pearson of 1 of 1000
    assert result.conditions["fpr_upper_bound"] == pytest.approx(upper, abs=1e-12)
    assert upper > 0.001
    # Even no false positive of 1000 is no proof of 0.001 (rule of three: 0.003).
    certified = vd.measure("binary.recall@fpr=0.001,mode=certified", labels, scores)
    assert (certified.value, certified.conditions["flag_nothing"]) == (0.0, True)
    loose = vd.measure("binary.recall@fpr=0.004,mode=certified", labels, scores)
    assert loose.value == 0.5
    assert loose.conditions["fpr_upper_bound"] <= 0.004


@pytest.mark.parametrize(("n", "noted"), [(2999, True), (3000, False)])
def test_few_negatives_cannot_resolve_the_rate(n, noted):
    labels, scores = ranked((1, 1), (0, n))
    result = vd.measure("binary.recall@fpr=0.001", labels, scores, intervals=False)
    assert ("fpr_resolution" in result.notes) is noted
    assert "in_sample" in result.notes


def test_nothing_is_interpolated():
    # Half of the negatives tie with the positives: 0.5 is attained, 0.4999 is not.
    labels, scores = [1, 0, 0], [0.5, 0.5, 0.1]
    assert vd.measure("binary.recall@fpr=0.5", labels, scores).value == 1
    assert vd.measure("binary.recall@fpr=0.4999", labels, scores).value == 0


# Calibration ------------------------------------------------------------------------------------


def test_a_constant_forecast_scores_well_on_rare_events_and_has_no_skill():
    labels, forecasts = np.arange(20_000) < 30, np.full(20_000, 0.0015)
    brier = vd.measure("calibration.brier", labels, forecasts)
    assert brier.value == pytest.approx(0.0015 * 0.9985, abs=1e-12)
    assert brier.value < 0.02  # the target that this forecast meets without any skill
    assert vd.measure("calibration.ece", labels, forecasts).value < 0.03
    skill = vd.measure("calibration.brier_skill", labels, forecasts)
    assert skill.value == pytest.approx(0.0, abs=1e-9)


def test_the_five_terms_of_two_forecasts_in_one_bin():
    # Both in (0.7, 0.8]: conf 0.75, acc 0.5, ybar 0.5.
    labels, forecasts = [1, 0], [0.72, 0.78]
    terms = {
        "reliability": (0.75 - 0.5) ** 2,
        "resolution": 0.0,
        "uncertainty": 0.25,
        "within_variance": 0.03**2,
        "within_covariance": 2 * (-0.03 * 0.5),
    }
    for name, expected in terms.items():
        result = vd.measure(f"calibration.brier_{name}", labels, forecasts)
        assert result.value == pytest.approx(expected, abs=1e-12), name
    brier = vd.measure("calibration.brier", labels, forecasts).value
    assert brier == pytest.approx((0.28**2 + 0.78**2) / 2, abs=1e-12)


# Inputs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [[True, False, True, False], [1, 0, 1, 0], [1, -1, 1, -1], [1.0, 0.0, 1.0, 0.0]],
)
def test_labels_that_say_which_class_is_positive(labels):
    assert vd.measure("binary.roc_auc", labels, FRAUDS[1]).value == 0.75


@pytest.mark.parametrize("labels", [[1, 2, 1, 2], ["yes", "no", "yes", "no"], [0, 1, 2, 1]])
def test_labels_that_do_not(labels):
    with pytest.raises(LabelError) as caught:
        vd.measure("binary.roc_auc", labels, FRAUDS[1])
    for value in set(labels):
        assert str(value) in str(caught.value)


def test_minus_zero_ties_with_zero():
    assert vd.measure("binary.roc_auc", [1, 0], [-0.0, 0.0]).value == 0.5
    assert vd.measure("binary.roc_auc", [0, 1], [-0.0, 0.0]).value == 0.5


def test_infinite_scores_rank_and_are_no_probabilities():
    labels, scores = [1, 0, 1, 0], [math.inf, 0.5, 0.2, -math.inf]
    assert vd.measure("binary.roc_auc", labels, scores).value == 0.75
    with pytest.raises(vd.VeridicalError, match=r"outside \[0, 1\]"):
        vd.measure("calibration.brier", labels, scores)


def test_counts_never_overflow():
    big = 2**40
    counts = ConfusionCounts(tp=big, fp=big, fn=big, tn=3 * big)
    mcc = vd.binary.mcc.function(counts)
    assert mcc.value == pytest.approx((3 - 1) / math.sqrt(2 * 2 * 4 * 4), abs=1e-12)
    # P * N = 2**82: beyond int64 and beyond the digits of a double.
    table = ScoreTable.from_rows(
        np.array([True, False, False]),
        np.array([0.5, 0.4, 0.6]),
        weight=np.array([2.0**41, 2.0**41 - 1, 1.0]),
    )
    assert vd.binary.roc_auc.function(table).value == (2**41 - 1) / 2**41


def test_zero_weight_rows_are_absent():
    labels, scores = [1, 0, 1, 0, 1], [0.9, 0.6, 0.4, 0.1, 0.05]
    result = vd.measure("binary.roc_auc", labels, scores, weight=[1, 1, 1, 1, 0])
    assert result.value == 0.75
    assert result.n_rows == 4


def test_scores_outside_the_unit_interval_leave_calibration_out_of_the_default_set():
    ev = vd.evaluate({"y": FRAUDS[0], "s": [3.0, 2.0, 1.5, -1.0]}, label="y", score="s")
    assert not any(name.startswith("calibration.") for name in ev)
    ev = vd.evaluate({"y": FRAUDS[0], "s": FRAUDS[1]}, label="y", score="s")
    assert {"calibration.brier", "calibration.brier_skill", "calibration.ece"} <= set(ev)


def test_nothing_is_decided_without_a_threshold_and_nothing_priced_without_prices():
    for name in ("recall", "precision", "f1", "accuracy", "mcc"):
        result = vd.measure(f"binary.{name}", *FRAUDS)
        assert (result.ok, result.reason) == (False, "no_threshold")
    for name in ("total", "best_threshold", "saving"):
        result = vd.measure(f"cost.{name}", *FRAUDS, threshold=0.5)
        assert (result.ok, result.reason) == (False, "no_costs")
    ev = vd.evaluate({"y": FRAUDS[0], "s": FRAUDS[1]}, label="y", score="s")
    assert "binary.precision" not in ev
    assert not any(name.startswith("cost.") for name in ev)


def test_a_certified_point_says_at_which_level():
    labels, scores = ranked((1, 5), (0, 1000))
    name = "binary.recall@fpr=0.01,mode=certified"
    one, two = (vd.measure(name, labels, scores, level=level) for level in (0.95, 0.99))
    assert one.conditions.differences(two.conditions) == ["level"]
    observed = vd.measure("binary.recall@fpr=0.01", labels, scores, level=0.99)
    assert "level" not in observed.conditions
