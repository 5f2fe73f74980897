"""``veridical compare``: two runs that were measured before, and whether one is better."""

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

Many = list[str] | None


def compare(
    a: Annotated[
        str,
        Parameter(help="A stored run by name or id, or latest; a file that --json wrote."),
    ],
    b: Annotated[str, Parameter(help="The run to compare it with; differences are A minus B.")],
    /,
    *,
    metric: Annotated[
        Many,
        Parameter(
            name=["--metric", "-m"],
            group=_WHAT,
            help="Metric to compare; repeat it. By default every one that both measured.",
        ),
    ] = None,
    subject: Annotated[
        str | None,
        Parameter(group=_WHAT, help="Score column, run or system; by default those of both."),
    ] = None,
    against: Annotated[
        str | None,
        Parameter(group=_WHAT, help="The same for B, where it has another name there."),
    ] = None,
    group: Annotated[
        Many,
        Parameter(group=_WHAT, help="Group such as segment=a; repeat it. By default all groups."),
    ] = None,
    allow: Annotated[
        Many,
        Parameter(group=_WHAT, help="A condition that may differ; repeat it. It is recorded."),
    ] = None,
    store: StoreAt = None,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Compare two runs, unit by unit where their units match."""
    one_form(json=json, markdown=markdown)
    if report is not None:
        check_target(report, sources=[], others=[a, b], store=store)

    from veridical.comparison.runs import compare_recorded

    found = compare_recorded(
        a,
        b,
        metric,
        subject=subject,
        against=against,
        groups=group,
        allow=allow or (),
        store=store,
    )
    if report is not None:
        talk(f"report: {found.report(report)}")
    if json:
        emit_json(found.to_dict())
    else:
        from veridical.comparison import terminal

        emit(terminal.comparison_markdown(found) if markdown else terminal.comparison_text(found))
    return UNDECIDED if found.is_empty else OK
