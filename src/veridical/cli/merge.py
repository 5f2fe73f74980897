"""``veridical merge``: pool summaries of data sets that never met, and measure the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from veridical.cli.options import MEASURE, OUTPUT, Json, Level, Metrics, NoIntervals, Seed
from veridical.cli.output import UNDECIDED, emit, emit_json, talk
from veridical.cli.prices import costs_of
from veridical.cli.saving import Save, StoreAt, Tag, check_saving
from veridical.cli.saving import save as keep
from veridical.cli.showing import show
from veridical.cli.targets import check_target
from veridical.errors import MismatchError
from veridical.report.visible import padded, visible, width

if TYPE_CHECKING:
    from veridical.portable import Summary
    from veridical.results import Result

__all__ = ["merge"]


Many = list[str] | None
Row = tuple[str, ...]


def merge(
    file: Annotated[list[str], Parameter(help="Files that `veridical summarise` wrote.")],
    /,
    *,
    metric: Metrics = None,
    threshold: Annotated[
        float | None, Parameter(group=MEASURE, help="Scores >= it are flagged.")
    ] = None,
    cost_fn: Annotated[
        str | None, Parameter(group=MEASURE, help="Price of a missed positive.")
    ] = None,
    cost_fp: Annotated[str | None, Parameter(group=MEASURE, help="Price of a false alarm.")] = None,
    cost_review: Annotated[
        str | None, Parameter(group=MEASURE, help="Price of every flagged row.")
    ] = None,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write the pooled summary too."),
    ] = None,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Pool summaries, and measure the whole."""
    check_saving(save, tag)
    costs = costs_of(cost_fn, cost_fp, cost_review)
    if output is not None:
        check_target(output, sources=file)

    from veridical.evaluation import evaluate

    summaries = _loaded(file)
    pooled = _pooled(summaries)
    result = evaluate(
        pooled,
        metric or None,
        threshold=threshold,
        costs=costs,
        level=level,
        intervals=not no_intervals,
        seed=seed,
    )
    title = ", ".join(file[:3]) + (", ..." if len(file) > 3 else "")
    result = replace(result, source={**result.source, "path": title})
    if output is not None:
        talk(f"summary: {pooled.save(output)}")
    if any(count > 1 for count in pooled.sources.values()):
        talk("the same data stand in more than one of these files, and count as often", "warning")
    each = {name: _ranked(summary) for name, summary in summaries}
    if json:
        files = [_described(name, summary, each[name]) for name, summary in summaries]
        emit_json({**result.to_dict(), "files": files})
    else:
        emit("\n".join([*_aligned(_rows(summaries, each)), "", ""]))
        show(result)
    keep(result, save, tag, store, {"metrics": metric, "files": file})
    return 0 if any(one.ok for one in result.results) else UNDECIDED


def _loaded(names: Sequence[str]) -> list[tuple[str, Summary]]:
    from veridical.portable import Summary

    return [(name, Summary.load(name)) for name in names]


def _pooled(summaries: Sequence[tuple[str, Summary]]) -> Summary:
    (first, pooled), *others = summaries
    for name, summary in others:
        try:
            pooled += summary
        except MismatchError as error:
            places = f"{first} and {name}"
            error.where = f"{places}, {error.where}" if error.where else places
            raise
    return pooled


def _ranked(summary: Summary) -> list[Result]:
    """Return what the ranking of one file alone is worth; ROC-AUC never stands alone."""
    from veridical.evaluation import evaluate

    metrics = ["binary.roc_auc", "binary.average_precision"]
    ev = evaluate(summary, metrics, intervals=False)
    return [r for r in ev.results if r.group is None and r.metric in metrics]


def _described(name: str, summary: Summary, results: Sequence[Result]) -> dict[str, Any]:
    rows, positives = summary.tally.rows, summary.tally.positives
    return {
        "path": name,
        "sha256": summary.sha256,
        "n_rows": rows,
        "n_positive": positives,
        "prevalence": positives / rows if rows else None,
        "results": [result.to_dict() for result in results],
    }


def _rows(
    summaries: Sequence[tuple[str, Summary]], each: Mapping[str, Sequence[Result]]
) -> list[Row]:
    lines: list[Row] = [("file", "score", "rows", "positive", "ROC-AUC", "average precision")]
    for name, summary in summaries:
        rows, positives = summary.tally.rows, summary.tally.positives
        share = f" ({100 * positives / rows:.3g}%)" if rows else ""
        for score in summary.header.scores:
            values = [_told(result) for result in each[name] if result.subject == score]
            counts = (f"{rows:,}", f"{positives:,}{share}")
            lines.append((visible(name), visible(score), *counts, *values))
    return lines


def _told(result: Result) -> str:
    if not result.ok:
        return f"skipped ({result.reason})"
    from veridical.report.sections import certified

    return f"{result.value:.4f} {certified(result)}".rstrip()


def _aligned(rows: Sequence[Row]) -> list[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(cell, size, right=index in {2, 3})
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
