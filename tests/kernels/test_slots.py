"""Slots against counting by comparison, and against the walk over all distinct scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.rows import INFINITE, any_rows, same_bits
from veridical import kernels
from veridical.errors import MismatchError, ParameterError
from veridical.summaries.score_table import ScoreTable


def compared(edges, scores):
    """Each slot by its definition: count the scores that are where it says."""
    tied = [np.count_nonzero(scores == edge) for edge in edges]
    below = [np.count_nonzero(scores < edge) for edge in edges]
    up_to = [0, *np.add(below, tied).tolist()]
    return [high - low for low, high in zip(up_to, [*below, len(scores)], strict=True)], tied


@given(any_rows())
def test_every_negative_is_in_the_slot_that_comparison_says(rows):
    positive, scores = rows
    edges, counts = kernels.slot_edges(scores[positive])
    slots = kernels.slot_counts(edges, scores, positive)
    between, tied = compared(edges, scores[~positive])
    assert slots.between.tolist() == between
    assert slots.tied.tolist() == tied
    assert counts.sum() == positive.sum()
    assert slots.between.dtype == slots.tied.dtype == np.int64


@given(any_rows(), st.data())
def test_batches_add_up(rows, data):
    positive, scores = rows
    edges, _ = kernels.slot_edges(scores[positive])
    cut = data.draw(st.integers(0, len(scores)))
    whole = kernels.slot_counts(edges, scores, positive)
    parts = kernels.slot_counts(edges, scores[:cut], positive[:cut])
    parts += kernels.slot_counts(edges, scores[cut:], positive[cut:])
    same_bits(whole.between, parts.between)
    same_bits(whole.tied, parts.tied)


@given(any_rows(), any_rows())
def test_edges_may_come_from_other_rows(edge_rows, rows):
    """Rows may hold no edge, and positives need not be at one."""
    positive, scores = rows
    with np.errstate(over="ignore"):
        edges, _ = kernels.slot_edges(edge_rows[1].astype(scores.dtype))
    slots = kernels.slot_counts(edges, scores, positive)
    between, tied = compared(edges, scores[~positive])
    assert (slots.between.tolist(), slots.tied.tolist()) == (between, tied)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("edge_count", [1, 7, 3000])
@pytest.mark.parametrize("shape", ["probabilities", "line", "ties", "one bucket"])
def test_many_rows_against_the_walk_over_distinct_scores(dtype, edge_count, shape):
    """``one bucket``: an outlier squeezes all other edges into one place of the lookup table."""
    rng = np.random.default_rng(4)
    n = 150_000
    scores = {
        "probabilities": rng.beta(1, 30, n),
        "line": rng.normal(size=n),
        "ties": rng.integers(-40, 40, n) / 8,
        "one bucket": np.where(
            np.arange(n) == 17, 1e300, 0.5 + rng.integers(0, 5000, n) * 2.0**-30
        ),
    }[shape]
    with np.errstate(over="ignore"):
        scores = scores.astype(dtype)
    scores[5], scores[6] = INFINITE
    positive = np.zeros(n, bool)
    positive[rng.choice(n, edge_count, replace=False)] = positive[17] = True
    edges, counts = kernels.slot_edges(scores[positive])
    slots = kernels.slot_counts(edges, scores, positive, threads=2)
    walk = ScoreTable.from_rows(positive, scores).walk
    same_bits(edges, walk.thresholds[::-1])
    assert counts.tolist() == walk.positives.whole[::-1].tolist()
    assert slots.between.tolist() == walk.between.whole[::-1].tolist()
    assert slots.tied.tolist() == walk.tied.whole[::-1].tolist()


def test_precision_of_edges_and_scores_must_agree():
    with pytest.raises(MismatchError, match="float32"):
        kernels.slot_counts(np.array([0.1]), np.array([0.1], np.float32))


@pytest.mark.parametrize("edges", [[np.nan], [0.0, 5.0, 1.0], [0.5, 0.5], [0.1, np.nan]])
def test_edges_must_be_distinct_and_ascending(edges):
    with pytest.raises(ParameterError, match="ascending"):
        kernels.slot_counts(np.array(edges), np.array([0.9]))


def test_any_nonzero_byte_is_positive():
    labels = np.array([0, 1, 2, 255, 0], np.uint8)
    slots = kernels.slot_counts(np.array([0.5]), np.array([0.1, 0.2, 0.5, 0.6, 0.5]), labels)
    assert (slots.between.tolist(), slots.tied.tolist()) == ([1, 0], [1])


def test_counts_against_other_edges_do_not_add_up():
    scores = np.array([0.1, 0.2])
    with pytest.raises(MismatchError, match="edges"):
        kernels.slot_counts(scores, scores) + kernels.slot_counts(scores[:1], scores)


def test_no_thread_at_all_is_refused():
    with pytest.raises(ParameterError, match="threads"):
        kernels.slot_counts(np.array([0.5]), np.array([0.5]), threads=0)
