"""Seven questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.fairness.small_groups import chances
from veridical.lessons.lesson import Choice, Question, number
from veridical.lessons.uncertainty.comparisons import holm, mcnemar
from veridical.lessons.uncertainty.planning import labels_for_half_width, most_it_may_be
from veridical.lessons.uncertainty.resampling import asked_ten_times, bootstrap_means, middle
from veridical.lessons.uncertainty.shares import Ends, coverage, wilson
from veridical.lessons.uncertainty.stops import P_VALUES

__all__ = ["QUIZ"]


def _width(interval: Ends) -> float:
    return interval[1] - interval[0]


def _ratio() -> float:
    """By how much drawing questions widens the interval that drawing answers gives."""
    questions = asked_ten_times()
    flat = [[value] for question in questions for value in question]
    return _width(middle(bootstrap_means(questions))) / _width(middle(bootstrap_means(flat)))


def _within(values: list[float], interval: Ends) -> float:
    """Return the share of values that lie in the interval."""
    low, high = interval
    return sum(low <= value <= high for value in values) / len(values)


def _holds_next_share(p: float, n: int) -> float:
    """Return how often Wilson's interval of one sample holds the share of the next."""
    chance = chances(n, p)
    held = 0.0
    for hits in range(n + 1):
        low, high = wilson(hits, n)
        held += chance[hits] * sum(chance[i] for i in range(n + 1) if low <= i / n <= high)
    return held


def _shown_at_any_count() -> set[bool]:
    """Whether 75% and 80% of 200 cases differ, for each count that only A may have right."""
    return {mcnemar(only_a, only_a + 10) < 0.05 for only_a in range(41)}


def _shown() -> int:
    return sum(p <= 0.05 for p in holm(P_VALUES))


QUIZ = (
    Question(
        "A model has 20 of 20 answers right. What is the lower end of the 95% interval of its "
        "true rate?",
        (
            number(
                "1.00",
                lambda: wilson(20, 20)[0],
                "that is Wald's: its standard error comes from the share itself, and is 0 here.",
            ),
            number("0.84", lambda: wilson(20, 20)[0]),
            number(
                "0.95",
                lambda: wilson(20, 20)[0],
                "the level of the interval is taken for the rate.",
            ),
        ),
        "a model that is right 84 times in 100 still has 20 of 20 in 3 of 100 samples.",
    ),
    Question(
        "94 of 100 answers are right. What does the 95% interval, 0.875 to 0.972, promise?",
        (
            Choice(
                "95% of the model's answers are between both.",
                lambda: round(_within([1.0] * 94 + [0.0] * 6, wilson(94, 100)), 2) == 0.95,
                "an answer is right or wrong. The interval is about the rate.",
            ),
            Choice(
                "Made this way, 95 of 100 intervals hold the share of the next sample.",
                lambda: round(_holds_next_share(0.94, 100), 2) == 0.95,
                "82 of 100 do: the next share varies by itself, too.",
            ),
            Choice(
                "Made this way, 95 of 100 intervals hold the true rate.",
                lambda: round(coverage(wilson, 0.94, 100), 2) == 0.95,
            ),
        ),
        "the promise is one of the method, over many samples. It says nothing of bad labels, nor "
        "of users who are not like the sample.",
    ),
    Question(
        "20 questions are asked ten times each; the answers never change. What does the honest "
        "interval do, beside one from 200 single rows?",
        (
            Choice(
                "It is about three times as wide.",
                lambda: 2.5 < _ratio() < 4,
            ),
            Choice(
                "It is the same: there are 200 answers.",
                lambda: 0.9 < _ratio() < 1.1,
                "rows are taken for observations. Nine of ten answers told nothing new.",
            ),
            Choice(
                "It is narrower: repeats take noise away.",
                lambda: _ratio() < 0.9,
                "repeats take the noise of an answer away, not that of the choice of questions.",
            ),
        ),
        "there are 20 independent things, not 200: the square root of ten is 3.2.",
    ),
    Question(
        "On the same 200 cases A has 75% right and B 80%; their intervals overlap. What follows?",
        (
            Choice(
                "No difference can be shown.",
                lambda: _shown_at_any_count() == {False},
                "each interval holds the luck of the cases, which both models shared.",
            ),
            Choice(
                "B is better: 80 is more than 75.",
                lambda: _shown_at_any_count() == {True},
                "a difference of two samples is taken for one of two models.",
            ),
            Choice(
                "Nothing yet: count the cases that only one has right.",
                lambda: _shown_at_any_count() == {False, True},
            ),
        ),
        "5 against 15 such cases show a difference (p = 0.041), 30 against 40 do not (p = 0.28), "
        "and both are 75% against 80%.",
    ),
    Question(
        "Five metrics have the p-values 0.012, 0.030, 0.041, 0.200 and 0.700. How many "
        "differences are shown at 0.05, all five considered?",
        (
            Choice(
                "Three",
                lambda: _shown() == 3,
                "five tests cry wolf more often than one: 23% of the time, not 5%.",
            ),
            Choice(
                "None",
                lambda: _shown() == 0,
            ),
            Choice(
                "One",
                lambda: _shown() == 1,
                "0.012 alone would do, but it was the smallest of five: 5 x 0.012 is 0.060.",
            ),
        ),
        "Holm multiplies the smallest by five, and 0.060 is above 0.05.",
    ),
    Question(
        "100 labels give plus or minus 0.098. How many give plus or minus 0.049?",
        (
            number(
                "200",
                lambda: labels_for_half_width(0.049),
                "width goes with the square root of the labels, not with the labels.",
            ),
            number("400", lambda: labels_for_half_width(0.049)),
            number(
                "1000",
                lambda: labels_for_half_width(0.049),
                "that would be plus or minus 0.031.",
            ),
        ),
        "half the width takes four times the labels.",
    ),
    Question(
        "An agent does 300 tasks and never leaks a secret. How often may it still leak one?",
        (
            Choice(
                "Never: it was tried 300 times.",
                lambda: most_it_may_be(300) == 0,
                "what was not seen is taken for what does not exist.",
            ),
            Choice("Up to 1 time in 100.", lambda: 0.009 < most_it_may_be(300) <= 0.01),
            Choice(
                "Up to 1 time in 10,000.",
                lambda: most_it_may_be(300) <= 0.0001,
                "that takes 30,000 tasks without a leak.",
            ),
        ),
        "the rule of three: nothing in n may be 3 / n.",
    ),
)
