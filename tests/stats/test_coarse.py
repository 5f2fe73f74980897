"""A walk with fewer stops: exact where it stops, and as variable as the whole walk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.stats.tables import rows
from veridical.stats import resampled_costs as costs
from veridical.stats import resampled_walks as rw
from veridical.stats.bootstrap import bootstrap, walk_replicates
from veridical.stats.coarse import coarsened
from veridical.summaries import ScoreTable, Walk

BANK = costs.Prices(fn=850, fp=25, review=5)
STATISTICS = {
    "roc_auc": rw.auc,
    "average_precision": rw.average_precision,
    "ks": rw.ks,
    "partial_auc": rw.partial_auc(0.1),
    "recall_at_precision": rw.recall_at_precision(0.6),
    "precision_at_recall": rw.precision_at_recall(0.8),
    "precision_in_top": rw.precision_in_top(1000),
    "best_cost": costs.best_cost(BANK),
    "saving": costs.cost_saving(BANK),
}


def long_walk(positives: int = 6000, negatives: int = 24_000) -> Walk:
    generator = np.random.default_rng(5)
    scores = np.concatenate([generator.normal(1.5, 1, positives), generator.normal(size=negatives)])
    return ScoreTable.from_rows(np.arange(len(scores)) < positives, scores).walk


def operating_points(walk: Walk) -> dict[float, tuple[int, int]]:
    return dict(
        zip(walk.thresholds.tolist(), zip(walk.tp.tolist(), walk.fp.tolist(), strict=True),
            strict=True)
    )  # fmt: skip


def test_the_stops_that_are_kept_are_the_same_operating_points():
    walk = long_walk()
    kept = operating_points(coarsened(walk))
    assert kept.items() <= operating_points(walk).items()
    assert len(kept) < len(walk) / 4


@given(rows(max_size=60))
def test_a_short_walk_keeps_every_operating_point_and_every_row(data):
    walk = ScoreTable.from_rows(*data).walk
    coarse = coarsened(walk)
    assert operating_points(coarse) == operating_points(walk)
    assert (coarse.total_positives, coarse.total_negatives) == (
        walk.total_positives,
        walk.total_negatives,
    )


@pytest.mark.parametrize("threshold", [2.718281828, 0.1, -50.0, 50.0])
def test_it_can_still_be_read_at_the_threshold_in_use(threshold):
    walk = long_walk()
    before, after = (
        float(costs.cost_at(BANK, threshold)(rw.ResampledWalks.of(one))[0])
        for one in (walk, coarsened(walk, threshold))
    )
    assert before == after


def test_every_metric_varies_as_it_does_over_the_whole_walk():
    replicates, walk = 800, long_walk()
    whole, coarse = (
        bootstrap(walk_replicates(one, replicates, seed=3), STATISTICS)
        for one in (walk, coarsened(walk))
    )
    for name in STATISTICS:
        ratio = coarse[name].std() / whole[name].std()
        # The ratio of two standard deviations of B normal draws varies by about 1 / sqrt(B).
        assert abs(ratio - 1) < 4 / np.sqrt(replicates), name
        moved = abs(coarse[name].mean() - whole[name].mean())
        assert moved < 0.25 * whole[name].std(), name
