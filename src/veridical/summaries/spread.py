"""``Spread``: how unevenly rows or clusters add to the four cells of a decision."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from sys import float_info
from typing import Any, ClassVar, Final, Self

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts, Count, read_count

__all__ = ["CELLS", "PAIRS", "Spread", "linearised"]

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
_SIZES: Final = {"squares": 4, "moments": 10, "rows": 4, "fourths": 4}
_ROUNDING: Final = Fraction(1, 10**12)

_FEW: Final = 5
"""Units of equal size, below which what is seen of them may be chance."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Sums of squares and products, by cell; a commutative monoid.

    A unit is what is drawn independently of others: a row, or a cluster of rows.  Summaries of the
    same cluster must not be added.

    Attributes
    ----------
    squares, fourths
        Sums of the squares and of the fourth powers of the weights of rows, by cell, in the order
        of ``CELLS``.
    rows
        How many rows, by cell; zeros, as those of ``fourths``, where nobody counted.
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
    rows: tuple[Count, ...] = (0,) * 4
    fourths: tuple[Count, ...] = (0,) * 4

    @classmethod
    def of_squares(
        cls, squares: Sequence[Count], rows: Sequence[Count] = (), fourths: Sequence[Count] = ()
    ) -> Self:
        """Return the spread of rows that are drawn one by one."""
        moments = _on_diagonal(squares)
        return cls(tuple(squares), moments, tuple(rows) or (0,) * 4, tuple(fourths) or (0,) * 4)

    @classmethod
    def of_rows(cls, counts: ConfusionCounts) -> Self:
        """Return the spread of rows that all have the weight 1."""
        ones = [getattr(counts, name) for name in CELLS]
        return cls.of_squares(ones, ones, ones)

    @property
    def is_of_rows(self) -> bool:
        """Whether each row is a unit."""
        return self.moments == _on_diagonal(self.squares)

    def counted(self, n: str) -> int | None:
        """Return how many rows a count is of; None where nobody counted."""
        return int(sum(m * one for m, one in zip(_OF[n], self.rows, strict=True))) or None

    def even_rows(self, n: str, counts: ConfusionCounts) -> float:
        """Return how many rows of equal weight there are by Kish's formula, (sum w)^2 / sum w^2."""
        squares = Fraction(sum(m * one for m, one in zip(_OF[n], self.squares, strict=True)))
        return float(Fraction(getattr(counts, n)) ** 2 / squares)

    def even_units(self, cells: Sequence[int], total: Fraction) -> float:
        """Return the same of units that add to some cells: how many clusters of equal size."""
        return float(total**2 / self.sum_of_squares(cells))

    def effective(self, hits: str, n: str, counts: ConfusionCounts) -> float:
        """Return how many rows of equal weight, drawn one by one, know a share as well.

        That is share (1 - share) / variance, of the linearised variance of the ratio of two sums;
        over clusters it has m - 1 for m.  It may exceed the number of rows, where rows were drawn
        by their decision; but not where hits, or the others, are worth fewer than five units of
        equal size: whether they weigh little by design or by chance, so few do not tell.  Where all
        or no rows are hits, that variance is not seen: units count by Kish's formula.

        Parameters
        ----------
        hits, n
            Names of counts: ``"flagged"`` of ``"n"``, ``"tp"`` of ``"positives"``, ...
        counts
            The sums of the weights; those of ``n`` are not 0.

        References
        ----------
        W. G. Cochran (1977), Sampling Techniques, section 6, for the variance of a ratio of sums;
        L. Kish (1965), Survey Sampling, section 11.7.
        """
        total, share = _total_and_share(hits, n, counts)
        units = self.even_units(_OF[n], total)
        variance = self.sum_of_squares(linearised(hits, n, counts))
        if not variance:
            return units
        known = float(share * (1 - share) * total * total / variance)
        sides = (_OF[hits], share * total), (_others(hits, n), (1 - share) * total)
        if min(self.even_units(*side) for side in sides) < _FEW:
            known = min(known, self.even_rows(n, counts))
        # Of a cluster that outweighs all others beyond what float64 tells, little is known; not 0.
        return known if self.is_of_rows else known * max((units - 1) / units, float_info.epsilon)

    def degrees_of_freedom(self, hits: str, n: str, counts: ConfusionCounts) -> float:
        """Return the degrees of freedom of the variance behind ``effective``.

        Of clusters one less than their effective number.  Of rows, Satterthwaite's: what scatters
        are the squares of the weights among hits, and among the others.  Where each of the two has
        one weight, nothing does.

        Parameters
        ----------
        hits, n, counts
            As for ``effective``.

        References
        ----------
        E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions with small
        expected number of positive counts estimated from survey data, Survey Methodology 24;
        F. E. Satterthwaite (1946), doi:10.2307/3002019.
        """
        total, share = _total_and_share(hits, n, counts)
        variance = self.sum_of_squares(linearised(hits, n, counts))
        if not variance:
            return math.inf
        if not self.is_of_rows:
            return max(1.0, self.even_units(_OF[n], total) - 1)
        of_hits, of_others = self._scatter(_OF[hits]), self._scatter(_others(hits, n))
        scatter = (1 - share) ** 4 * of_hits + share**4 * of_others
        # Weights that differ in their last digits only are one weight.
        if scatter <= _ROUNDING * variance**2:
            return math.inf
        return max(1.0, float(2 * variance**2 / scatter))

    def sum_of_squares(self, factors: Sequence[Count]) -> Fraction:
        """Return the sum over units of the square of a weighted sum of what they add to cells.

        What is left where terms cancel but for their rounding is 0.
        """
        terms = [
            Fraction(factors[i] * factors[j] * moment) * (1 if i == j else 2)
            for (i, j), moment in zip(PAIRS, self.moments, strict=True)
            if moment and factors[i] and factors[j]
        ]
        found, all_of_it = sum(terms, Fraction(0)), sum(abs(one) for one in terms)
        return found if found > _ROUNDING * all_of_it else Fraction(0)

    def _scatter(self, cells: Sequence[int]) -> Fraction:
        """Return how far the squares of some rows' weights are from their mean, squared."""
        rows, squares, fourths = (
            Fraction(sum(m * one for m, one in zip(cells, of, strict=True)))
            for of in (self.rows, self.squares, self.fourths)
        )
        return max(Fraction(0), fourths - squares * squares / rows) if rows else Fraction(0)

    def __add__(self, other: Spread) -> Spread:
        if not isinstance(other, Spread):
            return NotImplemented
        return Spread(
            *(
                tuple(a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True))
                for name in _SIZES
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form; exact numbers as decimal strings or ``"p/q"``."""
        return {
            "schema": self.schema,
            **{name: [str(one) for one in getattr(self, name)] for name in _SIZES},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        # What was written before rows and fourth powers were counted has none.
        names = [name for name in _SIZES if name in data or name in {"squares", "moments"}]
        found = {name: tuple(map(read_count, data[name])) for name in names}
        if any(len(one) != _SIZES[name] for name, one in found.items()):
            raise FileFormatError("sums of squares of four cells", fix="count the data again")
        return cls(**found)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def linearised(hits: str, n: str, counts: ConfusionCounts) -> list[Fraction]:
    """Return a share's linearised values by cell: 1 (a hit) or 0, minus the share; 0 outside n.

    The sum over units of the squares of what they add, weighted by these, over the squared total,
    is the variance of the share as a ratio of two sums.
    """
    _, share = _total_and_share(hits, n, counts)
    return [a - share * b for a, b in zip(_OF[hits], _OF[n], strict=True)]


def _total_and_share(hits: str, n: str, counts: ConfusionCounts) -> tuple[Fraction, Fraction]:
    total = Fraction(getattr(counts, n))
    return total, Fraction(getattr(counts, hits)) / total


def _others(hits: str, n: str) -> list[int]:
    return [b - a for a, b in zip(_OF[hits], _OF[n], strict=True)]


def _on_diagonal(squares: Sequence[Count]) -> tuple[Count, ...]:
    return tuple(squares[i] if i == j else 0 for i, j in PAIRS)
