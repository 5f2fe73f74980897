"""From the counts of groups to results: each group against its reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.measures import Measure
from veridical.parity.decisions import Decisions
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.multiplicity import holm
from veridical.summaries import GroupedCounts
from veridical.summaries.compared_groups import ComparedGroups

__all__ = ["AgainstReference", "adjusted", "distance"]


@dataclass(frozen=True, slots=True, eq=False)
class AgainstReference:
    """Decisions about groups, each held against the reference of its column.

    Attributes
    ----------
    decisions, counts
        The rows, and the counts of every group by column.
    references
        One group of each column.
    min_size
        Groups of fewer rows are noted as small.
    """

    decisions: Decisions
    counts: Mapping[str, GroupedCounts]
    references: Mapping[str, str]
    min_size: int = 0

    def pairs(self) -> Iterator[tuple[str, str, ComparedGroups | None]]:
        """Yield ``"column=value"``, the column, and the group with its reference.

        A column with one group, which has none to be held against, is a subject itself.
        """
        for column, counts in self.counts.items():
            reference = self.references[column]
            others = [name for name in counts if name != reference]
            for name in others:
                yield f"{column}={name}", column, self.decisions.beside(counts, name, reference)
            if not others:
                yield column, column, None

    def results(
        self, asked: Mapping[Measure, str | None], settings: UnitSettings
    ) -> dict[str, list[Result]]:
        """Return the results of each group."""
        return {
            subject: list(self._of(subject, column, groups, asked, settings))
            for subject, column, groups in self.pairs()
        }

    def _of(
        self,
        subject: str,
        column: str,
        groups: ComparedGroups | None,
        asked: Mapping[Measure, str | None],
        settings: UnitSettings,
    ) -> Iterator[Result]:
        skipped = self.decisions.n_skipped
        reference = f"{column}={self.references[column]}"
        passport: dict[str, Any] = {
            "subject": subject,
            "n_rows": self.decisions.n,
            "conditions": Conditions({**self.decisions.settings, "reference": reference}),
            "counts": {"n_skipped": skipped} if skipped else {},
        }
        if groups is None:
            detail = f"every row is in the group {reference}"
            for one, requested in asked.items():
                alone = Skipped("no_groups", detail=detail, metric=str(one), requested=requested)
                yield replace(alone, **passport)
            return
        small = int(groups.group.n) < self.min_size
        notes = (*self.decisions.notes, *(("small_group",) if small else ()))
        for one, requested in asked.items():
            yield unit_result(one, groups, settings, requested=requested, notes=notes, **passport)


def distance(results: Sequence[Result]) -> tuple[bool, float]:
    """Return what groups are sorted by: farthest from the reference first, small ones last."""
    if any("small_group" in result.notes for result in results):
        return True, 0.0
    for result in results:
        nearness = result.conditions.get("min_over_max")
        if nearness is not None:
            return False, float(nearness)
    values = [abs(result.value) for result in results if isinstance(result, Measured)]
    return False, -max(values, default=0.0)


def adjusted(results: Sequence[Result]) -> tuple[Result, ...]:
    """Adjust the p-values of each metric for the number of groups, by Holm's method."""
    adjusted = list(results)
    for metric in dict.fromkeys(result.metric for result in results):
        places = [
            at
            for at, result in enumerate(results)
            if result.metric == metric and "fisher_p_value" in result.conditions
        ]
        p_values = holm([float(results[at].conditions["fisher_p_value"]) for at in places])
        for at, p_value in zip(places, p_values, strict=True):
            conditions = results[at].conditions.found(fisher_p_value_holm=p_value)
            adjusted[at] = replace(results[at], conditions=conditions)
    return tuple(adjusted)
