"""Every golden case of classification and calibration, through the public functions.

The right answers are those of ``shared/golden/classification_cases.json``; where the file lists
wrong answers of other tools, the test also says that ours is none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import veridical as vd
from tests.golden.cases import all_cases, in_scope, scores
from veridical.errors import InputError, LabelError, ScoreError
from veridical.results import Result
from veridical.stats.bootstrap import confusion_replicates
from veridical.stats.delong import auc_interval, delong
from veridical.stats.proportions import clopper_pearson, wilson
from veridical.summaries import ConfusionCounts, ScoreTable
from veridical.summaries.reliability import bin_index

Case = dict[str, Any]
CHECKS: dict[str, Callable[[Case], None]] = {}


def check(name: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    def add(function: Callable[[Case], None]) -> Callable[[Case], None]:
        assert name not in CHECKS, f"{name} is checked twice"
        CHECKS[name] = function
        return function

    return add


def equals(result: Result, expected: Any, case: Case, reason: str = "") -> None:
    """Assert that a result is the expected number, or is skipped where it is undefined."""
    if isinstance(expected, dict):
        assert expected["undefined"]
        assert not result.ok
        assert result.value is None
        assert result.reason == reason
    else:
        assert result.ok, str(result)
        assert result.value == pytest.approx(expected, rel=0, abs=case["tol"])
        for wrong in case.get("wrong_answers", {}).values():
            if isinstance(wrong, float) and wrong != expected:
                assert abs(result.value - wrong) > case["tol"]


def measure(metric: str, case: Case, key: str = "score", **settings: Any) -> Result:
    return vd.measure(metric, case["input"]["y"], scores(case, key), intervals=False, **settings)


@check("rank_all_ties")
def _(case: Case) -> None:
    expected = case["expected"]
    equals(measure("binary.roc_auc", case), expected["auc"], case)
    equals(measure("binary.average_precision", case), expected["ap"], case)
    recall = measure("binary.recall@fpr=0.001", case)
    equals(recall, expected["recall_at_fpr"], case)
    assert recall.conditions["flag_nothing"] is True
    assert recall.conditions["threshold"] is None
    assert "only_flag_nothing" in recall.notes


@check("single_class_negatives")
def _(case: Case) -> None:
    expected = case["expected"]
    equals(measure("binary.roc_auc", case), expected["auc"], case, "no_positives")
    equals(measure("binary.average_precision", case), expected["ap"], case, "no_positives")
    recall = measure("binary.recall@fpr=0.001", case)
    equals(recall, expected["recall_at_fpr"], case, "no_positives")
    assert "3" in recall.detail
    equals(measure("calibration.brier", case), expected["brier"], case)


@check("single_class_positives")
def _(case: Case) -> None:
    expected = case["expected"]
    equals(measure("binary.roc_auc", case), expected["auc"], case, "no_negatives")
    ap = measure("binary.average_precision", case)
    equals(ap, expected["ap"], case)
    assert "no_negatives" in ap.notes
    recall = measure("binary.recall@fpr=0.001", case)
    equals(recall, expected["recall_at_fpr"], case, "no_negatives")


@check("nan_score")
def _(case: Case) -> None:
    data = {"y": case["input"]["y"], "model": scores(case)}
    with pytest.raises(ScoreError) as caught:
        vd.evaluate(data, "binary.roc_auc", label="y", score="model")
    for part in ("1 score", "model", "row 1", "1 of positives"):
        assert part in str(caught.value)
    ev = vd.evaluate(data, "binary.roc_auc", label="y", score="model", missing="drop")
    equals(ev["binary.roc_auc"], case["expected"]["auc_if_drop"], case)
    assert ev["binary.roc_auc"].counts["n_skipped"] == case["expected"]["dropped"]


@check("denormal_not_tied")
def _(case: Case) -> None:
    equals(measure("binary.roc_auc", case), case["expected"]["auc"], case)


@check("float64_pair_tied_in_float32")
def _(case: Case) -> None:
    for dtype in ("float64", "float32"):
        given = scores(case, dtype=np.dtype(dtype).type)
        result = vd.measure("binary.roc_auc", case["input"]["y"], given)
        equals(result, case["expected"][f"auc_{dtype}"], case)


@check("large_logits")
def _(case: Case) -> None:
    equals(measure("binary.roc_auc", case), case["expected"]["auc"], case)


@check("recall_at_fpr_drop_intermediate")
def _(case: Case) -> None:
    result = measure(f"binary.recall@fpr={case['params']['max_fpr']}", case)
    equals(result, case["expected"]["recall"], case)
    assert result.conditions["threshold"] == case["expected"]["threshold"]


@check("ap_three_definitions")
def _(case: Case) -> None:
    expected = case["expected"]
    result = measure("binary.average_precision", case)
    equals(result, expected["ap_step"], case)
    for other in ("pr_auc_trapezoid", "ap_interpolated"):
        assert abs(result.value - expected[other]) > 0.01


@check("precision_at_k_ties")
def _(case: Case) -> None:
    result = measure(f"binary.precision_top@{case['params']['k']}", case)
    equals(result, case["expected"]["precision_at_2"], case)
    assert result.conditions["low"] == case["expected"]["lo"]
    assert result.conditions["high"] == case["expected"]["hi"]
    assert "ties_at_k" in result.notes


@check("weights_equal_repetition")
def _(case: Case) -> None:
    expected, weight = case["expected"], case["input"]["weight"]
    equals(measure("binary.roc_auc", case, weight=weight), expected["auc"], case)
    equals(measure("binary.average_precision", case, weight=weight), expected["ap"], case)
    repeated = {"input": {k: np.repeat(v, weight).tolist() for k, v in case["input"].items()}}
    for metric in ("binary.roc_auc", "binary.average_precision"):
        assert measure(metric, repeated).value == measure(metric, case, weight=weight).value
    equals(measure("binary.roc_auc", case), expected["auc_unweighted"], case)


@check("weights_negative")
def _(case: Case) -> None:
    with pytest.raises(InputError, match="negative") as caught:
        measure("binary.roc_auc", case, weight=case["input"]["weight"])
    assert "row 1" in str(caught.value)
    assert "weight" in str(caught.value)


@check("string_labels")
def _(case: Case) -> None:
    with pytest.raises(LabelError) as caught:
        measure("binary.roc_auc", case)
    for part in ("fraud", "ok", "positive"):
        assert part in str(caught.value)
    positive = case["params"]["pos_label"]
    equals(measure("binary.roc_auc", case, positive=positive), case["expected"]["auc"], case)
    with pytest.raises(LabelError, match="does not occur") as absent:
        measure("binary.roc_auc", case, positive="scam")
    for part in ("scam", "fraud", "ok"):
        assert part in str(absent.value)


@check("bool_labels")
def _(case: Case) -> None:
    equals(measure("binary.roc_auc", case), case["expected"]["auc"], case)
    equals(measure("calibration.brier", case), case["expected"]["brier"], case)


@check("labels_1_2")
def _(case: Case) -> None:
    with pytest.raises(LabelError) as caught:
        measure("binary.roc_auc", case)
    assert "1, 2" in str(caught.value)
    assert "positive=" in str(caught.value)
    equals(measure("binary.roc_auc", case, positive=2), case["expected"]["auc_pos2"], case)
    # AP belongs to the same positive class: both positives outrank 1 of 2 and 2 of 4 rows.
    ap = measure("binary.average_precision", case, positive=2)
    assert ap.value == pytest.approx(1 / 2 * 1 + 1 / 2 * 2 / 3, abs=1e-12)


@check("uint8_labels")
def _(case: Case) -> None:
    labels = np.array(case["input"]["y"], dtype=case["input"]["dtype"])
    result = vd.measure("calibration.brier", labels, scores(case))
    equals(result, case["expected"]["brier"], case)


def decisions(metric: str, case: Case) -> Result:
    return measure(metric, case, key="pred", threshold=1)


@check("f1_no_predicted_positive")
def _(case: Case) -> None:
    expected = case["expected"]
    equals(decisions("binary.precision", case), expected["precision"], case, "nothing_flagged")
    for name in ("recall", "f1", "specificity"):
        equals(decisions(f"binary.{name}", case), expected[name], case)


@check("f1_nothing_anywhere")
def _(case: Case) -> None:
    expected = case["expected"]
    equals(decisions("binary.precision", case), expected["precision"], case, "nothing_flagged")
    equals(decisions("binary.recall", case), expected["recall"], case, "no_positives")
    equals(decisions("binary.f1", case), expected["f1"], case, "all_counts_zero")
    equals(decisions("binary.mcc", case), expected["mcc"], case, "no_positives")
    equals(decisions("binary.accuracy", case), expected["accuracy"], case)


def best(case: Case) -> Result:
    costs = vd.Costs(fn=case["params"]["cost_fn"], fp=case["params"]["cost_fp"])
    return measure("cost.best_threshold", case, costs=costs)


@check("cost_tie")
def _(case: Case) -> None:
    result = best(case)
    equals(result, case["expected"]["min_cost"], case)
    assert result.conditions["threshold"] == case["expected"]["threshold"]
    tied = result.conditions["tied_thresholds"]
    assert list(tied) == case["expected"]["all_thresholds"]


@check("cost_flag_nobody")
def _(case: Case) -> None:
    result = best(case)
    equals(result, case["expected"]["min_cost"], case)
    assert result.conditions["flag_nothing"] is True
    assert result.conditions["threshold"] is None


@check("cost_per_row")
def _(case: Case) -> None:
    data = {"y": case["input"]["y"], "s": scores(case), "amount": case["input"]["amount"]}
    costs = vd.Costs(fn=case["params"]["cost_fn"], fp=case["params"]["cost_fp"])

    def evaluated(metric: str, threshold: float | None = None) -> Result:
        return vd.evaluate(
            data, metric, label="y", score="s", costs=costs, threshold=threshold, intervals=False
        )[metric]

    result = evaluated("cost.best_threshold")
    equals(result, case["expected"]["min_cost"], case)
    assert result.conditions["threshold"] == case["expected"]["threshold"]
    for threshold, cost in case["expected"]["cost_by_threshold"]:
        if threshold == "Infinity":
            assert result.conditions["cost_flag_nothing"] == cost
        else:
            equals(evaluated("cost.total", threshold), cost, case)


def ece(case: Case) -> Result:
    return measure(f"calibration.ece@{case['params']['n_bins']}", case, key="p")


@check("ece_p_exactly_1")
def _(case: Case) -> None:
    equals(ece(case), case["expected"]["ece"], case)


@check("ece_p_exactly_0")
def _(case: Case) -> None:
    equals(ece(case), case["expected"]["ece"], case)
    assert bin_index(scores(case, "p"), 10).tolist() == case["expected"]["bins"]
    assert ece(case).conditions["rows_per_bin"][0] == 3


@check("ece_edge_rounding")
def _(case: Case) -> None:
    equals(ece(case), case["expected"]["ece"], case)
    assert bin_index(scores(case, "p"), 10).tolist() == case["expected"]["bin"]


@check("ece_float32_edge")
def _(case: Case) -> None:
    single = scores(case, "p_float32", np.float32)
    # The case decides: float32 scores are compared with float32 edges.
    expected = case["expected"]["bin_vs_float32_edges"]
    assert bin_index(single, case["params"]["n_bins"]).tolist() == expected
    result = vd.measure("calibration.ece", [1, 0, 1, 0], single)
    per_bin = np.bincount(expected, minlength=10).tolist()
    assert list(result.conditions["rows_per_bin"]) == per_bin


@check("logloss_p0_y1")
def _(case: Case) -> None:
    expected = case["expected"]
    result = measure("calibration.log_loss", case, key="p")
    equals(result, expected["log_loss"], case, "infinite_log_loss")
    assert result.conditions["n_infinite"] == 1
    assert "1 row" in result.detail
    clipped = measure("calibration.log_loss,clip=1e-15", case, key="p")
    equals(clipped, expected["clipped_1e_15"], case)
    assert clipped.conditions["clip"] == 1e-15


@check("brier_out_of_range")
def _(case: Case) -> None:
    result = measure("calibration.brier", case, key="p")
    assert result.value == pytest.approx(0.125, abs=case["tol"])
    assert "clamped" in result.notes
    assert result.conditions["n_clamped"] == 1
    # Outside by more than rounding is an error that names column, count and rows.
    data = {"y": [1, 0, 0, 1], "p": [1.01, 0.5, -0.2, 0.4]}
    with pytest.raises(ScoreError) as caught:
        vd.evaluate(data, "calibration.brier", label="y", score="p")
    for part in ("2 scores", "'p'", "rows 0, 2", "1.01"):
        assert part in str(caught.value)


@check("wilson_zero_of_ten")
def _(case: Case) -> None:
    k, n = case["input"]["k"], case["input"]["n"]
    interval = wilson(k, n)
    assert interval.low == case["expected"]["lo"]
    assert interval.high == pytest.approx(case["expected"]["hi"], abs=case["tol"])
    exact = clopper_pearson(k, n)
    assert exact.high == pytest.approx(case["expected"]["clopper_pearson_hi"], abs=case["tol"])
    # The same through the front door: recall 0 of 10.
    recall = vd.measure("binary.recall", [1] * n + [0], [0.1] * (n + 1), threshold=0.5)
    assert (recall.interval.low, recall.interval.high) == (interval.low, interval.high)


@check("wilson_ten_of_ten")
def _(case: Case) -> None:
    interval = wilson(case["input"]["k"], case["input"]["n"])
    assert interval.low == pytest.approx(case["expected"]["lo"], abs=case["tol"])
    assert interval.high == case["expected"]["hi"]


def table(case: Case) -> ScoreTable:
    return ScoreTable.from_rows(np.array(case["input"]["y"]) == 1, scores(case))


@check("delong_one_positive")
def _(case: Case) -> None:
    auc, variance = delong(table(case).walk)
    assert auc == case["expected"]["auc"]
    assert variance is None
    assert auc_interval(table(case).walk) == "degenerate_variance"
    result = vd.measure("binary.roc_auc", case["input"]["y"], scores(case))
    equals(result, case["expected"]["auc"], case)
    assert result.interval is None
    assert "no_interval_degenerate" in result.notes


@check("delong_value")
def _(case: Case) -> None:
    auc, variance = delong(table(case).walk)
    assert auc == pytest.approx(case["expected"]["auc"], abs=case["tol"])
    assert variance == pytest.approx(case["expected"]["variance"], abs=case["tol"])


@check("bootstrap_empty_class")
def _(case: Case) -> None:
    expected = case["expected"]["expected_replicates_without_positive"]
    replicates = 20_000
    drawn = confusion_replicates(ConfusionCounts(fn=2, tn=98), replicates, seed=0)
    share = float((drawn[:, 2] == 0).mean())
    # Four standard errors of a share from 20,000 draws.
    assert abs(share - expected) < 4 * (expected * (1 - expected) / replicates) ** 0.5
    # Counted and reported, not silently redrawn.
    labels, given = [1, 1] + [0] * 98, [0.9, 0.2] + [0.1] * 98
    result = vd.measure("binary.precision@recall=0.5", labels, given, replicates=2000)
    assert abs(result.conditions["degenerate_replicates"] / 2000 - expected) < 0.04


@pytest.mark.parametrize("name", list(CHECKS))
def test_golden_case(name: str) -> None:
    CHECKS[name](all_cases()[name])


def test_no_case_in_scope_is_left_out() -> None:
    assert in_scope() == set(CHECKS)
