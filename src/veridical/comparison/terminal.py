"""Two runs side by side, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TextIO

from veridical.comparison import wording
from veridical.comparison.comparison import Comparison
from veridical.comparison.runs import RunComparison
from veridical.report.markdown import markdown_text
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.titles import title
from veridical.report.visible import padded, visible, width

__all__ = ["comparison_markdown", "comparison_text"]

_WIDEST_LABEL = 30


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
    parts = ["\n".join(markdown_text(line) for line in wording.head(found))]
    head = ["metric", "group", "a", "b", "difference", "interval", "test", "verdict"]
    align = ["---", "---", "---:", "---:", "---:", "---", "---", "---"]
    rows = [
        [
            title(one.metric),
            one.difference.group or "",
            *wording.numbers(one),
            one.method,
            f"{one.verdict}{wording.beside(one)}",
        ]
        for one in (*found.comparisons, *found.groups)
    ]
    cells = [[markdown_text(visible(cell)) for cell in row] for row in rows]
    parts.append("\n".join(f"| {' | '.join(row)} |" for row in [head, align, *cells]))
    parts.append("\n".join(f"- {markdown_text(note)}" for note in wording.notes(found)))
    return "\n\n".join(filter(None, parts)) + "\n"


def _lines(found: RunComparison, columns: int) -> Iterator[Pieces]:
    first, *rest = wording.head(found)
    yield from folded(first, columns, style="bold cyan")
    for line in rest:
        yield from folded(line, columns)
    every = [*found.comparisons, *found.groups]
    label = min(_WIDEST_LABEL, max([10, *(width(title(one.metric)) for one in every)]))
    numbers = [
        max(len(text) for text in column)
        for column in zip(*map(wording.numbers, every), strict=True)
    ]
    for place, those in groupby(every, wording.place):
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
    notes = list(wording.notes(found))
    if notes:
        yield []
    for note in notes:
        yield from folded(note, columns, style="dim")


def _row(one: Comparison, label: int, numbers: Sequence[int], columns: int) -> Iterator[Pieces]:
    value_a, value_b, difference, interval = wording.numbers(one)
    yield [
        (padded(visible(title(one.metric)), label), ""),
        (f"  {value_a.rjust(numbers[0])}  {value_b.rjust(numbers[1])}", ""),
        (f"  {difference.rjust(numbers[2])}", "bold"),
        (f"  {interval.ljust(numbers[3])}", ""),
        ("" if one.method == "none" else f"  {one.method}", "dim"),
    ]
    style = "bold" if one.shown else "dim"
    yield from folded(visible(one.verdict + wording.beside(one)), columns, indent=2, style=style)
