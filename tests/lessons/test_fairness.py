"""The lesson on fairness: its worked numbers, and that it equals the library."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical as vd
from veridical.errors import InputError, ParameterError
from veridical.lessons import fairness as lesson
from veridical.lessons import lesson_called
from veridical.lessons.fairness import Share
from veridical.lessons.metrics import confusion
from veridical.metrics.fairness_rates import four_fifths
from veridical.policy.at_these_rates import most_unequal
from veridical.policy.schema import Rule
from veridical.results import Conditions, Measured, Skipped
from veridical.stats import two_shares
from veridical.summaries.compared_groups import Share as FastShare

close = pytest.approx
few = settings(max_examples=40)
people = st.lists(
    st.tuples(st.sampled_from([0, 1]), st.sampled_from([0, 1]), st.sampled_from("ab")),
    min_size=1,
    max_size=40,
).map(lambda rows: [*rows, (1, 1, "a"), (0, 0, "b")])


@st.composite
def shares(draw, largest=60):
    n = draw(st.integers(1, largest))
    return Share(draw(st.integers(0, n)), n)


# Equal to the library


@few
@given(people, st.sampled_from([0, 1]))
def test_rates_and_gaps(rows, favourable):
    sides = [[row[:2] for row in rows if row[2] == side] for side in "ab"]
    y_and_d = [zip(*side, strict=True) for side in sides]
    counts = [confusion(*([int(v == favourable) for v in one] for one in pair)) for pair in y_and_d]
    table = dict(zip(("y", "d", "g"), map(list, zip(*rows, strict=True)), strict=True))
    fast = vd.evaluate_fairness(
        table,
        decision="d",
        label="y",
        groups="g",
        favourable=favourable,
        reference="b",
        intervals=False,
    )
    rates = lesson.counted(table["d"], table["g"], favourable)
    assert [rates[side] for side in "ab"] == [lesson.selected(one) for one in counts]
    assert lesson.difference(rates["a"], rates["b"]) == close(fast["dpd"].value)
    if rates["b"].hits:
        assert lesson.ratio(rates["a"], rates["b"]) == close(fast["dir"].value)
    for name in (
        "equal_opportunity_difference",
        "fpr_difference",
        "equalized_odds_difference",
        "predictive_parity_difference",
    ):
        result, ours = fast[f"fairness.{name}"], getattr(lesson, name)
        if isinstance(result, Skipped):
            with pytest.raises(InputError):
                ours(*counts)
        else:
            assert ours(*counts) == close(result.value)


@given(shares(), shares())
def test_four_fifths_and_intervals(a, b):
    fast = four_fifths(FastShare(*a), FastShare(*b))
    assert lesson.four_fifths(a, b) == (fast in {"passes", None})
    if b.hits:
        assert lesson.four_fifths(a, b) == (
            Fraction(4, 5) <= Fraction(a.hits, a.n) / Fraction(b.hits, b.n) <= Fraction(5, 4)
        )
    interval = two_shares.difference_interval(FastShare(*a), FastShare(*b))
    assert lesson.difference_interval(a, b) == close((interval.low, interval.high), abs=1e-12)


@given(shares(), shares(), st.sampled_from([0.03, 0.05, 0.2, 0.5]))
def test_targets_that_cannot_fail(a, b, limit):
    rates = {"group_hits": a.hits, "group_n": a.n, "reference_hits": b.hits, "reference_n": b.n}
    found = Measured(lesson.difference(a, b), a.n + b.n, conditions=Conditions(observed=rates))
    rule = Rule(metric="fairness.demographic_parity_difference", at_least=-limit, at_most=limit)
    assert lesson.difference_cannot_fail(a, b, limit) == bool(most_unequal(rule, found))
    band = Rule(metric="fairness.disparate_impact_ratio", at_least=0.8, at_most=1.25)
    assert lesson.ratio_cannot_fail(a, b) == bool(most_unequal(band, found))


@few
@given(st.floats(0.05, 0.95), st.integers(1, 12), st.integers(1, 12))
def test_luck_result_by_result(p, n, m):
    missed = 0.0
    for hits, chance in enumerate(lesson.chances(n, p)):
        for other, chance_of_other in enumerate(lesson.chances(m, p)):
            if not lesson.four_fifths(Share(hits, n), Share(other, m)):
                missed += chance * chance_of_other
    assert lesson.fails_by_luck(p, n, m) == close(missed, abs=1e-12)


# By hand


def test_exactly_four_fifths_passes():
    assert lesson.ratio(Share(40, 100), Share(50, 100)) == 0.8
    assert lesson.four_fifths(Share(40, 100), Share(50, 100))
    assert not lesson.four_fifths(Share(39, 100), Share(50, 100))
    assert lesson.four_fifths(Share(50, 100), Share(40, 100))
    assert not lesson.four_fifths(Share(51, 100), Share(40, 100))
    # Division would refuse this pair.
    assert lesson.four_fifths(Share(6, 10), Share(15, 20))
    assert (6 / 10) / (15 / 20) < 0.8


def test_what_is_favourable_decides_the_ratio():
    stopped = Share(40, 1_000), Share(20, 1_000)
    passed = [lesson.other_outcome(share) for share in stopped]
    assert lesson.ratio(*stopped) == 2
    assert lesson.ratio(*passed) == close(960 / 980)
    assert lesson.ratio_cannot_fail(*passed)
    assert lesson.difference_cannot_fail(*stopped)
    assert lesson.per_10_000(lesson.difference(*stopped)) == close(200)


def test_two_base_rates():
    group, reference = lesson.two_base_rates()
    assert (group.n, group.tp + group.fn, reference.tp + reference.fn) == (100, 20, 50)
    assert lesson.equalized_odds_difference(group, reference) == 0
    assert lesson.difference(lesson.selected(group), lesson.selected(reference)) == close(-0.21)
    assert lesson.predictive_parity_difference(group, reference) == close(16 / 24 - 40 / 45)
    for one, base in ((group, 0.2), (reference, 0.5)):
        assert lesson.precision_at(base, 0.8, 0.1) == close(one.precision)


def test_luck_of_two_people():
    # Of four results of one person each, (0, 1) and (1, 0) miss the four fifths.
    assert lesson.fails_by_luck(0.5, 1, 1) == 0.5
    assert sum(lesson.chances(30, 0.3)) == close(1)
    assert lesson.fails_by_luck(0.3, 20, 20) == close(0.6184, abs=1e-4)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (InputError, lambda: lesson.counted([1], ["a", "b"], 1)),
        (InputError, lambda: Share(0, 0).rate),
        (ParameterError, lambda: lesson.ratio(Share(1, 2), Share(0, 2))),
        (ParameterError, lambda: lesson.precision_at(0, 0.8, 0.1)),
        (ParameterError, lambda: lesson.precision_at(0.5, 0, 0)),
        (ParameterError, lambda: lesson.difference_cannot_fail(Share(1, 2), Share(1, 2), 0)),
        (ParameterError, lambda: lesson.chances(0, 0.5)),
        (ParameterError, lambda: lesson.chances(5, 1)),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()


# What is drawn


def test_the_figure():
    [axes] = lesson_called("fairness").figures()["four_fifths_by_luck"].axes
    lines = {line.get_label(): dict(line.get_xydata()) for line in axes.get_lines()}
    drawn = lines["true rate of both 30%"]
    assert {n: round(drawn[n], 2) for n in (20, 100, 400)} == {20: 0.62, 100: 0.30, 400: 0.04}
    assert all(drawn[n] >= lines["true rate of both 80%"][n] for n in drawn)
