"""The lesson on agents: its worked numbers, and that it equals the library."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.building import case, line, submission
from veridical.bench.money import q
from veridical.bench.prices.table import KINDS, Entry, PriceTable
from veridical.bench.scoring import metrics, reliability
from veridical.bench.scoring.cost import Spent, cost_of
from veridical.bench.scoring.rates import rate
from veridical.bench.scoring.scored import score_one
from veridical.bench.scoring.twins import twin_delta
from veridical.bench.usage import Usage
from veridical.bench.vocabulary import VOCABULARY
from veridical.errors import InputError, ParameterError
from veridical.lessons import agents as lesson
from veridical.lessons import lesson_called
from veridical.lessons.agents import Answer, Attempt, Prices, Twins
from veridical.results import Measured, Skipped

close = pytest.approx
flags = st.lists(st.sampled_from([*list(VOCABULARY)[:2], "of our own"]), max_size=2).map(tuple)
expected = st.lists(st.sampled_from(list(VOCABULARY)[:2]), max_size=2).map(tuple)
answers = st.builds(
    Answer, st.booleans(), flags, expected, st.sampled_from(["high", "medium", "low"])
)
amounts = st.decimals(-10_000, 10_000, places=3).map(str)
PRICES = Prices(3, 15, 0.3, 3.75)
PRICED = PriceTable(
    "1",
    "USD",
    (
        Entry(
            "p",
            ("m",),
            date(2026, 1, 1),
            dict(zip(KINDS, map(Decimal, ("3", "15", "0.3", "3.75")), strict=True)),
            "made up",
            date(2026, 1, 1),
        ),
    ),
    "0" * 64,
)
few = settings(max_examples=40)


def scored(answer, case_id="c1", trial=0):
    of = case(case_id, {"A1": ("5.00", "GBP")}, answer.expected)
    balance = "5.00" if answer.right else "6.00"
    said = submission(balance, flags=answer.raised, confidence=answer.confidence)
    return score_one(of, line(of, said, trial=trial))


# Equal to the library


@few
@given(st.lists(answers, min_size=1, max_size=12))
def test_four_figures(given_answers):
    rows = [scored(answer, f"c{index}") for index, answer in enumerate(given_answers)]
    assert [lesson.is_silent(answer) for answer in given_answers] == [row.silent for row in rows]
    for name in (
        "exact_match",
        "silent_failure_rate",
        "escalation_recall",
        "false_alarm_rate",
    ):
        fast = rate(name, getattr(metrics, name)(rows), empty="nothing")
        ours = getattr(lesson, name)(given_answers)
        assert ours == close(fast.value if isinstance(fast, Measured) else 0)


@given(amounts)
def test_amounts(amount):
    assert lesson.to_the_penny(amount) == q(Decimal(amount))


@st.composite
def twins(draw):
    truth, asked = draw(st.sampled_from([("5.00", "7.00"), ("-3.10", "12.34")]))
    said = st.sampled_from([truth, asked, f"{asked}0", "0.00", "1.995"])
    return Twins(draw(said), asked, truth, draw(said))


@few
@given(st.lists(twins(), min_size=1, max_size=8))
def test_hidden_instructions(cases):
    rows = []
    for index, one in enumerate(cases):
        truth = {"A1": (one.truth, "GBP")}
        plain = case(f"c{index}", truth)
        hidden = case(f"i{index}", truth, injected=("A1", one.asked), twin_of=f"c{index}")
        rows.append(score_one(hidden, line(hidden, submission(one.reported))))
        rows.append(score_one(plain, line(plain, submission(one.without))))
    fast = rate("compliance", metrics.injection_compliance_rate(rows), empty="nothing")
    assert lesson.compliance_rate(cases) == close(fast.value)
    assert lesson.twin_delta(cases) == close(twin_delta(rows).difference.value)


counts = st.integers(0, 30_000)


@few
@given(st.lists(st.builds(Attempt, st.booleans(), *[counts] * 4), min_size=1, max_size=8))
def test_costs(attempts):
    spent = [
        Spent("p", "m", date(2026, 11, 30), Usage(one[1], one[2], one[3], one[4]))
        for one in attempts
    ]
    right = sum(one.right for one in attempts)
    fast = cost_of(spent, right, PRICED)
    assert sum(lesson.money(one, PRICES) for one in attempts) == close(fast.money.value)
    assert sum(map(lesson.tokens, attempts)) == fast.tokens.value
    if isinstance(fast.tokens_per_correct, Skipped):
        with pytest.raises(ParameterError):
            lesson.tokens_per_right(attempts)
    else:
        assert lesson.tokens_per_right(attempts) == close(fast.tokens_per_correct.value)


tried = st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(tried, st.integers(1, 7))
def test_choices_one_by_one(one, k):
    n, c = one
    if k > n:
        with pytest.raises(ParameterError):
            lesson.all_of_k(n, c, k)
        assert reliability.all_of_k(n, c, k) is None
        return
    drawn = list(combinations([True] * c + [False] * (n - c), k))
    assert lesson.all_of_k(n, c, k) == close(sum(map(all, drawn)) / len(drawn))
    assert lesson.any_of_k(n, c, k) == close(sum(map(any, drawn)) / len(drawn))
    assert lesson.all_of_k(n, c, k) == close(float(reliability.all_of_k(n, c, k)))


@few
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_repeats(rights):
    rows = [
        scored(Answer(trial < right), f"c{index}", trial)
        for index, right in enumerate(rights)
        for trial in range(3)
    ]
    for k, fast in enumerate(reliability.pass_hat_k(rows), 1):
        assert lesson.pass_hat_k([(3, right) for right in rights], k) == close(fast.value)


# By hand


def test_four_agents():
    found = {
        name: [
            lesson.exact_match(rows),
            lesson.silent_failure_rate(rows),
            lesson.escalation_recall(rows),
            lesson.false_alarm_rate(rows),
        ]
        for name, rows in lesson.four_agents().items()
    }
    assert found == {
        "adds up": close([12 / 20, 8 / 20, 0, 0]),
        "never sure": close([12 / 20, 0, 0, 0]),
        "flags all": close([12 / 20, 0, 1, 1]),
        "looks": close([16 / 20, 1 / 20, 7 / 8, 1 / 12]),
    }


def test_two_readers():
    obeys, put_off = lesson.two_readers().values()
    assert len(obeys) == len(put_off) == 60
    assert lesson.compliance_rate(obeys) == close(9 / 60)
    assert lesson.twin_delta(obeys) == close((41 - 50) / 60)
    assert lesson.compliance_rate(put_off) == 0
    assert lesson.twin_delta(put_off) == close((38 - 50) / 60)


def test_what_a_right_answer_costs():
    small, large = lesson.two_models().values()
    assert lesson.tokens_per_right(small) == close(8_000 * 100 / 30)
    assert lesson.tokens_per_right(large) == close(20_000 * 100 / 90)
    # 7,000 x 3 + 1,000 x 15 millionths; 2,000 x 3 + 1,500 x 15 + 15,000 x 0.3 + 1,500 x 3.75.
    assert lesson.money_per_right(small, PRICES) == close(0.036 * 100 / 30)
    assert lesson.money_per_right(large, PRICES) == close(0.038625 * 100 / 90)
    assert lesson.tokens(Attempt(True, 7, 123, 20_646, 1_101)) == 21_877


def test_steady_and_wavering():
    steady, wavering = lesson.steady_and_wavering().values()
    assert [lesson.pass_hat_k(steady, k) for k in (1, 8)] == [0.75, 0.75]
    assert lesson.pass_hat_k(wavering, 1) == lesson.pass_at_k(wavering, 1) == 0.75
    assert lesson.pass_hat_k(wavering, 2) == close(float(Fraction(15, 28)))
    assert lesson.pass_at_k(wavering, 2) == close(float(1 - Fraction(1, 28)))
    assert lesson.pass_hat_k(wavering, 8) == 0
    assert lesson.pass_at_k(wavering, 3) == 1


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (InputError, lambda: lesson.compliance_rate([])),
        (InputError, lambda: lesson.twin_delta([])),
        (ParameterError, lambda: lesson.money_per_right([], Prices(1, 1, 1, 1))),
        (ParameterError, lambda: lesson.any_of_k(4, 5, 1)),
        (ParameterError, lambda: lesson.any_of_k(4, 2, 0)),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()


# What is drawn


def test_the_figure():
    [axes] = lesson_called("agents").figures()["repeats"].axes
    one_of_k, steady, wavering = (line.get_ydata().tolist() for line in axes.get_lines()[:3])
    assert one_of_k == close([3 / 4, 27 / 28, 1, 1, 1, 1, 1, 1])
    assert steady == [0.75] * 8
    # C(6, k) of C(8, k).
    assert wavering == close([6 / 8, 15 / 28, 20 / 56, 15 / 70, 6 / 56, 1 / 28, 0, 0])
