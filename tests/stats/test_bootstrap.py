"""The bootstrap draws what resampling rows draws, and is determined by its seed."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, ks_2samp

from tests.stats.tables import golden, random_rows
from veridical.errors import ParameterError
from veridical.stats import resampled_walks as rw
from veridical.stats.bootstrap import (
    bootstrap,
    confusion_replicates,
    percentile_interval,
    unit_replicates,
    unit_sums,
    walk_replicates,
)
from veridical.summaries import ConfusionCounts, ScoreTable


def test_slots_have_the_distribution_of_resampled_rows():
    positive, scores = random_rows(7, n=80, levels=40)
    table = ScoreTable.from_rows(positive, scores)
    statistics = {"ap": rw.average_precision, "auc": rw.auc, "recall": rw.recall_at_fpr(0.1)}
    slots = bootstrap(walk_replicates(table.walk, 4000, 1), statistics)
    generator = np.random.default_rng(2)
    by_rows = {name: [] for name in statistics}
    for _ in range(1500):
        drawn = generator.integers(0, len(scores), len(scores))
        walks = rw.ResampledWalks.of(ScoreTable.from_rows(positive[drawn], scores[drawn]).walk)
        for name, statistic in statistics.items():
            by_rows[name].append(statistic(walks)[0])
    units = bootstrap(unit_replicates(table.walk, positive, scores, 1500, 3), statistics)
    for name in statistics:
        assert ks_2samp(slots[name], by_rows[name]).pvalue > 0.001, name
        assert ks_2samp(units[name], by_rows[name]).pvalue > 0.001, name


def test_stratified_replicates_keep_both_classes():
    positive, scores = random_rows(8)
    walk = ScoreTable.from_rows(positive, scores).walk
    for walks in walk_replicates(walk, 50, 0, stratified=True):
        assert set(walks.total_positives) == {positive.sum()}
        assert set(walks.total_negatives) == {(~positive).sum()}


def test_golden_share_of_replicates_without_a_positive():
    share = golden("bootstrap_empty_class")["expected"]["expected_replicates_without_positive"]
    positive = np.arange(100) < 2
    walk = ScoreTable.from_rows(positive, np.arange(100.0)).walk
    values = bootstrap(walk_replicates(walk, 5000, 0), {"ap": rw.average_precision})["ap"]
    interval, degenerate = percentile_interval(values)
    assert share == pytest.approx(0.98**100, abs=1e-9)
    assert binom.cdf(degenerate, 5000, share) == pytest.approx(0.5, abs=0.499)
    assert interval is not None
    stratified = walk_replicates(walk, 500, 0, stratified=True)
    values = bootstrap(stratified, {"ap": rw.average_precision})["ap"]
    assert percentile_interval(values)[1] == 0


def test_the_seed_determines_every_draw():
    positive, scores = random_rows(9)
    walk = ScoreTable.from_rows(positive, scores).walk

    def draw(seed):
        return bootstrap(walk_replicates(walk, 100, seed), {"auc": rw.auc})["auc"]

    assert np.array_equal(draw(4), draw(4))
    assert not np.array_equal(draw(4), draw(5))


def test_two_columns_with_one_seed_draw_the_same_rows():
    positive, scores = random_rows(10)
    a = ScoreTable.from_rows(positive, scores).walk
    b = ScoreTable.from_rows(positive, -scores).walk
    (first,) = unit_replicates(a, positive, scores, 30, 6)
    (second,) = unit_replicates(b, positive, -scores, 30, 6)
    # The reversed ranking has AUC 1 - AUC in every replicate only if the rows are the same.
    assert rw.auc(first) + rw.auc(second) == pytest.approx(np.ones(30), abs=1e-12)


def test_percentiles_equal_numpy_and_count_what_is_undefined():
    values = np.random.default_rng(0).normal(size=999)
    interval, degenerate = percentile_interval(np.append(values, [np.nan] * 5), 0.9)
    assert interval.low == pytest.approx(np.percentile(values, 5), rel=1e-12)
    assert interval.high == pytest.approx(np.percentile(values, 95), rel=1e-12)
    assert (degenerate, interval.method) == (5, "bootstrap-percentile")


def test_mostly_undefined_replicates_give_no_interval():
    assert percentile_interval(np.array([0.5, np.nan])) == (None, 1)
    assert percentile_interval(np.array([])) == (None, 0)
    assert percentile_interval(np.full(10, np.nan)) == (None, 10)


def test_an_infinite_end_gives_no_interval_and_an_infinite_tail_is_kept():
    mostly = np.append(np.arange(90.0), [np.inf] * 10)
    assert percentile_interval(mostly, 0.95) == (None, 0)
    rarely = np.append(np.arange(999.0), np.inf)
    interval, _ = percentile_interval(rarely, 0.9)
    assert (interval.low, interval.high) == (50.0, 949.0)


def test_sums_over_whole_units():
    units = np.array([0, 0, 1, 2])
    columns = np.array([[1.0, 10.0], [2.0, 0.0], [4.0, 5.0], [8.0, 0.0]])
    sums = unit_sums(units, columns, 300, 0)
    # Three units are drawn; their first column is 3, 4 or 8.
    possible = {a + b + c for a in (3, 4, 8) for b in (3, 4, 8) for c in (3, 4, 8)}
    assert set(sums[:, 0].tolist()) == possible
    assert np.array_equal(sums, unit_sums(units, columns, 300, 0))


def test_confusion_counts_keep_the_number_of_rows():
    counts = ConfusionCounts(tp=6, fp=2, fn=4, tn=88)
    drawn = confusion_replicates(counts, 4000, 0)
    assert set(drawn.sum(axis=1).tolist()) == {100}
    error = np.sqrt(np.array([6, 2, 4, 88]) * (1 - np.array([6, 2, 4, 88]) / 100) / 4000)
    assert (np.abs(drawn.mean(axis=0) - [6, 2, 4, 88]) < 4 * error).all()


def test_fractional_weights_and_price_columns_are_refused():
    positive, scores = random_rows(13)
    half = np.full(len(scores), 0.5)
    table = ScoreTable.from_rows(positive, scores, weight=half)
    with pytest.raises(ParameterError, match="fractional"):
        next(walk_replicates(table.walk, 1, 0))
    with pytest.raises(ParameterError, match="fractional"):
        confusion_replicates(ConfusionCounts(tp=Fraction(1, 2), tn=1), 1, 0)
    with pytest.raises(ParameterError, match="prices"):
        next(walk_replicates(ScoreTable.from_rows(positive, scores, fn_cost=half).walk, 1, 0))
