"""``ComparedGroups``: the decisions about a group, and those about the group it is held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts

__all__ = ["ComparedGroups", "Share"]


class Share(NamedTuple):
    """So many of so many.

    Attributes
    ----------
    hits, n
        Whole numbers, 0 <= hits <= n.
    """

    hits: int
    n: int

    @property
    def rate(self) -> float:
        """``hits / n``, of at least one row."""
        return self.hits / self.n


@dataclass(frozen=True, slots=True)
class ComparedGroups:
    """Decisions of two groups, counted by what was right; positive is the favourable outcome.

    A commutative monoid: ``a + b`` merges, ``ComparedGroups()`` is the identity.

    Attributes
    ----------
    group, reference
        Whole counts: ``tp`` are favourable decisions about rows whose label is favourable.
    labelled
        Whether labels are known.  Where they are not, every row counts as if its label were
        unfavourable, and nothing but the rate of favourable decisions can be read.

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
        mine, other = (
            Share(int(getattr(side, hits)), int(getattr(side, n)))
            for side in (self.group, self.reference)
        )
        return mine, other

    def __add__(self, other: ComparedGroups) -> ComparedGroups:
        if not isinstance(other, ComparedGroups):
            return NotImplemented
        return ComparedGroups(
            self.group + other.group,
            self.reference + other.reference,
            self.labelled and other.labelled,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form."""
        return {
            "schema": self.schema,
            "group": self.group.to_dict(),
            "reference": self.reference.to_dict(),
            "labelled": self.labelled,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        labelled = data["labelled"]
        sides = [ConfusionCounts.from_dict(data[name]) for name in ("group", "reference")]
        if not isinstance(labelled, bool) or not all(isinstance(side.n, int) for side in sides):
            raise FileFormatError("the counts are not whole", fix="count the data again")
        return cls(sides[0], sides[1], labelled)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
