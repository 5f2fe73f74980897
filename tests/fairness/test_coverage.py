"""Intervals of two rates cover: every table that can occur, weighted by its probability."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from veridical.metrics import find
from veridical.metrics.fairness_rates import larger_difference
from veridical.metrics.unit_intervals import Question
from veridical.results import Measured
from veridical.stats.two_shares import difference_interval, ratio_interval
from veridical.summaries import ConfusionCounts
from veridical.summaries.compared_groups import ComparedGroups, Share

N, M = 30, 50
RATES = [(0.1, 0.1), (0.3, 0.5), (0.5, 0.5), (0.7, 0.9), (0.2, 0.6), (0.9, 0.3)]


@pytest.fixture(scope="module", params=["difference", "ratio"])
def ends(request):
    """The interval of every table, and whether there is one; shape (N + 1, M + 1)."""
    low, high = np.full((N + 1, M + 1), np.nan), np.full((N + 1, M + 1), np.nan)
    interval = difference_interval if request.param == "difference" else ratio_interval
    for hits in range(N + 1):
        for other in range(int(request.param == "ratio"), M + 1):
            found = interval(Share(hits, N), Share(other, M))
            low[hits, other], high[hits, other] = found.low, found.high
    return request.param, low, high


@pytest.mark.parametrize(("a", "b"), RATES)
def test_two_rates(ends, a, b):
    kind, low, high = ends
    weight = np.outer(binom.pmf(range(N + 1), N, a), binom.pmf(range(M + 1), M, b))
    exists = ~np.isnan(low)
    true = a - b if kind == "difference" else a / b
    covered = weight[exists & (low <= true) & (true <= high)].sum() / weight[exists].sum()
    assert 0.93 <= covered <= 0.975


@pytest.mark.parametrize(
    ("found", "mistaken"), [((0.8, 0.8), (0.1, 0.1)), ((0.5, 0.8), (0.1, 0.1))]
)
def test_equalised_odds(found, mistaken):
    definition = find("fairness.equalized_odds_difference").definition
    true = max(abs(a - b) for a, b in (found, mistaken))
    rng = np.random.default_rng(3)
    sizes = ((100, 300), (200, 600))  # positives and negatives: of the group, of the reference
    covered = 0
    for _ in range(600):
        sides = []
        for at in (0, 1):
            positives, negatives = sizes[0][at], sizes[1][at]
            tp = int(rng.binomial(positives, found[at]))
            fp = int(rng.binomial(negatives, mistaken[at]))
            sides.append(ConfusionCounts(tp, fp, positives - tp, negatives - fp))
        groups = ComparedGroups(*sides)
        result = definition.function(groups)
        assert isinstance(result, Measured)
        interval = larger_difference(result, Question(definition, {}, groups)).interval
        assert result.value in interval
        covered += interval.low <= true <= interval.high
    assert covered >= 555  # 570 expected; below by three standard deviations
