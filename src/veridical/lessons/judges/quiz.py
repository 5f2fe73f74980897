"""Six questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.judges.against_people import exact, three_judges, within_one
from veridical.lessons.judges.corrected import apparent_rate, chosen_sample, rogan_gladen_of
from veridical.lessons.judges.leanings import (
    agreed,
    consistency,
    duels,
    first_wins,
    longer_wins,
    own_wins,
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


def _always_in_part() -> tuple[list[str], list[str]]:
    labels, judges = three_judges()
    return labels, judges["always in part"]


def _seen_by_swapping(name: str) -> bool:
    return consistency(verdicts(JUDGES[name], duels())) < 1


def _own_share_after_swapping() -> float:
    shown = duels()
    return own_wins(agreed(verdicts(JUDGES["likes its own"], shown)), shown)


def _own_share_of_people() -> float:
    shown = duels()
    return own_wins([people(duel) for duel in shown], shown)


def _rise() -> float:
    return apparent_rate(0.6, 0.9, 0.8) - apparent_rate(0.5, 0.9, 0.8)


def _narrowed() -> float:
    labelled, passed, judged = drawn_sample()
    return prediction_powered(labelled, passed, judged).error / labels_alone(labelled).error


QUIZ = (
    Question(
        "A judge is within one band of people on every answer. What may he be?",
        (
            Choice(
                "Only a good one.",
                lambda: within_one(*_always_in_part()) < 1,
                "the middle band is near to everything.",
            ),
            Choice(
                "One who always says the middle.",
                lambda: within_one(*_always_in_part()) == 1 and exact(*_always_in_part()) < 0.5,
            ),
            Choice(
                "One with a high kappa, at least.",
                lambda: cohens_kappa(*_always_in_part()) > 0.5,
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
                lambda: first_wins(verdicts(JUDGES["likes length"], duels())) > 0.6,
                "longer answers may be better. One half is no measure of that.",
            ),
            Choice(
                "No: longer answers say more.",
                lambda: longer_wins([people(d) for d in duels()], duels()) > 0.6,
                "they may, but people must be asked: in the duels here they do not.",
            ),
            Choice(
                "It depends on how often people prefer the longer one.",
                lambda: (
                    longer_wins([w for w, _ in verdicts(JUDGES["likes length"], duels())], duels())
                    > longer_wins([people(d) for d in duels()], duels()) + 0.1
                ),
            ),
        ),
        "a leaning is what the judge does beyond what people do.",
    ),
    Question(
        "A judge passes 90% of the good and 20% of the bad answers. The good ones rise from 50% to "
        "60%. By how much does his rate rise?",
        (
            number("0.10", _rise, "his rate is taken for the truth."),
            number("0.07", _rise),
            number("0.09", _rise, "more good answers are fewer bad ones, too."),
        ),
        "0.10 x (0.9 + 0.8 - 1).",
    ),
    Question(
        "He passes 280 of 400. On 50 good and 50 bad answers, which people chose, he passes 45 "
        "and 10. How many are good?",
        (
            number(
                "0.50",
                lambda: rogan_gladen_of(*chosen_sample()),
                "that is what people chose to label.",
            ),
            number(
                "0.70",
                lambda: rogan_gladen_of(*chosen_sample()),
                "that is what he passes, the bad ones too.",
            ),
            number("0.71", lambda: rogan_gladen_of(*chosen_sample())),
        ),
        "(0.7 + 0.8 - 1) / (0.9 + 0.8 - 1).",
    ),
    Question(
        "100 answers are labelled, and a judge who errs on 13 of them rates 2,000. What does he "
        "do to the interval of the labels?",
        (
            Choice(
                "He makes it wrong: he errs.",
                lambda: _narrowed() > 1,
                "his errors are measured on the labels, and taken out.",
            ),
            Choice("He narrows it to about three quarters.", lambda: 0.7 < _narrowed() < 0.8),
            Choice(
                "He makes it as narrow as 2,000 labels.",
                lambda: _narrowed() < 0.3,
                "that would take a judge who never errs.",
            ),
        ),
        "the better he agrees with the labels, the more his word on the others is worth.",
    ),
)
