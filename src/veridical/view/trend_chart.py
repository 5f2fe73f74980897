"""A metric over runs as SVG that needs no script: it stretches, and its text does not.

Positions across are percentages, positions down are pixels.  Colours come from the style sheet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from markupsafe import Markup, escape

from veridical.report.svg import SERIES_COLOURS

__all__ = ["TrendPoint", "trend_chart", "value_ticks"]

_HEIGHT, _TOP, _BOTTOM = 304.0, 14.0, 30.0
_LEFT, _RIGHT = 7.0, 98.0  # per cent
_FEWEST_TICKS = 4
_DATES = 4
_SAME, _NOTHING = 1e-9, 1e-290


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One run's value.

    Attributes
    ----------
    when, value, low, high
        The moment, the value, and its interval's ends, or None without one.
    label, address
        What is said about it, and where it leads.
    series
        Which colour, and which points are joined by a line.
    """

    when: datetime
    value: float
    low: float | None
    high: float | None
    label: str
    address: str
    series: int = 0


def trend_chart(points: Sequence[TrendPoint], description: str) -> Markup:
    """Return the chart; points of one series are joined in the order given.

    Parameters
    ----------
    points
        At least one, oldest first.
    description
        What a screen reader says.
    """
    ticks = value_ticks([e for p in points for e in (p.value, p.low, p.high) if e is not None])
    scale = _Scale(points, ticks)
    parts = [_value_axis(ticks, scale), _time_axis(scale)]
    for series in sorted({p.series for p in points}):
        joined = [p for p in points if p.series == series]
        drawn = _thread(joined, scale) + "".join(_point(p, scale) for p in joined)
        parts.append(f'<g class="series-{series % SERIES_COLOURS}">{drawn}</g>')
    label = escape(description)
    opening = f'<svg class="trend" role="group" aria-label="{label}">'
    # Only numbers, our own words, and what point() escaped.
    return Markup(f"{opening}{''.join(parts)}</svg>")  # noqa: S704


def value_ticks(ends: Sequence[float]) -> list[float]:
    """Return round numbers that enclose all ends.

    Examples
    --------
    >>> value_ticks([0.81, 0.84]), value_ticks([0.5])
    ([0.81, 0.82, 0.83, 0.84], [0.0, 0.2, 0.4, 0.6])
    """
    low, high = min(ends), max(ends)
    size = max(abs(low), abs(high))
    if size <= _NOTHING:
        low, high = 0.0, 1.0
    elif high - low <= _SAME * size:  # no chart tells them apart
        low, high = min(low, 0.0), max(high, 0.0)
    step = 10.0 ** math.floor(math.log10((high - low) / _FEWEST_TICKS))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (f * step) <= _FEWEST_TICKS)
    # A step that is a power of ten in binary hides a little error in its quotient.
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    return [round(i * step, digits) for i in range(first, last + 1)]


class _Scale:
    def __init__(self, points: Sequence[TrendPoint], ticks: Sequence[float]) -> None:
        self.start, self.stop = points[0].when, max(p.when for p in points)
        self.low, self.high = ticks[0], ticks[-1]

    def across(self, when: datetime) -> float:
        span = (self.stop - self.start).total_seconds()
        share = (when - self.start).total_seconds() / span if span > 0 else 0.5
        return _LEFT + 1.5 + share * (_RIGHT - _LEFT - 3.0)

    def down(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _value_axis(ticks: Sequence[float], scale: _Scale) -> str:
    parts = []
    for tick in ticks:
        at = scale.down(tick)
        parts.append(
            f'<line class="grid" x1="{_LEFT}%" x2="{_RIGHT}%" y1="{at:.1f}" y2="{at:.1f}"/>'
            f'<text x="{_LEFT - 1}%" y="{at + 4:.1f}" text-anchor="end">{tick:,.6g}</text>'
        )
    return "".join(parts)


def _time_axis(scale: _Scale) -> str:
    """Name the first moment, the last, and some between them."""
    span = scale.stop - scale.start
    pattern = "%Y-%m-%d" if span.days >= _DATES else "%m-%d %H:%M"
    moments = [scale.start + span * i / (_DATES - 1) for i in range(_DATES)]
    if span.total_seconds() <= 0:
        moments = [scale.start]
    anchors = {0: "start", len(moments) - 1: "end"} if len(moments) > 1 else {}
    # A narrow screen has room for the ends alone.
    return "".join(
        f"<text{'' if i in anchors else ' class=between'} "
        f'x="{scale.across(moment):.2f}%" y="{_HEIGHT - 6}" '
        f'text-anchor="{anchors.get(i, "middle")}">{moment.strftime(pattern)}</text>'
        for i, moment in enumerate(moments)
    )


def _thread(points: Sequence[TrendPoint], scale: _Scale) -> str:
    return "".join(
        f'<line class="thread" x1="{scale.across(a.when):.2f}%" y1="{scale.down(a.value):.1f}" '
        f'x2="{scale.across(b.when):.2f}%" y2="{scale.down(b.value):.1f}"/>'
        for a, b in pairwise(points)
    )


def _point(point: TrendPoint, scale: _Scale) -> str:
    x = f"{scale.across(point.when):.2f}%"
    whisker = ""
    if point.low is not None and point.high is not None:
        top, bottom = scale.down(point.high), scale.down(point.low)
        whisker = f'<line class="whisker" x1="{x}" x2="{x}" y1="{top:.1f}" y2="{bottom:.1f}"/>'
    return (
        f'<a href="{escape(point.address)}" aria-label="{escape(point.label)}">{whisker}'
        f'<circle cx="{x}" cy="{scale.down(point.value):.1f}" r="5">'
        f"<title>{escape(point.label)}</title></circle></a>"
    )
