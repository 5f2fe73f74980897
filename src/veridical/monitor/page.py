"""The report of a monitor: every watched metric over the periods, and what was done about it."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from veridical import __version__
from veridical.monitor.history import LANES, Mark, Period, Reading, marks_of, periods_of
from veridical.monitor.observing import WATCHED
from veridical.monitor.showing import fate
from veridical.monitor.states import Request, State, Status
from veridical.report.display import count_text, rate_text
from veridical.report.html import render_page
from veridical.report.period_chart import (
    MOST_PERIODS,
    PeriodPoint,
    Sign,
    Threshold,
    has_root_axis,
    period_chart,
)
from veridical.report.unit_page import Fact
from veridical.report.visible import visible
from veridical.stability.traffic_light import MODERATE, SIGNIFICANT, Light
from veridical.store.journal import Event
from veridical.store.run import written
from veridical.tables._words import counted
from veridical.writing import write_made

__all__ = ["monitor_html", "write_monitor_report"]

_MOST_COLUMNS: Final = 50
_OPEN: Final = 3
_LOOKS: Final = {Light.STABLE: "met", Light.SIGNIFICANT: "not-met"}
_LINES: Final[Mapping[str, tuple[str, str, tuple[Threshold, ...]]]] = {
    "drift.psi": (
        "PSI",
        "Population stability index",
        (
            Threshold(MODERATE, f"{MODERATE:.2f} moderate"),
            Threshold(SIGNIFICANT, f"{SIGNIFICANT:.2f} significant"),
        ),
    ),
    "drift.jsd": (
        "JSD",
        "Jensen-Shannon divergence, in bits",
        (Threshold(0.15, "0.15 target"),),
    ),
}


def write_monitor_report(name: str, events: Sequence[Event], path: str | Path) -> Path:
    """Write the self-contained HTML report.

    Parameters
    ----------
    name, events
        Of the monitor.
    path
        Where to write; an existing file is replaced, whole or not at all.

    Raises
    ------
    MismatchError
        The monitor was never started.
    OutputError
        The file cannot be written.
    """
    return write_made(path, lambda: monitor_html(name, events))


def monitor_html(name: str, events: Sequence[Event]) -> str:
    """Return the report as HTML text; the same events always give the same text.

    Parameters
    ----------
    name, events
        As for ``write_monitor_report``.
    """
    status, periods = Status.of(name, events), periods_of(name, events)
    columns = _by_drift(status, periods)
    context = {
        "title": f"Monitor {name}: {status.state}",
        "facts": _facts(status, events),
        "watched": counted(len(columns), "column"),
        "many": len(columns) > 1,
        "worst": _worst(periods) if periods else None,
        "columns": [
            _column(column, periods, draws_index=len(columns) > 1) | {"open": at < _OPEN}
            for at, column in enumerate(columns[:_MOST_COLUMNS] if periods else ())
        ],
        "left_out": max(0, len(columns) - _MOST_COLUMNS),
        "not_drawn": max(0, len(periods) - MOST_PERIODS),
        "happened": list(_happened(periods)),
        "requests": [_request(status, one, events) for one in status.requests],
        "rules": list(_rules(status)),
    }
    return render_page("monitor.html", context)


def _facts(status: Status, events: Sequence[Event]) -> list[Fact]:
    source = status.reference["source"]
    seen = [one.period for one in status.observations]
    pending = status.pending
    return [
        Fact("State", str(status.state), [fate(status, pending)] if pending else []),
        Fact("Periods", f"{len(seen):,}", [f"{seen[0]} to {seen[-1]}"] if seen else []),
        Fact("Requests to retrain", f"{len(status.requests):,}"),
        Fact("Reference", _file(source), [f"{status.reference['n']:,} rows"]),
        Fact("Rules", status.rules.name, [f"sha256 {status.rules.sha256[:12]}"]),
        Fact("Made with", f"veridical {__version__}, python {platform.python_version()}"),
        Fact("Reference sha256", str(status.reference["sha256"]), width="wide"),
        Fact(f"Seal of {len(events):,} events", status.seal, width="wide"),
    ]


def _file(source: Mapping[str, Any]) -> str:
    path = source.get("path")
    return PurePath(str(path)).name if path else "data in memory"


def _by_drift(status: Status, periods: Sequence[Period]) -> list[str]:
    """Return the watched columns, the one that moved most in the last period first."""

    def index(column: str) -> float:
        found = Reading.of(periods[-1].seen, column, WATCHED[0]) if periods else None
        return -1.0 if found is None or found.value is None else found.value

    return sorted(status.reference["columns"], key=index, reverse=True)


def _worst(periods: Sequence[Period]) -> dict[str, Any]:
    """Return the chart of the column that decides each period, and its table."""
    readings = [Reading.of(one.seen, one.seen.column, WATCHED[0]) for one in periods]
    return {
        **_chart(WATCHED[0], periods, readings, "the largest index of each period", lanes=True),
        "rows": [
            {
                "period": one.seen.period,
                "column": one.seen.column or "none",
                "rows": count_text(one.seen.rows),
                "state": str(one.state).replace("_", " "),
                "marks": [mark.word for mark in one.marks],
                "noise": _number(_noise(one, one.seen.column)),
                **_light(one.seen.light),
                **_cells(reading),
            }
            for one, reading in zip(periods, readings, strict=True)
        ],
    }


def _column(name: str, periods: Sequence[Period], *, draws_index: bool) -> dict[str, Any]:
    """Return the charts of one column, metric by metric, and one table for all of them."""
    read = {metric: [Reading.of(one.seen, name, metric) for one in periods] for metric in WATCHED}
    there = [metric for metric in WATCHED if any(read[metric])]
    drawn = [metric for metric in there if draws_index or metric != WATCHED[0]]
    rows = []
    for at, one in enumerate(periods):
        cells = [_cells(read[metric][at]) for metric in there]
        rows.append({"period": one.seen.period, "cells": cells, **_light(_light_of(one, name))})
    return {
        "name": name,
        "charts": [_chart(metric, periods, read[metric], name) for metric in drawn],
        "heads": [_LINES[metric][0] for metric in there],
        "rows": rows,
    }


def _chart(
    metric: str,
    periods: Sequence[Period],
    readings: Sequence[Reading | None],
    of: str,
    *,
    lanes: bool = False,
) -> dict[str, Any]:
    short, title, thresholds = _LINES[metric]
    pairs = list(zip(periods, readings, strict=True))[-MOST_PERIODS:]
    points = [_point(one, found, metric, None if lanes else of) for one, found in pairs]
    low, high = pairs[0][0].seen.period, pairs[-1][0].seen.period
    text = f"{title} of {visible(of)}, {low} to {high}; the table has every number"
    used = [lane for lane in LANES if any(s.lane == lane for p in points for s in p.signs)]
    return {
        "title": title if lanes else short,
        "root": has_root_axis(points),
        "svg": period_chart(points, thresholds, text, used if lanes else ()),
    }


def _point(one: Period, found: Reading | None, metric: str, column: str | None) -> PeriodPoint:
    seen, of = one.seen, column or one.seen.column
    light = seen.light if column is None else _light_of(one, column)
    told = _cells(found)
    label = f"{seen.period}: {told['value']}"
    label += f" ({told['interval']})" if told["interval"] != "none" else ""
    label += f", {visible(of)}" if of else ""
    return PeriodPoint(
        seen.period,
        label,
        found.value if found else None,
        found.low if found else None,
        found.high if found else None,
        _noise(one, of) if metric == WATCHED[0] else None,
        light is not Light.INSUFFICIENT_DATA,
        [Sign(mark.lane, mark.tone, _told(mark)) for mark in one.marks] if column is None else (),
    )


def _light_of(one: Period, column: str) -> Light:
    found: Mapping[str, Any] = one.seen.columns.get(column, {})
    return Light(found.get("light", Light.INSUFFICIENT_DATA))


def _noise(one: Period, column: str | None) -> float | None:
    found: Mapping[str, Any] = one.seen.columns.get(column or "", {})
    noise = found.get("quantile_without_drift")
    return None if noise is None else float(noise)


def _told(mark: Mark) -> str:
    return visible(f"{mark.word}, {mark.detail}" if mark.detail else mark.word)


def _cells(found: Reading | None) -> dict[str, str]:
    if found is None:
        return {"value": "not measured then", "interval": "none"}
    if found.value is None:
        return {"value": "skipped", "interval": found.why or "none"}
    ends = (found.low, found.high)
    has_ends = found.low is not None and found.high is not None
    interval = " to ".join(map(_number, ends)) if has_ends else "none"
    return {"value": rate_text(found.value), "interval": interval}


def _number(value: float | None) -> str:
    return "none" if value is None else rate_text(value)


def _light(light: Light) -> dict[str, str]:
    return {"light": str(light).replace("_", " "), "look": _LOOKS.get(light, "undecided")}


def _happened(periods: Sequence[Period]) -> Iterator[dict[str, str]]:
    for one in periods:
        for mark in one.marks:
            yield {
                "when": written(mark.when),
                "period": one.seen.period,
                "word": mark.word,
                "detail": mark.detail,
                "actor": mark.actor or "the monitor",
                "seal": mark.seal[:12],
            }


def _request(status: Status, request: Request, events: Sequence[Event]) -> dict[str, Any]:
    """Return a request, and all that was done about it."""
    about = [event for event in events if event.body.get("id") == request.id]
    said = {mark.lane: _of(mark) for event in about for mark in marks_of(event)}
    tries = sum(event.kind == "attempted" for event in about)
    data = request.payload["data"]
    automatic = status.rules.approval == "automatic"
    return {
        "id": request.id,
        "period": request.payload["subject"],
        "column": data["column"],
        "value": _number(data["psi"]),
        "approval": said.get("approval", "automatic" if automatic else "none yet"),
        "attempts": f"{tries:,}",
        "fate": fate(status, request),
        "dead": request.outcome == "dead",
        "last": "" if request.last is None else request.last[1],
        "answer": said.get("answer", "none yet"),
    }


def _of(mark: Mark) -> str:
    """Return what was done, by whom, and why."""
    by = f" by {mark.actor}" if mark.actor else ""
    return f"{mark.word}{by}" + (f": {mark.detail}" if mark.detail else "")


def _rules(status: Status) -> Iterator[tuple[str, str]]:
    rules = status.rules
    yield (
        "Alert, request",
        (f"{rules.needed} of the last {rules.periods} periods moderate or more, significant"),
    )
    yield "Fewest rows", f"{rules.min_rows:,}; a period with fewer says nothing"
    yield "Rest", f"{counted(rules.cooldown, 'period')} after {State.ACKED} or {State.REJECTED}"
    yield "Approval", rules.approval
    yield "Target", f"{rules.target.name}, by {rules.target.kind}"
    yield (
        "Delivery",
        (
            f"at most {counted(rules.attempts, 'attempt')}, {rules.backoff_s:g} s after the first "
            f"failure and twice as long each time, {rules.longest_wait_s:g} s at most"
        ),
    )
