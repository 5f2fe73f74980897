"""``veridical fairness``: decisions and groups in, how differently they are treated out."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from veridical.cli.keeping import check_saving, keep
from veridical.cli.options import (
    DATA,
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

__all__ = ["fairness"]


def fairness(
    file: Annotated[
        str,
        Parameter(
            help="CSV, Parquet, JSONL or Arrow, one decision a row; or a file of `veridical "
            "summarise`."
        ),
    ],
    /,
    *,
    favourable: Annotated[
        str,
        Parameter(
            group=DATA,
            help="The decision that is good for whom it is about: 0 where 1 is a denial.",
        ),
    ],
    group: Annotated[
        list[str] | None,
        Parameter(group=DATA, help="Column of groups; repeat it. Of a summary all, by default."),
    ] = None,
    decision: Annotated[str | None, Parameter(group=DATA, help="Column of decisions.")] = None,
    score: Annotated[
        str | None,
        Parameter(
            group=DATA,
            help="Column of scores, which --threshold makes decisions of; beside --decision, what "
            "calibration is measured on.",
        ),
    ] = None,
    threshold: Annotated[
        float | None, Parameter(group=DATA, help="Scores >= it are the decision 1, others 0.")
    ] = None,
    label: Annotated[
        str | None, Parameter(group=DATA, help="Column of what was right.", show_default=False)
    ] = None,
    favourable_label: Annotated[
        str | None,
        Parameter(group=DATA, help="The favourable label, where it is not the decision's value."),
    ] = None,
    positive: Annotated[
        str | None,
        Parameter(group=DATA, help="The label that a score is the probability of."),
    ] = None,
    reference: Annotated[
        list[str] | None,
        Parameter(
            group=DATA,
            help="Group that others are held against, VALUE or COLUMN=VALUE. By default the "
            "largest.",
        ),
    ] = None,
    min_size: Annotated[
        int, Parameter(group=DATA, help="Groups of fewer rows are shown, and not ranked.")
    ] = 30,
    cluster: Annotated[
        str | None,
        Parameter(group=DATA, help="Column of rows that belong together, such as customers."),
    ] = None,
    weight: Annotated[str | None, Parameter(group=DATA, help="Column of row weights.")] = None,
    missing: Annotated[
        Literal["error", "drop"],
        Parameter(group=DATA, help="What to do with a missing decision or label."),
    ] = "error",
    metric: Metrics = None,
    policy: Annotated[
        str | None,
        Parameter(
            group=MEASURE,
            help="Targets to hold each group against: a YAML file, or fairness-standard.",
        ),
    ] = None,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Measure how differently decisions treat groups."""
    check_saving(save, tag)
    one_form(json=json, markdown=markdown)
    if report is not None:
        check_target(report, sources=[file], others=[] if policy is None else [policy], store=store)
    from veridical.parity import evaluate_fairness
    from veridical.report.fairness import fairness_markdown, fairness_text

    ev = evaluate_fairness(
        file,
        metric or None,
        groups=group or (),
        favourable=favourable,
        decision=decision,
        score=score,
        threshold=threshold,
        label=label,
        favourable_label=favourable_label,
        positive=positive,
        reference=reference or (),
        min_size=min_size,
        weight=weight,
        cluster=cluster,
        missing=missing,
        level=level,
        intervals=not no_intervals,
        seed=seed,
        policy=policy,
    )
    if report is not None:
        talk(f"report: {ev.report(report)}")
    if json:
        emit_json(ev.to_dict())
    elif markdown:
        emit(fairness_markdown(ev))
    else:
        emit(fairness_text(ev))
    settings = {"metrics": metric, "missing": missing, "threshold": threshold, "policy": policy}
    keep(ev, save, tag, store, settings)
    return OK if any(result.ok for result in ev.results) else UNDECIDED
