"""Six questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.fairness.errors_by_group import (
    equalized_odds_difference,
    predictive_parity_difference,
    selected,
    two_base_rates,
)
from veridical.lessons.fairness.rates import Share, four_fifths, other_outcome, ratio
from veridical.lessons.fairness.small_groups import difference_interval, fails_by_luck
from veridical.lessons.fairness.stops import FLAGGED
from veridical.lessons.fairness.targets import difference_cannot_fail
from veridical.lessons.lesson import Choice, Question, number

__all__ = ["QUIZ"]

_LIKELY = difference_interval(Share(3, 10), Share(200, 400))


def _let_through() -> float:
    group, reference = map(other_outcome, FLAGGED)
    return ratio(group, reference)


QUIZ = (
    Question(
        "6 of 10 of a group are invited, 15 of 20 of the reference. A calculator divides 0.6 by "
        "0.75 and shows 0.7999999999999999. Do they pass the four fifths?",
        (
            Choice(
                "No: it is less than 0.8.",
                lambda: not four_fifths(Share(6, 10), Share(15, 20)),
                "the rounding of the quotient is taken for a lack of people.",
            ),
            Choice("Yes.", lambda: four_fifths(Share(6, 10), Share(15, 20))),
            Choice(
                "Only if it is rounded first.",
                lambda: (
                    not four_fifths(Share(6, 10), Share(15, 20))
                    and round(ratio(Share(6, 10), Share(15, 20)), 3) >= 0.8
                ),
                "whole numbers decide it, and they need no rounding.",
            ),
        ),
        "5 x 6 x 20 = 4 x 15 x 10: exactly four fifths.",
    ),
    Question(
        "Of a group 4% are stopped, of the reference 2%. What is the ratio of those let through?",
        (
            number("0.98", _let_through),
            number("2.00", _let_through, "that is the ratio of those who are stopped."),
            number("0.80", _let_through, "that is the limit."),
        ),
        "0.96 / 0.98. The ratio of a frequent outcome is near 1 whatever the rare one does.",
    ),
    Question(
        "The target is a difference of at most 0.05, and 4% and 2% are stopped. What does it show "
        "that the target is met?",
        (
            Choice(
                "That both groups are treated alike.",
                lambda: ratio(*FLAGGED) == 1,
                "one of them is stopped twice as often.",
            ),
            Choice(
                "That luck made the difference.",
                lambda: difference_interval(*FLAGGED)[0] <= 0,
                "a target knows nothing of luck; an interval does, and it leaves 0 out.",
            ),
            Choice("Nothing: it cannot be missed.", lambda: difference_cannot_fail(*FLAGGED)),
        ),
        "rates of at most 4% never lie more than 0.04 apart.",
    ),
    Question(
        "Both groups have the same recall and the same false positive rate, but other base rates. "
        "Which gap is closed?",
        (
            Choice(
                "Demographic parity.",
                lambda: ratio(*map(selected, two_base_rates())) == 1,
                "where more deserve it, more are selected.",
            ),
            Choice("Equalised odds.", lambda: equalized_odds_difference(*two_base_rates()) == 0),
            Choice(
                "Predictive parity.",
                lambda: predictive_parity_difference(*two_base_rates()) == 0,
                "where fewer deserve it, more of those selected do not.",
            ),
        ),
        "equalised odds asks for just these two rates. The other gaps follow from the base rates.",
    ),
    Question(
        "Two groups of 20 are treated exactly alike, at a rate of 30%. How often do they miss the "
        "four fifths?",
        (
            number(
                "0.05",
                lambda: fails_by_luck(0.3, 20, 20),
                "the four fifths are taken for a test at 5%. They know nothing of group sizes.",
            ),
            number("0.62", lambda: fails_by_luck(0.3, 20, 20)),
            number(
                "0.20",
                lambda: fails_by_luck(0.3, 20, 20),
                "that is the fifth that may be missing.",
            ),
        ),
        "6 of 20 are expected, with a standard deviation of 2: one more or less is a sixth.",
    ),
    Question(
        "3 of 10 of a group are invited, and 200 of 400 of the reference. What do you report?",
        (
            Choice(
                "The group is disadvantaged: the ratio is 0.60.",
                lambda: _LIKELY[1] < 0,
                "ten people cannot show it: the interval of the difference reaches above 0.",
            ),
            Choice(
                "Nothing: ten people leave every gap open.",
                lambda: _LIKELY[0] <= -0.5 and _LIKELY[1] >= 0.5,
                "gaps above 0.11 are left out. And silence looks like equality.",
            ),
            Choice(
                "The counts, and an interval that holds 0 and a gap of -0.3 alike.",
                lambda: _LIKELY[0] < -0.3 and _LIKELY[1] > 0,
            ),
        ),
        "the data allow both; say so, and collect more.",
    ),
)
