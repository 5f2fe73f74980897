"""The walk-through in four stops."""

from __future__ import annotations

from veridical.lessons.judges.against_people import (
    best_constant,
    exact,
    leniency,
    three_judges,
    within_one,
)
from veridical.lessons.judges.corrected import apparent_rate, chosen_sample, rogan_gladen_of
from veridical.lessons.judges.leanings import (
    Duel,
    Judge,
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
from veridical.lessons.lesson import Shown, Stop, Table
from veridical.lessons.metrics.judge_calibration import cohens_kappa

__all__ = ["JUDGES", "STOPS"]

JUDGES = {
    "fair": Judge(),
    "likes the first": Judge(first=0.5),
    "likes length": Judge(length=1.0),
    "likes its own": Judge(own=0.5),
}
"""Four judges of two answers; qualities differ by a standard deviation of 1.4."""


def _three_judges() -> Shown:
    labels, judges = three_judges()
    rows = [
        (
            name,
            f"{exact(labels, judge):.0%}",
            f"{within_one(labels, judge):.0%}",
            f"{leniency(labels, judge):+.2f}",
            f"{cohens_kappa(labels, judge):.2f}",
        )
        for name, judge in judges.items()
    ]
    return Shown(
        [
            Table(("judge", "exact", "within a band", "leniency", "kappa"), rows),
            f"A judge that always says the same reaches {best_constant(labels):.0%} exactly.",
        ],
        "agreement must beat the judge who never reads; kappa sees that.",
    )


def _leanings() -> Shown:
    shown = duels()
    rows = [("people", "-", "-", *_wins([people(duel) for duel in shown], shown))]
    for name, judge in JUDGES.items():
        both = verdicts(judge, shown)
        once = [winner for winner, _ in both]
        rows.append(
            (name, f"{consistency(both):.0%}", f"{first_wins(both):.0%}", *_wins(once, shown))
        )
    likes_length = [winner for winner, _ in verdicts(JUDGES["likes length"], shown)]
    same = sum(a == people(b) for a, b in zip(likes_length, shown, strict=True)) / len(shown)
    return Shown(
        [
            Table(("who", "same both ways", "first wins", "longer wins", "own wins"), rows),
            f"The one that likes length still agrees with people on {same:.0%} of the duels.",
            _swapped(),
        ],
        "swap the order, always; length and author show only beside people.",
    )


def _wins(winners: list[str], shown: list[Duel]) -> tuple[str, str]:
    return f"{longer_wins(winners, shown):.0%}", f"{own_wins(winners, shown):.0%}"


def _swapped() -> str:
    both = verdicts(JUDGES["likes the first"], duels())
    ties = agreed(both).count("tie")
    return (
        f"Where both orders must agree, {ties} of {len(both)} duels of the one that likes the "
        "first become ties, and the leaning is gone."
    )


def _corrected() -> Shown:
    rows = [
        (f"{rate:.0%}", f"{apparent_rate(rate, 0.9, 0.8):.1%}")
        for rate in (0.0, 0.05, 0.5, 0.6, 0.95, 1.0)
    ]
    _, passed, judged = chosen_sample()
    good = rogan_gladen_of(*chosen_sample())
    return Shown(
        [
            Table(("good", "passed"), rows),
            f"The judge passes {passed} of {judged}. By Rogan and Gladen {good:.1%} are good.",
        ],
        "a judge shrinks every difference: ten points look like seven.",
    )


def _powered() -> Shown:
    labelled, passed, judged = drawn_sample()
    rows = [("the judge alone", f"{passed / judged:.3f}", "wrong by its errors", "")]
    for name, found in (
        ("100 labels alone", labels_alone(labelled)),
        ("both together", prediction_powered(labelled, passed, judged)),
    ):
        low, high = found.interval
        rows.append((name, f"{found.rate:.3f}", f"{low:.3f} to {high:.3f}", f"{high - low:.3f}"))
    return Shown(
        [Table(("from", "good", "95% interval", "width"), rows)],
        "a judge who is checked is worth labels; unchecked, it is worth none.",
    )


STOPS = (
    Stop(
        "Three judges",
        "People put 20 answers into three bands: 12 right, 4 in part, 4 wrong. One judge says "
        "in part to all, one says right to all, and one reads.",
        "Which of them is never more than a band apart?",
        _three_judges,
    ),
    Stop(
        "What sways a judge",
        "400 duels of two answers (seed 0). Quality, length and author have nothing to do with "
        "each other. Each duel is judged twice, with either answer first.",
        "Which of three leanings does swapping the order reveal?",
        _leanings,
    ),
    Stop(
        "What the judge makes of it",
        "A judge passes 90% of the good answers and 20% of the bad ones.",
        "The share of good answers rises from 50% to 60%. By how much does its rate rise?",
        _corrected,
    ),
    Stop(
        "A hundred labels and a judge",
        "People labelled 100 answers, drawn at random; the judge rated all 2,000.",
        "Does the judge make the interval narrower, although it errs?",
        _powered,
    ),
)
