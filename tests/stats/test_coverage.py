"""Simulated intervals hold the truth as often as they claim, where they claim it.

The bounds are those of the claim (93% to 97% for a nominal 95%), widened by what a binomial count
of so many simulations may be off once in 10,000 times.  Seeds are fixed: nothing fails by chance.
"""

import pytest

from tests.stats.coverage import (
    QUESTIONS,
    World,
    claimed_range,
    coverage,
    forecast_coverage,
    is_claimed,
    walk_coverage,
    worlds,
)

METRICS = [
    "roc_auc",
    "average_precision",
    "recall",
    "recall@fpr=0.001",
    "recall@fpr=0.01",
    "brier",
    "log_loss",
    "brier_skill",
]
SAMPLE = [
    World(30, 0.01, 2.0),
    World(100, 0.1, 0.8),
    World(100, 0.001, 3.5),
    World(300, 0.5, 3.5),
]


def cases(metrics, among):
    """Metric and world wherever coverage is claimed."""
    return [(metric, world) for metric in metrics for world in among if is_claimed(metric, world)]


def check(metric, world, simulations, seed):
    found = coverage(world, metric, simulations, seed)
    assert found.consistent_with(*claimed_range(metric, world)), (found.share, found)


@pytest.mark.parametrize(("metric", "world"), cases(METRICS, SAMPLE), ids=str)
def test_sample_of_coverage(metric, world):
    check(metric, world, 300, seed=2)


@pytest.mark.parametrize(("metric", "world"), cases(["saving"], SAMPLE), ids=str)
def test_sample_of_coverage_of_the_saving(metric, world):
    check(metric, world, 120, seed=2)


@pytest.mark.long
@pytest.mark.parametrize(("metric", "world"), cases(METRICS, worlds()), ids=str)
def test_coverage(metric, world):
    check(metric, world, 2000, seed=3)


@pytest.mark.long
@pytest.mark.parametrize(("metric", "world"), cases(["saving"], worlds((30, 100, 300))), ids=str)
def test_coverage_of_the_saving(metric, world):
    check(metric, world, 400, seed=3)


@pytest.mark.long
@pytest.mark.parametrize(
    ("metric", "world"), cases(["brier", "log_loss", "brier_skill"], worlds()), ids=str
)
def test_coverage_of_miscalibrated_forecasts(metric, world):
    found = forecast_coverage(world, metric, 2000, 3, calibrated=False)
    assert found.consistent_with(0.93, 0.97), (found.share, found)


@pytest.mark.parametrize(
    ("metric", "world", "simulations"),
    [
        ("roc_auc", World(30, 0.01, 3.5), 700),
        ("recall@fpr=0.01", World(30, 0.5, 2.0), 200),
        ("saving", World(30, 0.5, 2.0), 200),
        ("ks", World(100, 0.5, 3.5), 200),
    ],
    ids=str,
)
def test_where_nothing_is_claimed_coverage_is_indeed_too_low(metric, world, simulations):
    assert not is_claimed(metric, world)
    assert not coverage(world, metric, simulations, seed=4).consistent_with(0.93, 1.0)


@pytest.mark.parametrize(
    ("metric", "method", "world", "simulations"),
    [
        ("average_precision", "percentile", World(30, 0.5, 3.5), 150),
        ("average_precision", "basic", World(30, 0.1, 3.5), 150),
        ("average_precision", "BCa", World(30, 0.5, 3.5), 150),
        ("average_precision", "influence", World(30, 0.1, 3.5), 400),
        ("average_precision", "influence, logit, z", World(30, 0.001, 2.0), 2000),
        ("recall@fpr=0.01", "percentile, stratified", World(30, 0.001, 0.8), 300),
    ],
    ids=str,
)
def test_the_methods_not_chosen_fail_where_the_chosen_one_holds(metric, method, world, simulations):
    tried = QUESTIONS[metric].tried[method]
    assert not walk_coverage(world, metric, simulations, 5, tried).consistent_with(0.93, 0.99)
    check(metric, world, simulations, seed=5)
