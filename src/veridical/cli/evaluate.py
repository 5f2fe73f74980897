"""``veridical evaluate``: scores and labels in, numbers with their passports out."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from cyclopts import Group, Parameter

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
from veridical.cli.output import one_form, talk
from veridical.cli.prices import costs_of
from veridical.cli.progress import progress_line, rows_of
from veridical.cli.saving import Save, StoreAt, Tag
from veridical.cli.showing import show
from veridical.cli.targets import check_target
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["evaluate"]

_COST = Group("Prices", sort_key=3)

Many = list[str] | None


def evaluate(
    file: Annotated[
        str,
        Parameter(
            help="CSV, Parquet, JSONL or Arrow; a folder; a glob; or a file of `veridical "
            "summarise`, which knows its columns."
        ),
    ],
    /,
    *,
    label: Annotated[
        str | None, Parameter(group=DATA, help="Column of outcomes.", show_default=False)
    ] = None,
    score: Annotated[
        Many, Parameter(group=DATA, help="Column of scores; repeat it to compare models.")
    ] = None,
    positive: Annotated[
        str | None, Parameter(group=DATA, help="The label that counts as positive.")
    ] = None,
    group: Annotated[
        Many, Parameter(group=DATA, help="Column whose values are measured separately; repeat it.")
    ] = None,
    cluster: Annotated[
        str | None,
        Parameter(group=DATA, help="Column of repeated units, such as customer_id."),
    ] = None,
    weight: Annotated[str | None, Parameter(group=DATA, help="Column of row weights.")] = None,
    id: Annotated[  # noqa: A002 - the option is called --id
        str | None,
        Parameter(group=DATA, help="Column that names each row; no two rows may share a name."),
    ] = None,
    missing: Annotated[
        Literal["error", "drop"],
        Parameter(group=DATA, help="What to do with a missing label or score."),
    ] = "error",
    metric: Metrics = None,
    threshold: Annotated[
        float | None, Parameter(group=MEASURE, help="Scores >= it are flagged.")
    ] = None,
    bins: Annotated[
        int | None, Parameter(group=MEASURE, help="Bins of the calibration errors; 10 by default.")
    ] = None,
    cost_fn: Annotated[
        str | None,
        Parameter(group=_COST, help="Price of a missed positive: a number or a column."),
    ] = None,
    cost_fp: Annotated[
        str | None,
        Parameter(group=_COST, help="Price of a false alarm: a number or a column."),
    ] = None,
    cost_review: Annotated[
        str | None,
        Parameter(group=_COST, help="Price of every flagged row: a number or a column."),
    ] = None,
    currency: Annotated[
        str | None, Parameter(group=_COST, help="Printed beside amounts, such as USD.")
    ] = None,
    policy: Annotated[
        str | None,
        Parameter(
            group=MEASURE,
            help="Targets to hold the results against: a YAML file, metric-standard or bank. "
            "Those of fairness are for veridical fairness.",
        ),
    ] = None,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    engine: Annotated[
        Literal["auto", "memory", "batches", "histogram"],
        Parameter(
            group=DATA,
            help="How rows are counted: all in memory; in two reads, in memory that grows with the "
            "positives; or in bins of scores, with certified bounds.",
        ),
    ] = "auto",
    bounds_within: Annotated[
        float | None,
        Parameter(
            group=DATA,
            help="How wide the bounds of a histogram may be (0 is exact): bins that leave more "
            "open are read again.",
        ),
    ] = None,
    threads: Annotated[int, Parameter(group=DATA, help="How many threads may count.")] = 1,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Measure how good the scores in a file are."""
    one_form(json=json, markdown=markdown)
    check_saving(save, tag)
    costs = costs_of(cost_fn, cost_fp, cost_review, currency)
    if report is not None:
        check_target(report, sources=[file], others=[] if policy is None else [policy], store=store)

    from veridical.evaluation import evaluate as evaluate_scores

    with progress_line(sys.stderr, rows_of([file])) as progress:
        result = evaluate_scores(
            file,
            metric or None,
            label=label,
            score=score[0] if score and len(score) == 1 else score,
            positive=positive,
            threshold=threshold,
            costs=costs,
            groups=group or (),
            cluster=cluster,
            weight=weight,
            id=id,
            bins=bins,
            missing=missing,
            level=level,
            intervals=not no_intervals,
            seed=seed,
            threads=threads,
            engine=engine,
            bounds_within=bounds_within,
            progress=progress,
            policy=policy,
        )
    if report is not None:
        talk(f"report: {result.report(report)}")
    show(result, json=json, markdown=markdown)
    keep(
        result,
        save,
        tag,
        store,
        {
            "metrics": metric,
            "groups": group,
            "cluster": cluster,
            "weight": weight,
            "id": id,
            "missing": missing,
            "bins": bins,
            "policy": policy,
        },
    )
    return OK if any(one.ok for one in result.results) else UNDECIDED
