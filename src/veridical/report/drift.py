"""What ``veridical drift`` prints: columns by the size of their drift, and how to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from veridical.report.display import count_text, rate_text
from veridical.report.unit_lines import COLUMNS
from veridical.report.visible import padded, visible, width, wrapped
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.stability import DriftEvaluation

__all__ = ["READING", "drift_markdown", "drift_text"]

_WIDEST = 40
READING = (
    "PSI below 0.10 is usually called stable, 0.10 to 0.25 moderate, above 0.25 significant: a "
    "convention of the industry, which no regulation sets. The noise of two samples alone gives "
    "the expected value beside it. P-values are adjusted for the number of columns (Holm): on "
    "many rows they find drifts that are too small to matter."
)
_HEAD = ("column", "kind", "PSI", "interval", "without drift", "light", "other measures")


def drift_text(ev: DriftEvaluation) -> str:
    r"""Return the drift of every column as text.

    Parameters
    ----------
    ev
        What to print.

    Examples
    --------
    >>> from veridical.stability import evaluate_drift
    >>> text = drift_text(evaluate_drift({"a": [1, 2, 3] * 99}, {"a": [1, 2, 3] * 99}))
    >>> text.split("\n")[3].split()[:3]
    ['a', 'numeric', '0.0000']
    """
    by_column = _by_column(ev)
    rows = [_HEAD, *(_row(ev, name, results) for name, results in by_column.items())]
    lines = [_sizes(ev), "", *_aligned(rows)]
    for name, results in by_column.items():
        lines += [*_absent(results), *_beside(name, results)]
    return "\n".join([*lines, "", *wrapped(READING, COLUMNS)])


def drift_markdown(ev: DriftEvaluation) -> str:
    """Return the drift of every column as Markdown.

    Parameters
    ----------
    ev
        What to print.
    """
    from veridical.report.unit_markdown import unit_markdown

    by_column = _by_column(ev)
    lights = [
        (name, *_row(ev, name, results)[2:6])
        for name, results in by_column.items()
        if any(r.ok and r.metric.startswith("drift.psi") for r in results)
    ]
    tables = {"Lights": [("column", *_HEAD[2:6]), *lights]} if lights else {}
    beside = [line for name, results in by_column.items() for line in _beside(name, results)]
    level = ev.settings.shown_level
    return unit_markdown(ev, f"Drift: {_sizes(ev)}", [*beside, READING], level, tables)


def _sizes(ev: DriftEvaluation) -> str:
    return f"{ev.source['n_reference']:,} rows of reference, {ev.source['n_current']:,} now"


def _by_column(ev: DriftEvaluation) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {name: [] for name in ev.subjects}
    for result in ev.results:
        found[str(result.subject)].append(result)
    return found


def _row(ev: DriftEvaluation, name: str, results: Sequence[Result]) -> tuple[str, ...]:
    psi = next((r for r in results if r.metric.startswith("drift.psi") and r.ok), None)
    others = ", ".join(_told(r) for r in results if r is not psi and r.value is not None)
    head = (visible(name), ev.kinds[name])
    if psi is None or psi.value is None:
        return (*head, "", "", "", "", others)
    ends = psi.interval
    return (
        *head,
        rate_text(psi.value),
        f"[{rate_text(ends.low)}, {rate_text(ends.high)}]" if ends else "none",
        rate_text(psi.conditions["expected_without_drift"]),
        str(psi.conditions["light"]).replace("_", " "),
        others,
    )


def _told(result: Result) -> str:
    name = result.metric.removeprefix("drift.").partition(",")[0]
    p_value: Any = result.conditions.get("p_value_holm")
    told = f"{name} {result.value:.4g}"
    return told if p_value is None else f"{told} (p {p_value:.2g})"


def _absent(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        if not result.ok:
            told = f"{result.metric} of {result.subject} was not measured: {result.detail}"
            yield visible(told)
            yield f"  fix: {result.reason.fix}"


def _beside(name: str, results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        if result.ok and result.metric.startswith("drift.psi"):
            yield from _range_remarks(name, result)


def _range_remarks(name: str, psi: Result) -> Iterator[str]:
    below, above = (psi.conditions[f"share_{side}_reference"] for side in ("below", "above"))
    if below or above:
        yield visible(
            f"{name}: {rate_text(below)} below and {rate_text(above)} above all values of the "
            "reference, which the open outer cells count with their neighbours"
        )
    missing = psi.counts.get("n_missing", 0)
    if missing:
        yield visible(f"{name}: {count_text(missing)} missing now, a cell of their own")


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [min(_WIDEST, max(width(row[at]) for row in rows)) for at in range(len(_HEAD) - 1)]
    for row in rows:
        cells = [padded(row[at], widths[at], right=at in {2, 4}) for at in range(len(widths))]
        yield "  ".join([*cells, row[-1]]).rstrip()
