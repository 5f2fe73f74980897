"""The chosen intervals against the bootstrap they replace, and at their ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats.tables import random_rows, rows
from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.stats import resampled_walks as rw
from veridical.stats.bootstrap import bootstrap, walk_replicates
from veridical.stats.intervals import (
    bias_corrected_bootstrap_interval,
    mean_loss_interval,
    recall_at_fpr_interval,
    recall_at_fpr_variance,
    skill_interval,
)
from veridical.stats.proportions import wilson
from veridical.stats.standard_error import StandardError, standard_error
from veridical.summaries import ScoreTable


@pytest.mark.parametrize("fpr", [0.0, 0.01, 0.05, 0.29, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("seed", [31, 32, 33])
def test_the_variance_of_recall_is_that_of_the_stratified_bootstrap(fpr, seed):
    positive, scores = random_rows(seed, n=100, levels=30)
    walk = ScoreTable.from_rows(positive, scores).walk
    drawn = walk_replicates(walk, 20_000, seed, stratified=True)
    values = bootstrap(drawn, {"recall": rw.recall_at_fpr(fpr)})["recall"]
    exact = recall_at_fpr_variance(walk, fpr)
    # The standard error of a variance from its fourth moment.
    error = np.sqrt(max(((values - values.mean()) ** 4).mean() - values.var() ** 2, 0) / 20_000)
    assert exact == pytest.approx(values.var(), abs=5 * error + 1e-12)


@given(rows(), st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.sampled_from([0.8, 0.95]))
def test_the_interval_of_recall_is_wilson_s_or_wider(data, fpr, level):
    positive, scores = data
    walk = ScoreTable.from_rows(positive, scores).walk
    recall = float(rw.recall_at_fpr(fpr)(rw.ResampledWalks.of(walk))[0])
    interval = recall_at_fpr_interval(recall, walk, fpr, level)
    P = int(positive.sum())
    assert interval.method == "bootstrap-wilson"
    assert recall in interval
    assert interval.width >= wilson(recall * P, P, level).width - 1e-12
    if fpr == 1.0:
        assert interval.width == pytest.approx(wilson(P, P, level).width)


def test_a_limit_is_compared_as_the_metric_compares_it():
    # 29 of 100 negatives are allowed at 0.29, though 0.29 * 100 < 29 in doubles.
    scores = np.concatenate([np.arange(100.0), [70.5] * 5 + [69.5] * 5])
    walk = ScoreTable.from_rows(np.arange(110) >= 100, scores).walk
    drawn = walk_replicates(walk, 20_000, 0, stratified=True)
    values = bootstrap(drawn, {"recall": rw.recall_at_fpr(0.29)})["recall"]
    assert recall_at_fpr_variance(walk, 0.29) == pytest.approx(values.var(), rel=0.05)


def test_one_class_has_no_recall_at_an_fpr():
    walk = ScoreTable.from_rows(np.array([True, True]), np.array([0.5, 0.6])).walk
    with pytest.raises(ParameterError):
        recall_at_fpr_variance(walk, 0.1)


def test_losses_and_skill_stay_in_their_range():
    losses = np.append(np.full(200, 1e-4), [0.9])
    interval = mean_loss_interval(losses.mean(), standard_error(losses))
    assert 0 < interval.low < losses.mean() < interval.high
    assert (
        skill_interval(1.3, StandardError(0.1)).low
        < -0.3
        < skill_interval(1.3, StandardError(0.1)).high
        < 1
    )
    flat = np.full(5, 0.25)
    assert mean_loss_interval(0.25, standard_error(flat)) is SkipReason.DEGENERATE_VARIANCE
    assert skill_interval(0.0, StandardError(0.1)) is SkipReason.DEGENERATE_VARIANCE


def test_bias_corrected_bootstrap_subtracts_the_optimism_once():
    replicates = np.random.default_rng(0).normal(12.0, 2.0, 4000)
    interval, degenerate = bias_corrected_bootstrap_interval(10.0, np.append(replicates, np.nan))
    assert degenerate == 1
    assert (interval.low + interval.high) / 2 == pytest.approx(20 - replicates.mean(), rel=1e-9)
    assert interval.width == pytest.approx(2 * 1.959964 * replicates.std(ddof=1), rel=1e-6)
    bounded, _ = bias_corrected_bootstrap_interval(0.0, replicates, bounds=(0.0, 1.0))
    assert bounded.low == 0.0
    assert bounded.high <= 1.0


@pytest.mark.parametrize("values", [[], [np.nan] * 5, [1.0], [3.0] * 9, [1.0, np.nan, np.nan]])
def test_no_bootstrap_interval_without_variation(values):
    assert bias_corrected_bootstrap_interval(1.0, np.array(values))[0] is None
