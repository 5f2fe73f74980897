"""Fairness against fairlearn, the intervals against statsmodels, the tests against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from fairlearn import metrics as fl
from scipy.stats import fisher_exact
from scipy.stats.contingency import relative_risk
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportions_ztest,
)

import veridical as vd
from veridical.parity import evaluate_fairness
from veridical.stats.two_shares import (
    difference_interval,
    fisher_test,
    ratio_interval,
    z_test,
)
from veridical.summaries.compared_groups import Share

CLOSE = {"rel": 1e-9, "abs": 1e-12}
TABLES = [(Share(a, n), Share(b, m)) for a, n, b, m in [
    (3, 20, 9, 25), (0, 20, 9, 25), (238, 339, 1826, 2041), (20, 20, 9, 25), (1, 900, 3, 1000),
]]  # fmt: skip


@pytest.fixture(scope="module")
def hmda(root):
    path = root / "examples" / "credit" / "hmda_scores.csv"
    columns = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
    # To fairlearn the favourable outcome is 1.
    return {
        "path": path,
        "granted": (columns["p_boosting"] < 0.2).astype(int),
        "kept": 1 - columns["denied"],
        "black": columns["black"],
    }


def ours(hmda):
    return evaluate_fairness(
        hmda["path"], score="p_boosting", threshold=0.2, label="denied", groups="black",
        favourable=0,
    )  # fmt: skip


def test_the_credit_example_is_as_fairlearn_says(hmda):
    ev = ours(hmda)
    rows = {"y_true": hmda["kept"], "y_pred": hmda["granted"]}
    by_black = {**rows, "sensitive_features": hmda["black"]}
    frame = fl.MetricFrame(
        metrics={
            "rate": fl.selection_rate,
            "tpr": fl.true_positive_rate,
            "fpr": fl.false_positive_rate,
        },
        **by_black,
    ).by_group
    gap = frame.loc["yes"] - frame.loc["no"]
    assert ev["dpd"].value == pytest.approx(gap["rate"], **CLOSE)
    assert ev["eod"].value == pytest.approx(gap["tpr"], **CLOSE)
    assert ev["fpr_difference"].value == pytest.approx(gap["fpr"], **CLOSE)
    assert -ev["dpd"].value == pytest.approx(fl.demographic_parity_difference(**by_black), **CLOSE)
    ratio = fl.demographic_parity_ratio(**by_black)
    assert ev["dir"].value == pytest.approx(ratio, **CLOSE)
    assert ev["dir"].conditions["min_over_max"] == pytest.approx(ratio, **CLOSE)
    odds = fl.equalized_odds_difference(**by_black)
    assert ev["equalized_odds"].value == pytest.approx(odds, **CLOSE)
    assert ev["predictive_parity"].value == pytest.approx(
        parity(hmda, "yes") - parity(hmda, "no"), **CLOSE
    )


def parity(hmda, group):
    chosen = (hmda["black"] == group) & (hmda["granted"] == 1)
    return hmda["kept"][chosen].mean()


def test_a_group_without_positives_is_skipped_where_fairlearn_says_zero():
    """Its true positive rate is 0/0; counted as 0, it makes a difference of 1 out of nothing."""
    labels, decisions, groups = [1, 1, 0, 0], [1, 1, 0, 1], ["a", "a", "b", "b"]
    theirs = fl.equalized_odds_difference(labels, decisions, sensitive_features=groups)
    assert theirs == 1.0
    for name in ("eod", "equalized_odds"):
        found = vd.measure(f"fairness.{name}", labels, decisions, groups=groups, favourable=1)
        assert found.reason == "no_positives"


@pytest.mark.parametrize(("a", "b"), TABLES)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_and_tests(a, b, level):
    counts = (a.hits, a.n, b.hits, b.n)
    low, high = confint_proportions_2indep(
        *counts, method="newcomb", compare="diff", alpha=1 - level
    )
    found = difference_interval(a, b, level)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-9)
    if a.hits < a.n:
        low, high = confint_proportions_2indep(
            *counts, method="score", compare="ratio", alpha=1 - level, correction=False
        )
        found = ratio_interval(a, b, level)
        assert found.high == pytest.approx(high, rel=1e-4)
        if a.hits:
            assert found.low == pytest.approx(low, rel=1e-4)
        else:
            assert found.low == 0
    statistic, p_value = proportions_ztest([a.hits, b.hits], [a.n, b.n])
    assert z_test(a, b) == pytest.approx((statistic, p_value), **CLOSE)
    table = [[a.hits, a.n - a.hits], [b.hits, b.n - b.hits]]
    assert fisher_test(a, b) == pytest.approx(fisher_exact(table).pvalue, **CLOSE)


def test_the_score_interval_of_many_rows_is_near_the_one_on_the_log_scale():
    a, b = Share(2380, 33900), Share(18260, 204100)
    theirs = relative_risk(a.hits, a.n, b.hits, b.n).confidence_interval(0.95)
    found = ratio_interval(a, b)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=2e-3)
