"""``sorted_groups`` and ``sorted_slots`` against counting in a dictionary."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tests.kernels.rows import SPECIAL, any_rows, same_bits
from veridical import kernels


def counted(positive, scores):
    counts = Counter(zip((scores + 0.0).tolist(), positive.tolist(), strict=True))
    distinct = sorted({score for score, _ in counts})
    return (
        np.array(distinct, dtype=scores.dtype),
        np.array([counts[score, True] for score in distinct], dtype=np.int64),
        np.array([counts[score, False] for score in distinct], dtype=np.int64),
    )


def check(positive, scores):
    for found, expected in zip(
        kernels.sorted_groups(positive, scores), counted(positive, scores), strict=True
    ):
        same_bits(found, expected)


@given(any_rows())
def test_groups_are_the_counts_of_a_dictionary(rows):
    check(*rows)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", ["continuous", "ties", "any bits", "constant", "neighbours"])
@pytest.mark.parametrize("prevalence", [0.0, 0.0015, 0.5, 1.0])
def test_many_rows(dtype, shape, prevalence):
    rng = np.random.default_rng(20)
    n = 20_000
    unsigned = np.uint64 if dtype is np.float64 else np.uint32
    bits = rng.integers(0, np.iinfo(unsigned).max, n, dtype=unsigned, endpoint=True).view(dtype)
    neighbours = (np.array(0.3, dtype).view(unsigned) + rng.integers(0, 300, n)).astype(unsigned)
    scores = {
        "continuous": rng.normal(size=n).astype(dtype),
        "ties": rng.integers(-5, 5, n).astype(dtype),
        "any bits": np.where(np.isnan(bits), dtype(0.25), bits),
        "constant": np.full(n, -0.0, dtype),
        "neighbours": neighbours.view(dtype),
    }[shape]
    check(rng.random(n) < prevalence, scores)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_special_values_stay_apart_and_zeros_tie(dtype):
    with np.errstate(over="ignore"):
        scores = np.array(SPECIAL).astype(dtype)
    groups = kernels.sorted_groups(np.ones(len(scores), bool), scores)
    assert len(groups.scores) == len(set(scores.tolist()))
    assert not np.signbit(groups.scores[groups.scores == 0]).any()


def test_any_nonzero_byte_is_positive_and_strides_are_followed():
    groups = kernels.sorted_groups(
        np.array([0, 9, 255, 9, 0, 9], np.uint8)[::2], np.array([0.5, 9, 0.5, 9, 0.25, 9])[::2]
    )
    assert [column.tolist() for column in groups] == [[0.25, 0.5], [0, 1], [1, 1]]


def test_what_is_not_changed():
    scores = np.array([-0.0, 1.0])
    scores.flags.writeable = False
    kernels.sorted_groups(np.array([True, False]), scores)
    assert np.signbit(scores[0])


def slots_by_dictionary(positive, scores):
    distinct, positives, negatives = counted(positive, scores)
    has_positive = positives > 0
    edges = distinct[has_positive]
    # A negative that ties with no positive belongs to the gap below the next edge.
    gaps = np.searchsorted(edges, distinct[~has_positive])
    between = np.bincount(gaps, negatives[~has_positive], len(edges) + 1).astype(np.int64)
    return edges, positives[has_positive], negatives[has_positive], between


def check_slots(positive, scores):
    found = kernels.sorted_slots(positive, scores)
    for column, expected in zip(found, slots_by_dictionary(positive, scores), strict=True):
        same_bits(column, expected)


@given(any_rows())
def test_slots_are_the_counts_of_a_dictionary(rows):
    check_slots(*rows)


@given(any_rows())
def test_slots_of_scores_without_a_sign_are_the_counts_of_a_dictionary(rows):
    check_slots(rows[0], np.abs(rows[1]))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("levels", [3, 1000, 10**9])
@pytest.mark.parametrize("lowest", [0.0, -0.5])
@pytest.mark.parametrize("prevalence", [0.0, 0.3, 1.0])
def test_slots_of_many_rows(dtype, levels, lowest, prevalence):
    rng = np.random.default_rng(21)
    scores = (rng.integers(0, levels, 20_000) / levels + lowest).astype(dtype)
    check_slots(rng.random(20_000) < prevalence, scores)


@given(any_rows())
def test_slots_by_sorting_are_slots_by_counting(rows):
    positive, scores = rows
    slots = kernels.sorted_slots(positive, scores)
    edges, at = kernels.slot_edges(scores[positive])
    counts = kernels.slot_counts(edges, scores, positive)
    for column, expected in zip(slots, (edges, at, counts.tied, counts.between), strict=True):
        same_bits(column, expected)
