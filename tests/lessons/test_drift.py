"""The lesson on drift: its worked numbers, and that it equals the library."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import chdtr

import veridical as vd
from veridical.errors import InputError, ParameterError
from veridical.lessons import drift as lesson
from veridical.lessons import lesson_called
from veridical.results import Conditions, Measured
from veridical.stability.traffic_light import light_of
from veridical.stats.no_drift import no_drift
from veridical.summaries.partition import Partition

close = pytest.approx
# Few distinct numbers, so that quantiles fall on one value, beside others.
numbers = st.one_of(st.sampled_from([-0.0, 0.0, 1.0, 2.0]), st.floats(-1e6, 1e6))
columns = st.lists(numbers, min_size=1, max_size=40)
cells = st.integers(2, 12)
sizes = st.integers(1, 10_000)


# Equal to the library


@given(columns, columns, cells)
def test_the_index(reference, current, bins):
    fast = vd.measure("drift.psi", reference, current, bins=bins, intervals=False)
    assert lesson.psi(reference, current, bins) == close(fast.value, abs=1e-12)


@given(columns, columns, cells)
def test_cells_and_how_many_rows_they_hold(reference, current, bins):
    edges = lesson.quantile_edges(reference, bins)
    fast = Partition.of_numbers(np.array(reference), bins)
    assert list(edges) == sorted(edges) == list(fast.edges)
    assert [edge for edge, alone in edges.items() if alone] == list(fast.points)
    ours = [held for _, held in sorted(lesson.counts(current, edges).items())]
    assert ours == [held for held in fast.count(np.array(current)).tolist() if held]


@given(columns, columns)
def test_eps_is_a_choice(reference, current):
    fast = vd.measure("drift.psi@eps=0.0001", reference, current, intervals=False)
    assert lesson.psi(reference, current, eps=1e-4) == close(fast.value, abs=1e-12)


@given(st.integers(1, 40), sizes, sizes)
def test_noise(held, n, m):
    fast = no_drift(held, n, m)
    assert lesson.expected_without_drift(held, n, m) == close(fast.expected, rel=1e-12)
    assert lesson.quantile_without_drift(held, n, m) == close(fast.quantile, rel=1e-9)


@given(st.floats(0.001, 80), st.integers(1, 50))
def test_the_chi_square_distribution(x, freedom):
    assert lesson.chi_square_below(x, freedom) == close(float(chdtr(freedom, x)), abs=1e-12)


indices = st.one_of(st.sampled_from([0.0, 0.10, 0.25, np.nextafter(0.10, 0)]), st.floats(0, 1))


@given(indices, st.integers(2, 20), sizes, sizes)
def test_the_traffic_light(index, held, n, m):
    noise = lesson.quantile_without_drift(held, n, m)
    found = Conditions(observed={"quantile_without_drift": noise})
    assert lesson.traffic_light(index, held, n, m) == light_of(Measured(index, m, conditions=found))


@pytest.mark.parametrize("bins", [5, 10])
def test_samples_without_drift_are_as_noisy_as_the_formulas_say(bins):
    drawn = np.array(lesson.index_without_drift(500, bins, 400))
    noise = no_drift(bins, 500, 500)
    assert drawn.mean() == close(noise.expected, rel=0.1)
    assert np.mean(drawn > noise.quantile) == close(0.05, abs=0.03)
    assert list(drawn) == sorted(drawn)


# What is drawn


def test_the_two_figures():
    drawn = lesson_called("drift").figures()
    [axes] = drawn["psi_without_drift"].axes
    heights = np.array([bar.get_height() for bar in axes.patches]).reshape(3, 40)
    drawn_again = np.array(lesson.index_without_drift(200, replicates=1_000))
    classes = [
        drawn_again < 0.10,
        (drawn_again >= 0.10) & (drawn_again < 0.25),
        drawn_again >= 0.25,
    ]
    assert heights.sum(axis=1).tolist() == [held.sum() for held in classes] == [638, 352, 10]
    [axes] = drawn["psi_noise_by_rows"].axes
    marks = [line.get_xydata().tolist() for line in axes.get_lines() if line.get_marker() == "o"]
    assert marks == [[[603, 0.10]], [[339, 0.10]], [[190, 0.10]]]
    ten = axes.get_lines()[2].get_xydata()
    assert ten[:, 1] * ten[:, 0] == close(2 * 16.919, rel=1e-4)


# By hand


def test_two_and_four_cells():
    # 0.1 ln(0.5 / 0.4) + 0.1 ln(0.6 / 0.5) = 0.1 ln 1.5.
    halves = lesson.index_of_shares([0.5, 0.5], [0.4, 0.6])
    assert halves == close(0.1 * math.log(1.5), abs=1e-6)
    # 0.05 ln(0.25 / 0.20) + 0.05 ln(0.30 / 0.25) = 0.05 ln 1.5.
    quarters = lesson.index_of_shares([0.25] * 4, [0.20, 0.25, 0.25, 0.30])
    assert quarters == close(0.05 * math.log(1.5), abs=1e-6)


def test_an_empty_cell():
    # 0.1 ln(0.5 / 0.4) and 0.1 ln(0.1 / 1e-7), 0.1 ln 1e6.
    index = lesson.index_of_shares([0.5, 0.5, 0.0], [0.5, 0.4, 0.1])
    assert index == close(0.1 * math.log(1.25) + 0.1 * math.log(1e6), abs=1e-6)
    assert index == close(1.403866, abs=1e-6)


def test_the_same_shares_give_exactly_0():
    assert lesson.index_of_shares([0.3, 0.7], [0.3, 0.7]) == 0
    assert lesson.psi([1, 2, 3], [3, 1, 2]) == 0


def test_a_constant_cannot_hide_a_move():
    assert lesson.quantile_edges([5.0] * 100) == {5.0: True}
    assert lesson.psi([5.0] * 100, [4.0] * 100) > 10


def test_noise_on_200_rows():
    assert lesson.expected_without_drift(10, 200, 200) == close(9 * 2 / 200)
    # 16.919 is the 95% quantile of chi-square with 9 degrees of freedom in any table.
    assert lesson.quantile_without_drift(10, 200, 200) == close(16.919 / 100, abs=1e-5)
    assert lesson.rows_needed(0.10) == math.ceil(2 * 16.919 / 0.10)
    assert lesson.rows_needed(0.25) == math.ceil(2 * 16.919 / 0.25)
    drawn = lesson.index_without_drift(200)
    assert 0.28 < np.mean(np.array(drawn) >= 0.10) < 0.42


def test_boundaries_are_moderate():
    lights = [lesson.traffic_light(one, 10, 10**6, 10**6) for one in (0.0999, 0.10, 0.25, 0.2501)]
    assert lights == ["stable", "moderate", "moderate", "significant"]
    assert lesson.traffic_light(0.12, 10, 200, 200) == "insufficient_data"
    assert lesson.traffic_light(0.20, 10, 200, 200) == "moderate"


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (InputError, lambda: lesson.psi([], [1.0])),
        (InputError, lambda: lesson.psi([1.0], [])),
        (InputError, lambda: lesson.psi([1.0, math.nan], [1.0])),
        (ParameterError, lambda: lesson.quantile_edges([1.0], bins=1)),
        (InputError, lambda: lesson.index_of_shares([1.0], [0.5, 0.5])),
        (ParameterError, lambda: lesson.expected_without_drift(10, 0, 5)),
        (ParameterError, lambda: lesson.chi_square_quantile(1.0, 3)),
        (ParameterError, lambda: lesson.rows_needed(0)),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()
