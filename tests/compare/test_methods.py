"""Differences, intervals and p-values against other people's numbers and plain definitions."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import veridical as vd
from tests.compare.samples import compared, evaluated, two_models
from veridical.comparison import replicates
from veridical.comparison.decisions import bonett_price, decision_influence
from veridical.comparison.pairs import Pair, Side
from veridical.comparison.replicates import Replicates, top_replicates
from veridical.comparison.row_values import CostOf, InCells, ModelRows
from veridical.metrics import find
from veridical.metrics.intervals import Units
from veridical.stats.influence import auc_influence
from veridical.summaries import ScoreTable

T = 0.2
WHO = {
    # Among which rows a decision can be right, and what is right.
    "recall": (lambda y: y, np.ones_like),
    "specificity": (lambda y: ~y, np.zeros_like),
    "fpr": (lambda y: ~y, np.ones_like),
    "accuracy": (np.ones_like, lambda y: y),
}


def plain_delong(y, a, b):
    """Return difference and variance from all pairs, straight from the paper."""
    components = []
    for s in (a, b):
        above = (s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y])
        components.append((above.mean(axis=1), above.mean(axis=0)))
    on_p, on_n = (components[0][k] - components[1][k] for k in (0, 1))
    return on_p.mean(), on_p.var(ddof=1) / len(on_p) + on_n.var(ddof=1) / len(on_n)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("metric", "scale"), [("binary.roc_auc", 1), ("binary.gini", 2)])
def test_auc_is_delong_over_all_pairs(seed, metric, scale):
    y, p, q = two_models(300, 0.2, seed)
    p, q = p.round(2), q.round(2)
    found = compared(y, p, q, metric)
    difference, variance = plain_delong(y, p, q)
    half = stats.norm.ppf(0.975) * np.sqrt(variance) * scale
    assert found.difference.value == pytest.approx(scale * difference, abs=1e-12)
    assert found.difference.interval.high == pytest.approx(scale * difference + half, abs=1e-10)
    expected = 2 * stats.norm.sf(abs(difference) / np.sqrt(variance))
    assert found.p_value == pytest.approx(expected, rel=1e-9)
    assert found.method == "delong"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("metric", WHO)
def test_proportions_of_the_same_rows_are_mcnemar(seed, metric):
    y, p, q = two_models(400, 0.2, seed)
    among, right = WHO[metric]
    first, second = (((s >= T) == right(y))[among(y)] for s in (p, q))
    table = [
        [(first & second).sum(), (first & ~second).sum()],
        [(~first & second).sum(), (~first & ~second).sum()],
    ]
    found = compared(y, p, q, f"binary.{metric}", threshold=T)
    assert found.p_value == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    assert found.difference.value == pytest.approx(first.mean() - second.mean(), abs=1e-12)
    assert found.difference.conditions["only_a"] == table[0][1]
    assert found.difference.conditions["only_b"] == table[1][0]


def test_the_interval_of_two_proportions_covers():
    rng = np.random.default_rng(0)
    cells, n, covered, reps = np.array([0.5, 0.12, 0.04, 0.34]), 60, 0, 4_000
    for _, only_a, only_b, _ in rng.multinomial(n, cells, size=reps):
        covered += 0.08 in bonett_price(int(only_a), int(only_b), n, 0.95)
    assert 0.94 <= covered / reps <= 0.97


@pytest.mark.parametrize("metric", ["calibration.brier", "calibration.log_loss", "cost.total"])
def test_means_over_rows_are_a_paired_t_test(metric):
    y, p, q = two_models(2_000, 0.2, seed=5)
    prices = vd.Costs(fn=10, fp=2, review=1)

    def per_row(s):
        if metric == "calibration.brier":
            return (s - y) ** 2
        if metric == "calibration.log_loss":
            return -np.log(np.where(y, s, 1 - s))
        flag = s >= T
        return 10.0 * (y & ~flag) + 2.0 * (~y & flag) + flag

    scale = len(y) if metric == "cost.total" else 1
    oracle = stats.ttest_rel(per_row(p), per_row(q))
    interval = oracle.confidence_interval()
    found = compared(y, p, q, metric, threshold=T, costs=prices)
    assert found.difference.value == pytest.approx(
        scale * (per_row(p) - per_row(q)).mean(), rel=1e-9, abs=1e-12
    )
    # Ours knows its standard error a little less well, as the tails of the losses say.
    width = found.difference.interval.width / scale
    assert 1 <= width / (interval.high - interval.low) < 1.02
    assert found.p_value == pytest.approx(oracle.pvalue, abs=0.01)


@pytest.mark.parametrize("metric", ["precision", "f1", "mcc", "npv", "balanced_accuracy"])
def test_metrics_of_decisions_move_as_without_the_row(metric):
    y, p, _ = two_models(300, 0.3, seed=7)
    measure = find(f"binary.{metric}")
    cells = decision_influence(measure, ScoreTable.from_rows(y, p).at(T))
    values = InCells(T, cells)(ModelRows(Units(y, p)))
    value = vd.measure(measure, y, p, threshold=T).value
    n = len(y)
    for row in range(0, n, 10):
        without = vd.measure(
            measure, np.delete(y, row), np.delete(p, row), threshold=T, intervals=False
        )
        moved = (n - 1) * (value - without.value)
        assert values[row] == pytest.approx(moved, rel=0.02, abs=0.02)
    assert values.mean() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    "metric",
    ["average_precision", "ks", "f1", "brier_skill", "best_threshold", "saving", "precision"],
)
def test_the_standard_error_is_that_of_resampled_rows(metric):
    # 400 replicates know a standard deviation to about 4%.  An optimum that is searched anew in
    # every replicate varies less than at its own threshold, so there ours is on the safe side.
    tolerance = 0.3 if metric in {"ks", "best_threshold", "saving"} else 0.12
    y, p, q = two_models(1_500, 0.2, seed=11, better=0.4)
    settings = {"threshold": T, "costs": vd.Costs(fn=6, fp=1), "intervals": False}
    found = compared(y, p, q, metric, **settings)
    rng = np.random.default_rng(1)
    differences = []
    for _ in range(400):
        rows = rng.integers(0, len(y), len(y))
        a, b = (vd.measure(metric, y[rows], s[rows], **settings).value for s in (p, q))
        differences.append(a - b)
    half = found.difference.interval.width / 2 / stats.norm.ppf(0.975)
    assert half == pytest.approx(np.std(differences), rel=tolerance)


def test_bootstrap_is_paired_over_rows():
    y, p, q = two_models(800, 0.2, seed=12)
    found = compared(y, p, q, "binary.recall@fpr=0.05", replicates=600)
    rng = np.random.default_rng(2)
    differences = []
    for _ in range(600):
        rows = rng.integers(0, len(y), len(y))
        a, b = (
            vd.measure("recall@fpr=0.05", y[rows], s[rows], intervals=False).value for s in (p, q)
        )
        differences.append(a - b)
    low, high = np.quantile(differences, [0.025, 0.975])
    interval = found.difference.interval
    assert found.method == "bootstrap"
    assert interval.low == pytest.approx(low, abs=0.02)
    assert interval.high == pytest.approx(high, abs=0.02)


@pytest.mark.parametrize("mode", ["", ",mode=certified"])
def test_resampling_the_top_alone_is_the_same_bootstrap(mode):
    y, p, q = two_models(4_000, 0.05, seed=13)
    ev = evaluated(y, p, q, "binary.roc_auc", replicates=2_000)
    pair = Pair(*(Side(part.subject, part, ev.settings) for part in ev.slices))
    measure = find(f"binary.recall@fpr=0.01{mode}")
    kept = np.count_nonzero(p >= np.sort(p[~y])[-(40 + 64 + 100)])
    assert kept < len(y) / 4  # or it would not be the top alone
    top = np.subtract(*top_replicates(pair, measure, 0.01, 2_000, seed=3))
    store = Replicates([measure])
    full = store.of(measure, pair.a) - store.of(measure, pair.b)
    assert top.mean() == pytest.approx(full.mean(), abs=4 * full.std() / np.sqrt(1_000))
    assert top.std() == pytest.approx(full.std(), rel=0.08)
    assert stats.ks_2samp(top, full).pvalue > 0.001


def test_large_data_change_the_method_and_not_the_answer(monkeypatch):
    y, p, q = two_models(3_000, 0.1, seed=14, better=0.5)
    metrics = ["binary.recall@fpr=0.05", "binary.recall_top@300"]
    ev = evaluated(y, p, q, metrics, replicates=1_000)
    small = vd.compare(ev.subject("p"), ev.subject("q"), metrics)
    monkeypatch.setattr(replicates, "LARGE", 1_000)
    monkeypatch.setattr("veridical.comparison.methods.LARGE", 1_000)
    large = vd.compare(ev.subject("p"), ev.subject("q"), metrics)
    assert [c.method for c in large] == ["bootstrap", "bootstrap-normal"]
    assert large[1].difference.conditions["replicates"] == 333
    for one, two in zip(small, large, strict=True):
        assert two.difference.value == one.difference.value
        assert two.difference.interval.width == pytest.approx(
            one.difference.interval.width, rel=0.2
        )


def test_prices_by_row_are_read_by_row():
    y, p, q = two_models(500, 0.2, seed=15)
    amounts = np.random.default_rng(15).uniform(1, 100, len(y))
    prices = vd.Costs(fn="amount", fp=2)
    found = compared(y, p, q, "cost.total", threshold=T, costs=prices, columns={"amount": amounts})

    def cost(s):
        return np.where(y & (s < T), amounts, 0) + 2.0 * (~y & (s >= T))

    assert found.difference.value == pytest.approx((cost(p) - cost(q)).sum(), abs=1e-6)
    rows = ModelRows(Units(y, p, costs={"fn_cost": amounts}))
    assert CostOf(prices, T, 1.0)(rows) == pytest.approx(cost(p), rel=1e-12)
    assert CostOf(prices, None, 1.0)(rows) == pytest.approx(amounts * y)


def test_holm_is_over_all_metrics_and_pairs_of_the_evaluation():
    y, p, q = two_models(400, 0.3, seed=16, better=0.8)
    data = {"y": y, "p": p, "q": q, "r": np.sqrt(p * q)}
    ev = vd.evaluate(data, label="y", score=["p", "q", "r"], threshold=T, replicates=200)
    tested = [c for c in ev.comparisons if c.p_value is not None]
    oracle = multipletests([c.p_value for c in tested], method="holm")[1]
    assert [c.p_adjusted for c in tested] == pytest.approx(oracle.tolist(), rel=1e-12)
    assert {c.n_tests for c in ev.comparisons} == {len(tested)}
    assert len({(c.a, c.b) for c in tested}) == 3


def repeated(y, p, q, times):
    index = np.repeat(np.arange(len(y)), times)
    return y[index], p[index], q[index]


ALL = [
    "binary.roc_auc", "binary.average_precision", "binary.ks", "binary.recall@fpr=0.05",
    "calibration.brier", "calibration.brier_skill", "calibration.log_loss", "cost.total",
    "cost.best_threshold", "cost.saving", "binary.recall", "binary.precision", "binary.f1",
    "binary.specificity", "binary.accuracy", "binary.precision_top@50",
]  # fmt: skip


def answers(y, p, q, **settings):
    ev = evaluated(
        y, p, q, ALL, threshold=T, costs=vd.Costs(fn=6, fp=1), replicates=200, **settings
    )
    found = vd.compare(ev.subject("p"), ev.subject("q"), ALL)
    return {
        c.metric: (c.difference.value, c.difference.interval.low, c.difference.interval.high)
        for c in found
    }


def test_whole_weights_are_repeated_rows():
    y, p, q = two_models(200, 0.3, seed=17)
    times = np.random.default_rng(17).integers(0, 4, len(y))
    weighted = answers(y, p, q, weight="w", columns={"w": times})
    spread = answers(*repeated(y, p, q, times))
    for metric in ALL:
        assert weighted[metric] == pytest.approx(spread[metric], rel=1e-9, abs=1e-9), metric


def test_rows_repeated_within_their_cluster_add_nothing():
    y, p, q = two_models(300, 0.3, seed=18)
    cluster = np.arange(len(y))
    once = answers(y, p, q, cluster="c", columns={"c": cluster})
    twice = answers(*repeated(y, p, q, 2), cluster="c", columns={"c": np.repeat(cluster, 2)})
    for metric in ALL:
        if metric == "binary.precision_top@50":
            continue  # the top 50 of twice the rows are other rows
        scale = 0.5 if metric.startswith("cost.") else 1
        expected = once[metric]
        tolerance = 0.02 * (expected[2] - expected[1])
        got = [scale * x for x in twice[metric]]
        assert got == pytest.approx(expected, abs=tolerance), metric


def test_clusters_that_repeat_widen_the_interval():
    y, p, q = two_models(300, 0.3, seed=19)
    y, p, q = repeated(y, p, q, 4)
    alone = answers(y, p, q)
    clustered = answers(y, p, q, cluster="c", columns={"c": np.arange(len(y)) // 4})
    for metric in ALL:
        narrow, wide = (x[metric][2] - x[metric][1] for x in (alone, clustered))
        assert wide > 1.4 * narrow, metric


def test_fractional_weights_are_one_draw_a_row():
    y, p, q = two_models(400, 0.3, seed=20)
    weight = np.random.default_rng(20).uniform(0.5, 2, len(y))
    found = compared(y, p, q, "binary.roc_auc", weight="w", columns={"w": weight})
    assert found.method == "influence"
    expected = auc_influence(y, p, weight).estimate - auc_influence(y, q, weight).estimate
    assert found.difference.value == pytest.approx(expected, abs=1e-12)
    halved = compared(y, p, q, "binary.roc_auc", weight="w", columns={"w": weight / 2})
    assert halved.difference.interval.width == pytest.approx(found.difference.interval.width)


def test_few_clusters_are_said():
    y, p, q = two_models(300, 0.3, seed=21)
    found = compared(y, p, q, "binary.roc_auc", cluster="c", columns={"c": np.arange(len(y)) % 10})
    assert "few_clusters" in found.difference.notes
    assert found.method == "influence-clusters"


def test_float32_scores_are_compared_as_float32():
    y, p, q = two_models(300, 0.3, seed=22)
    threshold = 0.1
    single = np.where(np.arange(len(y)) % 3 == 0, np.float32(0.1), p.astype(np.float32))
    found = compared(y, single, q, "binary.recall", threshold=threshold)
    flag_a, flag_b = single[y] >= np.float32(threshold), q[y] >= threshold
    assert found.difference.value == pytest.approx(flag_a.mean() - flag_b.mean(), abs=1e-12)
    assert found.difference.conditions["only_a"] == (flag_a & ~flag_b).sum()
