"""``veridical monitor start`` and ``observe``: a frozen reference, then period by period."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.monitor.common import MONITOR, Actor, Name, actor_of, opened
from veridical.cli.options import DATA, Json
from veridical.cli.output import emit, emit_json
from veridical.cli.saving import StoreAt
from veridical.report.visible import visible
from veridical.tables._words import counted

__all__ = ["observe", "start"]


def start(
    name: Name,
    reference: Annotated[
        str, Parameter(help="CSV, Parquet, JSONL or Arrow; or a .reference file that was frozen.")
    ],
    /,
    *,
    column: Annotated[
        list[str] | None,
        Parameter(
            group=DATA, help="Column to watch; repeat it. By default all but text that names rows."
        ),
    ] = None,
    rules: Annotated[
        Path | None,
        Parameter(group=MONITOR, help="YAML: windows, rest, approval, target. Plain by default."),
    ] = None,
    actor: Actor = None,
    store: StoreAt = None,
) -> int:
    """Freeze a reference, and begin to watch."""
    from veridical.monitor import MonitorRules, read_rules

    chosen = MonitorRules() if rules is None else read_rules(rules)
    with opened(name, store, create=True) as monitor:
        status = monitor.start(reference, chosen, columns=column, actor=actor_of(actor))
    watched = counted(len(status.reference["columns"]), "column")
    emit(
        f"monitor {status.name}: {watched} of {status.reference['n']:,} rows\n"
        f"  rules {visible(chosen.name)} ({chosen.sha256[:12]}), reference "
        f"{status.reference['sha256'][:12]}"
    )
    return 0


def observe(
    name: Name,
    file: Annotated[str, Parameter(help="The watched columns, of one period.")],
    /,
    *,
    period: Annotated[str, Parameter(group=MONITOR, help="What it is called, such as 2026-03.")],
    actor: Actor = None,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Measure a period against the reference, record it, and say what follows.

    An alert is no failure of the command, which ends with 0 all the same: what follows from it is
    the request that `dispatch` delivers.  A job that wants to know reads `state` of --json.
    """
    from veridical.monitor.showing import status_document, status_text

    with opened(name, store) as monitor:
        status = monitor.observe(file, period, actor=actor_of(actor))
        events = monitor.events()
    if json:
        emit_json(status_document(status, events))
    else:
        emit(status_text(status, events))
    return 0
