"""The lesson on uncertainty: its worked numbers, and that it equals the library."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError, ParameterError
from veridical.lessons import lesson_called
from veridical.lessons import uncertainty as lesson
from veridical.stats.bootstrap import percentile_interval, unit_sums
from veridical.stats.multiplicity import holm
from veridical.stats.paired import mcnemar, minimum_detectable_effect, permutation_test
from veridical.stats.proportions import clopper_pearson_upper, wilson

close = pytest.approx
counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
differences = st.lists(st.integers(-3, 3).map(lambda tenths: tenths / 10), max_size=9)


# Equal to the library


@given(counts)
def test_wilson(share):
    fast = wilson(*share)
    assert lesson.wilson(*share) == close((fast.low, fast.high), abs=1e-12)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar(only_first, only_second):
    fast = mcnemar(only_first, only_second).exact
    assert lesson.mcnemar(only_first, only_second) == close(fast, rel=1e-9)


@given(differences)
def test_flipped_signs(values):
    assert lesson.sign_flips(values) == close(permutation_test(np.array(values)), rel=1e-12)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm(p_values):
    assert lesson.holm(p_values) == close(holm(p_values), abs=1e-12)


@given(st.integers(1, 10_000))
def test_nothing_in_n(n):
    assert lesson.most_it_may_be(n) == close(clopper_pearson_upper(0, n), rel=1e-9)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=50), st.floats(0.5, 0.99))
def test_the_middle_of_replicates(means, level):
    interval, _ = percentile_interval(np.array(means), level)
    assert lesson.middle(means, level) == close((interval.low, interval.high), abs=1e-12)


@given(st.floats(0.01, 0.3), st.floats(0.01, 0.2), st.floats(0.5, 0.95))
def test_the_cases_at_which_a_difference_is_just_detectable(fewer, more, power):
    only_first, only_second = fewer, fewer + more
    n = lesson.cases_for_paired_difference(only_first, only_second, power)
    variance = only_first + only_second - more**2
    for cases, found in ((n, True), (n - 1, False)):
        if cases:
            detectable = minimum_detectable_effect(math.sqrt(variance / cases), power=power)
            assert (detectable <= more * (1 + 1e-12)) is found


def test_the_bootstrap_spreads_as_the_library_s_does():
    units = [[1.0, 0.0], [1.0], [0.0, 0.0, 1.0], [1.0, 1.0], [0.0], [0.5, 0.25]]
    own = lesson.bootstrap_means(units, replicates=4_000)
    unit = np.repeat(np.arange(len(units)), [len(one) for one in units])
    values = np.concatenate(units)
    sums = unit_sums(unit, np.stack([values, np.ones_like(values)], axis=1), 4_000, seed=1)
    fast = sums[:, 0] / sums[:, 1]
    assert np.mean(own) == close(fast.mean(), abs=0.01)
    assert np.std(own) == close(fast.std(), rel=0.05)


# What is drawn


def test_the_coverage_that_is_drawn():
    [axes] = lesson_called("uncertainty").figures()["interval_coverage"].axes
    wilson_line, wald_line, promised = (line.get_xydata() for line in axes.get_lines())
    assert set(promised[:, 1]) == {0.95}
    assert 0.88 < wilson_line[:, 1].min() < wilson_line[:, 1].mean() < 0.97
    assert (wald_line[:, 1] < 0.96).all()
    assert wald_line[-1, 1] < 0.3


def test_the_half_widths_that_are_drawn():
    [axes] = lesson_called("uncertainty").figures()["half_width"].axes
    marks = [line.get_xydata().tolist()[0] for line in axes.get_lines()[3:]]
    # 1.96 times a half, divided by the root of the labels.
    assert marks == [
        close([n, 0.98 / root], abs=1e-4) for n, root in ((100, 10), (400, 20), (1600, 40))
    ]
    assert [text.get_text() for text in axes.texts] == ["100: 0.098", "400: 0.049", "1,600: 0.024"]


# By hand


def test_one_share():
    assert close(1.959964, abs=1e-6) == lesson.Z_95
    assert lesson.wald(94, 100) == close((0.893453, 0.986547), abs=1e-6)
    # 0.959207 / 1.038415 and sqrt(3.841459 (0.0564 / 100 + 3.841459 / 40,000)) / 1.038415.
    assert lesson.wilson(94, 100) == close((0.923723 - 0.048491, 0.923723 + 0.048491), abs=1e-5)
    # 20 of 20: n / (n + z^2).
    assert lesson.wilson(20, 20) == close((20 / (20 + 1.959964**2), 1), abs=1e-6)
    assert lesson.wald(20, 20) == (1, 1)


@pytest.mark.parametrize("interval", [lesson.wald, lesson.wilson])
def test_coverage_is_what_samples_show(interval):
    draws = np.random.default_rng(0).binomial(15, 0.9, 20_000)
    ends = {hits: interval(hits, 15) for hits in range(16)}
    held = np.mean([ends[hits][0] <= 0.9 <= ends[hits][1] for hits in draws.tolist()])
    assert lesson.coverage(interval, 0.9, 15) == close(held, abs=0.01)


def test_wald_and_wilson_at_0_95_in_20():
    # Wald's misses the truth at 20 of 20 (0.358) and below 17 (0.016); at 17 it reaches 1.006.
    assert lesson.coverage(lesson.wald, 0.95, 20) == close(0.6389, abs=1e-4)
    assert lesson.coverage(lesson.wilson, 0.95, 20) == close(0.9245, abs=1e-4)


def test_a_thousand_draws_of_the_same_questions():
    questions = lesson.asked_ten_times()
    assert lesson.middle(lesson.bootstrap_means(questions)) == close((0.55, 0.9), abs=0.051)
    rows = lesson.one_by_one([value for question in questions for value in question])
    # The normal interval: 0.75 and 1.96 sqrt(0.1875 / 200).
    assert lesson.middle(lesson.bootstrap_means(rows)) == close((0.69, 0.81), abs=0.01)
    spread = np.std(lesson.bootstrap_means(questions)) / np.std(lesson.bootstrap_means(rows))
    assert spread == close(math.sqrt(10), rel=0.1)


def test_two_models_on_the_same_cases():
    pair = lesson.paired_example()
    assert (pair.n, pair.first, pair.second) == (200, 0.75, 0.8)
    # sqrt((20 / 200 - 0.05^2) / 200) = 0.022079, and sqrt((0.1875 + 0.16) / 200) = 0.041683.
    assert pair.interval() == close((0.05 - 0.043275, 0.05 + 0.043275), abs=1e-5)
    assert pair.interval(paired=False) == close((0.05 - 0.081698, 0.05 + 0.081698), abs=1e-5)
    assert lesson.mcnemar(5, 15) == close(2 * 21_700 / 2**20, rel=1e-12)
    assert lesson.mcnemar(0, 0) == 1


def test_mistakes_that_have_nothing_in_common_gain_nothing_by_pairing():
    # 0.75 x 0.80 of 200 are right with both, 0.25 x 0.20 with neither.
    unlike = lesson.Paired(both=120, only_first=30, only_second=40, neither=10)
    alike = lesson.paired_example()
    assert (unlike.first, unlike.second) == (alike.first, alike.second)
    assert unlike.interval() == close(unlike.interval(paired=False)) == alike.interval(paired=False)
    # 2 x P(at most 30 of 70 coins).
    assert lesson.mcnemar(30, 40) == close(0.2820, abs=1e-4)


def test_many_tests():
    assert lesson.any_false_alarm(20) == close(1 - 0.95**20)
    p_values = [0.012, 0.030, 0.041, 0.200, 0.700]
    assert lesson.holm(p_values) == close([0.060, 0.120, 0.123, 0.400, 0.700])


def test_how_many_labels():
    assert [lesson.labels_for_half_width(half) for half in (0.05, 0.02, 0.01)] == [385, 2401, 9604]
    # 7.8489 (0.1875 + 0.16) / 0.0025 and 7.8489 (0.1 - 0.0025) / 0.0025, rounded up.
    assert lesson.labels_for_difference(0.75, 0.80) == 1091
    assert lesson.cases_for_paired_difference(0.025, 0.075) == 307


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ParameterError, lambda: lesson.wilson(0, 0)),
        (ParameterError, lambda: lesson.wald(3, 2)),
        (ParameterError, lambda: lesson.coverage(lesson.wald, 1.0, 5)),
        (InputError, lambda: lesson.bootstrap_means([[], []])),
        (ParameterError, lambda: lesson.mcnemar(-1, 2)),
        (ParameterError, lambda: lesson.sign_flips([0.1] * 21)),
        (ParameterError, lambda: lesson.labels_for_half_width(0)),
        (ParameterError, lambda: lesson.most_it_may_be(0)),
        (ParameterError, lambda: lesson.labels_for_difference(0.5, 0.5)),
        (ParameterError, lambda: lesson.cases_for_paired_difference(0.1, 0.2, power=1)),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()
