"""What two summaries must agree on to be added, and the plain counts that are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final

from veridical.errors import MismatchError

__all__ = ["EXACT", "MOST_BINS", "SCHEMA", "Header", "Tally", "added"]

SCHEMA: Final = "veridical.summary/1"

EXACT: Final = "score table"
"""How the scores of a column are held where every one of them is kept."""


MOST_BINS: Final = 10_000
"""As many as a calibration error may have; a summary with more could not be measured."""


@dataclass(frozen=True, slots=True)
class Header:
    """The choices that a summary was made with.

    Attributes
    ----------
    label, positive
        The column of outcomes, and the value that counts as positive (None: the labels say it).
    scores
        Score column to how its scores are held: the name of a key grid (``"probability/14"``,
        ``"line/20"``), or ``"score table"`` where every score is kept.
    groups
        Grouping columns, sorted.
    weight
        The column of row weights, or None.
    bins
        Number of bins of the reliability tables.
    thresholds
        Where decisions are counted exactly, ascending.
    min_cell
        The fewest rows of a class that any count may be of, but for none; 0 where that was free.

    Examples
    --------
    >>> Header("y", None, {"p": "line/20"}).difference(Header("y", None, {"p": "line/12"}))
    ("the grid of 'p'", 'line/20', 'line/12')
    """

    label: str
    positive: str | None
    scores: Mapping[str, str] = field(hash=False)
    groups: tuple[str, ...] = ()
    weight: str | None = None
    bins: int = 10
    thresholds: tuple[float, ...] = ()
    min_cell: int = 0

    @property
    def exact(self) -> bool:
        """Whether every score of every column is kept."""
        return all(held == EXACT for held in self.scores.values())

    def difference(self, other: Header) -> tuple[str, Any, Any] | None:
        """Return the first field in which two headers differ, and both values; None if none."""
        for field_name, mine, theirs in self._compared(other):
            if mine != theirs:
                return field_name, mine, theirs
        return None

    def _compared(self, other: Header) -> Iterator[tuple[str, Any, Any]]:
        yield "the label column", self.label, other.label
        yield "the positive class", self.positive, other.positive
        yield "the score columns", sorted(self.scores), sorted(other.scores)
        for name in sorted(self.scores):
            yield f"the grid of {name!r}", self.scores[name], other.scores[name]
        yield "the grouping columns", self.groups, other.groups
        yield "the weight column", self.weight, other.weight
        yield "the number of bins", self.bins, other.bins
        yield "the thresholds", self.thresholds, other.thresholds
        yield "the smallest cell", self.min_cell, other.min_cell

    def refuse_difference(self, other: Header) -> None:
        """Raise unless both summaries were made with the same choices."""
        found = self.difference(other)
        if found is not None:
            name, mine, theirs = found
            raise MismatchError(
                f"two summaries differ in {name}: {_told(mine)} and {_told(theirs)}",
                why="their sum would mix different quantities",
                fix="summarise both with the same columns and options",
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "label": self.label,
            "positive": self.positive,
            "scores": dict(self.scores),
            "groups": list(self.groups),
            "weight": self.weight,
            "bins": self.bins,
            "thresholds": list(self.thresholds),
            **({"min_cell": self.min_cell} if self.min_cell else {}),
        }


@dataclass(frozen=True, slots=True)
class Tally:
    """Plain counts of rows; a commutative monoid.

    Attributes
    ----------
    n_read, rows, positives
        Rows read; rows used, those of weight zero too; positives among these.
    fractional
        Rows whose weight is no whole number.
    missing
        Column to how many of the rows it was missing in; such rows were left out.
    outside
        Score column to how many of its scores lie outside [0, 1].

    Examples
    --------
    >>> (Tally(5, 4, 1, missing={"p": 1}) + Tally(3, 2, 2, missing={"y": 1})).missing
    {'p': 1, 'y': 1}
    """

    n_read: int = 0
    rows: int = 0
    positives: int = 0
    fractional: int = 0
    missing: Mapping[str, int] = field(default_factory=dict, hash=False)
    outside: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.n_read + other.n_read,
            self.rows + other.rows,
            self.positives + other.positives,
            self.fractional + other.fractional,
            added(self.missing, other.missing),
            added(self.outside, other.outside),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "n_read": self.n_read,
            "rows": self.rows,
            "positives": self.positives,
            "fractional": self.fractional,
            "missing": dict(self.missing),
            "outside": dict(self.outside),
        }


def added(*counts: Mapping[str, int]) -> dict[str, int]:
    """Return the sums by name, names sorted; a name with nothing to count is left out."""
    names: set[str] = reduce(set.union, counts, set())
    sums = {name: sum(one.get(name, 0) for one in counts) for name in sorted(names)}
    return {name: count for name, count in sums.items() if count}


def _told(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return text[:200] or "none"
