"""Evaluations of runs, systems and raters as Markdown, for a pull request or a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.notes import sentence
from veridical.report.conditions import condition_texts
from veridical.report.display import bounds_text, count_text, rate_text, value_text
from veridical.report.markdown import markdown_text
from veridical.report.titles import title
from veridical.report.unit_page import ShownResults, level_text
from veridical.report.visible import visible
from veridical.results import Interval, Result

if TYPE_CHECKING:
    from veridical.comparison import Comparison

__all__ = ["unit_markdown"]


def unit_markdown(
    ev: ShownResults,
    heading: str,
    remarks: Iterable[str],
    level: float | None,
    tables: Mapping[str, Sequence[Sequence[str]]] | None = None,
) -> str:
    """Return an evaluation as GitHub-flavoured Markdown.

    Parameters
    ----------
    ev
        The evaluation.  Names in it are hostile: they become text that no renderer acts on.
    heading, remarks
        What it is about, and sentences that belong to it.
    level
        Coverage of the intervals; None where there are none.
    tables
        Further tables by heading, the first row their head.

    Returns
    -------
    str
        A heading, the results, the comparisons, what was skipped, notes and remarks.
    """
    measured = [result for result in ev.results if result.ok]
    noted = [*ev.results, *(one.difference for one in ev.comparisons)]
    notes = dict.fromkeys(note for result in noted for note in result.notes)
    parts = [
        f"### {markdown_text(visible(heading))}",
        _results(measured, ev.subject_noun, level) if measured else "",
        *_comparisons(ev.comparisons, ev.units, level),
        *(
            part
            for name, rows in (tables or {}).items()
            for part in (f"**{markdown_text(visible(name))}**", _crossed(rows))
        ),
        *_skipped([result for result in ev.results if not result.ok]),
        "\n".join(f"* {markdown_text(visible(sentence(note)))}" for note in notes),
        "\n\n".join(markdown_text(visible(remark)) for remark in remarks),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _conditions(result: Result) -> list[str]:
    bounds = result.bounds
    certified = [f"certified {bounds_text(bounds.low, bounds.high)}"] if bounds else []
    return [*certified, *condition_texts(result)]


def _results(results: Sequence[Result], noun: str, level: float | None) -> str:
    told = any(_conditions(result) for result in results)
    head = ["metric", noun, "value", f"{level_text(level)} interval", "n"]
    align = ["---", "---", "---:", "---", "---:"]
    rows = [
        [
            title(result.metric),
            result.subject or "",
            _number(float(result)),
            _ends(result.interval),
            count_text(result.n),
            "; ".join(_conditions(result)),
        ]
        for result in results
    ]
    size = len(head) + told
    return _table(
        [*head, "conditions"][:size], [*align, "---"][:size], (row[:size] for row in rows)
    )


def _comparisons(comparisons: Sequence[Comparison], units: str, level: float | None) -> list[str]:
    if not comparisons:
        return []
    head = ["pair", "metric", "difference", f"{level_text(level)} interval"]
    head += ["wins, ties, losses", "test", "verdict"]
    align = ["---", "---", "---:", "---", "---", "---", "---"]
    rows = []
    for one in comparisons:
        counts = [one.difference.counts.get(f"n_{key}") for key in ("wins", "ties", "losses")]
        rows.append(
            [
                f"{one.a} \N{MINUS SIGN} {one.b}",
                title(one.metric),
                f"{float(one.difference):+.4f}" if one.difference.ok else "skipped",
                _ends(one.difference.interval),
                "" if None in counts else ", ".join(count_text(count or 0) for count in counts),
                "" if one.method == "none" else one.method,
                one.verdict,
            ]
        )
    return [f"**Comparisons on the same {units}**", _table(head, align, rows)]


def _skipped(results: Sequence[Result]) -> list[str]:
    if not results:
        return []
    items = (
        f"{title(result.metric)} of {result.subject}: {result.detail} ({result.reason}); "
        f"{result.reason.fix}"
        for result in results
        if not result.ok
    )
    return ["**Not measured**", "\n".join(f"- {markdown_text(visible(item))}" for item in items)]


def _table(head: Sequence[str], align: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [[markdown_text(visible(cell)) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, align, *cells])


def _crossed(rows: Sequence[Sequence[str]]) -> str:
    head = [markdown_text(visible(cell)) for cell in rows[0]]
    return _table(head, ["---", *["---:"] * (len(head) - 1)], rows[1:])


def _ends(interval: Interval | None) -> str:
    return f"{_number(interval.low)} to {_number(interval.high)}" if interval else ""


def _number(value: float) -> str:
    return rate_text(value) if abs(value) <= 1 else value_text(value, rate=False)
