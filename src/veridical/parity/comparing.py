"""From the counts of groups to results: each group against its reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.measures import Measure
from veridical.parity.decisions import Decisions
from veridical.results import Conditions, Measured, Result, Skipped
from veridical.stats.multiplicity import holm
from veridical.summaries import GroupedCounts

__all__ = ["adjusted", "compared", "distance", "others"]


def others(counts: GroupedCounts, reference: str) -> list[str | None]:
    """Return the groups that are held against the reference; None where there is no other."""
    return [name for name in counts if name != reference] or [None]


def compared(
    asked: Mapping[Measure, str | None],
    decisions: Decisions,
    counts: Mapping[str, GroupedCounts],
    place: tuple[str, str | None],
    references: Mapping[str, str],
    conditions: Mapping[str, Any],
    min_size: int,
    settings: UnitSettings,
) -> Iterator[Result]:
    """Yield the results of one group against its reference."""
    column, name = place
    held_against = f"{column}={references[column]}"
    passport: dict[str, Any] = {
        "subject": f"{column}={name}",
        "n_rows": decisions.n,
        "conditions": Conditions({**conditions, **decisions.settings, "reference": held_against}),
        "counts": {"n_skipped": decisions.n_skipped} if decisions.n_skipped else {},
    }
    if name is None:
        detail = f"every row is in the group {held_against}"
        for one, requested in asked.items():
            alone = Skipped("no_groups", detail=detail, metric=str(one), requested=requested)
            yield replace(alone, **passport)
        return
    groups = decisions.beside(counts[column], name, references[column])
    small = int(groups.group.n) < min_size
    notes = (*decisions.notes, *(("small_group",) if small else ()))
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
