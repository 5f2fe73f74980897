"""Sums in bins against exact fractions, and against the reliability table."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernels.rows import probability_rows
from veridical import kernels
from veridical.errors import ParameterError, ScoreError
from veridical.summaries.reliability import ReliabilityTable, bin_index

bin_counts = st.sampled_from([1, 2, 3, 10, 15, 1000])


def units(value: float) -> int:
    """The value in units of 2**-52; ``round`` of a fraction rounds half to even."""
    return round(Fraction(value) * 2**52)


def by_hand(positive, scores, bins):
    sums = [[0] * bins for _ in range(5)]
    index = bin_index(scores, bins).tolist()
    for y, p, k in zip(positive.tolist(), scores.astype(np.float64).tolist(), index, strict=True):
        for column, term in zip(
            sums, (1, int(y), units(p), units(p * p), units(p) * int(y)), strict=True
        ):
            column[k] += term
    return sums


@given(probability_rows(), bin_counts)
@example((np.array([True, False, True]), np.array([2**-53, 3 * 2**-53, 2**-54])), 10)
def test_sums_are_exact(rows, bins):
    """The example has the ties of rounding: half a unit, one and a half, a quarter."""
    positive, scores = rows
    assert list(kernels.reliability_sums(positive, scores, bins)) == by_hand(*rows, bins)


@given(probability_rows(), bin_counts)
def test_the_reliability_table_has_the_same_sums(rows, bins):
    sums = kernels.reliability_sums(*rows, bins)
    table = ReliabilityTable.from_rows(*rows, bins=bins)
    for name, shift in (("n", 104), ("sum_y", 104), ("sum_p", 52), ("sum_p2", 52), ("sum_py", 52)):
        assert tuple(s << shift for s in getattr(sums, name)) == getattr(table, name), name


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("bins", [1, 10, 999])
def test_many_rows_whose_sums_need_more_than_64_bits(dtype, bins):
    rng = np.random.default_rng(8)
    n = 140_000
    scores = np.where(rng.random(n) < 0.5, 1 - rng.random(n) / 64, 1.0).astype(dtype)
    scores[:1000] = np.arange(1000) / 999
    positive = rng.random(n) < 0.7
    sums = kernels.reliability_sums(positive, scores, bins, threads=2)
    table = ReliabilityTable.from_rows(positive, scores, bins=bins)
    assert tuple(s << 52 for s in sums.sum_p) == table.sum_p
    assert tuple(s << 52 for s in sums.sum_p2) == table.sum_p2
    assert tuple(s << 52 for s in sums.sum_py) == table.sum_py
    assert sum(sums.sum_p) > 2**64


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1e-300, 1 + 2**-52])
def test_what_is_no_probability_is_refused(bad):
    with pytest.raises(ScoreError, match="1 forecasts"):
        kernels.reliability_sums(np.array([True, False]), np.array([0.5, bad]))


@pytest.mark.parametrize("bins", [0, -1, 65537])
def test_how_many_bins_there_may_be(bins):
    with pytest.raises(ParameterError, match="bins"):
        kernels.reliability_sums(np.array([True]), np.array([0.5]), bins)
