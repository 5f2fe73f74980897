"""Intervals of binned scores: those of the extreme rankings, and all between them."""

import numpy as np
import pytest

import veridical as vd
from tests.portable.rows import example

# Methods that draw nothing: on the extreme rankings they differ only by what the bins left open.
STEADY = ["roc_auc", "gini", "average_precision", "recall@fpr=0.05", "recall", "precision", "npv"]


def held(data, grid, metrics, **options):
    return vd.evaluate(vd.summarise(data, label="y", score="p", grid=grid), metrics, **options)


@pytest.mark.parametrize("metric", STEADY)
@pytest.mark.parametrize("seed", range(5))
def test_the_interval_holds_that_of_the_rows(metric, seed):
    data = example(seed, 2_000)
    exact = vd.evaluate(data, [metric], label="y", score="p", threshold=0.301)[metric].interval
    binned = held(data, "probability/4", [metric], threshold=0.301)[metric]
    slack = 0.05 * exact.width  # the spread is that of the extremes, which is close to the truth's
    assert binned.interval.low <= exact.low + slack
    assert binned.interval.high >= exact.high - slack
    assert binned.value in binned.interval
    assert binned.interval.method == f"{exact.method}-extremes"


@pytest.mark.parametrize("metric", [*STEADY, "f1", "cost.saving", "ks"])
def test_an_exact_value_has_the_interval_of_the_rows(metric):
    # Few distinct scores, each alone in its bin: nothing is lost.
    data = example(7, 1_000, ties=40)
    options = {"threshold": 0.3, "costs": vd.Costs(fn=10, fp=1), "replicates": 100}
    exact = vd.evaluate(data, [metric], label="y", score="p", **options)[metric]
    binned = held(data, "probability/14", [metric], **options)[metric]
    assert (binned.value, binned.bounds) == (exact.value, None)
    assert binned.interval == exact.interval


def test_intervals_may_be_left_out():
    results = held(example(1, 200), "probability/14", None, intervals=False).values()
    assert all(result.interval is None for result in results)


def test_a_ranking_without_variance_has_no_interval_and_says_so():
    data = {"y": [1, 0, 0], "p": [0.9, 0.2, 0.1]}
    exact = vd.evaluate(data, ["average_precision"], label="y", score="p")["average_precision"]
    binned = held(data, "probability/14", ["average_precision"])["average_precision"]
    assert exact.interval is None
    assert binned.interval is None
    assert set(binned.notes) == set(exact.notes)


@pytest.mark.long
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "recall"])
def test_coverage_with_few_bins(metric):
    """Simulated 95% intervals hold the value of a large population at least as often as claimed."""
    truth = example(99, 400_000)
    value = vd.evaluate(truth, [metric], label="y", score="p", threshold=0.4, intervals=False)
    hits = 0
    for seed in range(600):
        result = held(example(seed, 500), "probability/6", [metric], threshold=0.4)[metric]
        hits += value[metric].value in result.interval
    # Three standard errors of the simulation below 95%.
    assert hits / 600 > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 600)
