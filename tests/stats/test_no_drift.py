"""The noise of the index in cells of few rows: drawn in pieces, and the same as all at once."""

import tracemalloc

import numpy as np
import pytest

from veridical.metrics.drift import index_terms
from veridical.stats.no_drift import no_drift_in

MANY = 20_000  # so that the draws are made in several pieces, the last of which is shorter


def index(p, q):
    return index_terms(p, q, 1e-7).sum(axis=-1)


def sides(cells: int, n_reference: int, n_current: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(cells)
    shares = rng.dirichlet(np.full(cells, 0.5))
    return rng.multinomial(n_reference, shares), rng.multinomial(n_current, shares)


def all_at_once(reference: np.ndarray, current: np.ndarray, draws: int) -> float:
    """Return the quantile from all draws of one side, then all of the other, from one stream."""
    both = reference + current
    shares = both[both > 0] / both.sum()
    rng = np.random.default_rng(0)
    p, q = (rng.multinomial(n, shares, size=draws) / n for n in (reference.sum(), current.sum()))
    return float(np.quantile(index(p, q), 0.95, method="higher"))


@pytest.mark.parametrize(
    ("cells", "rows", "draws"),
    [(2, (50, 3), 2_000), (12, (200, 80), 2_000), (MANY, (70_000, 4_000), 200)],
)
def test_pieces_are_the_whole(cells, rows, draws):
    reference, current = sides(cells, *rows)
    found = no_drift_in(reference, current, index)
    assert found.quantile == all_at_once(reference, current, draws)


def test_many_cells_are_held_a_few_draws_at_a_time():
    shapes = []

    def noted(p, q):
        shapes.append(p.shape)
        return index(p, q)

    reference = np.ones(MANY, dtype=np.int64)
    no_drift_in(reference, reference, noted)
    assert sum(draws for draws, _ in shapes) == 200
    assert len({draws for draws, _ in shapes}) == 2
    assert {cells for _, cells in shapes} == {MANY}


def test_memory_is_bounded_whatever_the_cells():
    reference, current = sides(100_000, 50_000, 1_000)
    tracemalloc.start()
    try:
        no_drift_in(reference, current, index)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6
