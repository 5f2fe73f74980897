"""The sections about scores: outcomes, discrimination, operating points, calibration, cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from veridical.evaluation import Evaluation
from veridical.metrics import find
from veridical.report import figures
from veridical.report.assemble import subject_points
from veridical.report.display import count_text, rate_text
from veridical.report.payload import Subject
from veridical.report.threshold_section import chart_figures, subject_context
from veridical.report.visible import visible
from veridical.results import Result
from veridical.summaries import ConfusionCounts
from veridical.validation.document import Block, Figure, Paragraph, Section, Table
from veridical.validation.result_tables import both_samples, by_group, share_text

if TYPE_CHECKING:
    from veridical.validation.model_validation import Validation

__all__ = ["score_sections"]

_MOST_POINTS = 500
_COLOURS = ("Blue", "orange")
_OF_ALL = ("roc", "precision_recall", "cost")
_DRAWN = {
    "roc": figures.roc,
    "precision_recall": figures.precision_recall,
    "cost": figures.cost,
    "reliability": figures.reliability,
}


def score_sections(validation: Validation) -> Iterator[Section]:
    """Yield the sections about scores; which results each of them shows says its name.

    Parameters
    ----------
    validation
        What was measured.
    """
    # One subject and all of them: tables show the model, curves the champion too.
    names = validation.out_of_time.subjects
    drawn = [_drawn(validation.out_of_time, name) for name in names]
    figure = _figures(drawn)
    section = partial(_section, validation)
    yield section(
        "metrics",
        "Outcomes",
        "Outcomes analysis",
        "What was forecast and decided on the out-of-time sample, and what happened. Without "
        "skill, average precision is the prevalence.",
        [_happened(validation), *_decided(validation)],
    )
    yield section(
        "discrimination",
        "Discrimination",
        "Discrimination",
        "Whether cases that came true have higher scores than others, wherever a threshold lies.",
        figure("roc", "precision_recall"),
    )
    yield section(
        "points",
        "Operating points",
        "Operating points",
        "What is found where false alarms are held to a rate, as by a fixed number of "
        "investigators.",
        [_points(drawn[0])],
    )
    yield section(
        "calibration",
        "Calibration",
        "Calibration",
        "Whether an event that is forecast so often happens so often. A good order of scores does "
        "not make it so.",
        [*_bins(drawn[0]), *figure("reliability")],
    )
    yield section("cost", "Cost", "Cost", _prices(validation), figure("cost"))


def _drawn(ev: Evaluation, name: str) -> Subject:
    subject = subject_points(ev, name, _MOST_POINTS)
    subject["name"] = visible(name)
    return subject


def _section(
    validation: Validation,
    name: str,
    short: str,
    title: str,
    lede: str,
    more: Sequence[Block],
) -> Section:
    subject = validation.subject
    whole = _of(validation.out_of_time, subject, name, groups=False)
    groups = _of(validation.out_of_time, subject, name, groups=True)
    blocks: list[Block] = [Paragraph(lede, quiet=True)]
    if whole:
        before = _of(validation.development, subject, name, groups=False)
        blocks.append(both_samples("On all rows, out of time", whole, before))
    else:
        blocks.append(Paragraph("Not measured; the limitations say why."))
    blocks += more
    if groups:
        blocks.append(by_group("By group, out of time", groups))
    return Section(name, short, title, tuple(blocks))


def _of(ev: Evaluation, subject: str, section: str, *, groups: bool) -> list[Result]:
    return [
        result
        for result in ev.results
        if result.subject == subject
        and (result.group is not None) == groups
        and _home(result.metric) == section
    ]


def _home(metric: str) -> str:
    """Return the section in which a metric is shown; every metric of scores has one."""
    measure = find(metric)
    if measure.family in {"calibration", "cost"}:
        return measure.family
    if measure.definition.summary is ConfusionCounts or measure.name == "average_precision":
        return "metrics"
    return "discrimination" if measure.definition.point is None else "points"


def _happened(validation: Validation) -> Table:
    """Return what was forecast on each sample, and how often it happened."""
    rows = []
    for name, ev in (
        ("development", validation.development),
        ("out-of-time", validation.out_of_time),
    ):
        part = next(s for s in ev.slices if (s.subject, s.group) == (validation.subject, None))
        counts = part.evidence.at(None)
        forecast = "no forecasts"
        if validation.are_forecasts and counts.n:
            forecast = rate_text(part.evidence.reliability(None).total("sum_p") / float(counts.n))
        happened = share_text(counts.positives, counts.n, validation.row_level)
        rows.append((name, count_text(float(counts.n)), forecast, happened))
    return Table(
        "What was forecast, and what happened",
        ("Sample", "Rows", "Mean forecast", "Event rate"),
        tuple(rows),
        frozenset({1, 2, 3}),
    )


def _decided(validation: Validation) -> Iterator[Table]:
    """Yield the counts of decisions, where there are any."""
    if validation.threshold is None:
        return
    rows = []
    for name in validation.out_of_time.subjects:
        part = next(
            s for s in validation.out_of_time.slices if (s.subject, s.group) == (name, None)
        )
        at = part.evidence.at(validation.threshold)
        rows.append((name, *(count_text(float(count)) for count in (at.tp, at.fp, at.fn, at.tn))))
    yield Table(
        f"Decisions at threshold {validation.threshold:.6g}, from {validation.threshold_from}",
        ("Score", "Found", "False alarms", "Missed", "Left alone"),
        tuple(rows),
        frozenset({1, 2, 3, 4}),
    )


def _points(subject: Subject) -> Table:
    rows = [
        (
            str(point["name"]),
            str(point["threshold"]),
            str(point["flagged"]),
            *(_rate(point[name]) for name in ("recall", "precision", "fpr")),
            point["cost"] or "\N{EN DASH}",
        )
        for point in subject_context(subject, 0)["standard"]
    ]
    return Table(
        "Standard operating points, out of time",
        (
            "Point", "Threshold", "Flagged", "Recall", "Precision", "False positive rate", "Cost",
        ),
        tuple(rows),
        frozenset(range(1, 7)),
    )  # fmt: skip


def _rate(rate: dict[str, str] | None) -> str:
    if rate is None:
        return "0/0"
    return f"{rate['value']} ({rate['interval']})" if rate["interval"] else rate["value"]


def _bins(subject: Subject) -> Iterator[Table]:
    rows = [
        (b["range"], b["n"], b["forecast"], _rate(b["rate"]))
        for b in subject_context(subject, 0)["bins"]
    ]
    if rows:
        yield Table(
            "Forecasts by bin, out of time",
            ("Forecast", "n", "Mean forecast", "Event rate"),
            tuple(rows),
            frozenset({1, 2, 3}),
        )


def _figures(drawn: Sequence[Subject]) -> Callable[..., list[Figure]]:
    charts = {
        chart["kind"]: chart
        for shown in (drawn, drawn[:1])
        for chart in chart_figures(shown)
        if (chart["kind"] in _OF_ALL) == (shown is drawn)
    }
    colours = "; ".join(
        f"{colour}: {subject['name']}" for colour, subject in zip(_COLOURS, drawn, strict=False)
    )

    def chosen(*kinds: str) -> list[Figure]:
        return [
            Figure(
                charts[kind]["title"],
                " ".join([charts[kind]["caption"], *([colours] if kind in _OF_ALL else [])]),
                charts[kind]["svg"],
                partial(_DRAWN[kind], drawn if kind in _OF_ALL else drawn[:1]),
            )
            for kind in kinds
            if charts[kind]["svg"] is not None
        ]

    return chosen


def _prices(validation: Validation) -> str:
    costs = validation.description.costs
    if costs is None:
        return "What errors cost, where somebody says so."
    told = costs.to_dict()
    prices = ", ".join(
        f"{words} {told[name].removeprefix('column:')}"
        for name, words in (("fn", "a missed event"), ("fp", "a false alarm"),
                            ("review", "the review of any flagged row"))
    )  # fmt: skip
    return f"Prices{' in ' + costs.currency if costs.currency else ''}: {prices}."
