"""Inline SVG that is readable without JavaScript: interval bars and static charts.

No ``style`` attribute and no colour is written here: under a content security policy of hashes
only, looks come from the page's one style sheet through classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from veridical.report.chart_data import Axis, Chart, Reference
from veridical.report.display import money_text
from veridical.report.payload import OperatingPoint

__all__ = ["SERIES_COLOURS", "grid", "interval_bar", "project", "static_chart"]

SERIES_COLOURS = 6
"""How many colours the style sheet has for score columns; the seventh starts again."""

_WIDTH, _HEIGHT = 400.0, 312.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 14.0, 12.0, 42.0

Point = tuple[float, float]


def interval_bar(
    value: float,
    low: float | None,
    high: float | None,
    domain: Point,
    *,
    series: int = 0,
    baseline: float | None = None,
) -> Markup:
    """Return a value as a dot, its interval as a bar, and the baseline as a tick.

    Parameters
    ----------
    value, low, high
        In the unit of ``domain``; ``low`` and ``high`` are None without an interval.
    domain
        The ends of the bar's axis.
    series
        Which colour.
    baseline
        What a forecast without skill gets, or None.
    """
    start, stop = domain

    def at(x: float) -> str:
        share = (x - start) / (stop - start) if stop > start else 0.5
        return f"{100 * min(max(share, 0.0), 1.0):.2f}%"

    parts = ['<line class="track" x1="0" x2="100%" y1="50%" y2="50%"/>']
    if baseline is not None:
        parts.append(
            f'<line class="tick" x1="{at(baseline)}" x2="{at(baseline)}" y1="15%" y2="85%"/>'
        )
    if low is not None and high is not None:
        parts.append(f'<line class="whisker" x1="{at(low)}" x2="{at(high)}" y1="50%" y2="50%"/>')
    parts.append(f'<circle cx="{at(value)}" cy="50%" r="4.5"/>')
    colour = f"series-{series % SERIES_COLOURS}"
    # Only numbers and our own words are in it.
    return Markup(f'<svg class="bar {colour}" aria-hidden="true">{"".join(parts)}</svg>')  # noqa: S704


def static_chart(
    kind: str, chart: Chart, curves: Sequence[tuple[int, Sequence[OperatingPoint]]]
) -> Markup:
    """Return one chart with a curve for each (series, points)."""
    x, y = chart["x"], chart["y"]
    parts = [grid(x, y)]
    parts += [
        f'<path class="reference" d="{_path(project(r["points"], x, y), "linear")}"/>'
        for r in chart["references"]
    ]
    parts += [_reference_label(r, x, y) for r in chart["references"] if r["label"]]
    for series, points in curves:
        line = _path(project(_curve(kind, chart, points), x, y), _SHAPES[kind])
        parts.append(f'<path class="curve series-{series % SERIES_COLOURS}" d="{line}"/>')
    parts.append(_bins(chart, x, y))
    label = escape(chart["description"])
    box = f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}"
    opening = f'<svg class="static-chart" viewBox="{box}" role="img" aria-label="{label}">'
    # The only names in it are the description's, escaped here.
    return Markup(f"{opening}{''.join(parts)}</svg>")  # noqa: S704


_SHAPES = {
    "roc": "linear",
    "precision_recall": "vertical-first",
    "cost": "horizontal-first",
    "reliability": "linear",
}


def _curve(kind: str, chart: Chart, points: Sequence[OperatingPoint]) -> list[Point]:
    if kind == "roc":
        return [
            (p["fpr"]["value"], p["recall"]["value"]) for p in points if p["fpr"] and p["recall"]
        ]
    if kind == "precision_recall":
        line = [
            (p["recall"]["value"], p["precision"]["value"])
            for p in points
            if p["recall"] and p["precision"]
        ]
        return [(0.0, line[0][1]), *line] if line else []
    edge = chart["x"]["domain"][1]
    thresholds = [edge if p["threshold"] is None else p["threshold"] for p in points]
    return [
        (t, p["cost"]) for t, p in zip(thresholds, points, strict=True) if p["cost"] is not None
    ]


def _position(value: float, axis: Axis, start: float, stop: float) -> float:
    low, high = axis["domain"]
    if axis["log"]:
        value, low, high = (math.log10(max(v, low)) for v in (value, low, high))
    share = (value - low) / (high - low)
    return start + min(max(share, 0.0), 1.0) * (stop - start)


def project(points: Iterable[Point], x: Axis, y: Axis) -> list[Point]:
    """Return where points stand in the drawing."""
    return [
        (
            _position(a, x, _LEFT, _WIDTH - _RIGHT),
            _position(b, y, _HEIGHT - _BOTTOM, _TOP),
        )
        for a, b in points
    ]


def _path(points: Sequence[Point], shape: str) -> str:
    """Return path data; points closer than half a pixel to the last one drawn are left out."""
    if not points:
        return ""
    commands = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    last = points[0]
    for i, (a, b) in enumerate(points[1:], start=1):
        if i < len(points) - 1 and abs(a - last[0]) < 0.5 and abs(b - last[1]) < 0.5:
            continue
        if shape == "linear":
            commands.append(f"L{a:.1f},{b:.1f}")
        elif shape == "vertical-first":
            commands.append(f"V{b:.1f}H{a:.1f}")
        else:
            commands.append(f"H{a:.1f}V{b:.1f}")
        last = (a, b)
    return "".join(commands)


def _ticks(axis: Axis) -> list[float]:
    low, high = axis["domain"]
    if axis["log"]:
        return [10.0**e for e in range(round(math.log10(low)), 1)]
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (f * step) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _tick_text(value: float, axis: Axis) -> str:
    return money_text(value) if axis["money"] else f"{value:.3g}".replace("e-0", "e-")


def grid(x: Axis, y: Axis) -> str:
    """Return lines and labels of both axes."""
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [_label(x["label"], (_LEFT + right) / 2, _HEIGHT - 6, "middle")]
    for tick in _ticks(x):
        at = _position(tick, x, _LEFT, right)
        parts.append(f'<path class="grid" d="M{at:.1f},{_TOP}V{bottom}"/>')
        parts.append(_label(_tick_text(tick, x), at, bottom + 16, "middle"))
    for tick in _ticks(y):
        at = _position(tick, y, bottom, _TOP)
        parts.append(f'<path class="grid" d="M{_LEFT},{at:.1f}H{right}"/>')
        parts.append(_label(_tick_text(tick, y), _LEFT - 8, at + 4, "end"))
    return "".join(parts)


def _label(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _reference_label(reference: Reference, x: Axis, y: Axis) -> str:
    at, height = project([reference["at"]], x, y)[0]
    across = -6 if reference["anchor"] == "end" else 6
    down = 14 if reference["below"] else -6
    return _label(reference["label"], at + across, height + down, reference["anchor"])


def _bins(chart: Chart, x: Axis, y: Axis) -> str:
    parts = []
    for b in chart["bins"]:
        if b["low"] is not None and b["high"] is not None:
            ends = [(b["forecast"], b["low"]), (b["forecast"], b["high"])]
            (at, bottom), (_, top) = project(ends, x, y)
            parts.append(f'<path class="curve series-0" d="M{at:.1f},{bottom:.1f}V{top:.1f}"/>')
        at, height = project([(b["forecast"], b["rate"])], x, y)[0]
        parts.append(f'<circle class="series-0" cx="{at:.1f}" cy="{height:.1f}" r="4"/>')
    return "".join(parts)
