"""What `veridical rag run`, `resume` and `rescore` have in common."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import Group, Parameter

from veridical.cli.output import emit, emit_json, talk
from veridical.exit_codes import BAD_DATA, BUDGET, INTERRUPTED, SERVICE

if TYPE_CHECKING:
    from veridical.rag.configuration import Configuration
    from veridical.rag.running.closing import Closed
    from veridical.rag.running.runs import Progress
    from veridical.store import Store

__all__ = [
    "RUNNING",
    "USUAL_CONFIG",
    "Config",
    "NoCache",
    "carried_out",
    "ended",
    "opened",
    "printing_is_talk",
    "progress_line",
]

RUNNING = Group("Run", sort_key=2)
USUAL_CONFIG = Path("veridical.yaml")
_EXITS = {"aborted:budget": BUDGET, "stopped:judge": SERVICE}
_NO_OUTPUT_CAP = "no_output_cap"
"""The cause where an endpoint takes no limit, which shows at the first question alone."""
_PAUSE_S = 0.5
_WARNINGS = 5

Config: TypeAlias = Annotated[
    Path, Parameter(group=RUNNING, help="The configuration, or the folder that has one.")
]
NoCache: TypeAlias = Annotated[
    bool,
    Parameter(group=RUNNING, show_default=False, help="Neither use nor keep replies of the judge."),
]


def opened(configuration: Configuration, store: str | None) -> Store:
    """Return the store that the command line or the configuration names."""
    from veridical.store import Store

    return Store(configuration.store_at(store))


def printing_is_talk() -> AbstractContextManager[Any]:
    """Send to stderr what a pipeline prints: stdout is the result, a JSON document perhaps."""
    return redirect_stdout(sys.stderr)


def progress_line() -> Progress:
    """Return what tells a person how the run goes on; a pipe hears of the end alone."""
    from veridical.rag.running.runs import Progress

    told, watched = 0.0, sys.stderr.isatty()

    def settled(done: int, of: int) -> None:
        nonlocal told
        now = time.monotonic()
        if watched and (done == of or now - told > _PAUSE_S):
            told = now
            end = "\n" if done == of else ""
            sys.stderr.write(f"\r{done:,} of {of:,} calls settled{end}")
            sys.stderr.flush()

    return Progress(settled, lambda: talk("stopping: calls under way are waited for"))


def carried_out(work: Callable[..., Closed], config: Path, store: str | None, *, json: bool) -> int:
    """Do the work of a verb on the store of its configuration, and return the exit code.

    Parameters
    ----------
    work
        ``begin``, ``resume`` or ``rescore`` with all but configuration, store and progress.
    config, store, json
        As on the command line.
    """
    from veridical.rag.configuration import read_configuration

    configuration = read_configuration(config)
    with opened(configuration, store) as kept:
        with printing_is_talk():
            closed = work(configuration, kept, progress=progress_line())
        return ended(closed, json=json)


def ended(closed: Closed, *, json: bool) -> int:
    """Print the results of a run that ended or stopped, and return its exit code."""
    from veridical.rag.terminal import rag_text

    run = closed.run
    if json:
        emit_json(closed.evaluation.to_dict())
    else:
        emit(rag_text(closed.evaluation))
    for warning in closed.warnings[:_WARNINGS]:
        talk(f"warning: {warning}")
    if len(closed.warnings) > _WARNINGS:
        talk(f"and {len(closed.warnings) - _WARNINGS:,} more: see `veridical rag validate`")
    named = f" ({run.name})" if run.name else ""
    talk(f"run: {run.id}{named}, {closed.status}")
    cost = _cost(closed.calls)
    if cost:
        talk(cost)
    if closed.failure is not None:
        talk(f"cause: {closed.failure.code}: {closed.failure.detail}")
    if closed.status == "finished":
        return 0
    talk(f"go on with: veridical rag resume {run.id}")
    if closed.failure is not None and closed.failure.code == _NO_OUTPUT_CAP:
        return BAD_DATA
    return _EXITS.get(closed.status, INTERRUPTED)


def _cost(calls: Any) -> str:
    judge = calls["judge"]
    if not judge["calls"]:
        return ""
    if judge["cost"] is None:
        return f"judge: {judge['calls']:,} calls, price unknown"
    marked = ", partly estimated" if judge["estimated_calls"] else ""
    return f"judge: {judge['calls']:,} calls, {judge['cost']} USD spent{marked}"
