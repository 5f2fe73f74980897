"""A comparison of two agents: its tables, and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from veridical.bench.comparing import AgentComparison, Compared
from veridical.bench.reporting.table import Table
from veridical.bench.scoring.grid import FEW_CASES
from veridical.report.page import p_text
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.visible import padded, visible

__all__ = ["comparison_tables", "comparison_text", "heading"]

_HEAD: Final = (
    "",
    "A",
    "B",
    "A - B",
    "interval",
    "only A, only B",
    "p",
    "adjusted",
    "detectable",
    "n",
)
_READING: Final = (
    "p is exact by McNemar, or by permutation where cases were tried several times; adjusted "
    "by Holm. A difference as large as the detectable one is found in four of five such "
    "comparisons."
)
_OF_GRID: Final = (
    f"Adjusted by Benjamini and Hochberg. A cell of fewer than {FEW_CASES} cases cannot part "
    "agents that are a few points apart."
)


def comparison_text(found: AgentComparison, stream: TextIO | None = None) -> str:
    """Return a comparison as text: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    found
        What was found.
    stream
        Where it will be printed; standard output by default.
    """
    return printed(lambda columns: _lines(found, columns), stream)


def heading(found: AgentComparison) -> str:
    """Return who was compared with whom, and on how many cases."""
    left = found.left_out
    return visible(
        f"A {found.a.key.label}, B {found.b.key.label}: {found.n_cases:,} cases in both; left out "
        f"{left[0]:,} of A alone and {left[1]:,} of B alone"
    )


def comparison_tables(found: AgentComparison) -> list[Table]:
    """Return the tables of a comparison, whatever shows them: the figures, and change by change.

    Parameters
    ----------
    found
        What was found.
    """
    headline = [(one.paired.metric.removeprefix("bench."), one) for one in found.headline]
    tables = [Table("metrics", "Is the difference real?", _READING, _HEAD, _rows(headline))]
    if found.grid:
        rows = _rows(found.grid.items())
        tables.append(Table("grid", "Exact match, change by change", _OF_GRID, _HEAD, rows))
    return tables


def _lines(found: AgentComparison, columns: int) -> Iterator[Pieces]:
    yield from folded(heading(found), columns, style="bold")
    for table in comparison_tables(found):
        yield []
        if table.anchor != "metrics":
            yield [(table.heading, "bold cyan")]
        yield from _table(table)
        yield from folded(table.lede, columns, style="dim")


def _table(table: Table) -> Iterator[Pieces]:
    rows = [table.head, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for at, row in enumerate(rows):
        cells = "  ".join(padded(cell, size) for cell, size in zip(row, widths, strict=True))
        yield [(cells.rstrip(), "dim" if at == 0 else "")]


def _rows(found: Iterable[tuple[str, Compared]]) -> tuple[tuple[str, ...], ...]:
    return tuple(_row(visible(name), one) for name, one in found)


def _row(name: str, one: Compared) -> tuple[str, ...]:
    found = one.paired
    if found.difference.value is None or found.value_a is None or found.value_b is None:
        return (name, "none", *[""] * (len(_HEAD) - 3), "0")
    interval = found.difference.interval
    return (
        name,
        f"{found.value_a:.3f}",
        f"{found.value_b:.3f}",
        f"{found.difference.value:+.3f}",
        f"{interval.low:+.3f} to {interval.high:+.3f}" if interval else "none",
        f"{found.only_a}, {found.only_b}",
        p_text(found.p_value),
        p_text(one.p_adjusted),
        _detectable(found.detectable),
        f"{found.difference.n:,}",
    )


def _detectable(difference: float | None) -> str:
    """Return a difference of shares as text: beyond 1 there is none to be found."""
    if difference is None:
        return ""
    return f"{difference:.3f}" if difference <= 1 else "none"
