"""KS against scipy, calibration fits and Wilson against statsmodels, slices against fairlearn."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics as sk
import statsmodels.api as sm
from fairlearn.metrics import MetricFrame
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import ks_2samp
from statsmodels.stats.proportion import proportion_confint

import veridical as vd
from tests.oracle.data import SAMPLES, Sample
from veridical.stats.proportions import clopper_pearson, clopper_pearson_upper, wilson

CLOSE = {"rel": 1e-9, "abs": 1e-9}
INTERIOR = [s for s in SAMPLES if "heavy" not in s.name and s.name != "small"]


@pytest.mark.parametrize("data", [s for s in SAMPLES if s.weight is None], ids=str)
@pytest.mark.parametrize("flipped", [False, True])
def test_ks(data, flipped):
    labels = 1 - data.labels if flipped else data.labels
    expected = ks_2samp(data.scores[labels == 1], data.scores[labels == 0]).statistic
    result = vd.measure("binary.ks", labels, data.scores, intervals=False)
    assert result.value == pytest.approx(float(expected), **CLOSE)


def test_ks_with_integer_weights_is_ks_of_repeated_rows():
    data = next(s for s in SAMPLES if s.name == "integer-weights")
    times = data.weight.astype(int)
    labels, scores = np.repeat(data.labels, times), np.repeat(data.scores, times)
    expected = ks_2samp(scores[labels == 1], scores[labels == 0]).statistic
    result = vd.measure("binary.ks", data.labels, data.scores, weight=data.weight)
    assert result.value == pytest.approx(float(expected), **CLOSE)


def logit_fit(data: Sample, *, slope: bool):
    p = np.clip(data.scores.astype(np.float64), 1e-6, 1 - 1e-6)
    logits = np.log(p / (1 - p))
    ones = np.ones((len(p), 1))
    model = sm.GLM(
        data.labels,
        np.column_stack([ones, logits]) if slope else ones,
        family=sm.families.Binomial(),
        offset=None if slope else logits,
        freq_weights=data.weight,
    )
    return model.fit(tol=1e-14, maxiter=200)


@pytest.mark.parametrize("data", INTERIOR, ids=str)
@pytest.mark.parametrize("metric", ["slope", "intercept"])
def test_logistic_recalibration(metric, data):
    fit = logit_fit(data, slope=metric == "slope")
    result = vd.measure(
        f"calibration.{metric},clip=1e-6", data.labels, data.scores, weight=data.weight
    )
    at = 1 if metric == "slope" else 0
    assert result.value == pytest.approx(float(fit.params[at]), rel=1e-8, abs=1e-8)
    error = result.conditions["standard_error"]
    assert error == pytest.approx(float(fit.bse[at]), rel=1e-6)
    if data.weight is None:
        low, high = fit.conf_int()[at]
        assert result.interval.low == pytest.approx(float(low), rel=1e-6)
        assert result.interval.high == pytest.approx(float(high), rel=1e-6)


EXTREME = [5e-324, 1e-300, 1e-12, 0.01, 0.3, 0.5, 0.7, 1 - 1e-9, 1 - 2**-53]


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from(EXTREME), st.floats(1e-9, 1e6)),
             min_size=2, max_size=12)
)  # fmt: skip
def test_the_fits_solve_the_score_equations_of_extreme_forecasts(rows):
    """The likelihood is concave: where its gradient is zero is the one maximum."""
    labels, forecasts, weight = (np.array(column) for column in zip(*rows, strict=True))
    logits = np.log(forecasts) - np.log1p(-forecasts)
    for metric in ("slope", "intercept"):
        result = vd.measure(f"calibration.{metric}", labels, forecasts, weight=weight)
        if not result.ok:
            assert result.reason in {
                "no_positives", "no_negatives", "no_variation", "perfect_separation",
                "degenerate_variance",
            }  # fmt: skip
            continue
        a = result.conditions["fitted_intercept"] if metric == "slope" else result.value
        b = result.value if metric == "slope" else 1.0
        residual = weight * (labels - expit(a + b * logits))
        assert abs(residual.sum()) <= 1e-7 * weight.sum()
        if metric == "slope":
            assert abs(residual @ logits) <= 1e-7 * weight.sum() * np.abs(logits).max()


@pytest.mark.parametrize("n", [1, 7, 100, 2095])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_proportion_intervals(n, share, level):
    k = round(share * n)
    low, high = proportion_confint(k, n, alpha=1 - level, method="wilson")
    ours = wilson(k, n, level)
    assert (ours.low, ours.high) == pytest.approx((low, high), **CLOSE)
    low, high = proportion_confint(k, n, alpha=1 - level, method="beta")
    exact = clopper_pearson(k, n, level)
    assert (exact.low, exact.high) == pytest.approx((low, high), **CLOSE)
    one_sided = proportion_confint(k, n, alpha=2 * (1 - level), method="beta")[1]
    assert clopper_pearson_upper(k, n, level) == pytest.approx(one_sided, **CLOSE)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_interval_of_a_rate_is_wilson_of_its_own_counts(level):
    data = SAMPLES[0]
    flagged = data.scores >= 0.5
    hits, positives = int((flagged & (data.labels == 1)).sum()), int(data.labels.sum())
    low, high = proportion_confint(hits, positives, alpha=1 - level, method="wilson")
    result = vd.measure("binary.recall", data.labels, data.scores, threshold=0.5, level=level)
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high), **CLOSE)
    assert (result.interval.level, result.interval.method) == (level, "wilson")


FRAME = {
    "binary.recall": sk.recall_score,
    "binary.precision": sk.precision_score,
    "binary.f1": sk.f1_score,
    "binary.accuracy": sk.accuracy_score,
}


@pytest.mark.parametrize("weighted", [False, True])
def test_group_slices(weighted):
    generator = np.random.default_rng(20)
    n = 900
    data = {
        "y": generator.integers(0, 2, n),
        "s": np.round(generator.random(n), 2),
        "region": generator.choice(["north", "south", "east; 'x'", "ümlaut"], n),
        "w": generator.gamma(2.0, 0.5, n),
    }
    ev = vd.evaluate(
        data, list(FRAME), label="y", score="s", groups="region", threshold=0.4,
        weight="w" if weighted else None, intervals=False,
    )  # fmt: skip
    weight = {"sample_weight": data["w"]} if weighted else {}
    frame = MetricFrame(
        metrics=FRAME,
        y_true=data["y"],
        y_pred=(data["s"] >= 0.4).astype(int),
        sensitive_features=data["region"],
        sample_params=dict.fromkeys(FRAME, weight) if weighted else None,
    )
    assert sorted(ev.groups) == sorted(f"region={name}" for name in frame.by_group.index)
    for metric in FRAME:
        assert ev[metric].value == pytest.approx(float(frame.overall[metric]), **CLOSE)
        for name in frame.by_group.index:
            result = ev.group(f"region={name}")[metric]
            assert result.value == pytest.approx(float(frame.by_group[metric][name]), **CLOSE)
