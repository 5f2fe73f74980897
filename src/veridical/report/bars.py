"""Interval bars drawn in characters."""

from __future__ import annotations

from veridical.report.display import money_text
from veridical.report.sections import Axis, Line

__all__ = ["BASELINE", "INTERVAL", "POINT", "TRACK", "axis_text", "interval_bar"]

TRACK, INTERVAL, POINT, BASELINE = "─", "━", "●", "┊"


def interval_bar(line: Line, axis: Axis | None, baseline: float | None, columns: int) -> str:
    """Return a value as a point on its interval; empty where there is nothing to draw.

    A bar that would run off its axis is left out: cut, it would lie.

    Parameters
    ----------
    line
        What to draw.
    axis
        The ends of the bar.
    baseline
        What no skill gets, drawn as a tick; or None.
    columns
        Width of the bar, in characters.
    """
    result = line.result
    if not result.ok or axis is None or columns < 2:
        return ""
    low = high = result.value
    if result.interval is not None:
        low, high = min(low, result.interval.low), max(high, result.interval.high)
    start, stop = axis
    if low < start or high > stop:
        return ""

    def at(x: float) -> int:
        return round((x - start) / (stop - start) * (columns - 1))

    drawn = [TRACK] * columns
    drawn[at(low) : at(high) + 1] = [INTERVAL] * (at(high) - at(low) + 1)
    if baseline is not None and start <= baseline <= stop:
        drawn[at(baseline)] = BASELINE
    drawn[at(result.value)] = POINT
    return "".join(drawn)


def axis_text(axis: Axis | None, columns: int) -> str:
    """Return both ends of an axis, as wide as its bars.

    Examples
    --------
    >>> axis_text((0.0, 1.0), 8), axis_text((0.0, 200_000.0), 12)
    ('0      1', '0    200,000')
    """
    if axis is None:
        return ""
    low, high = (money_text(end) for end in axis)
    return low + " " * max(1, columns - len(low) - len(high)) + high
