"""``veridical rag compare``: two pipelines on the cases that are scored in both."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from veridical.cli.options import Json, Markdown, Report
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_target
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["compare"]

_WHAT = Group("What to compare", sort_key=1)


def compare(
    a: Annotated[str, Parameter(help="A RAG run by name or id, or latest; a file of --json.")],
    b: Annotated[str, Parameter(help="The run to compare it with; differences are A minus B.")],
    /,
    *,
    metric: Annotated[
        list[str] | None,
        Parameter(
            name=["--metric", "-m"],
            group=_WHAT,
            help="Metric to compare; repeat it. By default every one that both measured.",
        ),
    ] = None,
    allow_mixed_judges: Annotated[
        bool,
        Parameter(
            group=_WHAT,
            show_default=False,
            help="Compare although other models or prompts judged; it is said and recorded.",
        ),
    ] = False,
    allow: Annotated[
        list[str] | None,
        Parameter(group=_WHAT, help="A condition that may differ; repeat it. It is recorded."),
    ] = None,
    store: StoreAt = None,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Compare two RAG runs case by case; judged differently, they are refused."""
    one_form(json=json, markdown=markdown)
    if report is not None:
        check_target(report, sources=[], others=[a, b], store=store)

    from veridical.comparison import terminal
    from veridical.rag.comparing import compare_rag

    found = compare_rag(
        a, b, metric, allow_mixed_judges=allow_mixed_judges, allow=allow or (), store=store
    )
    if report is not None:
        talk(f"report: {found.report(report)}")
    if json:
        emit_json(found.to_dict())
    else:
        emit(terminal.comparison_markdown(found) if markdown else terminal.comparison_text(found))
    return UNDECIDED if found.is_empty else OK
