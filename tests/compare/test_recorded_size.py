"""How often two equally good runs are called different: at most 5%, by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import veridical as vd
from tests.compare.samples import two_models
from veridical.comparison.recorded import recorded
from veridical.comparison.runs import compare_recorded

SCORES = ["binary.average_precision", "calibration.brier", "binary.f1", "binary.recall"]
RANKING = ["retrieval.ndcg@5", "retrieval.mrr", "retrieval.recall@3"]


def most_by_chance(samples):
    """Return what 5% of the samples exceeds with a probability of one in 10,000."""
    return stats.binom.ppf(0.9999, samples, 0.05)


def two_models_saved(store, seed):
    """Save two equally good models of the same rows, and compare what was saved."""
    labels, *both = two_models(400, 0.25, seed)
    ids = [f"u{at}" for at in range(len(labels))]
    for name, scores in zip("ab", both, strict=True):
        data = {"id": ids, "y": labels, "s": scores}
        ev = vd.evaluate(data, SCORES, label="y", score="s", id="id", threshold=0.5)
        ev.save(name, store=store)
    return compare_recorded("a", "b", SCORES, store=store)


def two_rankings_saved(store, seed):
    """Save two random rankings for the same queries, and compare what was saved."""
    rng = np.random.default_rng(seed)
    queries = [f"q{at}" for at in range(50)]
    golden = {query: {"d0": 1, "d1": 2} for query in queries}
    for name in "ab":
        # Queries are easy or hard for both, so their values are correlated.
        scores = {
            query: {f"d{j}": float(rng.normal() + (j < 2) * (at % 5)) for j in range(8)}
            for at, query in enumerate(queries)
        }
        vd.evaluate_ranking(scores, golden, RANKING).save(name, store=store)
    return compare_recorded("a", "b", store=store)


def called_different(compared, store, samples, seed):
    """Count the pairs of runs of which any metric is called different."""
    found = (compared(store, 10_000 * seed + sample) for sample in range(samples))
    return sum(any(one.shown for one in each.comparisons) for each in found)


@pytest.mark.parametrize("compared", [two_models_saved, two_rankings_saved])
def test_equal_runs_are_rarely_called_different(compared, tmp_path):
    samples = 40
    found = called_different(compared, str(tmp_path / "runs.db"), samples, seed=1)
    assert found <= most_by_chance(samples)


@pytest.mark.long
@pytest.mark.parametrize("compared", [two_models_saved, two_rankings_saved])
def test_equal_runs_are_called_different_in_at_most_5_percent(compared, tmp_path):
    found = called_different(compared, str(tmp_path / "runs.db"), 1_000, seed=2)
    # 50 of 1,000 and what chance adds; and a comparison that never finds anything is none.
    assert 10 <= found <= 62, found


@pytest.mark.long
def test_runs_without_units_are_called_different_in_at_most_5_percent():
    found = 0
    for sample in range(1_000):
        sides = [
            vd.evaluate({"y": labels, "s": scores}, SCORES, label="y", score="s", threshold=0.5)
            for labels, scores, _ in (two_models(400, 0.25, 2 * sample + k) for k in (1, 2))
        ]
        documents = [document_of(side) for side in sides]
        compared = compare_recorded(*documents, SCORES, allow=["data"])
        found += any(one.shown for one in compared.comparisons)
    assert 5 <= found <= 62, found


def document_of(ev):
    """Return a recorded evaluation that has nothing but its document."""
    return replace(recorded(ev), evaluation=None)
