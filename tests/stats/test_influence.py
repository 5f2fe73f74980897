"""Influence values against their definition (a derivative), DeLong, and sums over units."""

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

from tests.stats.tables import random_rows, rows
from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.results import Interval
from veridical.stats.delong import delong, paired_delong
from veridical.stats.influence import (
    Influence,
    auc_influence,
    average_precision_at_slots,
    average_precision_influence,
    brier_ratio_influence,
    mean_influence,
)
from veridical.stats.intervals import average_precision_interval, influence_interval
from veridical.stats.paired import paired_influence
from veridical.stats.standard_error import (
    StandardError,
    scaled_interval,
    standard_error,
    t_p_value,
    unit_totals,
)
from veridical.summaries import ScoreTable


def brier_ratio(positive, forecasts, sample_weight):
    rate = np.average(positive, weights=sample_weight)
    brier = brier_score_loss(positive, forecasts, sample_weight=sample_weight)
    return brier / (rate * (1 - rate))


METRICS = {
    "average_precision": (average_precision_influence, average_precision_score),
    "auc": (auc_influence, roc_auc_score),
    "brier_ratio": (brier_ratio_influence, brier_ratio),
}


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("weighted", [False, True])
def test_influence_is_the_derivative_by_a_row_s_weight(name, weighted):
    ours, oracle = METRICS[name]
    positive, scores = random_rows(21, n=40, levels=10)
    scores = (scores - scores.min()) / np.ptp(scores)
    weight = np.random.default_rng(1).random(40) + 0.5 if weighted else np.ones(40)
    influence = ours(positive, scores, weight if weighted else None)
    want = oracle(positive, scores, sample_weight=weight)
    assert influence.estimate == pytest.approx(want, abs=1e-12)
    assert weight @ influence.values == pytest.approx(0, abs=1e-10)
    step = 1e-6 * weight.sum()
    for row in range(40):
        up, down = weight.copy(), weight.copy()
        up[row] += step
        down[row] -= step
        slope = [oracle(positive, scores, sample_weight=w) for w in (up, down)]
        # With eps = step / W the weights are (1 - eps) of the old and eps of the row.
        assert (slope[0] - slope[1]) / 2e-6 == pytest.approx(influence.values[row], abs=1e-4)


@given(rows())
def test_slots_hold_the_influence_of_their_rows(data):
    positive, scores = data
    at = average_precision_at_slots(ScoreTable.from_rows(positive, scores).walk)
    by_row = average_precision_influence(positive, scores)
    assert (
        by_row.estimate
        == at.estimate
        == pytest.approx(average_precision_score(positive, scores), abs=1e-12)
    )
    n = len(scores)
    ordered = np.sort(by_row.values)
    table = ScoreTable.from_rows(positive, scores)
    walk = table.walk
    counts = np.concatenate([c.whole for c in (walk.positives, walk.tied, walk.between)])
    assert np.sort(np.repeat(at.values, counts)) == pytest.approx(ordered, abs=1e-12)
    assert counts.sum() == n


def test_the_bias_is_what_a_positive_adds_at_its_own_threshold():
    # Leave each positive out of its own precision; the first-order change is the bias.
    positive, scores = random_rows(22, n=4000, levels=2000)
    at = average_precision_at_slots(ScoreTable.from_rows(positive, scores).walk)
    flagged = np.array([(scores >= s).sum() for s in scores[positive]])
    tp = np.array([(positive & (scores >= s)).sum() for s in scores[positive]])
    tp, flagged = tp[flagged > 1], flagged[flagged > 1]  # a lone first row has no precision left
    left_out = tp / flagged - (tp - 1) / (flagged - 1)
    assert at.bias == pytest.approx(left_out.sum() / positive.sum(), rel=0.1)


def test_auc_influence_gives_delong_s_variance():
    positive, scores = random_rows(23, n=500)
    auc, variance = delong(ScoreTable.from_rows(positive, scores).walk)
    influence = auc_influence(positive, scores)
    assert influence.estimate == auc
    assert standard_error(influence.values).value ** 2 == pytest.approx(variance, rel=0.02)
    other = auc_influence(positive, -scores)
    ours = paired_influence(influence, other)
    theirs = paired_delong(positive, scores, -scores)
    assert ours.difference == pytest.approx(theirs.difference, abs=1e-12)
    assert ours.variance == pytest.approx(theirs.variance, rel=0.02)


def test_standard_error_of_a_mean():
    values = np.random.default_rng(3).normal(size=2000)
    error = standard_error(values)
    assert error.value == pytest.approx(stats.sem(values), rel=1e-12)
    kurtosis = stats.kurtosis(values, fisher=False)
    want = min(2 * 2000 / (kurtosis - 1), 1999)
    assert error.degrees_of_freedom == pytest.approx(want, rel=1e-12)
    assert error.degrees_of_freedom > 1700  # normal data: nearly n - 1
    counts = np.array([3.0, 2.0, 5.0])
    assert standard_error(np.array([1.0, 5.0, 9.0]), counts) == standard_error(
        np.repeat([1.0, 5.0, 9.0], [3, 2, 5])
    )


def test_degrees_of_freedom_match_the_scatter_of_the_variance():
    generator = np.random.default_rng(4)
    samples = generator.exponential(size=(4000, 400))
    variances = samples.var(axis=1, ddof=1)
    scatter = 2 * variances.mean() ** 2 / variances.var()  # of a chi-square on that many
    claimed = np.median([standard_error(s).degrees_of_freedom for s in samples[:400]])
    # Heavy tails hide from a sample, so the claim is too high, but far from 399.
    assert scatter < claimed < 1.5 * scatter


@pytest.mark.parametrize("values", [[], [1.0], [0.3] * 7, [1e300] * 3, [1 / 3] * 1000])
def test_no_standard_error_without_variation(values):
    assert standard_error(np.array(values)) is None


def test_units_add_up_and_empty_ones_are_absent():
    influence = np.array([1.0, -1.0, 2.0, 0.5])
    units = np.array([0, 0, 3, 5])
    assert unit_totals(influence, units=units).tolist() == [0.0, 2.0 * 3 / 4, 0.5 * 3 / 4]
    weight = np.array([1.0, 0.0, 2.0, 1.0])
    assert unit_totals(influence, weight).tolist() == [0.75, 3.0, 0.375]
    assert unit_totals(influence, weight, np.array([0, 1, 1, 2])).tolist() == [0.75, 3.0, 0.375]


def test_weighted_mean_equals_the_survey_formula():
    generator = np.random.default_rng(5)
    losses, weight = generator.random(300), generator.random(300)
    influence = mean_influence(losses, weight)
    want = np.average(losses, weights=weight)
    assert influence.estimate == pytest.approx(want, rel=1e-12)
    linearised = weight * (losses - want) / weight.sum()
    error = standard_error(unit_totals(influence.values, weight))
    assert error.value**2 == pytest.approx((linearised**2).sum() * 300 / 299, rel=1e-9)


def test_duplicated_clusters_do_not_shrink_the_interval():
    positive, scores = random_rows(24, n=300)
    once = average_precision_influence(positive, scores)
    twice = average_precision_influence(np.tile(positive, 2), np.tile(scores, 2))
    units = np.tile(np.arange(300), 2)
    alone = influence_interval(once)
    clustered = influence_interval(twice, units=units)
    independent = influence_interval(twice)
    assert clustered.low == pytest.approx(alone.low, abs=5e-3)
    assert clustered.high == pytest.approx(alone.high, abs=5e-3)
    assert independent.width < 0.8 * clustered.width


def test_scales_stay_in_range_and_equal_student_s_t():
    error = StandardError(0.1, 7)
    low, high = stats.t.interval(0.9, 7, loc=0.3, scale=0.1)
    interval = scaled_interval(0.3, error, 0.9, "influence")
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9)
    logit = scaled_interval(0.3, error, 0.9, "influence-logit", scale="logit")
    half = stats.t.ppf(0.95, 7) * 0.1 / 0.21
    centre = np.log(0.3 / 0.7)
    want = [1 / (1 + np.exp(-(centre + sign * half))) for sign in (-1, 1)]
    assert [logit.low, logit.high] == pytest.approx(want, rel=1e-9)
    log = scaled_interval(0.3, error, 0.9, "influence-log", scale="log")
    assert log.low * log.high == pytest.approx(0.09, rel=1e-9)
    assert t_p_value(0.3, error) == pytest.approx(2 * stats.t.sf(3, 7), rel=1e-9)
    wide = StandardError(50.0, 1)
    for scale in ("logit", "log"):
        assert scaled_interval(0.3, wide, 0.999, "x", scale=scale).low >= 0


@pytest.mark.parametrize(("estimate", "scale"), [(0.0, "log"), (0.0, "logit"), (1.0, "logit")])
def test_the_end_of_a_scale_has_no_interval(estimate, scale):
    got = scaled_interval(estimate, StandardError(0.1), 0.95, "x", scale=scale)
    assert got is SkipReason.DEGENERATE_VARIANCE


@given(rows())
def test_the_interval_of_average_precision_holds_the_estimate(data):
    positive, scores = data
    interval = average_precision_interval(ScoreTable.from_rows(positive, scores).walk)
    value = average_precision_score(positive, scores)
    if value == 1.0 or positive.sum() < 2:
        assert interval is SkipReason.DEGENERATE_VARIANCE
    elif isinstance(interval, Interval):
        assert 0 < interval.low <= value <= interval.high < 1 or interval.high == value
    else:
        assert interval is SkipReason.DEGENERATE_VARIANCE


def test_undefined_metrics_are_refused():
    none, one_class = np.zeros(3, dtype=bool), np.ones(3)
    with pytest.raises(ParameterError):
        average_precision_influence(none, one_class)
    with pytest.raises(ParameterError):
        auc_influence(none, one_class)
    with pytest.raises(ParameterError):
        brier_ratio_influence(none, one_class)
    assert influence_interval(Influence(1.0, np.zeros(3))) is SkipReason.DEGENERATE_VARIANCE
