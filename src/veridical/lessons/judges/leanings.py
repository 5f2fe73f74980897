"""Section 2: what sways a judge of two answers: their order, their length, and their author."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veridical.errors import InputError

__all__ = [
    "AnswerShown",
    "Duel",
    "Judge",
    "agreed",
    "consistency",
    "duels",
    "first_wins",
    "longer_wins",
    "own_wins",
    "people",
    "verdicts",
]


class AnswerShown(NamedTuple):
    """One of two answers.

    Attributes
    ----------
    quality
        What people see in it.
    words
        Its length.
    own
        Whether the judge's own model wrote it.
    """

    quality: float
    words: int
    own: bool


class Duel(NamedTuple):
    """Two answers to one question, in no order that matters."""

    a: AnswerShown
    b: AnswerShown


@dataclass(frozen=True)
class Judge:
    """A judge made for this lesson: sees quality, and leans as it is told.

    Attributes
    ----------
    first
        What it adds to the answer that it reads first.
    length
        What it adds for each doubling of length.
    own
        What it adds to an answer of its own model.
    """

    first: float = 0.0
    length: float = 0.0
    own: float = 0.0

    def prefers(self, one: AnswerShown, other: AnswerShown) -> bool:
        """Return whether the one wins that is shown first."""
        return self.worth(one) + self.first > self.worth(other)

    def worth(self, answer: AnswerShown) -> float:
        """Return what an answer is worth to it, wherever it stands."""
        return answer.quality + self.length * math.log2(answer.words) + self.own * answer.own


def duels(n: int = 400, seed: int = 0) -> list[Duel]:
    """Draw duels whose answers differ in quality, length and author independently.

    Parameters
    ----------
    n
        How many.
    seed
        Of ``numpy.random.default_rng``.

    Examples
    --------
    >>> len(duels()), duels(1)[0].a.words
    (400, 96)
    """
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(n):
        quality, words = random.normal(0, 1, 2), random.integers(50, 201, 2)
        first_is_own = bool(random.random() < 0.5)
        sides = zip(quality, words, (first_is_own, not first_is_own), strict=True)
        drawn.append(Duel(*(AnswerShown(float(q), int(w), own) for q, w, own in sides)))
    return drawn


def people(duel: Duel) -> str:
    """Return the side that people prefer."""
    return "a" if duel.a.quality > duel.b.quality else "b"


def verdicts(judge: Judge, shown: Sequence[Duel]) -> list[tuple[str, str]]:
    """Return the winner of each duel with a shown first, and with b shown first.

    Examples
    --------
    >>> alike = Duel(AnswerShown(0.0, 100, False), AnswerShown(0.0, 100, False))
    >>> verdicts(Judge(first=0.5), [alike])
    [('a', 'b')]
    """
    return [
        ("a" if judge.prefers(a, b) else "b", "b" if judge.prefers(b, a) else "a") for a, b in shown
    ]


def consistency(both: Sequence[tuple[str, str]]) -> float:
    """Return the share of duels that have one winner, whichever is shown first.

    Examples
    --------
    >>> consistency([("a", "a"), ("a", "b")])
    0.5
    """
    return _share([one == other for one, other in both])


def first_wins(both: Sequence[tuple[str, str]]) -> float:
    """Return how often the answer wins that is shown first: one half of a judge without leaning.

    Each answer is first once, so that its quality cancels.

    Examples
    --------
    >>> first_wins([("a", "a"), ("a", "b")])
    0.75
    """
    return _share([one == "a" for one, _ in both] + [other == "b" for _, other in both])


def agreed(both: Sequence[tuple[str, str]]) -> list[str]:
    """Return the winner where both orders have the same, and a tie where not.

    Examples
    --------
    >>> agreed([("a", "a"), ("a", "b")])
    ['a', 'tie']
    """
    return [one if one == other else "tie" for one, other in both]


def longer_wins(winners: Sequence[str], shown: Sequence[Duel]) -> float:
    """Return how often the longer answer wins, of duels with a winner and unequal lengths."""
    return _wins_of(winners, shown, lambda duel: duel.a.words - duel.b.words)


def own_wins(winners: Sequence[str], shown: Sequence[Duel]) -> float:
    """Return how often the answer of the judge's own model wins, of duels with a winner."""
    return _wins_of(winners, shown, lambda duel: duel.a.own - duel.b.own)


def _wins_of(winners: Sequence[str], shown: Sequence[Duel], lead: Callable[[Duel], int]) -> float:
    """Return how often the side wins that leads; ties of either kind are left out."""
    won = []
    for winner, duel in zip(winners, shown, strict=True):
        if winner != "tie" and lead(duel):
            won.append(winner == ("a" if lead(duel) > 0 else "b"))
    return _share(won)


def _share(held: Sequence[bool]) -> float:
    if not held:
        raise InputError("there is no duel to count")
    return sum(held) / len(held)
