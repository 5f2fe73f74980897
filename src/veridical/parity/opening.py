"""Metrics of fairness where merged cells leave decisions open: the certified range."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.measures import Measure
from veridical.metrics.extremes import between_extremes
from veridical.metrics.interval_request import Outcome
from veridical.results import Bounds, Conditions, Measured, Result, Skipped
from veridical.summaries.open_groups import OpenGroups

__all__ = ["OPEN", "open_result"]

OPEN = "open"
"""What the four-fifths screen says where the range holds ratios that pass and ratios that fail."""

_DIFFERENCES = ("equal_opportunity_difference", "fpr_difference")


def open_result(
    measure: Measure, groups: OpenGroups, settings: UnitSettings, **passport: Any
) -> Result:
    """Return a metric with its certified bounds; its value is their middle.

    Its interval reaches from the lowest to the highest end of those of the counts at the ends.

    Parameters
    ----------
    measure
        A metric of the family ``fairness``.
    groups
        The fewest and the most favourable decisions of both groups.
    settings, **passport
        As for ``unit_result``.

    When it is undefined
    --------------------
    As the metric; ``unsupported_by_engine`` where the bounds hold counts that it is undefined for.
    """
    ends = [unit_result(measure, one, settings, **passport) for one in groups.corners()]
    measured = [end for end in ends if isinstance(end, Measured)]
    if len(measured) < len(ends):
        return _undefined([end for end in ends if isinstance(end, Skipped)], some=bool(measured))
    values = [end.value for end in measured]
    zero = _vanishing(measured)
    low = min(values) if zero is None else zero
    bounds = _outward(low, max(values), measure.definition.bounds)
    first = measured[0]
    common = {
        name: value
        for name, value in first.conditions.observed.items()
        if all(end.conditions.get(name) == value for end in measured)
    }
    if (screen := _screen(measured)) is not None:
        common["four_fifths"] = screen
    return replace(
        first,
        value=bounds.low / 2 + bounds.high / 2,
        n=min(end.n for end in measured),
        bounds=bounds,
        interval=_interval(measured, zero),
        conditions=Conditions(first.conditions.settings, {**common, **dict(_rates(measured))}),
    )


def _undefined(skipped: Sequence[Skipped], *, some: bool) -> Skipped:
    first = skipped[0]
    if not some and len({one.reason for one in skipped}) == 1:
        return replace(first, conditions=Conditions(first.conditions.settings))
    detail = f"merged cells leave open whether it is defined: {first.detail}"
    made = Skipped("unsupported_by_engine", detail=detail, metric=first.metric, n=first.n)
    return replace(
        made,
        requested=first.requested,
        subject=first.subject,
        n_rows=first.n_rows,
        counts=first.counts,
        notes=first.notes,
        conditions=Conditions(first.conditions.settings),
    )


def _vanishing(ends: Sequence[Measured]) -> float | None:
    """Return the least of the larger of two differences, where one may vanish in between."""
    if _DIFFERENCES[0] not in ends[0].conditions:
        return None
    ranges = [
        (min(values), max(values))
        for name in _DIFFERENCES
        for values in [[float(end.conditions[name]) for end in ends]]
    ]
    if not any(low < 0 < high for low, high in ranges):
        return None
    return max(0.0 if low <= 0 <= high else min(abs(low), abs(high)) for low, high in ranges)


def _outward(low: float, high: float, possible: tuple[float | None, float | None]) -> Bounds:
    """Return bounds that hold the exact ends, which were rounded, within what is possible."""
    least, most = possible
    low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    return Bounds(
        low if least is None else max(low, least), high if most is None else min(high, most)
    )


def _interval(ends: Sequence[Measured], zero: float | None) -> Any:
    outcome = between_extremes([Outcome(end.interval) for end in ends])
    if outcome.interval is None or zero is None:
        return outcome.interval
    return replace(outcome.interval, low=0.0)


def _screen(ends: Sequence[Measured]) -> str | None:
    said = [cast("str | None", end.conditions.get("four_fifths")) for end in ends]
    if not any(said):
        return None
    one_side = len({end.value < 1 for end in ends}) == 1
    if all(one == "passes" for one in said):
        return "passes"
    return "fails" if one_side and all(one == "fails" for one in said) else OPEN


def _rates(ends: Sequence[Measured]) -> Iterator[tuple[str, float]]:
    """Yield the lowest and the highest rate of both groups, where the ends differ in it."""
    for name in ("group_rate", "reference_rate"):
        rates = [float(end.conditions[name]) for end in ends if name in end.conditions]
        if rates and min(rates) < max(rates):
            yield f"{name}_low", min(rates)
            yield f"{name}_high", max(rates)
