"""``veridical monitor report``: the history of a monitor, as a trend and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.monitor.common import Name, opened
from veridical.cli.options import OUTPUT, Json, Markdown
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import StoreAt
from veridical.cli.targets import check_target

__all__ = ["report"]


def report(
    name: Name,
    /,
    *,
    report: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Write a self-contained page with charts and events."),
    ] = None,
    markdown: Markdown = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Show how every watched column moved, period by period, and what was done about it."""
    one_form(json=json, markdown=markdown)
    with opened(name, store) as monitor:
        if report is not None and monitor.file is not None:
            check_target(report, sources=[str(monitor.file)])
        events = monitor.events()
    if report is not None:
        from veridical.monitor.page import write_monitor_report

        talk(f"report: {write_monitor_report(name, events, report)}")
    if json:
        from veridical.monitor.showing import status_document
        from veridical.monitor.states import Status

        emit_json(status_document(Status.of(name, events), events))
    elif markdown:
        from veridical.monitor.trend_markdown import trend_markdown

        emit(trend_markdown(name, events))
    else:
        from veridical.monitor.trend_text import trend_text

        emit(trend_text(name, events))
    return 0
