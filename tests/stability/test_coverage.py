"""Simulated intervals of drift hold the truth as often as they claim, where they claim it.

A distance near 0 cannot be undershot: there the interval, which never leaves out the value, covers
more often than it says.  The lower bound of the claim is therefore the one that is held, 93% for a
nominal 95%, widened by what a binomial count may be off once in 10,000 times; the upper one where
the distance is large.  Seeds are fixed: nothing fails by chance.
"""

import math

import numpy as np
import pytest
from scipy.special import chdtrc
from scipy.stats import binom

from tests.stability.worlds import METRICS, WORLDS, Moved
from veridical.metrics import find
from veridical.stability.traffic_light import MODERATE
from veridical.stats.no_drift import no_drift

SAMPLE = [Moved(500, 500, 0.0), Moved(1_000, 1_000, 0.35), Moved(5_000, 500, 0.5)]
CLAIMED = [world for world in WORLDS if world.is_claimed]


def check(world, metric, simulations, seed):
    found = world.coverage(metric, seed, simulations)
    assert found.consistent_with(0.93, 1.0), (found.share, found)
    if world.shift >= 0.5 and world.n_current >= 1_000:
        assert found.consistent_with(0.93, 0.97), (found.share, found)


@pytest.mark.parametrize("metric", ["drift.psi", "drift.jsd"])
@pytest.mark.parametrize("world", SAMPLE, ids=str)
def test_sample_of_coverage(world, metric):
    check(world, metric, 150, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("world", CLAIMED, ids=str)
def test_coverage(world, metric):
    check(world, metric, 1_000, seed=2)


def test_where_a_cell_is_nearly_empty_nothing_is_claimed_and_coverage_is_too_low():
    # What such a cell adds depends on whether the sample has a row in it at all.
    world = Moved(200, 200, 1.0)
    assert not world.is_claimed
    assert not world.coverage("drift.psi", 3, 300).consistent_with(0.93, 1.0)


def undrifted(world, simulations, seed):
    """Index and its no-drift quantile, of samples without drift."""
    psi = find("drift.psi")
    found = [
        psi.function(cells, **psi.arguments()) for cells, _, _ in world.draws(seed, simulations)
    ]
    quantiles = [one.conditions["quantile_without_drift"] for one in found]
    return np.array([one.value for one in found]), np.array(quantiles)


def by_theory(n, m, draws=100_000):
    """The same index of counts that are drawn from ten equal shares: what no drift means."""
    rng = np.random.default_rng(7)
    p, q = (rng.multinomial(size, np.full(10, 0.1), size=draws) / size for size in (n, m))
    return ((q - p) * np.log((q + 1e-7) / (p + 1e-7))).sum(axis=1)


def is_likely(count, simulations, chance, slack):
    """Whether a count may come from a chance that the theory gives but for a slack."""
    low = binom.ppf(1e-4, simulations, max(0.0, chance - slack))
    return low <= count <= binom.isf(1e-4, simulations, min(1.0, chance + slack))


def is_near(found, mean):
    """Whether the mean of a sample may be this one, but for a fiftieth of it."""
    return abs(np.mean(found) - mean) <= 0.02 * mean + 4 * np.std(found) / math.sqrt(len(found))


def check_alarms(n, m, simulations, seed):
    """Hold false alarms to the theory; the deciles of the reference are its own.

    Counts of the reference are nearly the same in each cell by construction, so that its noise is
    in where the edges lie; but for 2 points that is the same noise.
    """
    found, quantiles = undrifted(Moved(n, m, 0.0), simulations, seed)
    theory = by_theory(n, m)
    assert is_near(found, np.mean(theory))
    assert is_likely((found > quantiles).sum(), simulations, 0.05, 0.02)
    amber = (found >= MODERATE).sum()
    assert is_likely(amber, simulations, np.mean(theory >= MODERATE), 0.02)
    if min(n, m) >= 200:  # where 20 rows are expected in a cell the chi-square formula is as near
        noise = no_drift(10, n, m)
        assert is_near(found, noise.expected)
        formula = float(chdtrc(9, MODERATE / (1 / n + 1 / m)))
        assert is_likely(amber, simulations, formula, 0.02)


@pytest.mark.parametrize(("n", "m"), [(400, 400), (5_000, 100)])
def test_sample_of_false_alarms(n, m):
    check_alarms(n, m, 1_000, seed=5)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "m"),
    [(200, 200), (300, 300), (400, 400), (1_000, 150), (150, 1_000), (5_000, 100), (1_000, 50),
     (5_000, 5_000)],
)  # fmt: skip
def test_false_alarms(n, m):
    check_alarms(n, m, 20_000, seed=6)
