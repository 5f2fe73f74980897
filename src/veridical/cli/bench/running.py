"""What `veridical bench run` and `resume` have in common."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Group, Parameter

from veridical.cli.output import emit, emit_json, talk
from veridical.exit_codes import INTERRUPTED, SERVICE

if TYPE_CHECKING:
    from veridical.bench.running.plan import RunPlan
    from veridical.bench.running.suite_run import Ran

__all__ = ["RUNNING", "Workers", "carried_out"]

RUNNING = Group("Run", sort_key=3)
_PAUSE_S = 0.5

Workers: TypeAlias = Annotated[int, Parameter(group=RUNNING, help="Cases at a time.")]


def carried_out(plan: RunPlan, path: Path, workers: int, *, json: bool) -> int:
    """Run what a plan still lacks, say what came of it, and return the exit code."""
    from veridical.bench.adapters.plugging import agent_of
    from veridical.bench.cases import Limits
    from veridical.bench.running.suite_run import run_suite
    from veridical.cli.bench.suite_options import chosen_suite
    from veridical.errors import MismatchError

    suite = chosen_suite(plan.suite, plan.suite_seed, plan.cases)
    if suite.manifest_sha256 != plan.manifest_sha256:
        raise MismatchError(
            "the suite is another one than when the run began",
            why="this version generates other cases",
            fix="begin a new run",
        )
    try:
        with redirect_stdout(sys.stderr):  # what an agent prints is no result
            ran = run_suite(
                agent_of(plan.agent),
                suite.cases,
                path,
                suite=plan.suite,
                limits=Limits(),
                run_id=plan.run_id,
                trials=plan.trials,
                workers=workers,
                progress=_progress(),
            )
    except KeyboardInterrupt:
        talk(f"interrupted; go on with: veridical bench resume {path}")
        return INTERRUPTED
    return _told(plan, ran, json=json)


def _told(plan: RunPlan, ran: Ran, *, json: bool) -> int:
    if ran.torn_bytes:
        talk(f"the last line was never finished; its {ran.torn_bytes:,} bytes were cut off", "note")
    if json:
        emit_json(
            {
                "schema": "veridical.bench_run/1",
                "run_id": plan.run_id,
                "trajectories": str(ran.path),
                "planned": ran.planned,
                "kept": ran.kept,
                "outcomes": dict(ran.outcomes),
                "left": ran.left,
                "last_error": ran.last_error,
            }
        )
    else:
        told = ", ".join(f"{n:,} {name}" for name, n in ran.outcomes.items())
        emit(f"{ran.path}: {ran.planned:,} trials: {told}")
    if not ran.outcomes.get("infra_error"):
        return 0
    stopped = f", and {ran.left:,} were not begun" if ran.left else ""
    talk(f"some could not be asked{stopped}: {ran.last_error}")
    if plan.agent["kind"] == "replay":  # its lines are what it is: with more of them it is another
        talk("add the lines that are missing, and replay them into another file")
    else:
        talk(f"go on with: veridical bench resume {ran.path}")
    return SERVICE


def _progress() -> Callable[[int, int], None]:
    """Return what tells a person how the run goes on; a pipe hears of the end alone."""
    told = 0.0

    def done(number: int, of: int) -> None:
        nonlocal told
        now = time.monotonic()
        if sys.stderr.isatty() and (number == of or now - told > _PAUSE_S):
            told = now
            end = "\n" if number == of else ""
            sys.stderr.write(f"\r{number:,} of {of:,} trials{end}")
            sys.stderr.flush()

    return done
