"""The sections about stability, fairness and the benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from veridical.parity import FairnessEvaluation
from veridical.report.display import count_text, rate_text
from veridical.report.drift import READING
from veridical.report.fairness import SCREEN, SHARES, about, both_outcomes
from veridical.report.page import p_text
from veridical.report.sections import number_text
from veridical.report.titles import title
from veridical.results import Result
from veridical.stability import DriftEvaluation
from veridical.validation.document import Block, Paragraph, Section, Table
from veridical.validation.result_tables import interval_text, value_text

if TYPE_CHECKING:
    from veridical.results import Interval
    from veridical.summaries.compared_groups import Share
    from veridical.validation.model_validation import Validation

__all__ = ["benchmark_section", "fairness_section", "stability_section"]

_RATIO = "fairness.disparate_impact_ratio"


def stability_section(validation: Validation) -> Section:
    """Return how far score, label and features have moved."""
    ev = validation.drift
    table = Table(
        "Development against out of time",
        ("Column", "Kind", "PSI", "Interval", "Expected by chance", "Light", "Action", "Others"),
        tuple(_moved(ev, name) for name in ev.subjects),
        frozenset({2, 3, 4}),
    )
    blocks: list[Block] = [
        Paragraph(
            f"The cells are those of the development sample's {ev.source['n_reference']:,} rows, "
            f"and were not fitted again to the {ev.source['n_current']:,} later ones.",
            quiet=True,
        ),
        table,
        *(Paragraph(text) for text in _beyond(ev)),
        Paragraph(READING, quiet=True),
    ]
    return Section("stability", "Stability", "Stability", tuple(blocks))


def _moved(ev: DriftEvaluation, name: str) -> tuple[str, ...]:
    results = [result for result in ev.results if result.subject == name]
    psi = next(result for result in results if result.metric.startswith("drift.psi"))
    others = "; ".join(_measured(result) for result in results if result is not psi)
    head = (name, ev.kinds[name], value_text(psi), interval_text(psi))
    if not psi.ok:
        return (*head, "", "", "", others)
    light = ev.light(name) if ev.keyed_by_subject else ev.light()
    expected = rate_text(psi.conditions["expected_without_drift"])
    return (*head, expected, str(light).replace("_", " "), light.action, others)


def _measured(result: Result) -> str:
    p_value: Any = result.conditions.get("p_value_holm")
    told = f"{title(result.metric)} {value_text(result)}"
    return told if p_value is None else f"{told} (p {p_text(p_value)})"


def _beyond(ev: DriftEvaluation) -> Iterator[str]:
    for psi in ev.results:
        if psi.ok and psi.metric.startswith("drift.psi"):
            below, above = (
                psi.conditions[f"share_{side}_reference"] for side in ("below", "above")
            )
            if below or above:
                yield (
                    f"{psi.subject}: {rate_text(below)} below and {rate_text(above)} above all "
                    "values of the development sample, which the open outer cells count with "
                    "their neighbours."
                )


def fairness_section(validation: Validation) -> Section:
    """Return how decisions treat groups, or why that was not measured."""
    ev = validation.fairness
    if ev is None:
        absent = Paragraph(f"Not measured: {validation.why_no_fairness}.")
        return Section("fairness", "Fairness", "Fairness", (absent,))
    blocks: list[Block] = [Paragraph(text, quiet=True) for text in about(ev)]
    blocks += [_rates(ev), _differences(ev), _outcomes(ev)]
    if ev.calibration:
        blocks.append(
            Table(
                "Scores as probabilities, by group",
                ("Metric", "Group", "Value", "Interval", "n"),
                tuple(
                    (title(r.metric), str(r.subject), value_text(r), interval_text(r),
                     count_text(r.n))
                    for r in ev.calibration
                ),
                frozenset({2, 3, 4}),
            )
        )  # fmt: skip
    blocks.append(Paragraph(SCREEN, quiet=True))
    return Section("fairness", "Fairness", "Fairness", tuple(blocks))


def _rates(ev: FairnessEvaluation) -> Table:
    names = [name for name in SHARES if ev.labelled or name == "favourable"]
    rows = []
    for row in ev.rows():
        said = [
            *(["reference"] if row.is_reference else []),
            *(["small, not ranked"] if row.is_small else []),
            *(["below four fifths of the highest"] if row.four_fifths == "fails" else []),
        ]
        told = (_rate(row.shares[name], row.intervals.get(name)) for name in names)
        rows.append((row.name, count_text(row.n), *told, ", ".join(said)))
    heads = (SHARES[name].capitalize() for name in names)
    return Table(
        "Rates of favourable decisions",
        ("Group", "n", *heads, "Remark"),
        tuple(rows),
        frozenset(range(1, len(names) + 2)),
    )


def _rate(share: Share, ends: Interval | None) -> str:
    if not share.n:
        return "0/0"
    rate = rate_text(share.rate)
    return rate if ends is None else f"{rate} ({rate_text(ends.low)} to {rate_text(ends.high)})"


def _differences(ev: FairnessEvaluation) -> Table:
    return Table(
        "Each group against its reference",
        ("Metric", "Group", "Value", "Interval", "n"),
        tuple(
            (title(r.metric), str(r.subject), value_text(r), interval_text(r), count_text(r.n))
            for r in ev.results
        ),
        frozenset({2, 3, 4}),
    )


def _outcomes(ev: FairnessEvaluation) -> Table:
    rows = tuple(
        (str(result.subject), both_outcomes(ev, result))
        for result in ev.results
        if result.metric == _RATIO
    )
    return Table("Both outcomes, and whether chance would do it", ("Group", "Found"), rows)


def benchmark_section(validation: Validation) -> Section:
    """Return the model against the champion, row by row on the same cases."""
    compared = validation.out_of_time.comparisons
    if validation.champion is None:
        absent = Paragraph("Not measured: the model file names no champion.")
        return Section("benchmark", "Benchmark", "Benchmark against the champion", (absent,))
    tests = max((one.n_tests for one in compared), default=0)
    lede = (
        f"{validation.subject} less {validation.champion}, on the same out-of-time rows. Tests "
        f"are paired, and p-values are adjusted for {tests} of them (Holm)."
    )
    rows = tuple(
        (
            title(one.metric),
            _side(one.metric, one.value_a),
            _side(one.metric, one.value_b),
            value_text(one.difference),
            interval_text(one.difference),
            p_text(one.p_value),
            p_text(one.p_adjusted),
            one.verdict.partition(" (")[0] if one.difference.ok else one.verdict,
            one.method,
        )
        for one in compared
    )
    table = Table(
        "Paired differences, out of time",
        (
            "Metric", validation.subject, validation.champion, "Difference", "Interval", "p",
            "Adjusted", "Verdict", "Test",
        ),
        rows,
        frozenset(range(1, 7)),
    )  # fmt: skip
    return Section(
        "benchmark",
        "Benchmark",
        "Benchmark against the champion",
        (Paragraph(lede, quiet=True), table),
    )


def _side(metric: str, value: float | None) -> str:
    return "skipped" if value is None else number_text(metric, value)
