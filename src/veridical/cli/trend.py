"""``veridical trend``: one metric over many runs."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from veridical.cli.options import Json, Markdown, Report
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_target
from veridical.errors import ParameterError
from veridical.exit_codes import OK, UNDECIDED

__all__ = ["trend"]

_WHAT = Group("What to follow", sort_key=1)


def trend(
    metric: Annotated[str, Parameter(help="What to follow, see `veridical metrics`.")],
    run: Annotated[
        list[str] | None,
        Parameter(help="Stored runs by name or id, or files that --json wrote; by default all."),
    ] = None,
    /,
    *,
    name: Annotated[
        str | None, Parameter(group=_WHAT, help="Only stored runs with this name.")
    ] = None,
    tag: Annotated[
        str | None, Parameter(group=_WHAT, help="Only stored runs with this tag.")
    ] = None,
    last: Annotated[int, Parameter(group=_WHAT, help="At most so many stored runs.")] = 50,
    subject: Annotated[
        str | None,
        Parameter(group=_WHAT, help="Score column, run or system, where there are several."),
    ] = None,
    group: Annotated[str | None, Parameter(group=_WHAT, help="Group such as segment=a.")] = None,
    allow: Annotated[
        list[str] | None,
        Parameter(group=_WHAT, help="A condition that may differ; repeat it. It is recorded."),
    ] = None,
    store: StoreAt = None,
    report: Report = None,
    markdown: Markdown = False,
    json: Json = False,
) -> int:
    """Follow one metric over runs that were measured in the same way."""
    one_form(json=json, markdown=markdown)
    if run and (name is not None or tag is not None):
        raise ParameterError("runs are named, and --name or --tag chooses others", fix="give one")
    if last < 1:
        raise ParameterError(f"--last is at least 1, not {last}", fix="give a number of runs")
    if report is not None:
        check_target(report, sources=[], others=run or [], store=store)

    from veridical.comparison.trends import stored_runs
    from veridical.comparison.trends import trend as followed

    runs = run or stored_runs(name=name, tag=tag, metric=metric, last=last, store=store)
    found = followed(runs, metric, subject=subject, group=group, allow=allow or (), store=store)
    if report is not None:
        talk(f"report: {found.report(report)}")
    if json:
        emit_json(found.to_dict())
    else:
        from veridical.comparison.trend_table import trend_markdown, trend_text

        emit(trend_markdown(found) if markdown else trend_text(found))
    return OK if any(point.result.ok for point in found.points) else UNDECIDED
