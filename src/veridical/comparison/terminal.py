"""Two runs side by side, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TextIO

from veridical.comparison.comparison import COULD_TURN, POWER, Comparison
from veridical.comparison.runs import RunComparison
from veridical.notes import sentence
from veridical.report.markdown import markdown_text
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import padded, visible, width

__all__ = ["comparison_markdown", "comparison_text"]

_MINUS = " \N{MINUS SIGN} "
_WIDEST_LABEL = 30
_TOLD = (
    "unpaired",
    "units_not_kept",
    "common_units",
    "few_clusters",
    "few_units",
    "no_unit_differs",
)


def comparison_text(found: RunComparison, stream: TextIO | None = None) -> str:
    """Return the comparison as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    found
        What to print.
    stream
        Where it will be printed; standard output by default.
    """
    return printed(lambda columns: _lines(found, columns), stream)


def comparison_markdown(found: RunComparison) -> str:
    """Return the comparison as GitHub-flavoured Markdown; names in it become plain text.

    Parameters
    ----------
    found
        What to write.
    """
    parts = ["\n".join(markdown_text(line) for line in _head(found))]
    head = ["metric", "group", "a", "b", "difference", "interval", "test", "verdict"]
    align = ["---", "---", "---:", "---:", "---:", "---", "---", "---"]
    rows = [
        [
            title(one.metric),
            one.difference.group or "",
            *_numbers(one),
            one.method,
            f"{one.verdict}{_beside(one)}",
        ]
        for one in (*found.comparisons, *found.groups)
    ]
    cells = [[markdown_text(visible(cell)) for cell in row] for row in rows]
    parts.append("\n".join(f"| {' | '.join(row)} |" for row in [head, align, *cells]))
    parts.append("\n".join(f"- {markdown_text(note)}" for note in _notes(found)))
    return "\n\n".join(filter(None, parts)) + "\n"


def _lines(found: RunComparison, columns: int) -> Iterator[Pieces]:
    first, *rest = _head(found)
    yield from folded(first, columns, style="bold cyan")
    for line in rest:
        yield from folded(line, columns)
    every = [*found.comparisons, *found.groups]
    label = min(_WIDEST_LABEL, max([10, *(width(title(one.metric)) for one in every)]))
    numbers = [
        max(len(text) for text in column) for column in zip(*map(_numbers, every), strict=True)
    ]
    for place, those in groupby(every, _place):
        yield []
        yield from folded(visible(place), columns, style="bold")
        unscored = []
        for one in those:
            if one.value_a is None and one.value_b is None:
                unscored.append(title(one.metric))
            else:
                yield from _row(one, label, numbers, columns)
        if unscored:
            text = f"not compared, no value on either side: {', '.join(unscored)}"
            yield from folded(visible(text), columns, style="dim")
    notes = list(_notes(found))
    if notes:
        yield []
    for note in notes:
        yield from folded(note, columns, style="dim")


def _place(one: Comparison) -> str:
    group = f", {one.difference.group}" if one.difference.group else ""
    return f"{one.a}{_MINUS}{one.b}{group}"


def _row(one: Comparison, label: int, numbers: Sequence[int], columns: int) -> Iterator[Pieces]:
    value_a, value_b, difference, interval = _numbers(one)
    yield [
        (padded(visible(title(one.metric)), label), ""),
        (f"  {value_a.rjust(numbers[0])}  {value_b.rjust(numbers[1])}", ""),
        (f"  {difference.rjust(numbers[2])}", "bold"),
        (f"  {interval.ljust(numbers[3])}", ""),
        ("" if one.method == "none" else f"  {one.method}", "dim"),
    ]
    style = "bold" if one.shown else "dim"
    yield from folded(visible(one.verdict + _beside(one)), columns, indent=2, style=style)


def _head(found: RunComparison) -> Iterator[str]:
    yield visible(f"{found.a.label}{_MINUS}{found.b.label}")
    yield from map(visible, found.notes)
    matched = found.matched
    if matched is None:
        yield "compared from their results: no outcomes of single units in common were kept"
        return
    lost = [
        f"{len(only):,} only in {name} ({', '.join(only[:3])}{', ...' if len(only) > 3 else ''})"
        for name, only in (("the first", matched.only_a), ("the second", matched.only_b))
        if only
    ]
    yield visible("; ".join([f"{matched.n:,} {matched.plural} in common", *lost]))


def _numbers(one: Comparison) -> tuple[str, str, str, str]:
    sides = (
        "none" if value is None else number_text(one.metric, value)
        for value in (one.value_a, one.value_b)
    )
    value = interval = ""
    if one.difference.ok:
        value = number_text(one.metric, one.difference.value)
        value = f"+{value}" if one.difference.value > 0 else value
        if one.difference.interval is not None:
            ends = (one.difference.interval.low, one.difference.interval.high)
            interval = " to ".join(end_text(one.metric, end) for end in ends)
    return (*sides, value, interval)  # type: ignore[return-value]


def _beside(one: Comparison) -> str:
    """Say which differences would have been found, where none is shown, and what was lost."""
    said = ""
    if not one.shown and COULD_TURN not in one.difference.notes and one.detectable is not None:
        smallest = number_text(one.metric, one.detectable)
        said = f"; differences from {smallest} on are found with {100 * POWER:g}% power"
    lost = one.difference.counts.get("n_missing")
    if lost is not None:
        scored = "scored in both" if one.difference.conditions.get("paired") else "at most"
        said += f"; {one.difference.n:,} cases {scored}, {lost:,} lost"
    return said


def _notes(found: RunComparison) -> Iterator[str]:
    every = [*found.comparisons, *found.groups]
    for note in _TOLD:
        noted = [one for one in every if note in one.difference.notes]
        if noted:
            named = "" if len(noted) == len(every) else f"{', '.join(_named(noted))}: "
            yield f"{named}{sentence(note)}"
    for one in found.allowed:
        yield visible(f"allowed to differ: {one.field}, {one.a} and {one.b}")
    if found.groups_left_out:
        yield f"{found.groups_left_out:,} more groups were not compared; name them with --group"


def _named(noted: Sequence[Comparison]) -> list[str]:
    """Return the titles of metrics; where only groups of one are meant, with these groups."""
    groups: dict[str, list[str | None]] = {}
    for one in noted:
        groups.setdefault(title(one.metric), []).append(one.difference.group)
    return [
        name if None in those else f"{name} ({', '.join(filter(None, those))})"
        for name, those in groups.items()
    ]
