"""Each vectorised statistic equals its plain definition on random small tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp
from sklearn.metrics import average_precision_score, roc_auc_score

from tests.stats.tables import rows
from veridical.errors import ParameterError
from veridical.stats import resampled_costs as costs
from veridical.stats import resampled_walks as rw
from veridical.stats.bootstrap import (
    _unit_draws,
    bootstrap,
    unit_replicates,
    walk_replicates,
)
from veridical.summaries import ScoreTable


def walks_of(positive, scores):
    return rw.ResampledWalks.of(ScoreTable.from_rows(positive, scores).walk)


def one(statistic, positive, scores):
    (value,) = statistic(walks_of(positive, scores)).tolist()
    return value


def operating_points(positive, scores):
    """(threshold, TP, FP) at flag nothing and at every distinct score, strictest first."""
    points = [(np.inf, 0, 0)]
    for t in np.unique(scores)[::-1]:
        flagged = scores >= t
        points.append((t, int((flagged & positive).sum()), int((flagged & ~positive).sum())))
    return points


@given(rows())
def test_ranking_metrics_equal_their_oracles(data):
    positive, scores = data
    assert one(rw.auc, *data) == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)
    assert one(rw.gini, *data) == pytest.approx(2 * roc_auc_score(positive, scores) - 1, abs=1e-12)
    want = average_precision_score(positive, scores)
    assert one(rw.average_precision, *data) == pytest.approx(want, abs=1e-12)
    want = ks_2samp(scores[positive], scores[~positive]).statistic
    assert one(rw.ks, *data) == pytest.approx(want, abs=1e-12)


@given(rows(), st.sampled_from([0.01, 0.1, 0.29, 0.5, 1.0]))
def test_partial_auc_equals_scikit_learn(data, max_fpr):
    positive, scores = data
    want = roc_auc_score(positive, scores, max_fpr=max_fpr)
    assert one(rw.partial_auc(max_fpr), *data) == pytest.approx(want, abs=1e-12)


@given(rows(), st.sampled_from([0.0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 1.0]))
def test_fixed_operating_points_equal_their_definition(data, limit):
    positive, scores = data
    P, N = int(positive.sum()), int((~positive).sum())
    points = operating_points(positive, scores)
    want = max(tp / P for _, tp, fp in points if fp / N <= limit)
    assert one(rw.recall_at_fpr(limit), *data) == want
    reached = [tp / P for _, tp, fp in points if tp + fp and tp / (tp + fp) >= limit]
    assert one(rw.recall_at_precision(limit), *data) == max(reached, default=0.0)
    if limit > 0:
        first = next(tp / (tp + fp) for _, tp, fp in points if tp / P >= limit)
        assert one(rw.precision_at_recall(limit), *data) == first


@given(rows(), st.integers(1, 30))
def test_top_k_is_the_mean_over_orders_of_ties(data, k):
    positive, scores = data
    if k > len(scores):
        assert np.isnan(one(rw.precision_in_top(k), *data))
        return
    cut = np.sort(scores)[::-1][k - 1]
    above, at = scores > cut, scores == cut
    hits = positive[above].sum() + (k - above.sum()) * positive[at].mean()
    assert one(rw.precision_in_top(k), *data) == pytest.approx(hits / k, abs=1e-12)
    assert one(rw.recall_in_top(k), *data) == pytest.approx(hits / positive.sum(), abs=1e-12)


PRICES = [
    costs.Prices(fn=10, fp=1),
    costs.Prices(fn=1, fp=10),
    costs.Prices(fn=850, fp=25, review=5),
    costs.Prices(fn=0, fp=1, review=1),
]


@given(rows(), st.sampled_from(PRICES), st.sampled_from([0.0, 0.3, 0.55, 1.0, 1.5]))
def test_costs_equal_their_definition(data, prices, in_use):
    positive, scores = data
    P, N = int(positive.sum()), int((~positive).sum())

    def cost(tp, fp):
        return prices.fn * (P - tp) + prices.fp * fp + prices.review * (tp + fp)

    points = [(cost(tp, fp), t) for t, tp, fp in operating_points(positive, scores)]
    lowest = min(c for c, _ in points)
    assert one(costs.best_cost(prices), *data) == lowest
    assert one(costs.best_threshold(prices), *data) == max(t for c, t in points if c == lowest)
    saving = min(cost(0, 0), cost(P, N)) - lowest
    assert one(costs.cost_saving(prices), *data) == saving
    assert one(costs.cost_at(prices, None), *data) == cost(0, 0)
    flagged = scores >= in_use
    there = cost(int((flagged & positive).sum()), int((flagged & ~positive).sum()))
    cut = rw.ResampledWalks.of(ScoreTable.from_rows(positive, scores).walk_at(in_use))
    assert costs.cost_at(prices, in_use)(cut).tolist() == [there]
    assert costs.cost_saving(prices, in_use)(cut).tolist() == [there - lowest]
    assert costs.best_cost(prices)(cut).tolist() == [lowest]


@given(rows(), st.integers(0, 2**32 - 1))
def test_price_columns_equal_their_definition(data, seed):
    positive, scores = data
    fn, fp, review = np.random.default_rng(seed).integers(0, 50, (3, len(scores))).astype(float)
    table = ScoreTable.from_rows(positive, scores, fn_cost=fn, fp_cost=fp, review_cost=review)
    walks = rw.ResampledWalks.of(table.walk)
    prices = costs.Prices(None, None, None)

    def cost(flagged):
        missed = fn[positive & ~flagged].sum()
        return missed + fp[~positive & flagged].sum() + review[flagged].sum()

    every = [cost(scores >= t) for t in [np.inf, *np.unique(scores)[::-1]]]
    assert costs.best_cost(prices)(walks).tolist() == [min(every)]
    saving = min(cost(scores > 9), cost(scores > -9)) - min(every)
    assert costs.cost_saving(prices)(walks).tolist() == [saving]


def test_a_price_column_that_is_not_there_is_refused():
    walks = walks_of(np.array([True, False]), np.array([0.7, 0.2]))
    with pytest.raises(ParameterError, match="fp_cost"):
        costs.best_cost(costs.Prices(fn=1, fp=None))(walks)


STATISTICS = {
    "auc": rw.auc,
    "ap": rw.average_precision,
    "ks": rw.ks,
    "partial_auc": rw.partial_auc(0.2),
    "recall_at_fpr": rw.recall_at_fpr(0.1),
    "recall_at_precision": rw.recall_at_precision(0.5),
    "precision_at_recall": rw.precision_at_recall(0.5),
    "precision_in_top": rw.precision_in_top(5),
    "best_cost": costs.best_cost(PRICES[2]),
    "best_threshold": costs.best_threshold(PRICES[0]),
    "saving": costs.cost_saving(PRICES[0]),
}


def expanded(walks, replicate):
    """The rows of one replicate, written out; negatives in a gap get a score inside it."""
    t = walks.thresholds
    gaps = np.concatenate([[t[0] + 1], (t[:-1] + t[1:]) / 2, [t[-1] - 1]])
    counts = np.concatenate([c[replicate] for c in (walks.positives, walks.tied, walks.between)])
    scores = np.repeat(np.concatenate([t, t, gaps]), counts.astype(int))
    return np.arange(len(scores)) < walks.positives[replicate].sum(), scores


@given(rows(both_classes=False), st.integers(0, 99), st.booleans())
def test_a_replicate_is_the_metric_of_its_rows(data, seed, stratified):
    positive, scores = data
    if not positive.any():
        return
    table = ScoreTable.from_rows(positive, scores)
    (walks,) = walk_replicates(table.walk, 4, seed, stratified=stratified)
    for name, statistic in STATISTICS.items():
        values = statistic(walks)
        for replicate in range(4):
            alone = one(statistic, *expanded(walks, replicate))
            assert values[replicate] == pytest.approx(alone, abs=1e-12, nan_ok=True), name


def test_statistics_are_undefined_without_a_class():
    only_positives = walks_of(np.array([True, True]), np.array([0.7, 0.2]))
    empty = walks_of(np.zeros(0, dtype=bool), np.zeros(0))
    for name in ("auc", "ks", "partial_auc", "recall_at_fpr"):
        assert np.isnan(STATISTICS[name](only_positives)).all(), name
        assert np.isnan(STATISTICS[name](empty)).all(), name
    assert STATISTICS["ap"](only_positives).tolist() == [1.0]
    assert np.isnan(STATISTICS["ap"](empty)).all()


def test_units_give_the_same_walks_as_their_rows():
    generator = np.random.default_rng(11)
    positive, scores = generator.random(40) < 0.5, np.round(generator.random(40), 1)
    weight = generator.integers(0, 3, 40).astype(float)
    fn, fp, review = generator.integers(0, 9, (3, 40)).astype(float)
    prices = {"fn_cost": fn, "fp_cost": fp, "review_cost": review}
    units = generator.integers(0, 8, 40)
    walk = ScoreTable.from_rows(positive, scores, weight=weight).walk
    kwargs = {"units": units, "weight": weight, **prices}
    (walks,) = unit_replicates(walk, positive, scores, 3, 5, **kwargs)
    for replicate, times in zip(range(3), _unit_draws(8, 5), strict=False):
        rows = np.repeat(np.arange(40), times[units])
        table = ScoreTable.from_rows(
            positive[rows], scores[rows], weight=weight[rows],
            **{name: price[rows] for name, price in prices.items()},
        )  # fmt: skip
        alone = rw.ResampledWalks.of(table.walk)
        for name in ("auc", "ap", "ks", "best_cost"):
            want = STATISTICS[name](alone)[0]
            assert STATISTICS[name](walks)[replicate] == pytest.approx(want, abs=1e-12), name
        by_row = costs.best_cost(costs.Prices(None, None, None))
        assert by_row(walks)[replicate] == pytest.approx(by_row(alone)[0], abs=1e-9)


def test_chunks_do_not_change_the_draws(monkeypatch):
    positive, scores = np.arange(50) % 3 == 0, np.arange(50) % 7 / 7
    walk = ScoreTable.from_rows(positive, scores).walk

    def draw():
        return [
            bootstrap(walk_replicates(walk, 20, 3), STATISTICS),
            bootstrap(walk_replicates(walk, 20, 3, stratified=True), STATISTICS),
            bootstrap(unit_replicates(walk, positive, scores, 20, 3), STATISTICS),
        ]

    whole = draw()
    monkeypatch.setattr("veridical.stats.bootstrap.CELLS_IN_MEMORY", 60)
    for one_chunk, many in zip(whole, draw(), strict=True):
        for name in STATISTICS:
            assert np.array_equal(one_chunk[name], many[name]), name
