"""Binary and calibration metrics against scikit-learn, to 1e-9."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics as sk
from sklearn.calibration import calibration_curve

import veridical as vd
from tests.oracle.data import SAMPLES, Sample

CLOSE = {"rel": 1e-9, "abs": 1e-9}


def ours(metric: str, data: Sample, **settings):
    return vd.measure(
        metric, data.labels, data.scores, weight=data.weight, intervals=False, **settings
    )


RANKING = {
    "binary.roc_auc": sk.roc_auc_score,
    "binary.average_precision": sk.average_precision_score,
    "binary.gini": lambda y, s, sample_weight: (
        2 * sk.roc_auc_score(y, s, sample_weight=sample_weight) - 1
    ),
    "binary.partial_auc": lambda y, s, sample_weight: sk.roc_auc_score(
        y, s, max_fpr=0.1, sample_weight=sample_weight
    ),
    "binary.partial_auc@fpr=0.37": lambda y, s, sample_weight: sk.roc_auc_score(
        y, s, max_fpr=0.37, sample_weight=sample_weight
    ),
    "binary.partial_auc@fpr=0.001": lambda y, s, sample_weight: sk.roc_auc_score(
        y, s, max_fpr=0.001, sample_weight=sample_weight
    ),
    # scikit-learn squares float32 forecasts in single precision: it gets them as doubles.
    "calibration.brier": lambda y, s, sample_weight: sk.brier_score_loss(
        y, s.astype(np.float64), sample_weight=sample_weight
    ),
}


@pytest.mark.parametrize("data", SAMPLES, ids=str)
@pytest.mark.parametrize("metric", RANKING)
def test_of_the_scores(metric, data):
    expected = RANKING[metric](data.labels, data.scores, sample_weight=data.weight)
    assert ours(metric, data).value == pytest.approx(float(expected), **CLOSE)


@pytest.mark.parametrize("data", SAMPLES, ids=str)
def test_partial_auc_of_the_whole_range_is_the_auc(data):
    whole = ours("binary.partial_auc@fpr=1", data).value
    assert whole == pytest.approx(ours("binary.roc_auc", data).value, **CLOSE)


@pytest.mark.parametrize("data", SAMPLES, ids=str)
@pytest.mark.parametrize("clip", [1e-15, 1e-6, 0.01])
def test_log_loss(data, clip):
    # float64 on both sides: in float32 scikit-learn clips and takes logarithms in single precision.
    p = np.clip(data.scores.astype(np.float64), clip, 1 - clip)
    expected = sk.log_loss(data.labels, p, sample_weight=data.weight)
    assert ours(f"calibration.log_loss,clip={clip}", data).value == pytest.approx(expected, **CLOSE)


DECISIONS = {
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "fbeta@2": lambda y, d, sample_weight: sk.fbeta_score(
        y, d, beta=2, sample_weight=sample_weight
    ),
    "fbeta@0.3": lambda y, d, sample_weight: sk.fbeta_score(
        y, d, beta=0.3, sample_weight=sample_weight
    ),
    "specificity": lambda y, d, sample_weight: sk.recall_score(
        y, d, pos_label=0, sample_weight=sample_weight
    ),
    "fpr": lambda y, d, sample_weight: (
        1 - sk.recall_score(y, d, pos_label=0, sample_weight=sample_weight)
    ),
}
# Where a margin is empty these are skipped, and scikit-learn answers 0 (precision, MCC).
WITH_BOTH_DECISIONS = {
    "precision": sk.precision_score,
    "mcc": sk.matthews_corrcoef,
    "npv": lambda y, d, sample_weight: sk.precision_score(
        y, d, pos_label=0, sample_weight=sample_weight
    ),
}


@pytest.mark.parametrize("data", SAMPLES, ids=str)
@pytest.mark.parametrize("threshold", [0.25, 0.5, 0.7])
@pytest.mark.parametrize("metric", [*DECISIONS, *WITH_BOTH_DECISIONS])
def test_of_a_decision(metric, threshold, data):
    decisions = (data.scores >= data.scores.dtype.type(threshold)).astype(int)
    counted = decisions if data.weight is None else decisions[data.weight > 0]
    if metric in WITH_BOTH_DECISIONS and len(set(counted.tolist())) == 1:
        flagged_all = bool(counted[0])
        undefined = {"precision": not flagged_all, "npv": flagged_all, "mcc": True}[metric]
        assert ours(f"binary.{metric}", data, threshold=threshold).ok is not undefined
        return
    oracle = DECISIONS.get(metric) or WITH_BOTH_DECISIONS[metric]
    expected = oracle(data.labels, decisions, sample_weight=data.weight)
    result = ours(f"binary.{metric}", data, threshold=threshold)
    assert result.value == pytest.approx(float(expected), **CLOSE)


@pytest.mark.parametrize("data", SAMPLES, ids=str)
def test_confusion_counts(data):
    decisions = (data.scores >= 0.5).astype(int)
    (tn, fp), (fn, tp) = sk.confusion_matrix(data.labels, decisions, sample_weight=data.weight)
    costs = vd.Costs(fn=1000, fp=10, review=1)
    result = ours("cost.total", data, threshold=0.5, costs=costs)
    for name, expected in {"tp": tp, "fp": fp, "fn": fn, "tn": tn}.items():
        assert float(result.conditions[name]) == pytest.approx(float(expected), **CLOSE)
    money = 1000 * fn + 10 * fp + (tp + fp)
    assert result.value == pytest.approx(float(money), **CLOSE)


@pytest.mark.parametrize("data", [s for s in SAMPLES if s.weight is None], ids=str)
@pytest.mark.parametrize("bins", [5, 10, 15])
def test_reliability_curve(data, bins):
    # scikit-learn bins are left-closed: move the forecasts off the edges.
    p = np.clip(data.scores.astype(np.float64) + 1e-6, 0, 1)
    prob_true, prob_pred = calibration_curve(data.labels, p, n_bins=bins)
    held = np.bincount(np.minimum((p * bins).astype(int), bins - 1), minlength=bins)
    n = held[held > 0]
    moved = Sample(data.name, data.labels, p)
    ece = float(np.sum(n / n.sum() * np.abs(prob_true - prob_pred)))
    result = ours(f"calibration.ece@{bins}", moved)
    assert result.value == pytest.approx(ece, **CLOSE)
    assert list(result.conditions["rows_per_bin"]) == held.tolist()
    mce = float(np.max(np.abs(prob_true - prob_pred)))
    assert ours(f"calibration.mce@{bins}", moved).value == pytest.approx(mce, **CLOSE)


@pytest.mark.parametrize("seed", range(5))
def test_equal_mass_bins_of_distinct_forecasts(seed):
    # 400 distinct forecasts in 8 bins of 50: quantile bins are the sorted rows in equal runs.
    generator = np.random.default_rng(seed)
    p, labels = generator.random(400), generator.random(400) < 0.3
    runs = np.split(np.argsort(p), 8)
    ece = np.mean([abs(labels[run].mean() - p[run].mean()) for run in runs])
    result = vd.measure("calibration.ece_equal_mass@8", labels, p, intervals=False)
    assert result.value == pytest.approx(float(ece), **CLOSE)
    assert list(result.conditions["rows_per_bin"]) == [50] * 8


@pytest.mark.parametrize("data", SAMPLES, ids=str)
def test_brier_skill(data):
    rate = np.average(data.labels, weights=data.weight)
    base = sk.brier_score_loss(
        data.labels, np.full(len(data.labels), rate), sample_weight=data.weight
    )
    forecasts = data.scores.astype(np.float64)
    brier = sk.brier_score_loss(data.labels, forecasts, sample_weight=data.weight)
    expected = 1 - brier / base
    assert ours("calibration.brier_skill", data).value == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("data", SAMPLES, ids=str)
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.1, 0.5, 1.0])
def test_recall_at_fpr_from_the_roc_curve(data, alpha):
    fpr, tpr, _ = sk.roc_curve(
        data.labels, data.scores, sample_weight=data.weight, drop_intermediate=False
    )
    expected = tpr[fpr <= alpha].max()
    result = ours(f"binary.recall@fpr={alpha}", data)
    assert result.value == pytest.approx(float(expected), **CLOSE)


@pytest.mark.parametrize("data", [s for s in SAMPLES if s.weight is None], ids=str)
@pytest.mark.parametrize("k", [1, 3, 10, 100])
def test_top_k_of_distinct_scores(data, k):
    # Ties are broken by a second, random key: then the top k are plain rows.
    order = np.lexsort([np.random.default_rng(0).random(len(data.labels)), data.scores])[::-1]
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order), 0, -1)
    broken = Sample(data.name, data.labels, rank)
    top = data.labels[order][:k]
    used = min(k, len(order))
    precision = ours(f"binary.precision_top@{k}", broken)
    assert precision.value == pytest.approx(top.sum() / used, **CLOSE)
    recall = ours(f"binary.recall_top@{k}", broken)
    assert recall.value == pytest.approx(top.sum() / data.labels.sum(), **CLOSE)
    lift = ours(f"binary.lift_top@{k}", broken)
    assert lift.value == pytest.approx(top.sum() / used / data.labels.mean(), **CLOSE)
    # With the ties kept, this order lies between the lowest and the highest.
    tied = ours(f"binary.precision_top@{k}", data)
    low, high = (tied.conditions.get(end, tied.value) for end in ("low", "high"))
    assert low - 1e-12 <= top.sum() / used <= high + 1e-12
    assert low - 1e-12 <= tied.value <= high + 1e-12
