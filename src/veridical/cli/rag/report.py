"""``veridical rag report``: a run for people, with its evidence, and for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from veridical.cli.options import OUTPUT, Json
from veridical.cli.output import emit, emit_json, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_targets
from veridical.writing import write_atomically

__all__ = ["report"]

_WHAT = Group("What to show", sort_key=1)


def report(
    run: Annotated[str, Parameter(help="A RAG run by name or id, or latest.")] = "latest",
    /,
    *,
    most: Annotated[
        int, Parameter(group=_WHAT, help="How many of the worst cases the page shows in full.")
    ] = 200,
    report: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Write a self-contained page with every claim's evidence."),
    ] = None,
    csv: Annotated[
        Path | None, Parameter(group=OUTPUT, help="Write CSV, a row for each case and metric.")
    ] = None,
    junit: Annotated[
        Path | None, Parameter(group=OUTPUT, help="Write JUnit XML, a suite for each metric.")
    ] = None,
    store: StoreAt = None,
    json: Json = False,
) -> int:
    """Show a RAG run: the table, errors by code, the worst cases; and write it for others."""
    check_targets(report, csv, junit, store=store)

    from veridical.rag import exports
    from veridical.rag.stored_cases import stored_cases
    from veridical.report.rag_page import write_rag_report

    found = stored_cases(run, store)
    ev, cases, texts = found.evaluation, found.cases, found.texts
    if report is not None:
        write_rag_report(ev, cases, report, found.heading, texts=texts, most=most)
        talk(f"report: {report}")
    if csv is not None:
        talk(f"csv: {write_atomically(csv, exports.cases_csv(cases))}")
    if junit is not None:
        talk(f"junit: {write_atomically(junit, exports.cases_junit(ev, cases))}")
    if json:
        emit_json(exports.report_document(ev.to_dict(), cases, texts))
    else:
        from veridical.rag.terminal import rag_text

        emit(rag_text(ev, cases, texts=texts))
    return 0
