"""Comparisons unit by unit as lines of a table, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.report.pieces import Pieces, folded
from veridical.report.titles import title
from veridical.report.visible import fitted, padded, visible, width

if TYPE_CHECKING:
    from veridical.comparison import Comparison

__all__ = ["comparison_lines", "comparison_pieces"]

_WIDEST_NAME = 34


def comparison_pieces(
    comparisons: Sequence[Comparison], units: str, columns: int
) -> Iterator[Pieces]:
    """Yield the lines of comparisons, those of one pair together.

    Parameters
    ----------
    comparisons
        In the order in which they are printed.
    units
        What was compared one by one: queries, texts, items.
    columns
        Width of the lines.
    """
    names = [width(visible(title(one.metric))) for one in comparisons]
    size = min(_WIDEST_NAME, max([16, *names]))
    pair: tuple[str, str] | None = None
    for one in comparisons:
        if (one.a, one.b) != pair:
            pair = (one.a, one.b)
            yield []
            heading = f"{visible(one.a)} \N{MINUS SIGN} {visible(one.b)}, on the same {units}"
            yield [(fitted(heading, columns), "bold cyan")]
        yield from _comparison(one, size, columns)


def _comparison(one: Comparison, size: int, columns: int) -> Iterator[Pieces]:
    difference = one.difference
    name = padded(visible(title(one.metric)), size)
    if not difference.ok:
        yield [(name, ""), (f"  {'skipped':>8}", "yellow")]
    else:
        interval = difference.interval
        ends = f"{interval.low:+.4f} to {interval.high:+.4f}" if interval else ""
        won = [difference.counts.get(f"n_{key}", 0) for key in ("wins", "ties", "losses")]
        tally = f"  wins {won[0]:,}, ties {won[1]:,}, losses {won[2]:,}" if any(won) else ""
        line = [
            (name, ""),
            (f"  {difference.value:>+8.4f}", "bold"),
            (f"  {ends:<18}", ""),
            (tally, "dim"),
        ]
        yield line
    text = visible(one.verdict) + (f"; {one.method} test" if one.method != "none" else "")
    yield from folded(text, columns, indent=2, style="bold" if one.shown else "dim")


def comparison_lines(comparisons: Sequence[Comparison], units: str, columns: int) -> Iterator[str]:
    """Yield the same lines without styles.

    Parameters
    ----------
    comparisons, units, columns
        As for ``comparison_pieces``.
    """
    for pieces in comparison_pieces(comparisons, units, columns):
        yield "".join(text for text, _ in pieces).rstrip()
