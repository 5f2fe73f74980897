"""The line against exact fractions and against its laws."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.rows import any_rows, from_both, same_bits
from veridical import kernels
from veridical.errors import MismatchError, ParameterError

grids = st.sampled_from([1, 4, 10, 14])


def exact_key(score: float, bits: int) -> int:
    """The bin of a score, in exact arithmetic."""
    middle = 2**60
    magnitude = 0
    if math.isinf(score) or abs(score) >= 2.0**129:
        magnitude = middle - 1
    elif abs(score) >= 2.0**-127:
        fraction, exponent = math.frexp(abs(score))  # fraction in [0.5, 1)
        binade = exponent - 1 + 127
        magnitude = min(int((binade + 2 * Fraction(fraction) - 1) * 2**52), middle - 1)
    image = middle + magnitude if math.copysign(1, score + 0.0) > 0 else middle - 1 - magnitude
    return image >> (61 - bits)


def check(positive, scores, bits):
    found = kernels.histogram_counts(positive, scores, bits)
    counts, members = {}, {}
    for y, score in zip(positive.tolist(), scores.astype(np.float64).tolist(), strict=True):
        key = exact_key(score, bits)
        counts[key, y] = counts.get((key, y), 0) + 1
        members.setdefault(key, []).append(score)
    bins = range(2**bits)
    assert found.positives.tolist() == [counts.get((key, True), 0) for key in bins]
    assert found.negatives.tolist() == [counts.get((key, False), 0) for key in bins]
    assert found.low.tolist() == [min(members.get(key, [np.inf])) for key in bins]
    assert found.high.tolist() == [max(members.get(key, [-np.inf])) for key in bins]
    assert found.low.dtype == found.high.dtype == scores.dtype


@given(any_rows(), st.sampled_from([1, 4, 10]))
def test_the_line(rows, bits):
    check(*rows, bits)


@given(any_rows())
def test_bins_keep_the_order_of_scores(rows):
    """The highest score of a bin is below the lowest of every later one."""
    found = kernels.histogram_counts(*rows, 14)
    filled = found.positives + found.negatives > 0
    assert (found.high[filled][:-1] < found.low[filled][1:]).all()


@given(any_rows(), grids)
def test_both_implementations_agree_to_the_bit(rows, grid):
    first, *others = from_both(lambda: kernels.histogram_counts(*rows, grid))
    for other in others:
        for one, another in zip(first, other, strict=True):
            same_bits(one, another)


@given(any_rows(), grids, st.data())
def test_parts_add_up(rows, grid, data):
    positive, scores = rows
    cut = data.draw(st.integers(0, len(scores)))
    whole = kernels.histogram_counts(positive, scores, grid)
    parts = kernels.histogram_counts(positive[:cut], scores[:cut], grid)
    parts += kernels.histogram_counts(positive[cut:], scores[cut:], grid)
    for one, another in zip(whole, parts, strict=True):
        same_bits(one, another)


def test_threads_change_nothing():
    rng = np.random.default_rng(2)
    scores, positive = rng.normal(size=140_000), rng.random(140_000) < 0.3
    alone = kernels.histogram_counts(positive, scores, 12)
    together = kernels.histogram_counts(positive, scores, 12, threads=2)
    for one, another in zip(alone, together, strict=True):
        same_bits(one, another)


@pytest.mark.parametrize("wrong", [{"bits": 0}, {"bits": 25}])
def test_parameters(wrong):
    with pytest.raises(ParameterError):
        kernels.histogram_counts(np.array([True]), np.array([0.5]), **wrong)


def test_different_grids_do_not_add_up():
    rows = np.array([True]), np.array([0.5])
    with pytest.raises(MismatchError, match="bins"):
        kernels.histogram_counts(*rows, 4) + kernels.histogram_counts(*rows, 5)
