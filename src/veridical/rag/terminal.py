"""What ``veridical rag`` prints of a run: the table, errors by code, the worst cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from veridical.report.pieces import Pieces, folded
from veridical.report.printing import printed
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import padded, visible, width
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.rag.evaluation import RagEvaluation

__all__ = ["plain_text", "rag_text"]

_WIDEST = 110
_COUNTS = (
    ("n_skipped", "skipped"),
    ("n_not_applicable", "n/a"),
    ("n_judge_errors", "judge err"),
    ("n_case_errors", "case err"),
    ("n_pending", "pending"),
)


def rag_text(ev: RagEvaluation, stream: TextIO | None = None) -> str:
    """Return the summary as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    ev
        What to print.
    stream
        Where it will be printed; standard output by default.
    """
    return printed(lambda columns: _lines(ev, columns), stream)


def plain_text(ev: RagEvaluation) -> str:
    """Return the summary without styles, as ``repr`` shows it."""
    lines = ("".join(content for content, _ in pieces) for pieces in _lines(ev, _WIDEST))
    return "\n".join(line.rstrip() for line in lines)


def _lines(ev: RagEvaluation, columns: int) -> Iterator[Pieces]:
    yield from _table(ev, columns)


def _table(ev: RagEvaluation, columns: int) -> Iterator[Pieces]:
    rows = [result for result in ev.results if result.group is None]
    name = max([14, *(width(visible(title(row.metric))) for row in rows)])
    shown = [(key, words) for key, words in _COUNTS if any(row.counts.get(key) for row in rows)]
    heads = "".join(f"  {words:>9}" for _, words in shown)
    yield [
        (padded("Metric", name), "bold cyan"),
        (f"  {'value':>7}  {'interval':<16}  {'n':>6}{heads}", "dim"),
    ]
    for row in rows:
        counts = "".join(f"  {row.counts.get(key, 0):>9,}" for key, _ in shown)
        yield [
            (padded(visible(title(row.metric)), name), ""),
            *_value(row),
            (f"  {row.n:>6,}{counts}", ""),
        ]
    for row in rows:
        if not row.ok:
            text = f"{title(row.metric)}: {row.detail}; {row.reason.fix}"
            yield from folded(visible(text), columns, indent=2, style="dim")


def _value(result: Result) -> Pieces:
    if not result.ok:
        return [(f"  {'skipped':>7}  {'':<16}", "yellow")]
    interval = result.interval
    ends = ""
    if interval is not None:
        ends = " to ".join(end_text(result.metric, e) for e in (interval.low, interval.high))
    return [(f"  {number_text(result.metric, result.value):>7}", "bold"), (f"  {ends:<16}", "")]
