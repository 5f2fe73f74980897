"""A trend for the terminal and as Markdown, and what every form of it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from veridical.comparison.recorded import Recorded
from veridical.comparison.trends import Point, Trend
from veridical.notes import sentence
from veridical.report.bars import interval_bar
from veridical.report.markdown import markdown_table, markdown_text
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.sections import Axis, Line, end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import padded, visible, width

__all__ = ["axis_of", "closing", "heading", "made", "trend_markdown", "trend_text"]

_WIDEST_LABEL, _WIDEST_BAR, _NARROWEST_BAR = 30, 40, 8


def trend_text(found: Trend, stream: TextIO | None = None) -> str:
    """Return the trend as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    found
        What to print.
    stream
        Where it will be printed; standard output by default.
    """
    return printed(lambda columns: _lines(found, columns), stream)


def trend_markdown(found: Trend) -> str:
    """Return the trend as GitHub-flavoured Markdown; names in it become plain text.

    Parameters
    ----------
    found
        What to write.
    """
    head = ["made (UTC)", "run", "value", "interval", "n"]
    rows = [
        [made(point.run), line.label, line.value, line.interval, line.n]
        for point, line in ((point, _line(point)) for point in found.points)
    ]
    table = markdown_table(head, rows, {2, 4})
    said = "\n".join(f"- {markdown_text(text)}" for text, _ in closing(found))
    return f"### {markdown_text(heading(found))}\n\n{table}\n\n{said}\n"


def heading(found: Trend) -> str:
    """Return what is followed: the metric, and whose where that is one."""
    of = " · ".join(filter(None, [title(found.metric), found.subject, found.group]))
    return visible(of)


def made(run: Recorded) -> str:
    """Return when a run was made; nothing where that is not known, as of a file."""
    return f"{run.created:%Y-%m-%d %H:%M}" if run.created else ""


def _lines(found: Trend, columns: int) -> Iterator[Pieces]:
    yield from folded(heading(found), columns, style="bold cyan")
    lines = [_line(point) for point in found.points]
    label = min(_WIDEST_LABEL, max(width(line.label) for line in lines))
    value = max(len(line.value) for line in lines)
    interval = max(len(line.interval) for line in lines)
    n = max(len(line.n) for line in lines)
    axis = axis_of(found)
    bar = min(columns - (16 + 2 + label + 2 + value + 2 + interval + 2 + 2 + n), _WIDEST_BAR)
    bar = bar if bar >= _NARROWEST_BAR else 0
    for point, line in zip(found.points, lines, strict=True):
        yield [
            (made(point.run).ljust(16), "dim"),
            ("  " + padded(line.label, label), ""),
            ("  " + line.value.rjust(value), "bold"),
            ("  " + line.interval.ljust(interval), ""),
            ("  " + (interval_bar(line, axis, None, bar) if axis else "").ljust(bar), "cyan"),
            ("  " + line.n.rjust(n), "dim"),
        ]
    yield []
    for text, style in closing(found):
        yield from folded(text, columns, style=style)


def _line(point: Point) -> Line:
    result, run = point.result, point.run
    label = visible(run.label)
    if not result.ok:
        return Line(label, result, "skipped", visible(str(result.reason)), "", (), ())
    interval = ""
    if result.interval is not None:
        ends = (result.interval.low, result.interval.high)
        interval = " to ".join(end_text(result.metric, end) for end in ends)
    value = number_text(result.metric, result.value)
    return Line(label, result, value, interval, f"{result.n:,}", (), ())


def axis_of(found: Trend) -> Axis | None:
    """Return the smallest and the largest number that is drawn; None where they are one."""
    results = [point.result for point in found.points if point.result.ok]
    ends = [float(result) for result in results]
    intervals = [result.interval for result in results if result.interval is not None]
    ends += [end for interval in intervals for end in (interval.low, interval.high)]
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else None


def closing(found: Trend) -> Iterator[tuple[str, str]]:
    """Yield what a trend says below its numbers, each sentence with its style on a terminal.

    Parameters
    ----------
    found
        The trend.
    """
    change = found.change
    if change is None:
        yield "one run alone shows no change", ""
    elif not change.difference.ok:
        yield visible(f"last against first: {change.verdict}"), ""
    else:
        difference = change.difference
        value = number_text(found.metric, difference.value)
        text = f"last − first: {'+' if difference.value > 0 else ''}{value}"
        if difference.interval is not None:
            ends = (difference.interval.low, difference.interval.high)
            text += f", {' to '.join(end_text(found.metric, end) for end in ends)}"
        yield visible(f"{text}; {change.verdict}"), "bold"
        for note in difference.notes:
            if note in {"unpaired", "units_not_kept", "common_units"}:
                yield sentence(note), "dim"
    for one in found.left_out:
        text = (
            f"left out: {one.run.label} differs in {one.field}: {one.value}; newest: {one.newest}"
        )
        yield visible(text), "yellow"
    if found.allowed:
        yield visible(f"allowed to differ: {', '.join(found.allowed)}"), ""
