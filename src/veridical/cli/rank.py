"""``veridical rank``: runs and a golden set in, retrieval metrics with their passports out."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

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
from veridical.cli.saving import Save, StoreAt, Tag, check_saving
from veridical.cli.saving import save as keep
from veridical.cli.targets import check_target
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["rank"]


def rank(
    run: Annotated[
        list[str],
        Parameter(help="TREC text, JSON, JSONL, CSV, Parquet or Arrow; several to compare them."),
    ],
    /,
    *,
    qrels: Annotated[str, Parameter(group=DATA, help="The golden set, in the same formats.")],
    metric: Metrics = None,
    average: Annotated[
        Literal["golden", "intersection"] | None,
        Parameter(
            group=MEASURE,
            help="Queries to average over: those of the golden set, or those that the run has too "
            "(the default under --trec).",
        ),
    ] = None,
    ties: Annotated[
        Literal["docid_desc", "input", "average", "error"],
        Parameter(
            group=MEASURE,
            help="Order of documents with equal scores; average is the mean over all orders.",
        ),
    ] = "docid_desc",
    duplicates: Annotated[
        Literal["error", "keep-first"],
        Parameter(group=DATA, help="What to do with a document that stands twice in a query."),
    ] = "error",
    strict: Annotated[
        bool,
        Parameter(group=DATA, show_default=False, help="Refuse queries that one side lacks."),
    ] = False,
    per_query: Annotated[
        bool, Parameter(group=OUTPUT, show_default=False, help="Print every query's value too.")
    ] = False,
    trec: Annotated[
        bool, Parameter(group=OUTPUT, show_default=False, help="Print in the form of trec_eval.")
    ] = False,
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
    """Measure how well runs rank the documents of a golden set."""
    check_saving(save, tag)
    one_form(json=json, markdown=markdown, trec=trec)
    if report is not None:
        check_target(report, sources=run, others=[qrels])
    from veridical.ranking.evaluating import RankingSettings, evaluated, names_of

    settings = RankingSettings(
        ties=ties,
        duplicates=duplicates,
        average=average or ("intersection" if trec else "golden"),
        level=level,
        intervals=not (no_intervals or trec),
        seed=seed,
    )
    runs = dict(zip(names_of(run), run, strict=True))
    if trec:
        from veridical.ranking.trec_form import trec_metrics, trec_text

        metric = trec_metrics(metric)
    ev = evaluated(runs, qrels, metric, settings, strict=strict, several=len(runs) > 1)
    for sentence in ev.warnings:
        talk(sentence, "warning")
    if report is not None:
        talk(f"report: {ev.report(report)}")
    if trec:
        emit(trec_text(ev, per_query=per_query))
    elif json:
        document = ev.to_dict()
        emit_json({**document, "per_query": list(ev.per_query_rows())} if per_query else document)
    elif markdown:
        from veridical.ranking.terminal import ranking_markdown

        emit(ranking_markdown(ev))
    else:
        from veridical.ranking.terminal import ranking_text

        emit(ranking_text(ev, per_query=per_query))
    keep(ev, save, tag, store, {"metrics": metric, "strict": strict})
    return OK if any(one.ok for one in ev.results) else UNDECIDED
