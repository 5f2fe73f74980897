"""``Spread``: how unevenly rows or clusters add to the four cells of a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts, Count, read_count

__all__ = ["CELLS", "PAIRS", "Spread"]

CELLS: Final = ("tp", "fp", "fn", "tn")
PAIRS: Final = tuple((i, j) for i in range(4) for j in range(i, 4))
"""Which two cells each moment is of, by their places in ``CELLS``."""

_OF: Final = {
    "tp": (1, 0, 0, 0),
    "fp": (0, 1, 0, 0),
    "flagged": (1, 1, 0, 0),
    "positives": (1, 0, 1, 0),
    "negatives": (0, 1, 0, 1),
    "n": (1, 1, 1, 1),
}


@dataclass(frozen=True, slots=True)
class Spread:
    """Sums of squares and products, by cell; a commutative monoid.

    A unit is what is drawn independently of others: a row, or a cluster of rows.  Summaries of the
    same cluster must not be added.

    Attributes
    ----------
    squares
        Sum of the squared weights of rows, by cell, in the order of ``CELLS``.
    moments
        Sum over units of the products of what they add to two cells, in the order of ``PAIRS``.

    Examples
    --------
    Rows of equal weight are worth their number; 100 rows of which one has half the weight, four.

    >>> even = Spread.of_squares([25, 0, 0, 75])
    >>> even.effective("flagged", "n", ConfusionCounts(tp=25, tn=75))
    100.0
    >>> uneven = Spread.of_squares([99 * 99, 0, 0, 99])
    >>> round(uneven.effective("flagged", "n", ConfusionCounts(tp=99, tn=99)), 2)
    3.96
    """

    schema: ClassVar[str] = "veridical.spread/1"

    squares: tuple[Count, ...] = (0,) * 4
    moments: tuple[Count, ...] = (0,) * 10

    @classmethod
    def of_squares(cls, squares: Sequence[Count]) -> Self:
        """Return the spread of rows that are drawn one by one."""
        moments = tuple(squares[i] if i == j else 0 for i, j in PAIRS)
        return cls(tuple(squares), moments)

    @classmethod
    def of_rows(cls, counts: ConfusionCounts) -> Self:
        """Return the spread of rows that all have the weight 1."""
        return cls.of_squares([getattr(counts, name) for name in CELLS])

    def effective(self, hits: str, n: str, counts: ConfusionCounts) -> float:
        """Return how many rows of equal weight, drawn one by one, know a share as well.

        From the variance of the ratio of two sums, and never more than Kish's (sum w)^2 / sum w^2.
        Where all or no rows are hits, that variance is not seen: units count by Kish's formula.

        Parameters
        ----------
        hits, n
            Names of counts: ``"flagged"`` of ``"n"``, ``"tp"`` of ``"positives"``, ...
        counts
            The sums of the weights; those of ``n`` are not 0.

        References
        ----------
        L. Kish (1965), Survey Sampling, section 11.7; W. G. Cochran (1977), Sampling Techniques,
        section 6.  For what the variance of a ratio of sums is.
        """
        total = Fraction(getattr(counts, n))
        share = Fraction(getattr(counts, hits)) / total
        of_rows = sum(m * s for m, s in zip(_OF[n], self.squares, strict=True))
        most = total * total / Fraction(of_rows)
        # What a unit adds to the share, were the share the one seen.
        pull = [a - share * b for a, b in zip(_OF[hits], _OF[n], strict=True)]
        varies = self._quadratic(pull)
        if not varies:
            return float(min(most, total * total / self._quadratic(_OF[n])))
        return float(min(most, share * (1 - share) * total * total / varies))

    def _quadratic(self, factors: Sequence[Count]) -> Fraction:
        terms = (
            factors[i] * factors[j] * moment * (1 if i == j else 2)
            for (i, j), moment in zip(PAIRS, self.moments, strict=True)
        )
        return Fraction(sum(terms))

    def __add__(self, other: Spread) -> Spread:
        if not isinstance(other, Spread):
            return NotImplemented
        return Spread(
            tuple(a + b for a, b in zip(self.squares, other.squares, strict=True)),
            tuple(a + b for a, b in zip(self.moments, other.moments, strict=True)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; exact numbers as decimal strings or ``"p/q"``."""
        return {
            "schema": self.schema,
            "squares": [str(one) for one in self.squares],
            "moments": [str(one) for one in self.moments],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        squares, moments = (tuple(map(read_count, data[name])) for name in ("squares", "moments"))
        if (len(squares), len(moments)) != (len(CELLS), len(PAIRS)):
            raise FileFormatError("sums of squares of four cells", fix="count the data again")
        return cls(squares, moments)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
