"""Fixed-point sums: rounded once per number, exact from then on, and never overflowing."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.summaries import ScoreTable
from veridical.summaries.fixed_point import FixedArray, dot_exactly, exact_number

NUMBERS = st.lists(
    st.one_of(
        st.floats(0, 4), st.floats(0, 1e15), st.integers(0, 2**53).map(float),
        st.sampled_from([0.0, 2.0**-53, 2.0**-52, 1 - 2.0**-53, 0.1, 1 / 3]),
    ),
    max_size=30,
)  # fmt: skip


def rounded(value: float) -> Fraction:
    """Return the nearest multiple of 2**-52, ties to even: ``round`` of a Fraction does that."""
    return Fraction(round(Fraction(value) * 2**52), 2**52)


@given(NUMBERS)
def test_each_number_is_rounded_once_half_to_even(values):
    array = FixedArray.from_float(np.array(values))
    assert [Fraction(unit, 2**52) for unit in array.units()] == [rounded(v) for v in values]


@given(NUMBERS)
def test_the_total_is_exact(values):
    expected = sum(map(rounded, values))
    assert Fraction(FixedArray.from_float(np.array(values)).total(), 2**52) == expected
    assert exact_number(FixedArray.from_float(np.array(values)).total()) == expected


@given(NUMBERS.filter(bool), st.data())
def test_sums_of_runs_are_exact(values, data):
    cuts = data.draw(st.sets(st.integers(1, len(values))).map(sorted))
    starts = [0, *[cut for cut in cuts if cut < len(values)]]
    sums = FixedArray.from_float(np.array(values)).sums_from(np.array(starts))
    ends = [*starts[1:], len(values)]
    expected = [sum(map(rounded, values[a:b])) for a, b in zip(starts, ends, strict=True)]
    assert [Fraction(unit, 2**52) for unit in sums.units()] == expected


@given(NUMBERS)
def test_running_sums_are_exact(values):
    expected = list(accumulate(map(rounded, values)))
    sums = FixedArray.from_float(np.array(values)).cumulative()
    assert [Fraction(unit, 2**52) for unit in sums.units()] == expected


@given(NUMBERS, NUMBERS)
def test_a_sum_of_products_is_exact(ones, others):
    n = min(len(ones), len(others))
    a, b = (FixedArray.from_float(np.array(part[:n])) for part in (ones, others))
    expected = sum(rounded(x) * rounded(y) for x, y in zip(ones, others, strict=False))
    assert Fraction(dot_exactly(a, b), 2**104) == expected


def test_a_sum_of_many_products_is_exact():
    rng = np.random.default_rng(0)
    a, b = (FixedArray.from_float(rng.random(150_000) * most) for most in (3, 1e9))
    expected = sum(x * y for x, y in zip(a.units(), b.units(), strict=True))
    assert dot_exactly(a, b) == expected


@given(NUMBERS)
def test_units_read_back(values):
    array = FixedArray.from_float(np.array(values))
    assert FixedArray.from_units(array.units()) == array
    assert array.is_whole is all(rounded(v).denominator == 1 for v in values)


@pytest.mark.parametrize("weight", [4e18, 4.5e18, 1e19, 1e300])
def test_weights_that_would_overflow_are_refused(weight):
    labels, scores = np.array([True] * 3), np.full(3, 0.5)
    with pytest.raises(InputError, match="too large"):
        ScoreTable.from_rows(labels, scores, weight=np.full(3, weight))


def test_merging_never_overflows():
    one = ScoreTable.from_rows(np.array([True]), np.array([0.5]), weight=np.array([2.0**60]))
    assert (one + one).total == 2**61
    with pytest.raises(InputError, match="too large"):
        (one + one) + (one + one)


@pytest.mark.parametrize("weight", [1, 3, 1 << 20, 1 << 31, 1 << 35, 1 << 40])
@pytest.mark.parametrize("value", [0.0, 0.75, 745.0**2, 745.0**4, 2.0**61 + 2.0**20, 1e-300])
def test_a_sum_of_products_never_overflows(weight, value):
    weights = FixedArray.from_int([weight, 1, weight])
    values = FixedArray.from_float(np.array([value, 0.5, value]))
    expected = 2 * weight * rounded(value) + Fraction(1, 2)
    assert Fraction(dot_exactly(weights, values), 2**104) == expected
