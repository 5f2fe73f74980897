"""``veridical drift``: a reference and current data in, what has moved out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.keeping import check_saving, keep
from veridical.cli.options import (
    DATA,
    MEASURE,
    OUTPUT,
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
from veridical.cli.targets import check_targets
from veridical.errors import ParameterError
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["drift"]


def drift(
    reference: Annotated[
        str,
        Parameter(help="CSV, Parquet, JSONL or Arrow; or a .reference file that was frozen."),
    ],
    current: Annotated[str, Parameter(help="The same columns, now.")],
    /,
    *,
    column: Annotated[
        list[str] | None,
        Parameter(
            group=DATA,
            help="Column to compare; repeat it. By default all in common but text that names rows.",
        ),
    ] = None,
    categorical: Annotated[
        list[str] | None,
        Parameter(group=DATA, help="Column of numbers that are codes; repeat it."),
    ] = None,
    metric: Metrics = None,
    bins: Annotated[
        int | None,
        Parameter(
            group=MEASURE,
            help="Quantiles of the reference that numbers are cut at; 10 by default.",
        ),
    ] = None,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    freeze: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Write the cells of the reference, X.reference, for later."),
    ] = None,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Measure how far data have moved since a reference, column by column."""
    check_saving(save, tag)
    one_form(json=json, markdown=markdown)
    if freeze is not None and freeze.suffix != ".reference":
        raise ParameterError(
            f"a frozen reference is known by its ending, which {str(freeze)[:200]!r} lacks",
            fix=f"call it {str(freeze.with_suffix('.reference'))[:200]}",
        )
    check_targets(freeze, report, sources=[reference, current], store=store)
    from veridical.report.drift import drift_markdown, drift_text
    from veridical.stability import evaluate_drift

    ev = evaluate_drift(
        reference,
        current,
        metric or None,
        columns=column or None,
        categorical=categorical or (),
        bins=bins,
        level=level,
        intervals=not no_intervals,
        seed=seed,
    )
    if freeze is not None and ev.reference is not None:
        talk(f"reference: {ev.reference.save(freeze)}")
    if report is not None:
        talk(f"report: {ev.report(report)}")
    if json:
        emit_json(ev.to_dict())
    elif markdown:
        emit(drift_markdown(ev))
    else:
        emit(drift_text(ev))
    keep(ev, save, tag, store, {"metrics": metric, "columns": column, "bins": bins})
    return OK if any(result.ok for result in ev.results) else UNDECIDED
