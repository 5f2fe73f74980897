"""Seven questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.drift.noise import (
    expected_without_drift,
    index_without_drift,
    quantile_without_drift,
    rows_needed,
    traffic_light,
)
from veridical.lessons.drift.stability_index import index_of_shares
from veridical.lessons.drift.stops import NOW, THEN
from veridical.lessons.lesson import Choice, Question, number

__all__ = ["QUIZ"]


def _alarms() -> float:
    drawn = index_without_drift(200)
    return sum(one >= 0.10 for one in drawn) / len(drawn)


def _noise(n: int, cells: int = 10) -> float:
    return quantile_without_drift(cells, n, n)


def _light(n: int) -> str:
    return traffic_light(0.12, 10, n, n)


def _both_say(*lights: str) -> bool:
    """Whether 200 and 20,000 rows alike are told one of these."""
    return {_light(200), _light(20_000)} <= {*lights}


def _empty(eps: float) -> float:
    return round(index_of_shares((0.5, 0.5, 0.0), (0.5, 0.4, 0.1), eps), 2)


def _without_the_cell() -> float:
    return round(index_of_shares((0.5, 0.5), (0.5, 0.4)), 2)


QUIZ = (
    Question(
        "Nothing has drifted. Ten cells, 200 rows then and 200 now. What PSI is to be expected?",
        (
            number(
                "0.00",
                lambda: expected_without_drift(10, 200, 200),
                "the index of the populations is taken for that of samples. Terms are never "
                "negative, so that noise only adds.",
            ),
            number("0.09", lambda: expected_without_drift(10, 200, 200)),
            number(
                "0.25",
                lambda: expected_without_drift(10, 200, 200),
                "that is the limit of what is called significant.",
            ),
        ),
        "9 cells may vary freely, and each side has 200 rows: 9 x (1/200 + 1/200).",
    ),
    Question(
        "How often does PSI reach 0.10 there, although nothing has drifted?",
        (
            Choice(
                "Never.",
                lambda: _alarms() == 0,
                "0.10 is a convention for thousands of rows.",
            ),
            Choice(
                "One time in twenty.",
                lambda: 0.04 < _alarms() < 0.06,
                "0.10 is taken for a test at 5%. That one would be at 0.17 here.",
            ),
            Choice("About one time in three.", lambda: 0.28 < _alarms() < 0.42),
        ),
        "noise alone is 0.09 on average: 0.10 is just above the middle.",
    ),
    Question(
        "The rows of both sides are doubled. What happens to the noise of PSI?",
        (
            Choice("It is halved.", lambda: abs(_noise(400) / _noise(200) - 0.5) < 1e-9),
            Choice(
                "It is divided by the square root of two.",
                lambda: abs(_noise(400) / _noise(200) - 0.5**0.5) < 1e-9,
                "shares scatter so; PSI adds up their squares.",
            ),
            Choice(
                "Nothing: PSI compares shares.",
                lambda: _noise(400) == _noise(200),
                "shares of few rows scatter, and each scatter counts as a move.",
            ),
        ),
        "PSI goes with the square of the moves, and squares with 1 / n.",
    ),
    Question(
        "Somebody uses 20 cells instead of 10, to see more. How many rows does 0.10 need now?",
        (
            Choice(
                "339, as before.",
                lambda: rows_needed(0.10, 20) == rows_needed(0.10, 10) == 339,
                "each further cell may move by itself, and adds its own noise.",
            ),
            Choice(
                "Fewer: it is more exact.",
                lambda: rows_needed(0.10, 20) < rows_needed(0.10, 10),
                "finer cells hold fewer rows.",
            ),
            Choice("603.", lambda: rows_needed(0.10, 20) == 603),
        ),
        "noise grows with the cells less one. Few rows, few cells.",
    ),
    Question(
        "PSI is 0.12, ten cells. What should be done?",
        (
            Choice(
                "Retrain: it has drifted.",
                lambda: _both_say("moderate", "significant"),
                "on 200 rows noise alone exceeds 0.17 once in twenty times.",
            ),
            Choice(
                "It depends on the rows: 200 say nothing, 20,000 say that it moved.",
                lambda: (_light(200), _light(20_000)) == ("insufficient_data", "moderate"),
            ),
            Choice(
                "Nothing: it is below 0.25.",
                lambda: _both_say("stable", "insufficient_data"),
                "on 20,000 rows noise stays below 0.002, and 0.12 is a real move.",
            ),
        ),
        "read an index beside what noise alone makes on as many rows.",
    ),
    Question(
        "A quarter of the scores becomes a fifth, another becomes three tenths. What is PSI?",
        (
            number("0.02", lambda: index_of_shares(THEN, NOW)),
            number(
                "0.10",
                lambda: index_of_shares(THEN, NOW),
                "that is how far the shares moved in all. Each move is weighted by its logarithm.",
            ),
            number("0.00", lambda: index_of_shares(THEN, NOW), "that would be no move at all."),
        ),
        "-0.05 ln(0.20/0.25) + 0.05 ln(0.30/0.25).",
    ),
    Question(
        "Three cells held 50%, 50% and none of the rows, and now hold 50%, 40% and 10%. PSI is "
        "1.40 with one tool and 0.71 with another. Why?",
        (
            Choice(
                "One of them has a fault.",
                lambda: not {1.40, 0.71} <= {_empty(1e-7), _empty(1e-4)},
                "both follow the formula. They put another small number in for nothing.",
            ),
            Choice(
                "They have another eps.",
                lambda: (_empty(1e-7), _empty(1e-4)) == (1.40, 0.71),
            ),
            Choice(
                "One of them leaves the empty cell out.",
                lambda: _without_the_cell() in {1.40, 0.71},
                "without it 0.02 would be left.",
            ),
        ),
        "the logarithm of nothing is infinite; what stands for nothing decides. Say which eps.",
    ),
)
