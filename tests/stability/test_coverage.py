"""Simulated intervals of drift hold the truth as often as they claim, where they claim it.

A distance near 0 cannot be undershot: there the interval, which never leaves out the value, covers
more often than it says.  The lower bound of the claim is therefore the one that is held, 93% for a
nominal 95%, widened by what a binomial count may be off once in 10,000 times; the upper one where
the distance is large.  Seeds are fixed: nothing fails by chance.
"""

import numpy as np
import pytest
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


def indices(world, simulations, seed):
    psi = find("drift.psi")
    return [
        psi.function(cells, **psi.arguments()).value
        for cells, _, _ in world.draws(seed, simulations)
    ]


def alarms(world, simulations, seed):
    """How many indices of undrifted samples exceed their quantile, and how many are AMBER."""
    noise = no_drift(10, world.n_reference, world.n_current)
    found = indices(world, simulations, seed)
    return (
        noise,
        found,
        sum(psi > noise.quantile for psi in found),
        sum(psi >= MODERATE for psi in found),
    )


def is_likely(count, simulations, chance, slack):
    """Whether a count may come from a chance that the theory gives but for a slack."""
    low = binom.ppf(1e-4, simulations, max(0.0, chance - slack))
    return low <= count <= binom.isf(1e-4, simulations, min(1.0, chance + slack))


def check_alarms(n, m, simulations, seed):
    """Hold false alarms to the chi-square theory; the deciles of the reference are its own.

    Counts of the reference are nearly the same in each cell by construction, so that its noise is
    in where the edges lie; to first order that is the same noise.
    """
    from scipy.special import chdtrc

    # With few rows in a cell the index is a little larger than chi-square.
    slack = 0.02 if min(n, m) >= 200 else 0.05
    noise, found, beyond, amber = alarms(Moved(n, m, 0.0), simulations, seed)
    assert np.mean(found) == pytest.approx(noise.expected, rel=0.12)
    assert is_likely(beyond, simulations, 0.05, slack)
    theory = float(chdtrc(9, MODERATE / (1 / n + 1 / m)))
    assert is_likely(amber, simulations, theory, slack)
    return theory


def test_sample_of_false_alarms():
    assert check_alarms(400, 400, 1_000, seed=5) > 0.01


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "m"), [(200, 200), (400, 400), (1_000, 150), (5_000, 100), (5_000, 5_000)]
)
def test_false_alarms(n, m):
    check_alarms(n, m, 20_000, seed=6)
