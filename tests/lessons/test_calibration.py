"""The lesson on calibration: its worked numbers, and that it equals the library."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from veridical.errors import InputError, LabelError, ParameterError, ScoreError
from veridical.lessons import calibration as lesson
from veridical.lessons import lesson_called
from veridical.lessons.calibration.reliability import binned
from veridical.stats.calibration_band import consistency_band, debiased_ece
from veridical.summaries import ReliabilityTable

close = pytest.approx
# Edges of bins beside other forecasts.
forecasts = st.one_of(
    st.integers(0, 20).map(lambda parts: parts / 20), st.floats(0, 1, allow_subnormal=False)
)
rows = st.lists(st.tuples(st.integers(0, 1), forecasts), min_size=1, max_size=40)
sizes = st.integers(1, 25)
probabilities = st.floats(0.001, 0.999)


def parted(pairs):
    return [y for y, _ in pairs], [p for _, p in pairs]


def library(metric, y, p, **settings):
    return vd.measure(f"calibration.{metric}", y, p, intervals=False, **settings)


# Equal to the library


@given(rows, sizes)
def test_what_is_read_from_bins(pairs, bins):
    y, p = parted(pairs)
    assert lesson.ece(y, p, bins) == close(library("ece", y, p, bins=bins).value, abs=1e-12)
    assert lesson.mce(y, p, bins) == close(library("mce", y, p, bins=bins).value, abs=1e-12)


@given(rows, sizes)
def test_the_rows_of_each_bin(pairs, bins):
    y, p = parted(pairs)
    fast = library("ece", y, p, bins=bins).conditions["rows_per_bin"]
    assert [len(held) for held in binned(p, bins)] == list(fast)


@given(rows, sizes)
def test_the_debiased_error(pairs, bins):
    y, p = parted(pairs)
    table = ReliabilityTable.from_rows(np.array(y) == 1, np.array(p), bins=bins)
    fast = debiased_ece(*(table.column(name) for name in ("n", "sum_p", "sum_y")))
    assert lesson.ece_debiased(y, p, bins) == close(fast, abs=1e-9)


@given(rows, sizes)
def test_the_brier_score_and_its_parts(pairs, bins):
    y, p = parted(pairs)
    parts = lesson.brier_parts(y, p, bins)
    names = "reliability", "resolution", "uncertainty", "within_variance", "within_covariance"
    for name, own in zip(names, astuple(parts), strict=True):
        assert own == close(library(f"brier_{name}", y, p, bins=bins).value, abs=1e-12), name
    assert lesson.brier(y, p) == close(library("brier", y, p).value, abs=1e-12)
    assert parts.total == close(lesson.brier(y, p), abs=1e-12)


@given(rows)
def test_the_skill(pairs):
    y, p = parted(pairs)
    fast = library("brier_skill", y, p)
    assert lesson.brier_skill(y, p) == (close(fast.value, abs=1e-9) if fast.ok else 0)


def test_the_luck_of_right_forecasts_is_that_of_the_library():
    bands = []
    for seed in range(40):
        y, p = lesson.right_forecasts(150, seed)
        table = ReliabilityTable.from_rows(y == 1, p, bins=10)
        bands.append(consistency_band(table, replicates=200).ece_mean)
    assert lesson.ece_of_right_forecasts(150) == close(np.mean(bands), rel=0.05)


# Laws


@given(probabilities, probabilities, probabilities, probabilities)
def test_prevalence_goes_there_and_back(p, then, between, now):
    there = lesson.at_prevalence(p, then, now)
    assert lesson.at_prevalence(p, then, then) == close(p)
    assert lesson.at_prevalence(there, now, then) == close(p, rel=1e-6)
    stepwise = lesson.at_prevalence(lesson.at_prevalence(p, then, between), between, now)
    assert stepwise == close(there, rel=1e-6)


@pytest.mark.parametrize("prevalence", [0.02, 0.3, 0.5, 0.8])
def test_what_is_moved_to_the_prevalence_is_calibrated(prevalence):
    y, p = lesson.two_populations(50_000, prevalence)
    moved = [lesson.at_prevalence(one, 0.5, prevalence) for one in p]
    assert np.mean(moved) == close(prevalence, abs=0.005)
    assert lesson.ece(y, moved) < 0.01
    if prevalence != 0.5:
        assert lesson.ece(y, p) > 0.05


# What is drawn


def test_the_two_figures():
    drawn = lesson_called("calibration").figures()
    [axes] = drawn["reliability"].axes
    points = axes.get_lines()[1].get_xydata()
    assert len(points) == 10
    assert (points[:5, 1] > points[:5, 0]).all()
    assert (points[6:, 1] < points[6:, 0]).all()
    [axes] = drawn["ece_by_luck"].axes
    twenty, ten, target = (line.get_xydata() for line in axes.get_lines())
    assert set(target[:, 1]) == {0.03}
    assert (twenty[:, 1] > ten[:, 1]).all()
    found = dict(ten.tolist())
    assert [found[n] for n in (50, 1_000, 10_000)] == close([0.14, 0.03, 0.01], abs=0.004)


# By hand


def test_ten_days_of_rain():
    y, p = lesson.rain_example()
    assert [(one.n, one.rate) for one in lesson.reliability_table(y, p)] == [(5, 0.2), (5, 0.6)]
    assert lesson.ece(y, p) == close((5 * 0 + 5 * 0.2) / 10)
    assert lesson.mce(y, p) == close(0.2)
    assert lesson.brier(y, p) == close((4 * 0.04 + 0.64 + 3 * 0.04 + 2 * 0.64) / 10)
    parts = (0.5 * 0.04, 0.5 * 0.04 + 0.5 * 0.04, 0.4 * 0.6, 0, 0)
    assert astuple(lesson.brier_parts(y, p)) == close(parts, abs=1e-12)
    assert lesson.brier_skill(y, p) == close(1 - 0.22 / 0.24)


def test_bins_are_closed_above():
    assert lesson.ece([1, 0], [0.95, 1.0]) == close(0.475)
    assert [len(held) for held in binned([0.0, 0.1, 0.3, 1.0])] == [2, 0, 1, 0, 0, 0, 0, 0, 0, 1]


def test_one_bin_debiased():
    # Gap 0.1, standard error sqrt(0.24 / 10); the mean of |normal(0.1, 0.1549)| is 0.1485.
    y, p = [1] * 6 + [0] * 4, [0.5] * 10
    error = math.sqrt(0.024)
    folded = error * math.sqrt(2 / math.pi) * math.exp(-0.01 / 0.048)
    folded += 0.1 * math.erf(0.1 / error / math.sqrt(2))
    assert lesson.ece_debiased(y, p) == close(0.2 - folded, abs=1e-12) == close(0.0515, abs=1e-4)


def test_always_the_base_rate_meets_targets_and_has_no_skill():
    y, p = [1] * 15 + [0] * 9_985, [0.0015] * 10_000
    assert lesson.brier(y, p) == close(0.0015 * 0.9985)
    assert lesson.ece(y, p) == close(0, abs=1e-12)
    assert lesson.brier_skill(y, p) == close(0, abs=1e-9)


def test_luck_falls_with_the_root_of_the_rows():
    few, many = lesson.ece_of_right_forecasts(100), lesson.ece_of_right_forecasts(1_600)
    assert few / many == close(4, rel=0.1)


def test_odds():
    # Odds 9, times (0.05 / 0.95) / (0.5 / 0.5): 9 / 19, and 9 / 28 of it.
    assert lesson.at_prevalence(0.9, 0.5, 0.05) == close(9 / 28)
    assert lesson.at_prevalence(0, 0.5, 0.1) == 0
    assert lesson.at_prevalence(1, 0.5, 0.1) == 1


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (InputError, lambda: lesson.ece([], [])),
        (ScoreError, lambda: lesson.brier([1], [1.5])),
        (ScoreError, lambda: lesson.brier_skill([1], [math.nan])),
        (LabelError, lambda: lesson.brier_parts([2], [0.5])),
        (InputError, lambda: lesson.mce([1, 0], [0.5])),
        (ParameterError, lambda: lesson.ece([1], [0.5], bins=0)),
        (ParameterError, lambda: lesson.right_forecasts(0)),
        (ParameterError, lambda: lesson.at_prevalence(0.5, 0.0, 0.5)),
        (ParameterError, lambda: lesson.at_prevalence(1.1, 0.5, 0.5)),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()
