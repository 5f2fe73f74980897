"""``ComparedGroups``: the decisions about a group, and those about the group it is held against."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts, Count, read_count
from veridical.summaries.spread import CELLS, Spread, linearised

__all__ = ["ComparedGroups", "Share", "read_shared"]

_SIDES = ("group", "reference")


class Share(NamedTuple):
    """So many of so many.

    Attributes
    ----------
    hits, n
        Exact numbers, 0 <= hits <= n: rows, or sums of weights.
    effective
        How many rows of equal weight know the share as well; None where every row counts as one.
    degrees_of_freedom
        Of the variance behind ``effective``; infinite where it is known.
    rows
        How many rows of equal weight there are by Kish's formula; None as above.
    correlation
        Correlation of this estimate with that of the share it stands beside, by what clusters add
        to both.
    counted
        How many rows ``n`` is the weight of; None where it is their number, or nobody counted.
    """

    hits: Count
    n: Count
    effective: float | None = None
    degrees_of_freedom: float = math.inf
    rows: float | None = None
    correlation: float = 0.0
    counted: int | None = None

    @property
    def rate(self) -> float:
        """``hits / n``, of at least one row; rounded once."""
        return float(self.hits / self.n)

    @property
    def trials(self) -> tuple[float, float]:
        """Hits and rows as intervals and tests take them."""
        if self.effective is None:
            return float(self.hits), float(self.n)
        return self.rate * self.effective, self.effective

    @property
    def worth(self) -> float:
        """How many rows it is worth: neither more than know it as well, nor than there are."""
        if self.effective is None or self.rows is None:
            return self.trials[1]
        return min(self.effective, self.rows)

    @property
    def is_counted(self) -> bool:
        """Whether it is a count of rows that were drawn one by one."""
        return self.effective is None and isinstance(self.n, int) and isinstance(self.hits, int)


@dataclass(frozen=True, slots=True)
class ComparedGroups:
    """Decisions of two groups, counted by what was right; positive is the favourable outcome.

    A commutative monoid: ``a + b`` merges, ``ComparedGroups()`` is the identity.

    Attributes
    ----------
    group, reference
        Counts, or sums of weights: ``tp`` are favourable decisions about rows whose label is
        favourable.
    labelled
        Whether labels are known.  Where they are not, every row counts as if its label were
        unfavourable, and nothing but the rate of favourable decisions can be read.
    spread
        Of both, where rows have fractional weights or are in clusters; None where each row of it
        counts as one, drawn by itself.
    shared
        Sum over clusters of the products of what they add to a cell of the group and to one of the
        reference, 16 numbers by rows; empty where no cluster has rows of both.

    Examples
    --------
    >>> both = ComparedGroups(ConfusionCounts(3, 1, 1, 5), ConfusionCounts(6, 2, 2, 10))
    >>> [share.rate for share in both.selected], [share.rate for share in both.found]
    ([0.4, 0.4], [0.75, 0.75])
    """

    schema: ClassVar[str] = "veridical.compared_groups/1"

    group: ConfusionCounts = field(default_factory=ConfusionCounts)
    reference: ConfusionCounts = field(default_factory=ConfusionCounts)
    labelled: bool = True
    spread: tuple[Spread, Spread] | None = None
    shared: tuple[Count, ...] = ()

    @property
    def selected(self) -> tuple[Share, Share]:
        """Favourable decisions among all rows, of the group and of the reference."""
        return self._shares("flagged", "n")

    @property
    def found(self) -> tuple[Share, Share]:
        """Favourable decisions among rows whose label is favourable."""
        return self._shares("tp", "positives")

    @property
    def mistaken(self) -> tuple[Share, Share]:
        """Favourable decisions among rows whose label is unfavourable."""
        return self._shares("fp", "negatives")

    @property
    def borne_out(self) -> tuple[Share, Share]:
        """Favourable labels among rows that were decided favourably."""
        return self._shares("tp", "flagged")

    def _shares(self, hits: str, n: str) -> tuple[Share, Share]:
        spreads = self.spread or (None, None)
        correlation = self._correlation(hits, n)
        return (
            _share(self.group, spreads[0], hits, n, correlation),
            _share(self.reference, spreads[1], hits, n, correlation),
        )

    def _correlation(self, hits: str, n: str) -> float:
        """Return the correlation of two shares, by what clusters add to both."""
        if self.spread is None or not self.shared:
            return 0.0
        sides = self.group, self.reference
        if not all(getattr(counts, n) for counts in sides):
            return 0.0
        mine, theirs = (linearised(hits, n, counts) for counts in sides)
        variances = [self.spread[0].sum_of_squares(mine), self.spread[1].sum_of_squares(theirs)]
        if not all(variances):
            return 0.0
        factors = (one * other for one in mine for other in theirs)
        covariance = sum(x * y for x, y in zip(factors, self.shared, strict=True))
        return max(-1.0, min(1.0, float(covariance) / math.sqrt(variances[0] * variances[1])))

    def __add__(self, other: ComparedGroups) -> ComparedGroups:
        if not isinstance(other, ComparedGroups):
            return NotImplemented
        return ComparedGroups(
            self.group + other.group,
            self.reference + other.reference,
            self.labelled and other.labelled,
            _added(self, other) if self.spread or other.spread else None,
            _summed(self.shared, other.shared),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "group": self.group.to_dict(),
            "reference": self.reference.to_dict(),
            "labelled": self.labelled,
            **({} if self.spread is None else {"spread": [one.to_dict() for one in self.spread]}),
            **({"shared": [str(one) for one in self.shared]} if self.shared else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        labelled = data["labelled"]
        if not isinstance(labelled, bool):
            raise FileFormatError("whether there are labels is not said", fix="count again")
        group, reference = (ConfusionCounts.from_dict(data[name]) for name in _SIDES)
        spread = None
        if "spread" in data:
            mine, theirs = (Spread.from_dict(one) for one in data["spread"])
            spread = mine, theirs
        return cls(group, reference, labelled, spread, read_shared(data))

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())


def read_shared(data: Mapping[str, Any]) -> tuple[Count, ...]:
    """Return what ``shared`` was, from the portable form of what has it; empty without."""
    shared = tuple(map(read_count, data.get("shared", ())))
    if len(shared) not in {0, len(CELLS) ** 2}:
        raise FileFormatError("sums of products of four cells by four", fix="count the data again")
    return shared


def _share(
    counts: ConfusionCounts, spread: Spread | None, hits: str, n: str, correlation: float
) -> Share:
    share = Share(getattr(counts, hits), getattr(counts, n))
    if spread is None or not share.n:
        return share
    return share._replace(
        effective=spread.effective(hits, n, counts),
        degrees_of_freedom=spread.degrees_of_freedom(hits, n, counts),
        rows=spread.even_rows(n, counts),
        correlation=correlation,
        counted=spread.counted(n),
    )


def _summed(one: tuple[Count, ...], two: tuple[Count, ...]) -> tuple[Count, ...]:
    return tuple(a + b for a, b in zip(one, two, strict=True)) if one and two else one or two


def _added(one: ComparedGroups, two: ComparedGroups) -> tuple[Spread, Spread]:
    of_one, of_two = (
        side.spread or (Spread.of_rows(side.group), Spread.of_rows(side.reference))
        for side in (one, two)
    )
    return of_one[0] + of_two[0], of_one[1] + of_two[1]
