"""Results of items or segments as lines of text: one result a line, then what to know about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veridical.notes import sentence
from veridical.report.display import bounds_text, count_text, rate_text
from veridical.report.visible import padded, visible, width, wrapped
from veridical.results import Result

__all__ = ["COLUMNS", "result_lines"]

COLUMNS = 100
_WIDEST_NAME = 44

Cells = tuple[str, str, str, str, str, str]


def result_lines(results: Sequence[Result], *, subjects: bool = False) -> Iterator[str]:
    """Yield the table of the results, the notes under it, and what was skipped and why.

    Parameters
    ----------
    results
        In the order in which they are printed.
    subjects
        Whether to say what each result is of.
    """
    levels = {r.interval.level for r in results if r.interval is not None}
    heading = " / ".join(f"{100 * level:g}%" for level in sorted(levels)) + " interval"
    certified = "certified" if any(result.bounds for result in results) else ""
    of = "of" if subjects else ""
    head: Cells = ("metric", of, "value", certified, heading if levels else "", "n")
    shown = [_cells(result, subjects=subjects) for result in results if result.ok]
    rows = [head, *(shown if levels else ((*cells[:4], "", cells[5]) for cells in shown))]
    if len(rows) > 1:
        yield from _aligned(rows)
    yield from _notes(results)
    for result in results:
        if not result.ok:
            of = f" of {visible(result.subject or '')}" if subjects else ""
            text = f"{result.metric}{of} was not measured: {result.detail} ({result.reason})"
            yield from _indented(visible(text), 2)
            yield from _indented(f"fix: {result.reason.fix}", 4)


def _cells(result: Result, *, subjects: bool) -> Cells:
    interval = result.interval
    ends = f"[{rate_text(interval.low)}, {rate_text(interval.high)}]" if interval else "none"
    value = rate_text(result.value) if result.value is not None else ""
    of = visible(result.subject or "") if subjects else ""
    within = bounds_text(result.bounds.low, result.bounds.high) if result.bounds else ""
    return (result.metric, of, value, within, ends, count_text(result.n))


def _aligned(rows: Sequence[Cells]) -> Iterator[str]:
    widths = [min(_WIDEST_NAME, max(width(row[i]) for row in rows)) for i in range(6)]
    for row in rows:
        cells = [padded(row[i], widths[i], right=i in {2, 5}) for i in range(6) if widths[i]]
        yield "  ".join(cells).rstrip()


def _notes(results: Iterable[Result]) -> Iterator[str]:
    told: dict[str, list[str]] = {}
    for result in results:
        for note in result.notes:
            names = told.setdefault(note, [])
            if result.metric not in names:
                names.append(result.metric)
    for note, names in told.items():
        yield from _indented(f"{', '.join(names)}: {sentence(note)}", 2)


def _indented(text: str, indent: int) -> Iterator[str]:
    for line in wrapped(text, COLUMNS - indent):
        yield " " * indent + line
