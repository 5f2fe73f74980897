"""Six questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.judges.against_people import (
    best_constant,
    exact,
    three_judges,
    within_one,
)
from veridical.lessons.judges.corrected import apparent_rate, chosen_sample, rogan_gladen_of
from veridical.lessons.judges.leanings import (
    Duel,
    consistency,
    duels,
    longer_wins,
    people,
    verdicts,
)
from veridical.lessons.judges.prediction_powered import (
    drawn_sample,
    labels_alone,
    prediction_powered,
)
from veridical.lessons.judges.stops import JUDGES
from veridical.lessons.lesson import Choice, Question, number
from veridical.lessons.metrics.judge_calibration import cohens_kappa

__all__ = ["QUIZ"]

_PEOPLE, _JUDGED = three_judges()
_ALWAYS_NEAR = [judge for judge in _JUDGED.values() if within_one(_PEOPLE, judge) == 1]
_LONGER_IS_BETTER = [
    duel for duel in duels() if (duel.a.words > duel.b.words) == (people(duel) == "a")
]


def _reads(judge: list[str]) -> bool:
    return exact(_PEOPLE, judge) > best_constant(_PEOPLE)


def _seen_by_swapping(name: str) -> bool:
    return consistency(verdicts(JUDGES[name], duels())) < 1


def _longer(name: str, shown: list[Duel]) -> float:
    return longer_wins([winner for winner, _ in verdicts(JUDGES[name], shown)], shown)


def _longer_by_people(shown: list[Duel]) -> float:
    return longer_wins([people(duel) for duel in shown], shown)


def _rise() -> float:
    return apparent_rate(0.6, 0.9, 0.8) - apparent_rate(0.5, 0.9, 0.8)


def _narrowed() -> float:
    labelled, passed, judged = drawn_sample()
    return prediction_powered(labelled, passed, judged).error / labels_alone(labelled).error


def _moved_by_errors() -> float:
    """Return how far the errors alone move the rate: the judge passes as many of the others."""
    labelled, _, judged = drawn_sample()
    passed = judged * (labelled.tp + labelled.fp) // labelled.n
    return prediction_powered(labelled, passed, judged).rate - labels_alone(labelled).rate


QUIZ = (
    Question(
        "A judge is within one band of people on every answer. What may it be?",
        (
            Choice(
                "Only a good one.",
                lambda: all(_reads(judge) for judge in _ALWAYS_NEAR),
                "the middle band is near to everything.",
            ),
            Choice(
                "One who always says the middle.",
                lambda: within_one(_PEOPLE, ["0.5"] * len(_PEOPLE)) == 1,
            ),
            Choice(
                "One with a high kappa, at least.",
                lambda: all(cohens_kappa(_PEOPLE, judge) > 0.6 for judge in _ALWAYS_NEAR),
                "who always says the same has a kappa of 0.",
            ),
        ),
        "ask for exact agreement, above the best constant, and for kappa.",
    ),
    Question(
        "Every duel is judged in both orders. Which leaning shows?",
        (
            Choice("That to the first answer.", lambda: _seen_by_swapping("likes the first")),
            Choice(
                "That to the longer answer.",
                lambda: _seen_by_swapping("likes length"),
                "the longer answer is as long in either order.",
            ),
            Choice(
                "That to its own model.",
                lambda: _seen_by_swapping("likes its own"),
                "the author is the same in either order.",
            ),
        ),
        "swapping changes the order and nothing else.",
    ),
    Question(
        "The longer answer wins 70% of duels by the judge. Is the judge swayed by length?",
        (
            Choice(
                "Yes: 70% is far from one half.",
                lambda: _longer("fair", _LONGER_IS_BETTER) < 0.7,
                "where longer answers are better, a fair judge prefers them.",
            ),
            Choice(
                "No: longer answers say more.",
                lambda: _longer_by_people(duels()) >= 0.7,
                "they may, but people must be asked: in the duels of this lesson they do not.",
            ),
            Choice(
                "It depends on how often people prefer the longer one.",
                lambda: (
                    _longer("fair", _LONGER_IS_BETTER) == _longer_by_people(_LONGER_IS_BETTER) > 0.7
                    and _longer("fair", duels()) == _longer_by_people(duels()) < 0.7
                ),
            ),
        ),
        "a leaning is what the judge does beyond what people do.",
    ),
    Question(
        "A judge passes 90% of the good and 20% of the bad answers. The good ones rise from 50% to "
        "60%. By how much does its rate rise?",
        (
            number("0.10", _rise, "its rate is taken for the truth."),
            number("0.07", _rise),
            number("0.09", _rise, "more good answers are fewer bad ones, too."),
        ),
        "0.10 x (0.9 + 0.8 - 1).",
    ),
    Question(
        "A judge passes 280 of 400. On 50 good and 50 bad answers, which people chose, it passes "
        "45 and 10. How many are good?",
        (
            number(
                "0.50",
                lambda: rogan_gladen_of(*chosen_sample()),
                "that is what people chose to label.",
            ),
            number(
                "0.70",
                lambda: rogan_gladen_of(*chosen_sample()),
                "that is what it passes, the bad ones too.",
            ),
            number("0.71", lambda: rogan_gladen_of(*chosen_sample())),
        ),
        "(0.7 + 0.8 - 1) / (0.9 + 0.8 - 1).",
    ),
    Question(
        "100 answers are labelled, and a judge who errs on 13 of them rates 2,000. What does it "
        "do to the interval of the labels?",
        (
            Choice(
                "Its errors move it, off the truth.",
                lambda: abs(_moved_by_errors()) > 1e-9,
                "its errors are measured on the labels, and taken out.",
            ),
            Choice("It narrows it to about three quarters.", lambda: 0.7 < _narrowed() < 0.8),
            Choice(
                "It makes it as narrow as 2,000 labels.",
                lambda: _narrowed() <= (100 / 2_000) ** 0.5,
                "that would take a judge who never errs.",
            ),
        ),
        "the better it agrees with the labels, the more its word on the others is worth.",
    ),
)
