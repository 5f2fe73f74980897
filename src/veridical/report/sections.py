"""What a table of an evaluation says, before anybody decides how it looks.

The terminal, Markdown and ``repr`` print the same sections: numbers as text, names made visible,
notes numbered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veridical.metrics import find
from veridical.notes import sentence
from veridical.report.conditions import condition_texts
from veridical.report.display import (
    bounds_text,
    count_text,
    money_text,
    round_number_above,
    value_text,
)
from veridical.report.presentation import is_money, no_skill
from veridical.report.titles import title
from veridical.report.visible import visible
from veridical.results import Measured, Result, Skipped
from veridical.summaries import ConfusionCounts

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = [
    "Axis",
    "Block",
    "Footnotes",
    "Line",
    "Section",
    "certified",
    "end_text",
    "group_columns",
    "number_text",
    "sections",
]

Axis = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One result: of a score column or of a group.

    Attributes
    ----------
    label
        Score column or group; made visible.
    result
        The result itself.
    value, interval, n
        As text; empty where there is none.
    details
        Conditions that matter, a phrase each.
    marks
        Numbers of its footnotes.
    """

    label: str
    result: Result
    value: str
    interval: str
    n: str
    details: tuple[str, ...]
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One metric: its title and a line for each score column or group."""

    title: str
    lines: tuple[Line, ...]
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Metrics of one kind, on one axis.

    Attributes
    ----------
    heading, remarks
        What it is about, and sentences that hold for all of it.
    axis
        The ends of its interval bars, or None where the metrics share no scale.
    blocks
        Its metrics, in the order of the results.
    """

    heading: str
    remarks: tuple[str, ...]
    axis: Axis | None
    blocks: tuple[Block, ...]


@dataclass(slots=True)
class Footnotes:
    """Notes in the order in which they are first met."""

    notes: list[str] = field(default_factory=list)

    def marks(self, notes: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of these notes, new ones at the end."""
        for note in notes:
            if note not in self.notes:
                self.notes.append(note)
        return tuple(sorted(self.notes.index(note) + 1 for note in notes))

    def sentences(self) -> list[tuple[int, str]]:
        """Return every number with its sentence."""
        return [(i, visible(sentence(note))) for i, note in enumerate(self.notes, 1)]


def sections(
    ev: Evaluation, footnotes: Footnotes, prevalence: float | None, group: str | None = None
) -> list[Section]:
    """Return the results on all rows, or those of the groups of one column, by kind of metric.

    Parameters
    ----------
    ev
        The evaluation.
    footnotes
        Where notes are numbered.
    prevalence
        Share of positives in all rows.
    group
        A grouping column; None for all rows.
    """
    if group is None:
        chosen = [r for r in ev.results if r.group == ev.only_group]
    else:
        chosen = [r for r in ev.results if _column(r.group) == group]
    # On rare events accuracy flatters every model, so it never comes first.
    chosen.sort(key=lambda result: result.metric.startswith("binary.accuracy"))
    by_metric: dict[str, list[Result]] = {}
    for result in chosen:
        by_metric.setdefault(result.metric, []).append(result)
    # Kinds stay together: what is shown beside ROC-AUC stands beside it, not at the end.
    kinds: dict[str, list[list[Result]]] = {}
    for metric, results in by_metric.items():
        kinds.setdefault(_heading(metric, ev), []).append(results)
    return [
        _section(ev, kind, metrics, footnotes, prevalence, group) for kind, metrics in kinds.items()
    ]


def group_columns(ev: Evaluation) -> list[str]:
    """Return the grouping columns, in order; none where the evaluation is one group itself."""
    if ev.only_group is not None:
        return []
    return list(dict.fromkeys(_column(group) or "" for group in ev.groups))


def _column(group: str | None) -> str | None:
    return None if group is None else group.partition("=")[0]


def _heading(metric: str, ev: Evaluation) -> str:
    family = metric.partition(".")[0]
    if family == "binary":
        if find(metric).definition.summary is not ConfusionCounts:
            return "Ranking and operating points"
        threshold = ev.settings.threshold
        return "Decisions" if threshold is None else f"Decisions at threshold {threshold:.15g}"
    if family == "cost":
        currency = ev.settings.costs.currency if ev.settings.costs else None
        return f"Cost in {visible(currency)}" if currency else "Cost"
    return visible(family.replace("_", " ").capitalize())


def _section(
    ev: Evaluation,
    heading: str,
    metrics: Sequence[Sequence[Result]],
    footnotes: Footnotes,
    prevalence: float | None,
    group: str | None,
) -> Section:
    blocks = []
    for results in metrics:
        metric = results[0].metric
        lines = tuple(
            _line(result, footnotes, group, several=len(ev.subjects) > 1) for result in results
        )
        skill = no_skill(metric, results, prevalence) if group is None else None
        blocks.append(Block(visible(title(metric)), lines, skill[0] if skill else None))
    every = [result for results in metrics for result in results]
    priced = group is None and metrics[0][0].metric.startswith("cost.")
    remarks = _price_remarks(ev) if priced else ()
    return Section(heading, remarks, _axis(every), tuple(blocks))


def _line(result: Result, footnotes: Footnotes, group: str | None, *, several: bool) -> Line:
    label = result.subject or ""
    if group is not None:
        value = (result.group or "").partition("=")[2]
        label = f"{value}, {label}" if several else value
    marks = footnotes.marks(result.notes)
    told = certified(result)
    details = (*([f"certified {told}"] if told else []), *condition_texts(result))
    if isinstance(result, Skipped):
        return Line(visible(label), result, "skipped", str(result.reason), "", details, marks)
    interval = ""
    if result.interval is not None:
        low, high = (end_text(result.metric, end) for end in _ends(result))
        interval = f"{low} to {high}"
    value = number_text(result.metric, result.value)
    n = count_text(result.n)
    return Line(visible(label), result, value, interval, n, details, marks)


def certified(result: Result) -> str:
    """Return the range that binned scores leave open, as text; nothing where the value is exact."""
    bounds = result.bounds
    return bounds_text(bounds.low, bounds.high, money=is_money(result.metric)) if bounds else ""


def _ends(result: Measured) -> Axis:
    interval = result.interval
    return (result.value, result.value) if interval is None else (interval.low, interval.high)


def end_text(metric: str, end: float) -> str:
    """Return an end of an interval as a table prints it.

    Cents of an estimated end of thousands are noise.

    Examples
    --------
    >>> end_text("cost.total", 57135.25), end_text("cost.total", 12.5)
    ('57,135', '12.50')
    """
    return number_text(metric, float(round(end)) if is_money(metric) and abs(end) >= 1000 else end)


def number_text(metric: str, value: float) -> str:
    """Return a metric's value as a table prints it.

    Examples
    --------
    >>> number_text("binary.roc_auc", 0.82188), number_text("cost.total", 57135.0)
    ('0.8219', '57,135')
    """
    if is_money(metric):
        return money_text(value)
    return value_text(value, rate=abs(value) < 10)


def _axis(results: Iterable[Result]) -> Axis | None:
    """Return ends that all bars of a section share: the bounds of rates, or zero to the dearest."""
    measured = [result for result in results if isinstance(result, Measured)]
    ends = [end for result in measured for end in (*_ends(result), result.value)]
    if not measured:
        return None
    if all(is_money(result.metric) for result in measured):
        return (0.0, round_number_above(max(ends))) if max(ends) > 0 else None
    return (-1.0 if -1 <= min(ends) < 0 else 0.0, 1.0)


def _price_remarks(ev: Evaluation) -> tuple[str, ...]:
    costs = ev.settings.costs
    if costs is None:
        return ()

    def told(price: object) -> str:
        return (
            f"column {visible(price)}" if isinstance(price, str) else money_text(float(str(price)))
        )

    prices = f"A missed positive costs {told(costs.fn)}, a false alarm {told(costs.fp)}"
    if costs.review == 0:
        return (f"{prices}.",)
    prices += f", the review of any flagged row {told(costs.review)}"
    if costs.false_alarm is None:
        return (f"{prices}.",)
    return (f"{prices}: one false alarm costs {told(costs.false_alarm)} in all.",)
