"""A report as text, for a terminal or a pipe, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from veridical.bench.reporting.data import BenchReport
from veridical.bench.reporting.limits import LIMITS
from veridical.bench.reporting.table import Table
from veridical.bench.reporting.tables import tables_of
from veridical.report.markdown import markdown_text
from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.visible import padded, visible, width, wrapped

__all__ = ["bench_markdown", "bench_text", "facts_of"]

_WIDEST_CELL, _WIDEST_NAME = 46, 24
_NARROWEST = 14
"""Of a column that holds intervals."""


def facts_of(report: BenchReport) -> list[tuple[str, str]]:
    """Return the passport: every hash, counts, dates, seeds, versions.

    Parameters
    ----------
    report
        What is shown.
    """
    started = sorted(day for one in report.agents for day in one.started)
    counts = ", ".join(f"{n:,} {what}" for what, n in report.composition.items())
    dates = f"{started[0][:10]} to {started[-1][:10]}" if started else "never"
    return [
        ("Suite", f"{report.suite}: {counts}"),
        ("Seeds", ", ".join(report.seeds)),
        ("Runs", dates),
        *report.hashes.items(),
        ("harness versions", ", ".join(report.harness_versions)),
        ("price table", f"{report.prices.version} {report.prices.sha256}"),
        ("intervals", f"{100 * report.level:g}%, Wilson on as many trials as templates leave"),
    ]


def bench_text(report: BenchReport, stream: TextIO | None = None, *, full: bool = False) -> str:
    """Return a report as text: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    report
        What is shown.
    stream
        Where it will be printed; standard output by default.
    full
        Every table; else the headline, injections and cost.
    """
    return printed(lambda columns: _lines(report, columns, full=full), stream)


def _lines(report: BenchReport, columns: int, *, full: bool) -> Iterator[Pieces]:
    for name, fact in facts_of(report):
        yield from folded(visible(f"{name}: {fact}"), columns, style="dim")
    for table in tables_of(report):
        if full or table.anchor in ("metrics", "injections", "cost"):
            yield []
            yield from _table(table, columns)
    yield []
    if not full:
        text = "Every table, and what these numbers do not prove: veridical bench report"
        yield from folded(text, columns, style="dim")
        return
    yield [("What these numbers do not prove", "bold cyan")]
    for what, why in LIMITS:
        yield from folded(f"{what} {why}", columns, indent=2)


def _table(table: Table, columns: int) -> Iterator[Pieces]:
    yield [(table.heading, "bold cyan")]
    yield from folded(table.lede, columns, style="dim")
    rows = [[visible(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [min(_WIDEST_CELL, max(map(width, column))) for column in zip(*rows, strict=True)]
    room = columns - 2 * (len(widths) - 1)
    if sum(widths) > room:
        first = min(widths[0], _WIDEST_NAME)
        each = (room - first) // (len(widths) - 1)
        if each < _NARROWEST:
            yield from _stacked(rows, columns)
            return
        widths = [first, *(min(each, size) for size in widths[1:])]
    for at, row in enumerate(rows):
        yield from _folded_row(row, widths, "dim" if at == 0 else "")


def _folded_row(row: list[str], widths: list[int], style: str) -> Iterator[Pieces]:
    """Yield a row whose cells may take several lines."""
    cells = [list(wrapped(cell, size)) for cell, size in zip(row, widths, strict=True)]
    for at in range(max(map(len, cells))):
        texts = [lines[at] if at < len(lines) else "" for lines in cells]
        text = "  ".join(padded(cell, size) for cell, size in zip(texts, widths, strict=True))
        yield [(text.rstrip(), style)]


def _stacked(rows: list[list[str]], columns: int) -> Iterator[Pieces]:
    """Yield a row a block, for a table that is wider than the terminal."""
    head, *body = rows
    for row in body:
        yield [(row[0], "bold")]
        for name, cell in zip(head[1:], row[1:], strict=True):
            if cell:
                yield from folded(f"{name}: {cell}", columns, indent=2)


def bench_markdown(report: BenchReport) -> str:
    """Return a report as GitHub-flavoured Markdown; names in it are text, whatever they hold.

    Parameters
    ----------
    report
        What is shown.
    """
    parts = [f"### Bank reconciliation: {_plain(report.suite)}"]
    parts.append("\n".join(f"* {_plain(name)}: {_plain(fact)}" for name, fact in facts_of(report)))
    for table in tables_of(report):
        cells = [[_plain(cell) for cell in row] for row in (table.head, *table.rows)]
        cells.insert(1, ["---"] * len(table.head))
        parts += [f"**{_plain(table.heading)}**", _plain(table.lede)]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in cells))
    parts.append("**What these numbers do not prove**")
    parts.append("\n".join(f"* {_plain(what)} {_plain(why)}" for what, why in LIMITS))
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    return markdown_text(visible(text))
