"""``ConfusionCounts``: the four cells of a decision, and their sums."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema

__all__ = ["ConfusionCounts", "Count", "read_count"]

_COUNT = re.compile(r"[0-9]{1,200}(/[1-9][0-9]{0,199})?")

Count: TypeAlias = int | Fraction
"""A number of rows; a Fraction under fractional weights, so that sums stay exact."""


@dataclass(frozen=True, slots=True)
class ConfusionCounts:
    """True and false positives and negatives.

    A commutative monoid: ``a + b`` merges, ``ConfusionCounts()`` is the identity.

    Attributes
    ----------
    tp, fp, fn, tn
        Rows (or summed weights) that were flagged rightly, flagged wrongly, missed, and rightly
        left alone; exact numbers >= 0.

    Examples
    --------
    >>> counts = ConfusionCounts(tp=6, fp=2, fn=4, tn=88)
    >>> counts.positives, counts.flagged, counts.n
    (10, 8, 100)
    >>> counts + ConfusionCounts(tp=1)
    ConfusionCounts(tp=7, fp=2, fn=4, tn=88)
    """

    schema: ClassVar[str] = "veridical.confusion_counts/1"

    tp: Count = 0
    fp: Count = 0
    fn: Count = 0
    tn: Count = 0

    @property
    def positives(self) -> Count:
        """TP + FN."""
        return self.tp + self.fn

    @property
    def negatives(self) -> Count:
        """FP + TN."""
        return self.fp + self.tn

    @property
    def flagged(self) -> Count:
        """TP + FP."""
        return self.tp + self.fp

    @property
    def unflagged(self) -> Count:
        """FN + TN."""
        return self.fn + self.tn

    @property
    def n(self) -> Count:
        """All four cells."""
        return self.tp + self.fp + self.fn + self.tn

    def __add__(self, other: ConfusionCounts) -> ConfusionCounts:
        if not isinstance(other, ConfusionCounts):
            return NotImplemented
        return ConfusionCounts(
            self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; exact numbers as decimal strings or ``"p/q"``."""
        cells = {name: str(getattr(self, name)) for name in ("tp", "fp", "fn", "tn")}
        return {"schema": self.schema, **cells}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ConfusionCounts:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        return cls(*(read_count(data[name]) for name in ("tp", "fp", "fn", "tn")))

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def read_count(text: Any) -> Count:
    """Return the exact number that a summary wrote, or raise ``FileFormatError``."""
    # Stricter than Fraction, which would compute all digits of "1e999999999".
    if not isinstance(text, str) or _COUNT.fullmatch(text) is None:
        raise FileFormatError(
            f"{repr(text)[:40]} is not a count",
            why='a count is an exact number of at least 0, such as "12" or "7/2"',
            fix="summarise the data again",
        )
    number = Fraction(text)
    return int(number) if number.denominator == 1 else number
