"""``veridical merge``: pool summaries of data sets that never met, and measure the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from veridical.cli.keeping import check_saving, keep
from veridical.cli.merged_files import aligned, described, files_of, tables_of
from veridical.cli.options import (
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
from veridical.cli.prices import costs_of
from veridical.cli.saving import Save, StoreAt, Tag
from veridical.cli.showing import show
from veridical.cli.targets import check_targets
from veridical.errors import MismatchError
from veridical.exit_codes import OK, UNDECIDED
from veridical.report.visible import visible

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.parity import FairnessByPlace
    from veridical.portable import Summary
    from veridical.report.payload import NamedTable

__all__ = ["merge"]


FAIRNESS = Group("Fairness", sort_key=3)

Many = list[str] | None


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
    favourable: Annotated[
        str | None,
        Parameter(
            group=FAIRNESS,
            help="Measure fairness too: 1 where a score of at least --threshold is good for whom "
            "it is about, 0 where the others are.",
        ),
    ] = None,
    favourable_label: Annotated[
        str | None,
        Parameter(group=FAIRNESS, help="The favourable label, where it is not that value."),
    ] = None,
    score: Annotated[
        str | None,
        Parameter(group=FAIRNESS, help="The score that decides, where there are several."),
    ] = None,
    group: Annotated[
        Many, Parameter(group=FAIRNESS, help="Groups to compare; all of the files by default.")
    ] = None,
    reference: Annotated[
        Many,
        Parameter(
            group=FAIRNESS, help="Group that others are held against; by default the largest."
        ),
    ] = None,
    min_size: Annotated[
        int, Parameter(group=FAIRNESS, help="Groups of fewer rows are shown, and not ranked.")
    ] = 30,
    no_intervals: NoIntervals = False,
    level: Level = 0.95,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write the pooled summary too."),
    ] = None,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Pool summaries, and measure the whole."""
    check_saving(save, tag)
    one_form(json=json, markdown=markdown)
    costs = costs_of(cost_fn, cost_fp, cost_review)
    check_targets(output, report, sources=file, store=store)

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
    files = list(files_of(summaries))
    found = None
    if favourable is not None:
        from veridical.parity import fairness_by_place

        found = fairness_by_place(
            dict(summaries),
            favourable=favourable,
            favourable_label=favourable_label,
            groups=group or (),
            score=score,
            threshold=threshold,
            reference=reference or (),
            min_size=min_size,
            level=level,
            intervals=not no_intervals,
        )
    tables = tables_of(files)
    if report is not None:
        talk(f"report: {_write_page(report, result, file, [*tables, *_of_fairness(found)])}")
    if json:
        fairness = {} if found is None else {"fairness": found.to_dict()}
        emit_json({**result.to_dict(), "files": [described(one) for one in files], **fairness})
    elif markdown:
        show(result, markdown=True)
        emit("\n".join(map(_as_markdown, [*tables, *_of_fairness(found)])))
    else:
        for table in tables:
            emit("\n".join([*aligned([table["head"], *table["rows"]]), ""]))
        show(result)
        if found is not None:
            from veridical.report.fairness_places import fairness_places_text

            emit(f"\n{fairness_places_text(found)}")
    keep(result, save, tag, store, {"metrics": metric, "files": file})
    return OK if any(one.ok for one in result.results) else UNDECIDED


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


def _of_fairness(found: FairnessByPlace | None) -> list[NamedTable]:
    if found is None:
        return []
    from veridical.report.fairness import about
    from veridical.report.fairness_places import fairness_places_rows

    head, *rows = fairness_places_rows(found)
    lede = "; ".join(about(found.pooled))
    return [{"anchor": "fairness", "heading": "Fairness", "lede": lede, "head": head, "rows": rows}]


def _write_page(
    path: Path, result: Evaluation, files: Sequence[str], tables: Sequence[NamedTable]
) -> Path:
    """Write the page of the pool, with what is known of each file; folders are left out."""
    from veridical.report.assemble import report_payload
    from veridical.report.html import render_report
    from veridical.writing import write_atomically

    names = {visible(file): visible(PurePath(file).name) for file in files}
    if len(set(names.values())) < len(names):  # then it is the folders that tell them apart
        names = {}

    def named(text: str) -> str:
        found = next((file for file in names if text in {file, f"all but {file}"}), None)
        return text if found is None else text.removesuffix(found) + names[found]

    shown = list(map(named, map(visible, files)))
    payload = report_payload(result, ", ".join(shown[:3]) + (", ..." if len(shown) > 3 else ""))
    payload["passport"]["source"] = payload["title"]
    payload["tables"] = [
        {**table, "rows": [list(map(named, row)) for row in table["rows"]]} for table in tables
    ]
    return write_atomically(path, render_report(payload))


def _as_markdown(table: NamedTable) -> str:
    from veridical.report.markdown import markdown_table, markdown_text

    heading, lede = markdown_text(table["heading"]), markdown_text(table["lede"])
    return f"\n**{heading}**\n\n{lede}\n\n{markdown_table(table['head'], table['rows'])}"
