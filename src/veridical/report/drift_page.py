"""The report of drift: columns by how far they have moved, and in which cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from veridical.report.display import count_text, rate_text, round_number_above
from veridical.report.drift import READING
from veridical.report.html import render_page
from veridical.report.svg import interval_bar
from veridical.report.unit_page import Fact, level_text, made_with, unit_context
from veridical.summaries.shifted_cells import ShiftedCells

if TYPE_CHECKING:
    from veridical.results import Result
    from veridical.stability import DriftEvaluation

__all__ = ["drift_html"]

_MOST_COLUMNS = 50
_MOST_CELLS = 60
_OPEN = 3
_SIGNIFICANT = 0.25
_LOOKS = {"stable": "met", "significant": "not-met"}


def drift_html(ev: DriftEvaluation, heading: str | None = None) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    ev
        What to report.
    heading
        The page's heading; the data by default.
    """
    level = ev.settings.shown_level
    title = heading or _heading(ev)
    context = unit_context(ev, title, _facts(ev, level), level)
    indices = {str(r.subject): r for r in ev.results if r.metric.startswith("drift.psi") and r.ok}
    edge = round_number_above(max([_SIGNIFICANT, *map(_highest, indices.values())]))
    context |= {
        "reading": READING,
        "ends": ("0", f"{edge:g}"),
        "columns": [
            _column(name, ev, indices.get(name), edge, at) for at, name in enumerate(ev.subjects)
        ],
        "cells": [
            _cells(name, indices[name], ev.summaries) | {"open": at < _OPEN}
            for at, name in enumerate(list(indices)[:_MOST_COLUMNS])
            if (name, indices[name].metric) in ev.summaries
        ],
        "left_out": max(0, len(indices) - _MOST_COLUMNS),
    }
    return render_page("drift.html", context)


def _heading(ev: DriftEvaluation) -> str:
    then, now = (_name(ev.source[side]) for side in ("reference", "current"))
    return f"Has {now} moved from {then}?" if now != then else f"How far has {now} moved?"


def _name(source: Mapping[str, Any]) -> str:
    path = source.get("path")
    return PurePath(str(path)).name if path else "data in memory"


def _facts(ev: DriftEvaluation, level: float | None) -> list[Fact]:
    source = ev.source
    drawn = [f"seed {ev.settings.seed}", f"{ev.settings.replicates:,} replicates"]
    facts = [
        Fact("Reference", _name(source["reference"]), [f"{source['n_reference']:,} rows"]),
        Fact("Now", _name(source["current"]), [f"{source['n_current']:,} rows"]),
        Fact("Columns", f"{len(ev.subjects):,}"),
        Fact("Intervals", level_text(level) if level else "none", drawn if level else []),
        made_with(),
    ]
    hashes = {side: source[side].get("sha256") for side in ("reference", "current")}
    return facts + [
        Fact(f"{side.capitalize()} sha256", str(digest), width="wide")
        for side, digest in hashes.items()
        if digest
    ]


def _highest(index: Result) -> float:
    return max(float(index), index.interval.high if index.interval else 0.0)


def _column(
    name: str, ev: DriftEvaluation, index: Result | None, edge: float, at: int
) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "kind": ev.kinds[name], "index": None}
    if index is None or index.value is None:
        return row
    found, ends = index.conditions, index.interval
    light = str(found["light"])
    low, high = (ends.low, ends.high) if ends else (None, None)
    return row | {
        "index": rate_text(index.value),
        "bar": interval_bar(index.value, low, high, (0.0, edge), series=at, baseline=0.1),
        "interval": f"{rate_text(ends.low)} to {rate_text(ends.high)}" if ends else "",
        "expected": rate_text(found["expected_without_drift"]),
        "light": light.replace("_", " "),
        "look": _LOOKS.get(light, "undecided"),
        "missing": count_text(index.counts.get("n_missing", 0)),
        "outside": _outside(found),
    }


def _outside(found: Mapping[str, Any]) -> str:
    below, above = found["share_below_reference"], found["share_above_reference"]
    if not below and not above:
        return ""
    return f"{rate_text(below)} below and {rate_text(above)} above all values of the reference"


def _cells(name: str, index: Result, summaries: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    """Return the cells of a column in their order; of very many those that add most."""
    cells: ShiftedCells = summaries[name, index.metric]
    terms = index.conditions["contributions"]
    most = sorted(range(len(terms)), key=lambda at: -terms[at])[:_MOST_CELLS]
    rows = list(_rows(cells, terms, sorted(most)))
    occupied = int(((cells.reference + cells.current) > 0).sum())
    return {"name": name, "rows": rows, "more": occupied - len(rows)}


def _rows(cells: ShiftedCells, terms: Any, kept: list[int]) -> Iterator[dict[str, Any]]:
    sides = cells.reference / cells.n_reference, cells.current / cells.n_current
    edge = float(max(side.max() for side in sides))
    names = cells.partition.names if cells.partition else [str(at) for at in range(len(terms))]
    for at in kept:
        then, now = float(sides[0][at]), float(sides[1][at])
        if then or now:
            yield {
                "name": names[at],
                "then": rate_text(then),
                "now": rate_text(now),
                "counts": (
                    count_text(int(cells.reference[at])),
                    count_text(int(cells.current[at])),
                ),
                "bar": _two_bars(then / edge, now / edge),
                "adds": rate_text(terms[at]),
            }


def _two_bars(then: float, now: float) -> Markup:
    """Return both shares as bars, the reference above."""
    bars = "".join(
        f'<rect class="{look}" x="0" width="{100 * share:.2f}%" y="{y}%" height="34%"/>'
        for look, share, y in (("tied", then, 12), ("series-0", now, 54))
    )
    # Only numbers and our own words are in it.
    return Markup(f'<svg class="tally" aria-hidden="true">{bars}</svg>')  # noqa: S704
