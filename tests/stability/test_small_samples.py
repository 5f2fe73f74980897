"""The light of few rows: chance alone turns it about as often as the no-drift quantile says."""

import numpy as np
import pytest

from veridical.metrics.drift import psi
from veridical.stability.traffic_light import Light, light_of
from veridical.summaries.shifted_cells import ShiftedCells

SHARES = {
    "deciles": np.full(10, 0.1),
    "three categories": np.array([0.5, 0.3, 0.2]),
    "a rare one": np.array([0.93, 0.07]),
    "few are missing": np.array([*[0.0995] * 10, 0.005]),
}


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("rows", [1, 2, 5, 20, 100])
def test_chance_seldom_turns_the_light(name, rows):
    rng, turned, samples = np.random.default_rng(rows), 0, 150
    for _ in range(samples):
        reference, current = (rng.multinomial(n, SHARES[name]) for n in (1_000, rows))
        turned += light_of(psi.function(ShiftedCells(reference, current))) in {
            Light.MODERATE,
            Light.SIGNIFICANT,
        }
    # One in twenty, and four standard errors of this simulation.
    assert turned / samples <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / samples)


def test_drift_is_seen_in_few_rows():
    moved = np.array([0] * 9 + [20])
    index = psi.function(ShiftedCells(np.full(10, 100), moved))
    assert light_of(index) is Light.SIGNIFICANT
