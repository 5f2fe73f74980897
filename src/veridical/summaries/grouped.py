"""``GroupedCounts``: confusion counts for each value of a grouping column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from veridical import strict_json
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts

__all__ = ["MISSING_GROUP", "GroupedCounts"]

MISSING_GROUP = "(missing)"
"""The name of the group of rows whose group is missing; they are never dropped."""


@dataclass(frozen=True, slots=True)
class GroupedCounts(Mapping[str, ConfusionCounts]):
    """Group name to confusion counts, a commutative monoid.

    Examples
    --------
    >>> a = GroupedCounts({"north": ConfusionCounts(tp=1)})
    >>> b = GroupedCounts({"north": ConfusionCounts(fn=1), "(missing)": ConfusionCounts(tn=2)})
    >>> (a + b)["north"].positives, sorted(a + b)
    (2, ['(missing)', 'north'])
    """

    schema: ClassVar[str] = "veridical.grouped_counts/1"

    groups: Mapping[str, ConfusionCounts] = field(default_factory=dict)

    def __getitem__(self, group: str) -> ConfusionCounts:
        return self.groups[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    @property
    def overall(self) -> ConfusionCounts:
        """The sum over all groups."""
        return sum(self.groups.values(), ConfusionCounts())

    def __add__(self, other: GroupedCounts) -> GroupedCounts:
        if not isinstance(other, GroupedCounts):
            return NotImplemented
        nothing = ConfusionCounts()
        names = sorted(self.groups.keys() | other.groups.keys())
        return GroupedCounts(
            {
                name: self.groups.get(name, nothing) + other.groups.get(name, nothing)
                for name in names
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form, groups in order of name."""
        groups = {name: self.groups[name].to_dict() for name in sorted(self.groups)}
        return {"schema": self.schema, "groups": groups}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GroupedCounts:
        """Read back what ``to_dict`` wrote."""
        check_schema(data, cls.schema)
        return cls({k: ConfusionCounts.from_dict(v) for k, v in data["groups"].items()})

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())
