"""Keys ascend with the score, nest, and are the same by comparisons, powers of two and floor."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.histogram.strategies import anything, probabilities
from veridical.errors import MismatchError, ParameterError, ScoreError
from veridical.kernels import histogram_counts
from veridical.summaries import KeyGrid

BITS = (4, 5, 9, 14, 20, 32)
EDGES = np.array(
    [0.0, *(2.0**-j for j in range(1, 1075)), *(1 - 2.0**-j for j in range(1, 54)), 1.0]
)


def key_of_rational(score, bits):
    """The key of a score in [0, 1], in rational arithmetic, zone after zone."""
    zones = [Fraction(0), *(Fraction(1, 2**j) for j in range(64, 3, -1))]
    zones += [*(1 - Fraction(1, 2**j) for j in range(4, 33)), Fraction(1), Fraction(2)]
    key = 0
    for start, stop in pairwise(zones):
        middle = start == Fraction(1, 16)
        cells = (14 if middle else 1) * 2 ** (bits - 4)
        if start <= score < stop:
            return key + (score - start) * cells // (stop - start)
        key += cells
    raise AssertionError


def key_on_the_line(score, bits):
    """The key of a score by exponent and mantissa."""
    mantissa, exponent = np.frexp(abs(score)) if np.isfinite(score) else (0.5, 2000)
    octave = exponent - 1 + 127  # 2**-127 is the first that counts
    if score == 0 or octave < 0:
        magnitude = 0
    elif octave > 255:
        magnitude = 2**60 - 1
    else:
        magnitude = int(octave) * 2**52 + int(Fraction(float(mantissa)) * 2**53 - 2**52)
    image = 2**60 - 1 - magnitude if score < 0 else 2**60 + magnitude
    return image >> (61 - bits)


@pytest.mark.parametrize("bits", BITS)
@given(st.lists(probabilities, min_size=1, max_size=20))
def test_probability_keys_by_definition(bits, scores):
    keys = KeyGrid("probability", bits).keys(np.array(scores))
    assert keys.tolist() == [key_of_rational(Fraction(score), bits) for score in scores]


@pytest.mark.parametrize("bits", BITS)
@given(st.lists(anything, min_size=1, max_size=20))
def test_line_keys_by_definition(bits, scores):
    keys = KeyGrid("line", bits).keys(np.array(scores))
    assert keys.tolist() == [key_on_the_line(score, bits) for score in scores]


@pytest.mark.parametrize("bits", BITS)
def test_in_the_middle_a_bin_is_two_to_the_minus_bits_wide(bits):
    inner = np.linspace(1 / 16, 15 / 16, 1001, endpoint=False)
    keys, uniform = KeyGrid("probability", bits).keys(inner), np.floor(inner * 2.0**bits)
    assert len(set((keys - uniform).tolist())) == 1


@pytest.mark.parametrize("scheme", ["probability", "line"])
@pytest.mark.parametrize("bits", BITS)
def test_keys_ascend_over_every_edge(scheme, bits):
    around = [np.nextafter(EDGES, 0.0), EDGES, np.nextafter(EDGES, 1.0)]
    scores = np.unique(np.concatenate(around))
    if scheme == "line":
        scores = np.unique(np.concatenate([-scores, scores, 1 / scores[scores > 1e-300], [np.inf]]))
    grid = KeyGrid(scheme, bits)
    keys = grid.keys(scores)
    assert (np.diff(keys) >= 0).all()
    assert keys.min() >= 0
    assert keys.max() < grid.size


@given(st.lists(anything, min_size=2, max_size=30), st.sampled_from(BITS))
def test_keys_ascend_on_the_line(scores, bits):
    keys = KeyGrid("line", bits).keys(np.sort(np.array(scores)))
    assert (np.diff(keys) >= 0).all()


@pytest.mark.parametrize("bits", BITS)
def test_first_and_last_key(bits):
    grid = KeyGrid("probability", bits)
    assert grid.keys(np.array([0.0, -0.0, 5e-324, 1.0])).tolist() == [0, 0, 0, grid.size - 1]
    assert grid.keys(np.array([np.nextafter(1.0, 0.0)])) < grid.size - 1
    line = KeyGrid("line", bits)
    ends = line.keys(np.array([-np.inf, np.inf, -0.0, 0.0]))
    assert ends.tolist() == [0, line.size - 1, line.size // 2, line.size // 2]


@given(st.lists(probabilities, min_size=1, max_size=20), st.data())
def test_grids_nest(scores, data):
    scheme = data.draw(st.sampled_from(["probability", "line"]))
    fine, coarse = (KeyGrid(scheme, data.draw(st.sampled_from(BITS))) for _ in range(2))
    scores = np.array(scores)
    if coarse.bits > fine.bits:
        with pytest.raises(MismatchError):
            fine.coarsened(fine.keys(scores), coarse)
    else:
        assert (fine.coarsened(fine.keys(scores), coarse) == coarse.keys(scores)).all()


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=20))
def test_float32_has_the_keys_of_its_exact_value(scores):
    narrow = np.array(scores, dtype=np.float32)
    for grid in (KeyGrid("probability", 20), KeyGrid("line", 32)):
        assert (grid.keys(narrow) == grid.keys(narrow.astype(np.float64))).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("bits", [4, 9, 12])
def test_the_kernel_counts_on_the_same_line(dtype, bits):
    scores = np.random.default_rng(0).standard_cauchy(2000).astype(dtype)
    scores[:6] = [0.0, -0.0, np.inf, -np.inf, 1e-39, -1e-39]
    counted = histogram_counts(np.ones(len(scores), bool), scores, bits)
    keys = KeyGrid("line", bits).keys(scores)
    assert (np.bincount(keys, minlength=1 << bits) == counted.positives).all()


@pytest.mark.parametrize("bad", [-5e-324, np.nextafter(1.0, 2.0), np.nan, np.inf])
def test_scores_without_a_place_are_refused(bad):
    with pytest.raises(ScoreError, match="1 scores"):
        KeyGrid("probability", 14).keys(np.array([0.5, bad]))
    if np.isnan(bad):
        with pytest.raises(ScoreError, match="positions 1"):
            KeyGrid("line", 14).keys(np.array([0.5, bad]))


@pytest.mark.parametrize(
    "name", ["probability/3", "probability/33", "log/14", "probability", "line/014", "line/-4", ""]
)
def test_unknown_grids_are_refused(name):
    with pytest.raises(ParameterError):
        KeyGrid.parse(name)


@pytest.mark.parametrize("scheme", ["probability", "line"])
def test_the_name_is_the_grid(scheme):
    grid = KeyGrid(scheme, 14)
    assert KeyGrid.parse(str(grid)) == grid
    assert hash(KeyGrid.parse(str(grid))) == hash(grid)
