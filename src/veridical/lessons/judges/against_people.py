"""Section 1: a judge beside people, in three bands, and what is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridical.errors import InputError

__all__ = ["BANDS", "band", "best_constant", "exact", "leniency", "three_judges", "within_one"]

BANDS = ("0", "0.5", "1")
"""Wrong, in part, right."""

Labels = Sequence[str]


def band(score: float) -> str:
    """Return the band of a score: below 0.25, below 0.75, and above.

    Examples
    --------
    >>> [band(score) for score in (0.2, 0.25, 0.74, 0.75)]
    ['0', '0.5', '0.5', '1']
    """
    if score < 0.25:
        return "0"
    return "0.5" if score < 0.75 else "1"


def _pairs(people: Labels, judge: Labels) -> list[tuple[int, int]]:
    """Return the bands of each answer by their places in ``BANDS``."""
    if len(people) != len(judge) or not people:
        raise InputError(f"{len(people)} labels of people and {len(judge)} of the judge")
    if strange := {*people, *judge} - {*BANDS}:
        raise InputError(f"{min(strange)!r} is none of the bands {', '.join(BANDS)}")
    return [(BANDS.index(a), BANDS.index(b)) for a, b in zip(people, judge, strict=True)]


def exact(people: Labels, judge: Labels) -> float:
    """Return the share of the answers that both put into the same band.

    Examples
    --------
    >>> exact(["0", "1", "1", "0.5"], ["0", "1", "0.5", "1"])
    0.5
    """
    pairs = _pairs(people, judge)
    return sum(a == b for a, b in pairs) / len(pairs)


def within_one(people: Labels, judge: Labels) -> float:
    """Return the share of the answers whose bands are at most one apart.

    Examples
    --------
    >>> within_one(["0", "1", "1", "0.5"], ["0.5"] * 4)
    1.0
    """
    pairs = _pairs(people, judge)
    return sum(abs(a - b) <= 1 for a, b in pairs) / len(pairs)


def leniency(people: Labels, judge: Labels) -> float:
    """Return how much higher the judge's marks are on average; below 0 it is strict.

    Examples
    --------
    >>> leniency(["0", "1"], ["0.5", "1"])
    0.25
    """
    pairs = _pairs(people, judge)
    return sum((b - a) / 2 for a, b in pairs) / len(pairs)


def best_constant(people: Labels) -> float:
    """Return the exact agreement of the best judge that always says the same.

    Examples
    --------
    >>> best_constant(["1", "1", "1", "0"])
    0.75
    """
    return max(Counter(people).values()) / len(people)


def three_judges() -> tuple[list[str], dict[str, list[str]]]:
    """Return labels of 20 answers by people, and by three judges.

    Examples
    --------
    >>> people, judges = three_judges()
    >>> for name, judge in judges.items():
    ...     print(f"{name}: {exact(people, judge):.0%}, {within_one(people, judge):.0%}")
    always in part: 20%, 100%
    always right: 60%, 80%
    reads: 85%, 100%
    """
    people = ["1"] * 12 + ["0.5"] * 4 + ["0"] * 4
    return people, {
        "always in part": ["0.5"] * 20,
        "always right": ["1"] * 20,
        "reads": ["1"] * 11 + ["0.5"] + ["0.5"] * 3 + ["1"] + ["0"] * 3 + ["0.5"],
    }
