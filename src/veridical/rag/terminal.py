"""What ``veridical rag`` prints of a run: the table, errors by code, the worst cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from veridical.notes import sentence
from veridical.report.pieces import Pieces, folded, phrased
from veridical.report.printing import printed
from veridical.report.rag_case import ShownCase
from veridical.report.rag_page import errors_by_code, privacy_remark
from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import fitted, padded, visible, width
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["plain_text", "rag_text"]

_WIDEST = 110
_COUNTS = (
    ("n_skipped", "skipped"),
    ("n_not_applicable", "n/a"),
    ("n_judge_errors", "judge err"),
    ("n_case_errors", "case err"),
    ("n_pending", "pending"),
)


def rag_text(
    ev: ResultSet,
    cases: Sequence[ShownCase] = (),
    stream: TextIO | None = None,
    *,
    texts: str = "full",
    most: int = 5,
) -> str:
    """Return the summary as text for ``stream``: styled on a terminal, plain in a pipe.

    Parameters
    ----------
    ev
        The results.
    cases
        Every case, the worst first: then errors by code and the worst cases are told too.
    stream
        Where it will be printed; standard output by default.
    texts
        What was kept of texts: ``full``, ``hashed`` or ``none``.
    most
        How many of the worst cases are told.
    """
    return printed(lambda columns: _lines(ev, cases, columns, texts, most), stream)


def plain_text(ev: ResultSet) -> str:
    """Return the summary without styles, as ``repr`` shows it."""
    lines = ("".join(content for content, _ in pieces) for pieces in _table(ev, _WIDEST))
    return "\n".join(line.rstrip() for line in lines)


def _lines(
    ev: ResultSet, cases: Sequence[ShownCase], columns: int, texts: str, most: int
) -> Iterator[Pieces]:
    yield from folded(visible(_heading(ev)), columns, style="bold")
    yield []
    yield from _table(ev, columns)
    errors = errors_by_code(cases)
    if errors:
        yield []
        yield [("Errors, by code", "bold cyan")]
    for row in errors:
        ids = ", ".join(row["ids"]) + (f" and {row['more']:,} more" if row["more"] else "")
        noun = "case" if row["n"] == 1 else "cases"
        text = f"{row['state'].replace('_', ' ')} {row['code']}: {row['n']:,} {noun} ({ids})"
        yield from folded(visible(text), columns, indent=2)
    worst = [case for case in cases if case.badness > 0][:most]
    if worst:
        yield []
        yield [("The worst cases", "bold cyan")]
    for case in worst:
        yield from _worst(case, columns)
    if cases and (remark := privacy_remark(texts)):
        yield []
        yield from folded(remark, columns, style="dim")


def _heading(ev: ResultSet) -> str:
    source = ev.source
    judge = (source.get("judge") or {}).get("model") or "none"
    repeats = source.get("repeats", 1)
    asked = f", each asked {repeats} times" if repeats > 1 else ""
    return (
        f"{source.get('path') or 'cases'}: {source.get('n_cases', 0):,} cases{asked}; "
        f"judge {judge}, refusals by {source.get('abstention')}"
    )


def _worst(case: ShownCase, columns: int) -> Iterator[Pieces]:
    name = case.id if case.repeat == 1 else f"{case.id} (repeat {case.repeat})"
    yield [(fitted(visible(f"  {name}  {case.question[:500]}"), columns), "")]
    if case.failure is not None:
        yield from folded(visible(f"the call failed: {case.failure}"), columns, indent=4)
        return
    low = [
        f"{title(one.metric)} {one.reason if one.value is None else format(one.value, '.2f')}"
        for one in case.outcomes
        if one.value is not None or one.state.endswith("_error")
    ]
    flags = [flag.replace("_", " ") for flag in case.flags]
    yield from phrased(map(visible, (*low, *flags)), columns, indent=4)


def _table(ev: ResultSet, columns: int) -> Iterator[Pieces]:
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
    why: dict[str, list[str]] = {}
    for row in rows:
        told = map(sentence, row.notes) if row.ok else [f"{row.detail}; {row.reason.fix}"]
        for one in told:
            why.setdefault(one, []).append(title(row.metric))
    for reason, names in why.items():
        text = f"{', '.join(names)}: {reason}"
        yield from folded(visible(text), columns, indent=2, style="dim")


def _value(result: Result) -> Pieces:
    if not result.ok:
        return [(f"  {'skipped':>7}  {'':<16}", "yellow")]
    interval = result.interval
    ends = ""
    if interval is not None:
        ends = " to ".join(end_text(result.metric, e) for e in (interval.low, interval.high))
    return [(f"  {number_text(result.metric, result.value):>7}", "bold"), (f"  {ends:<16}", "")]
