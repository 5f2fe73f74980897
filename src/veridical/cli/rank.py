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
from veridical.cli.ranking import rank_runs
from veridical.cli.saving import Save, StoreAt, Tag

__all__ = ["rank"]


def rank(
    run: Annotated[
        list[str],
        Parameter(
            help="TREC text, JSON, JSONL, CSV, Parquet or Arrow, or a folder with one such file; "
            "several to compare them."
        ),
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
    fuse: Annotated[
        Literal["rrf", "combsum", "combmnz"] | None,
        Parameter(
            group=DATA,
            help="Measure what the runs make together too, under the name of the method: "
            "reciprocal ranks, or sums of scaled scores.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        Parameter(group=DATA, show_default=False, help="Refuse queries that one side lacks."),
    ] = False,
    per_query: Annotated[
        bool, Parameter(group=OUTPUT, show_default=False, help="Print every query's value too.")
    ] = False,
    trec: Annotated[
        bool,
        Parameter(
            group=OUTPUT,
            show_default=False,
            help="Print in the form of trec_eval; -m then takes its names, such as P.5.",
        ),
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
    return rank_runs(**locals())  # a test holds the options of both together
