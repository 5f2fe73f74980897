"""Paired tests against scipy, statsmodels and worked values."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower

from tests.stats.tables import random_rows
from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.stats import resampled_walks as rw
from veridical.stats.bootstrap import bootstrap, unit_replicates
from veridical.stats.influence import average_precision_influence, mean_influence
from veridical.stats.multiplicity import holm
from veridical.stats.paired import (
    mcnemar,
    minimum_detectable_effect,
    paired_bootstrap,
    paired_influence,
    permutation_test,
    sign_test,
)
from veridical.summaries import ScoreTable


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 1), (0, 7), (1, 9), (5, 5), (40, 61), (500, 430)])
def test_mcnemar_equals_statsmodels(b, c):
    test = mcnemar(b, c)
    want = oracle_mcnemar([[10, b], [c, 10]], exact=True).pvalue if b + c else 1.0
    assert test.exact == pytest.approx(want, rel=1e-9)
    assert mcnemar(c, b).exact == test.exact
    assert mcnemar(c, b).mid_p == test.mid_p
    if b != c:
        pmf = stats.binom.pmf(min(b, c), b + c, 0.5)
        assert test.mid_p == pytest.approx(want - pmf, rel=1e-9)
    assert test.mid_p <= test.exact


def test_mid_p_of_a_published_table():
    # Fagerland, Lydersen and Laake (2013), table 1: airway hyper-responsiveness, 1 against 7.
    test = mcnemar(1, 7)
    assert test.exact == pytest.approx(0.0703, abs=5e-5)
    assert test.mid_p == pytest.approx(0.0391, abs=5e-5)


def test_negative_counts_are_refused():
    with pytest.raises(ParameterError):
        mcnemar(-1, 2)


def test_sign_test_equals_the_binomial():
    differences = np.random.default_rng(1).normal(0.3, 1, 40).round(1)
    k, n = int((differences > 0).sum()), int((differences != 0).sum())
    assert sign_test(differences) == pytest.approx(stats.binomtest(k, n).pvalue, rel=1e-9)
    assert sign_test(np.zeros(4)) == 1.0


@pytest.mark.parametrize("n", [3, 8, 12])
def test_small_permutation_tests_are_exact(n):
    differences = np.random.default_rng(n).normal(0.4, 1, n).round(1)
    want = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert permutation_test(differences) == pytest.approx(want, rel=1e-9)


def test_large_permutation_tests_approach_the_normal():
    differences = np.random.default_rng(2).normal(0.1, 1, 500)
    p = permutation_test(differences, 20_000, seed=1)
    want = 2 * stats.norm.sf(abs(differences.sum()) / np.sqrt((differences**2).sum()))
    assert p == pytest.approx(want, abs=5 * np.sqrt(want / 20_000))
    assert p == permutation_test(differences, 20_000, seed=1)
    assert p != permutation_test(differences, 20_000, seed=2)


def test_a_permutation_p_value_is_never_zero():
    assert permutation_test(np.ones(200), 100) == 0.01
    assert permutation_test(np.zeros(5)) == 1.0
    assert permutation_test(np.zeros(0)) == 1.0


def test_paired_bootstrap_and_influence_agree():
    positive, a = random_rows(41, n=600, levels=300)
    b = a + np.random.default_rng(42).normal(0, 250, 600)
    first, second = (average_precision_influence(positive, s) for s in (a, b))
    by_influence = paired_influence(first, second)
    walks = [ScoreTable.from_rows(positive, s).walk for s in (a, b)]
    values = [
        bootstrap(unit_replicates(w, positive, s, 1000, 7), {"ap": rw.average_precision})["ap"]
        for w, s in zip(walks, (a, b), strict=True)
    ]
    resampled, degenerate = paired_bootstrap(by_influence.difference, *values)
    assert degenerate == 0
    assert by_influence.variance == pytest.approx(resampled.variance, rel=0.2)
    assert by_influence.interval.low == pytest.approx(resampled.interval.low, abs=0.01)
    assert by_influence.interval.high == pytest.approx(resampled.interval.high, abs=0.01)
    assert by_influence.p_value < 0.05
    assert resampled.p_value < 0.05
    assert 0 not in by_influence.interval


def test_paired_means_are_a_paired_t_test_in_variance():
    generator = np.random.default_rng(43)
    a, b = generator.random(50), generator.random(50)
    result = paired_influence(mean_influence(a), mean_influence(b))
    want = stats.ttest_rel(a, b)
    assert result.difference == pytest.approx((a - b).mean(), abs=1e-12)
    assert result.difference / result.variance**0.5 == pytest.approx(want.statistic, rel=1e-9)
    assert (0 in result.interval) == (result.p_value > 0.05)


def test_identical_models_have_no_interval():
    positive, scores = random_rows(44)
    same = average_precision_influence(positive, scores)
    assert paired_influence(same, same).interval is SkipReason.DEGENERATE_VARIANCE
    assert paired_influence(same, same).p_value is None
    result, _ = paired_bootstrap(0.0, np.ones(9), np.ones(9))
    assert result.interval is SkipReason.DEGENERATE_VARIANCE
    result, degenerate = paired_bootstrap(0.0, np.full(9, np.nan), np.ones(9))
    assert (result.interval, degenerate) == (SkipReason.DEGENERATE_VARIANCE, 9)


def test_bootstrap_p_value_counts_the_smaller_side_twice():
    result, _ = paired_bootstrap(1.0, np.arange(-2.0, 98.0) + 0.5, np.zeros(100))
    assert result.p_value == pytest.approx(2 * 3 / 101)


def test_minimum_detectable_effect_equals_statsmodels():
    effect = NormalIndPower(ddof=0).solve_power(nobs1=100, alpha=0.05, power=0.8, ratio=0)
    assert minimum_detectable_effect(0.1) == pytest.approx(effect, rel=1e-3)
    with pytest.raises(ParameterError):
        minimum_detectable_effect(0.1, power=1.0)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 50])
def test_holm_equals_statsmodels(n):
    p_values = (np.random.default_rng(n).random(n) ** 3).round(2).tolist()
    want = multipletests(p_values, method="holm")[1].tolist() if n else []
    assert holm(p_values) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_holm_refuses_what_is_no_p_value(bad):
    with pytest.raises(ParameterError):
        holm([0.5, bad])
