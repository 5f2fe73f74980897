"""How often a test finds a difference where there is none: about 5%, by simulation."""

import numpy as np
import pytest
from scipy import stats

import veridical as vd
from tests.compare.samples import evaluated, two_models

QUICK = [
    "binary.roc_auc", "binary.average_precision", "calibration.brier", "calibration.brier_skill",
    "calibration.log_loss", "binary.recall", "binary.accuracy", "binary.precision", "binary.f1",
    "binary.mcc", "cost.total", "cost.best_threshold", "binary.ks",
]  # fmt: skip
RESAMPLED = ["binary.recall@fpr=0.02", "binary.partial_auc", "binary.precision_top@50"]


def found_differences(metrics, n, prevalence, samples, seed, replicates=200):
    """Return how often each metric's comparison shows a difference of two equal models."""
    shown = dict.fromkeys(metrics, 0)
    for sample in range(samples):
        y, p, q = two_models(n, prevalence, seed * 100_000 + sample)
        ev = evaluated(
            y, p, q, "binary.roc_auc", threshold=prevalence * 2, costs=vd.Costs(fn=10, fp=1),
            replicates=replicates, seed=sample,
        )  # fmt: skip
        for found in vd.compare(ev.subject("p"), ev.subject("q"), metrics):
            interval = found.difference.interval
            alone = interval is not None and 0 not in interval and found.p_value <= 0.05
            shown[found.metric] += alone
    return shown


def most_by_chance(samples):
    """Return what 5% of the samples exceeds with a probability of one in 10,000."""
    return stats.binom.ppf(0.9999, samples, 0.05)


@pytest.mark.parametrize(("n", "prevalence"), [(300, 0.2), (1_500, 0.03)])
def test_equal_models_are_rarely_told_apart(n, prevalence):
    samples = 100
    shown = found_differences(QUICK, n, prevalence, samples, seed=1)
    assert max(shown.values()) <= most_by_chance(samples), shown


def test_resampled_metrics_are_rarely_told_apart():
    samples = 60
    shown = found_differences(RESAMPLED, 400, 0.2, samples, seed=2)
    assert max(shown.values()) <= most_by_chance(samples), shown


@pytest.mark.long
@pytest.mark.parametrize(("n", "prevalence"), [(300, 0.1), (500, 0.1), (2_000, 0.02), (2_000, 0.3)])
def test_equal_models_are_told_apart_in_5_percent(n, prevalence):
    samples = 1_000
    shown = found_differences(QUICK, n, prevalence, samples, seed=3)
    assert max(shown.values()) <= most_by_chance(samples), shown
    # An exact test of few rows hardly ever rejects; the others come near their 5%.
    smooth = [m for m in QUICK if m.startswith(("binary.roc", "binary.average", "calibration."))]
    assert min(shown[metric] for metric in smooth) >= 25, shown


@pytest.mark.long
def test_resampled_metrics_are_told_apart_in_at_most_5_percent():
    samples = 400
    shown = found_differences(RESAMPLED, 500, 0.1, samples, seed=4, replicates=400)
    assert max(shown.values()) <= most_by_chance(samples), shown


@pytest.mark.long
def test_clusters_keep_the_size():
    samples, shown = 400, 0
    rng = np.random.default_rng(5)
    for sample in range(samples):
        customers, visits = 150, 4
        bad = rng.random(customers) < 0.3
        y = np.repeat(bad, visits)
        sides = [
            np.repeat(rng.normal(size=customers), visits) + y + 0.3 * rng.normal(size=len(y))
            for _ in range(2)
        ]
        ev = evaluated(
            y, *sides, "binary.roc_auc", cluster="c", seed=sample,
            columns={"c": np.repeat(np.arange(customers), visits)},
        )  # fmt: skip
        found = vd.compare(ev.subject("p"), ev.subject("q"), "binary.roc_auc")
        shown += found.shown
    assert 0.25 * 0.05 * samples <= shown <= most_by_chance(samples)
