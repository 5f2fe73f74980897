"""Sums over the judged documents of queries, against their formulas in plain Python."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import kernels
from veridical.kernels.query_sums import both

GRADES = st.sampled_from([-2.0, -0.5, 0.0, 0.3, 1.0, 2.5, 3.0, 1e15]) | st.floats(-9, 1e300)
RANKS = st.integers(1, 12) | st.integers(1000, 1100)
LISTS = st.lists(st.dictionaries(RANKS, GRADES, max_size=9), max_size=6)
CUTS = st.none() | st.integers(1, 14) | st.sampled_from([1024, 1030, 2**63, 10**30])
RELEVANT = st.sampled_from([-math.inf, 0.0, 0.3, 1.0, 2.0])


def columns(lists):
    """Return starts, ranks and grades of lists of grades by rank, best rank first."""
    pairs = [sorted(one.items()) for one in lists]
    starts = np.cumsum([0, *map(len, pairs)])
    flat = [pair for one in pairs for pair in one]
    rank = np.array([r for r, _ in flat], np.int64)
    return pairs, starts, rank, np.array([g for _, g in flat], np.float64)


def hits(pairs, k, rel):
    return [r for r, g in pairs if g >= rel and (k is None or r <= k)]


def in_order(terms):
    total = 0.0
    for term in terms:
        total += term
    return total


@given(LISTS, RELEVANT)
def test_relevant_documents(lists, rel):
    every, starts, _, grades = columns(lists)
    expected = [len(hits(one, None, rel)) for one in every]
    assert kernels.relevant_counts(starts, grades, rel).tolist() == expected


@given(LISTS, CUTS, RELEVANT)
def test_hits_first_ranks_and_precisions(lists, k, rel):
    every, *arrays = columns(lists)
    found = [hits(one, k, rel) for one in every]
    assert kernels.hit_counts(*arrays, k, rel).tolist() == list(map(len, found))
    first = [ranks[0] if ranks else 0 for ranks in found]
    assert kernels.first_ranks(*arrays, k, rel).tolist() == first
    precisions = [in_order(n / r for n, r in enumerate(ranks, 1)) for ranks in found]
    assert kernels.precision_sums(*arrays, k, rel).tolist() == precisions


def discounted(pairs, k):
    top = ((r, g) for r, g in pairs if k is None or r <= k)
    return in_order(max(g, 0.0) / math.log2(r + 1) for r, g in top)


@given(LISTS, CUTS)
def test_discounted_sums(lists, k):
    every, *arrays = columns(lists)
    expected = [discounted(one, k) for one in every]
    assert kernels.discounted_sums(*arrays, k).tolist() == expected


@given(LISTS, CUTS)
def test_discounted_sums_by_place(lists, k):
    every, starts, _, grades = columns(lists)
    expected = [discounted(list(enumerate((g for _, g in one), 1)), k) for one in every]
    assert kernels.discounted_list_sums(starts, grades, k).tolist() == expected


@pytest.mark.parametrize("k", [None, 1024, 1025, 1500])
def test_lists_longer_than_the_table_of_discounts(k):
    gains = np.random.default_rng(0).random(2000)
    expected = [discounted(list(enumerate(gains.tolist(), 1)), k)]
    starts = np.array([0, len(gains)])
    assert kernels.discounted_list_sums(starts, gains, k).tolist() == expected
    rank = np.arange(1, len(gains) + 1)
    assert kernels.discounted_sums(starts, rank, gains, k).tolist() == expected


def test_starts_that_lie_read_nothing_beyond_the_rows():
    compiled = pytest.importorskip("veridical.kernels.compiled.query_sums")
    starts = np.array([5, -7, 2**62, -1, 3])
    rank, grades, found = np.array([1, 2]), np.array([1.0, 1.0]), np.empty(4)
    compiled.relevant_counts(starts, grades, 1.0, found)
    assert found.tolist() == [0.0, 2.0, 0.0, 0.0]
    compiled.hit_counts(starts, rank, grades[:1], 9, 1.0, found)
    assert found.tolist() == [0.0, 1.0, 0.0, 0.0]
    compiled.discounted_sums(starts, np.array([-(2**63), 9]), grades, 9, np.ones(2), found)
    assert found.tolist() == [0.0, 0.0, 0.0, 0.0]


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.floats(0, 1) | st.floats(-1e-9, 1e9), max_size=30) | st.lists(FINITE))
def test_a_sum_is_rounded_once(values):
    try:
        expected = float(sum(map(Fraction, values)))
    except OverflowError:
        with pytest.raises(OverflowError):
            kernels.exact_sum(np.array(values, np.float64))
        return
    try:
        total = kernels.exact_sum(np.array(values, np.float64))
    except OverflowError:
        assert max(map(abs, values)) > 1e300  # on the way to a smaller sum, as math.fsum
    else:
        assert total == expected


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ([], 0.0),
        ([-0.0], 0.0),
        ([1.0, 2.0**-53], 1.0),
        ([1.0, 2.0**-53, 2.0**-1074], 1.0 + 2.0**-52),
        ([1e16, 1.0, 1e-300, -1e16], 1.0),
        ([math.inf, 1.0], math.inf),
        ([0.1] * 10, 1.0),
    ],
)
def test_sums_by_hand(values, total):
    assert kernels.exact_sum(np.array(values, np.float64)) == total


@pytest.mark.parametrize(
    ("values", "error"),
    [([math.inf, -math.inf], ValueError), ([1.7e308, 1.7e308], OverflowError)],
)
def test_sums_that_do_not_exist(values, error):
    with pytest.raises(error):
        kernels.exact_sum(np.array(values))


@given(st.lists(st.tuples(FINITE.filter(lambda value: abs(value) < 1e290), st.booleans())))
def test_only_what_is_marked_is_added(pairs):
    values, among = np.array([v for v, _ in pairs], np.float64), bytearray(m for _, m in pairs)
    expected = float(sum(Fraction(value) for value, marked in pairs if marked))
    assert kernels.exact_sum(values, among) == expected


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_what_is_marked_twice(pairs):
    one, other = (bytearray(pair[at] for pair in pairs) for at in (0, 1))
    assert list(both(one, other)) == [a and b for a, b in pairs]
