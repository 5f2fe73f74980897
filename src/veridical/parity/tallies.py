"""``Tallies``: how many rows of each group were decided how, whoever counted them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.summaries import ConfusionCounts, GroupedCounts
from veridical.summaries.compared_groups import ComparedGroups
from veridical.summaries.confusion import Count
from veridical.summaries.open_groups import OpenCounts, OpenGroups
from veridical.summaries.spread import Spread

__all__ = ["Tallies"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tallies:
    """Counts of every group; positive is the favourable outcome.

    Attributes
    ----------
    counts
        By column; where decisions are open, the fewest that can be favourable.
    most
        The most that can be favourable, by column; empty where every count is exact.
    spreads
        By column and group, where rows have fractional weights or are in clusters; else empty.
    shared
        By column and group, where clusters have rows of the group and of the reference.
    labelled
        Whether labels are known.
    """

    counts: Mapping[str, GroupedCounts]
    most: Mapping[str, GroupedCounts] = field(default_factory=dict)
    spreads: Mapping[str, Mapping[str, Spread]] = field(default_factory=dict)
    shared: Mapping[str, Mapping[str, tuple[Count, ...]]] = field(default_factory=dict)
    labelled: bool = False

    def of(self, column: str, group: str) -> OpenCounts:
        """Return the fewest and the most favourable decisions of a group."""
        fewest = self.counts[column][group]
        return OpenCounts(fewest, self.most[column][group] if self.most else fewest)

    def beside(self, column: str, group: str, reference: str) -> ComparedGroups | OpenGroups:
        """Return two groups as what metrics of fairness are computed from."""
        mine, theirs = self.of(column, group), self.of(column, reference)
        if not (mine.is_exact and theirs.is_exact):
            return OpenGroups(mine, theirs, self.labelled)
        spreads = self.spreads.get(column)
        spread = None if spreads is None else (spreads[group], spreads[reference])
        shared = () if group == reference else self.shared.get(column, {}).get(group, ())
        return ComparedGroups(mine.fewest, theirs.fewest, self.labelled, spread, shared)

    def ends(self, column: str, group: str) -> tuple[ComparedGroups, ComparedGroups]:
        """Return a group with the fewest favourable decisions, and with the most."""
        both = self.beside(column, group, group)
        if isinstance(both, ComparedGroups):
            return both, both
        fewest, most = (ComparedGroups(one, one, self.labelled) for one in both.group)
        return fewest, most

    def among(self, names: Mapping[str, list[str]]) -> Tallies:
        """Return the counts of these groups, zeros where nobody is in one."""

        def of(columns: Mapping[str, GroupedCounts]) -> dict[str, GroupedCounts]:
            return {
                column: GroupedCounts(
                    {name: groups.get(name, ConfusionCounts()) for name in names[column]}
                )
                for column, groups in columns.items()
            }

        return Tallies(counts=of(self.counts), most=of(self.most), labelled=self.labelled)

    def to_dict(self, column: str, group: str) -> dict[str, Any]:
        """Return what the rates of a group do not tell: open ends, or sums of squares."""
        counts = self.of(column, group)
        if not counts.is_exact:
            ends = zip(OpenCounts._fields, counts, strict=True)
            return {"counts": {name: one.to_dict() for name, one in ends}}
        whole = all(isinstance(one, int) for one in (counts.fewest.n, counts.fewest.flagged))
        found: dict[str, Any] = {} if whole else {"counts": {"fewest": counts.fewest.to_dict()}}
        if column in self.spreads:
            found["spread"] = self.spreads[column][group].to_dict()
        if group in self.shared.get(column, {}):
            found["shared"] = [str(one) for one in self.shared[column][group]]
        return found
