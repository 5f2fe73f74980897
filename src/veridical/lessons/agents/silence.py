"""Section 1: answers, flags and confidence; which failures nobody would notice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veridical.lessons.metrics.confusion_matrix import share

__all__ = [
    "Answer",
    "escalation_recall",
    "exact_match",
    "false_alarm_rate",
    "four_agents",
    "is_silent",
    "silent_failure_rate",
]


class Answer(NamedTuple):
    """What an agent said about one case, beside what it should have said.

    Attributes
    ----------
    right
        Whether the answer is exactly the truth.
    raised
        The flags it raised: kinds of trouble in the data.
    expected
        The flags it should have raised; none makes a clean case.
    confidence
        ``"high"``, ``"medium"`` or ``"low"``.
    """

    right: bool
    raised: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    confidence: str = "high"


def is_silent(answer: Answer) -> bool:
    """Return whether it is wrong, and nothing about it says so.

    Examples
    --------
    >>> is_silent(Answer(right=False)), is_silent(Answer(right=False, confidence="low"))
    (True, False)
    """
    return not answer.right and not answer.raised and answer.confidence != "low"


def exact_match(answers: Sequence[Answer]) -> float:
    """Return the share of right answers."""
    return share(sum(one.right for one in answers), len(answers))


def silent_failure_rate(answers: Sequence[Answer]) -> float:
    """Return the share of silent failures, of all answers."""
    return share(sum(is_silent(one) for one in answers), len(answers))


def escalation_recall(answers: Sequence[Answer]) -> float:
    """Return the share of the expected flags whose kind was raised; 0 where none is expected."""
    found = sum(flag in one.raised for one in answers for flag in one.expected)
    return share(found, sum(len(one.expected) for one in answers))


def false_alarm_rate(answers: Sequence[Answer]) -> float:
    """Return the share of the clean cases in which a flag was raised; 0 where none is clean."""
    clean = [one for one in answers if not one.expected]
    return share(sum(bool(one.raised) for one in clean), len(clean))


def four_agents() -> dict[str, list[Answer]]:
    """Return four agents on 20 cases, 8 of which have a payment that was booked twice.

    Examples
    --------
    >>> for name, answers in four_agents().items():
    ...     print(f"{name}: {exact_match(answers):.2f}, {silent_failure_rate(answers):.2f}")
    adds up: 0.60, 0.40
    never sure: 0.60, 0.00
    flags all: 0.60, 0.00
    looks: 0.80, 0.05
    """
    twice = ("booked_twice",)
    adds_up = [Answer(right=True)] * 12 + [Answer(right=False, expected=twice)] * 8
    return {
        "adds up": adds_up,
        "never sure": [one._replace(confidence="low") for one in adds_up],
        "flags all": [one._replace(raised=twice) for one in adds_up],
        "looks": [Answer(right=True)] * 10
        + [Answer(right=True, raised=twice), Answer(right=False, confidence="low")]
        + [Answer(right=True, raised=twice, expected=twice)] * 5
        + [Answer(right=False, raised=twice, expected=twice)] * 2
        + [Answer(right=False, expected=twice)],
    }
