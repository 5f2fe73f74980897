"""Sums of powers against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.rows import from_both
from veridical import kernels
from veridical.errors import InputError

VALUES = st.one_of(
    st.floats(0, 8192),
    st.floats(0, 1),
    st.sampled_from([0.0, 5e-324, 2**-53, 3 * 2**-53, 2**-54, 1 - 2**-53, 1.0, 745.25, 8192.0]),
)


def by_hand(values):
    """Each power as floating point has it, rounded to units of 2**-52 half to even."""
    sums = [0, 0, 0, 0]
    for x in values:
        square = x * x
        for k, power in enumerate((x, square, square * x, square * square)):
            sums[k] += round(Fraction(power) * 2**52)
    return sums


@given(st.lists(VALUES, max_size=40), st.integers(0, 3))
def test_sums_are_exact(values, infinite):
    found = kernels.power_sums(np.array([*values, *[np.inf] * infinite], dtype=np.float64))
    assert found == (infinite, by_hand(values))


def test_sums_of_many_large_values_do_not_overflow():
    n = 200_001
    found = kernels.power_sums(np.full(n, 8191.75))
    assert found.sums == [n * one for one in by_hand([8191.75])]


@given(st.lists(st.floats(-1e70, 1e70), max_size=40))
def test_moments_of_any_sign_are_exact(values):
    found = kernels.moment_sums(np.array(values, dtype=np.float64))
    powers = ([x, x * x, (x * x) * (x * x)] for x in values)
    expected = [sum(map(Fraction, column)) for column in zip(*powers, strict=True)] or [0, 0, 0]
    assert [Fraction(units, 2**kernels.MOMENT_UNIT) for units in found] == expected


@pytest.mark.parametrize("value", [1e78, -1e78, np.inf, np.nan])
def test_moments_that_overflow_are_refused(value):
    with pytest.raises(InputError, match="1 values"):
        kernels.moment_sums(np.array([0.5, value]))


def test_both_implementations_agree_on_moments():
    values = np.random.default_rng(4).normal(size=150_000) ** 9
    values[::1000] = 5e-324
    first, *others = from_both(lambda: kernels.moment_sums(values))
    assert all(other == first for other in others)


@pytest.mark.parametrize("value", [-1e-300, -np.inf, np.nan, 8192.000001, 1e300])
def test_what_cannot_be_added_exactly_is_refused(value):
    with pytest.raises(InputError, match="1 values"):
        kernels.power_sums(np.array([0.5, value, np.inf]))


def test_both_implementations_agree_on_many_rows():
    values = -np.log(np.random.default_rng(3).random(150_000))
    values[::1000] = np.inf
    first, *others = from_both(lambda: kernels.power_sums(values))
    assert all(other == first for other in others)
