"""``veridical agree``: labels of several raters in, agreement beyond chance out."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from veridical.cli.keeping import check_saving, keep
from veridical.cli.options import (
    DATA,
    INTERVALS,
    MEASURE,
    Json,
    Level,
    Markdown,
    Metrics,
    NoIntervals,
    Report,
    Seed,
)
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import Save, StoreAt, Tag
from veridical.cli.targets import check_target
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["agree"]


def agree(
    file: Annotated[str, Parameter(help="CSV, Parquet, JSONL or Arrow; one item a row.")],
    /,
    *,
    rater: Annotated[
        list[str], Parameter(group=DATA, help="Column of labels; give it at least twice.")
    ],
    scale: Annotated[
        str | None,
        Parameter(group=DATA, help="The labels from lowest to highest, parted by commas."),
    ] = None,
    missing: Annotated[
        Literal["error", "drop"],
        Parameter(group=DATA, help="What to do with a missing rating."),
    ] = "error",
    metric: Metrics = None,
    weights: Annotated[
        Literal["none", "linear", "quadratic"] | None,
        Parameter(group=MEASURE, help="Weights of Cohen's kappa; they need an order of labels."),
    ] = None,
    judge: Annotated[
        str | None,
        Parameter(
            group=MEASURE,
            help="The rater that is read against the agreement of the others, and compared.",
        ),
    ] = None,
    rate: Annotated[
        str | None,
        Parameter(
            group=MEASURE,
            help="A label: its rate by the first rater, a judge, corrected by the second, the "
            "truth where it is known.",
        ),
    ] = None,
    no_intervals: NoIntervals = False,
    interval: Annotated[
        Literal["analytic", "bootstrap"],
        Parameter(group=INTERVALS, help="By formula where there is one, or by resampling items."),
    ] = "analytic",
    level: Level = 0.95,
    seed: Seed = 0,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Measure how far raters agree, beyond chance."""
    check_saving(save, tag)
    one_form(json=json, markdown=markdown)
    if report is not None:
        check_target(report, sources=[file], store=store)
    from veridical.evaluation.agreement import evaluate_agreement
    from veridical.report.agreement import agreement_markdown, agreement_text

    ev = evaluate_agreement(
        file,
        metric or None,
        raters=rater,
        weights=weights,
        scale=None if scale is None else [label.strip() for label in scale.split(",")],
        judge=judge,
        rate=rate,
        missing=missing,
        interval=interval,
        level=level,
        intervals=not no_intervals,
        seed=seed,
    )
    if report is not None:
        talk(f"report: {ev.report(report)}")
    if json:
        emit_json(ev.to_dict())
    elif markdown:
        emit(agreement_markdown(ev))
    else:
        emit(agreement_text(ev))
    settings = {
        "metrics": metric,
        "weights": weights,
        "judge": judge,
        "rate": rate,
        "missing": missing,
    }
    keep(ev, save, tag, store, settings)
    return OK if any(result.ok for result in ev.results) else UNDECIDED
