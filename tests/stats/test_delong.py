"""The AUC and DeLong's variance against golden values, scikit-learn and the definition."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import roc_auc_score

from tests.stats.tables import golden, hmda, random_rows, rows
from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.stats.delong import auc_exact, auc_interval, delong, paired_delong
from veridical.summaries import ScoreTable, Walk
from veridical.summaries.fixed_point import FixedArray


def walk_of(positive, scores, **kwargs):
    return ScoreTable.from_rows(np.asarray(positive) == 1, np.asarray(scores), **kwargs).walk


def kernel(positive_scores, negative_scores):
    """The definition: 1 where a positive is above a negative, 1/2 where they tie."""
    p, n = np.asarray(positive_scores)[:, None], np.asarray(negative_scores)[None, :]
    return (p > n) + 0.5 * (p == n)


def covariance(kernels):
    """DeLong, DeLong and Clarke-Pearson (1988), equation 5, as printed."""
    positives, negatives = kernels[0].shape
    v10 = np.array([k.mean(axis=1) for k in kernels])
    v01 = np.array([k.mean(axis=0) for k in kernels])
    return np.atleast_2d(np.cov(v10)) / positives + np.atleast_2d(np.cov(v01)) / negatives


def test_golden_value():
    case = golden("delong_value")
    auc, variance = delong(walk_of(case["input"]["y"], case["input"]["score"]))
    assert auc == case["expected"]["auc"]
    assert variance == pytest.approx(case["expected"]["variance"], abs=case["tol"])


def test_golden_one_positive():
    case = golden("delong_one_positive")
    walk = walk_of(case["input"]["y"], case["input"]["score"])
    assert delong(walk) == (case["expected"]["auc"], None)
    assert auc_interval(walk) is SkipReason.DEGENERATE_VARIANCE


def test_hmda():
    denied, logistic, boosting = hmda()
    for scores, want in ((logistic, 0.8218799983251684), (boosting, 0.7997429133693421)):
        assert float(auc_exact(walk_of(denied, scores))) == pytest.approx(want, abs=1e-12)


@given(rows())
def test_auc_and_variance_equal_their_definition(data):
    positive, scores = data
    k = kernel(scores[positive], scores[~positive])
    auc, variance = delong(walk_of(positive, scores))
    assert auc == pytest.approx(k.mean(), abs=1e-12)
    assert auc == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)
    if min(k.shape) < 2:
        assert variance is None
    else:
        assert variance == pytest.approx(covariance([k])[0, 0], abs=1e-12)


def test_weights_equal_repeated_rows():
    positive, scores = random_rows(1)
    times = np.random.default_rng(2).integers(1, 4, len(scores))
    weighted = walk_of(positive, scores, weight=times.astype(float))
    repeated = walk_of(np.repeat(positive, times), np.repeat(scores, times))
    assert auc_exact(weighted) == auc_exact(repeated)
    assert delong(weighted) == delong(repeated)


def test_fractional_weights_equal_scikit_learn():
    positive, scores = random_rows(3)
    weight = np.random.default_rng(4).random(len(scores))
    walk = walk_of(positive, scores, weight=weight)
    want = roc_auc_score(positive, scores, sample_weight=weight)
    assert float(auc_exact(walk)) == pytest.approx(want, abs=1e-12)
    with pytest.raises(ParameterError, match="fractional"):
        delong(walk)


@pytest.mark.parametrize("seed", range(5))
def test_fractional_weights_pair_by_pair(seed):
    # Multiples of 2**-40, so that no weight is rounded, large and small ones.
    rng = np.random.default_rng(seed)
    positive, scores = rng.random(60) < 0.4, rng.integers(0, 12, 60) / 12
    units = [int(one) for one in 2.0 ** rng.uniform(0, 60, 60)]
    weight = [Fraction(one, 2**40) for one in units]
    ranked = sum(
        weight[i] * weight[j] * (1 if scores[i] > scores[j] else Fraction(1, 2))
        for i in np.flatnonzero(positive)
        for j in np.flatnonzero(~positive)
        if scores[i] >= scores[j]
    )
    sides = [sum(weight[i] for i in np.flatnonzero(side)) for side in (positive, ~positive)]
    walk = walk_of(positive, scores, weight=np.array(weight, dtype=float))
    assert auc_exact(walk) == ranked / (sides[0] * sides[1])


@pytest.mark.parametrize("scale", [1, 2**20, 2**31, 2**40, 2**55, 2**60])
def test_pairs_beyond_63_bits(scale):
    # Multiplying every count by a constant leaves the AUC as it was, exactly.
    positives, tied, between = [3, 1, 5], [2, 0, 1], [1, 4, 0, 7]
    small = Walk(
        np.array([0.9, 0.5, 0.1]), *(FixedArray.from_int(c) for c in (positives, tied, between))
    )
    pairs = 3 * (2 * (15 - 3) + 2) + 1 * 2 * (15 - 7) + 5 * (2 * (15 - 8) + 1)
    assert auc_exact(small) == Fraction(pairs, 2 * 9 * 15)
    if scale * 15 < 2**62:
        large = Walk(
            small.thresholds,
            *(FixedArray.from_int(np.array(c) * scale) for c in (positives, tied, between)),
        )
        assert auc_exact(large) == auc_exact(small)


@pytest.mark.parametrize("n_positives", [1, 4, 30])
def test_perfect_separation_is_bounded_away_from_certainty(n_positives):
    positive = np.arange(40) < n_positives
    pairs = min(n_positives, 40 - n_positives)
    best = auc_interval(walk_of(positive, positive * 1.0), 0.9)
    assert (best.high, best.method, best.level) == (1.0, "perfect-separation", 0.9)
    assert best.low**pairs == pytest.approx(0.05, rel=1e-12)
    worst = auc_interval(walk_of(positive, ~positive * 1.0), 0.9)
    assert (worst.low, worst.high) == (0.0, 1.0 - best.low)


def test_constant_scores_have_no_interval():
    assert auc_interval(walk_of([1, 0, 1, 0], np.ones(4))) is SkipReason.DEGENERATE_VARIANCE


@pytest.mark.parametrize("labels", [[1, 1], [0, 0], []])
def test_one_class_is_refused(labels):
    with pytest.raises(ParameterError):
        auc_exact(walk_of(np.array(labels), np.ones(len(labels))))
    with pytest.raises(ParameterError):
        paired_delong(np.array(labels) == 1, np.ones(len(labels)), np.ones(len(labels)))


@given(rows(), rows(max_size=5))
def test_paired_difference_equals_its_definition(data, other):
    positive, a = data
    b = np.resize(other[1], len(a))
    ka, kb = (kernel(s[positive], s[~positive]) for s in (a, b))
    result = paired_delong(positive, a, b)
    assert result.difference == pytest.approx(ka.mean() - kb.mean(), abs=1e-12)
    if min(ka.shape) < 2:
        assert result.variance is None
        return
    s = covariance([ka, kb])
    assert result.variance == pytest.approx(s[0, 0] + s[1, 1] - 2 * s[0, 1], abs=1e-12)


def test_paired_p_value_and_interval_agree_on_hmda():
    denied, logistic, boosting = hmda()
    result = paired_delong(denied, logistic, boosting)
    assert result.difference == pytest.approx(0.8218799983251684 - 0.7997429133693421, abs=1e-12)
    z = result.difference / result.variance**0.5
    assert result.interval.low == pytest.approx(result.difference * (1 - 1.959963984540054 / z))
    assert (0 in result.interval) == (result.p_value > 0.05)
    swapped = paired_delong(denied, boosting, logistic)
    assert swapped.difference == -result.difference
    assert swapped.p_value == pytest.approx(result.p_value, rel=1e-12)


def test_identical_models_have_no_test():
    positive, scores = random_rows(5)
    result = paired_delong(positive, scores, 2 * scores + 1)
    assert (result.difference, result.p_value) == (0.0, None)
    assert result.interval is SkipReason.DEGENERATE_VARIANCE
