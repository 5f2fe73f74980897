"""From the counts of groups to results: each group against its reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.measures import Measure
from veridical.parity.opening import open_result
from veridical.parity.tallies import Tallies
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.multiplicity import holm
from veridical.summaries.compared_groups import ComparedGroups
from veridical.summaries.open_groups import OpenGroups

__all__ = ["AgainstReference", "adjusted", "distance", "is_small"]

_TESTS = ("fisher_p_value", "z_p_value")


@dataclass(frozen=True, slots=True, eq=False)
class AgainstReference:
    """Decisions about groups, each held against the reference of its column.

    Attributes
    ----------
    tallies
        The counts of every group by column.
    references
        One group of each column.
    min_size
        Groups of fewer rows are noted as small.
    passport
        ``n_rows``, ``counts`` and ``notes`` of every result.
    conditions
        What decides, and what was taken for favourable.
    """

    tallies: Tallies
    references: Mapping[str, str]
    min_size: int = 0
    passport: Mapping[str, Any] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)

    def pairs(self) -> Iterator[tuple[str, str, ComparedGroups | OpenGroups | None]]:
        """Yield ``"column=value"``, the column, and the group with its reference.

        A column with one group, which has none to be held against, is a subject itself.
        """
        for column, counts in self.tallies.counts.items():
            reference = self.references[column]
            others = [name for name in counts if name != reference]
            for name in others:
                yield f"{column}={name}", column, self.tallies.beside(column, name, reference)
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
        groups: ComparedGroups | OpenGroups | None,
        asked: Mapping[Measure, str | None],
        settings: UnitSettings,
    ) -> Iterator[Result]:
        reference = f"{column}={self.references[column]}"
        conditions = Conditions({**self.conditions, "reference": reference})
        passport = {**self.passport, "subject": subject, "conditions": conditions}
        if groups is None:
            detail = f"every row is in the group {reference}"
            for one, requested in asked.items():
                alone = Skipped("no_groups", detail=detail, metric=str(one), requested=requested)
                yield replace(alone, **{**passport, "notes": ()})
            return
        if is_small(groups, self.min_size):
            passport["notes"] = (*self.passport.get("notes", ()), "small_group")
        for one, requested in asked.items():
            if isinstance(groups, OpenGroups):
                yield open_result(one, groups, settings, requested=requested, **passport)
            else:
                yield unit_result(one, groups, settings, requested=requested, **passport)


def is_small(groups: ComparedGroups | OpenGroups, min_size: int) -> bool:
    """Return whether a group has fewer rows, or is worth fewer, than the stated minimum."""
    if isinstance(groups, OpenGroups):
        return groups.group.fewest.n < min_size
    mine = groups.selected[0]
    return not mine.n or mine.worth < min_size


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
        tested = [
            (at, name)
            for at, result in enumerate(results)
            if result.metric == metric and (name := _tested_by(result)) is not None
        ]
        p_values = holm([float(results[at].conditions[name]) for at, name in tested])
        for (at, name), p_value in zip(tested, p_values, strict=True):
            conditions = results[at].conditions.found(**{f"{name}_holm": p_value})
            adjusted[at] = replace(results[at], conditions=conditions)
    return tuple(adjusted)


def _tested_by(result: Result) -> str | None:
    """Return the test that is adjusted: the exact one, where rows are counted."""
    return next((name for name in _TESTS if name in result.conditions), None)
