"""``veridical bench run``: an agent on every case of a suite."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from veridical.cli.bench.running import RUNNING, Workers, carried_out
from veridical.cli.bench.suite_options import CaseCount, SuiteName, SuiteSeed, chosen_suite
from veridical.cli.options import OUTPUT, Json
from veridical.errors import ParameterError
from veridical.writing import check_writable

__all__ = ["run"]

_AGENT = Group("Agent, one of these", sort_key=2)
_MODEL = Group("Of a model", sort_key=3)
_COMMAND = Group("Of a command", sort_key=3)


def run(
    *,
    output: Annotated[
        Path,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="A new file, such as mine.jsonl."),
    ],
    agent: Annotated[
        str | None, Parameter(group=_AGENT, help="One that is shipped, such as naive.")
    ] = None,
    function: Annotated[
        str | None, Parameter(group=_AGENT, help="module:function, called with (task, tools).")
    ] = None,
    command: Annotated[
        str | None, Parameter(group=_AGENT, help="A program: JSON on stdin, JSON on stdout.")
    ] = None,
    replay: Annotated[
        Path | None, Parameter(group=_AGENT, help="JSON lines of runs that were made elsewhere.")
    ] = None,
    model: Annotated[
        str | None, Parameter(group=_AGENT, help="A model behind /chat/completions, with tools.")
    ] = None,
    base_url: Annotated[
        str | None, Parameter(group=_MODEL, help="Such as http://127.0.0.1:8000/v1.")
    ] = None,
    key_env: Annotated[
        str | None, Parameter(group=_MODEL, help="Name of the variable that holds the key.")
    ] = None,
    provider: Annotated[
        str | None, Parameter(group=_MODEL, help="As the price table names it.")
    ] = None,
    temperature: Annotated[float | None, Parameter(group=_MODEL, help="Sent where given.")] = None,
    top_p: Annotated[float | None, Parameter(group=_MODEL, help="Sent where given.")] = None,
    max_tokens: Annotated[int | None, Parameter(group=_MODEL, help="Sent where given.")] = None,
    model_seed: Annotated[int | None, Parameter(group=_MODEL, help="Sent where given.")] = None,
    pass_env: Annotated[
        list[str] | None,
        Parameter(group=_COMMAND, help="Variable that the program may see; repeat it."),
    ] = None,
    readable: Annotated[
        list[str] | None,
        Parameter(group=_COMMAND, help="File or folder that it may read; repeat it."),
    ] = None,
    isolation: Annotated[
        Literal["auto", "bubblewrap", "landlock", "none"],
        Parameter(group=_COMMAND, help="What keeps the program from reading more than its files."),
    ] = "auto",
    name: Annotated[
        str | None, Parameter(group=RUNNING, help="Of the agent, as reports show it.")
    ] = None,
    suite: SuiteName = "dev",
    suite_seed: SuiteSeed = None,
    cases: CaseCount = None,
    trials: Annotated[int, Parameter(group=RUNNING, help="How often each case is run.")] = 1,
    workers: Workers = 1,
    json: Json = False,
) -> int:
    """Run an agent on a suite, and keep what it did, line by line.

    Whatever it answers the exit code is 0: `veridical bench score` says what it is worth.
    """
    check_writable(output)
    if trials < 1 or workers < 1:
        raise ParameterError("--trials and --workers are at least 1", fix="give a whole number")
    asked: dict[str, dict[str, Any] | None] = {
        "--agent": None if agent is None else {"kind": "shipped", "name": agent},
        "--function": None if function is None else {"kind": "callable", "target": function},
        "--replay": None if replay is None else {"kind": "replay", "path": str(replay.absolute())},
        "--command": None
        if command is None
        else {
            "kind": "command",
            "words": _words(command),
            "environment": pass_env or [],
            "readable": readable or [],
            "isolation": isolation,
        },
        "--model": None
        if model is None
        else {
            "kind": "openai_chat",
            "model": model,
            "base_url": base_url or "",
            "key_env": key_env,
            "provider": provider,
            "sampling": _given(
                temperature=temperature, top_p=top_p, max_tokens=max_tokens, seed=model_seed
            ),
        },
    }
    description = _one(asked)
    if name is not None and description["kind"] in {"callable", "command", "replay"}:
        description["name"] = name

    from veridical.bench.adapters.plugging import agent_of
    from veridical.bench.running.plan import RunPlan
    from veridical.bench.running.suite_run import new_run_id

    with redirect_stdout(sys.stderr):  # what a module prints is no result
        agent_of(description)
    made = chosen_suite(suite, suite_seed, cases)
    plan = RunPlan(
        run_id=new_run_id(),
        suite=suite,
        suite_seed=suite_seed,
        cases=cases,
        manifest_sha256=made.manifest_sha256,
        trials=trials,
        agent=description,
    )
    plan.write(output)
    return carried_out(plan, output, workers, json=json)


def _one(asked: dict[str, dict[str, Any] | None]) -> dict[str, Any]:
    given = {name: description for name, description in asked.items() if description is not None}
    if len(given) != 1:
        raise ParameterError(
            f"an agent is named by one of {', '.join(asked)}",
            where=" and ".join(given),
            fix="give one of them, such as --agent naive",
        )
    return next(iter(given.values()))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ParameterError(
            "the command cannot be split into words", why=str(error), fix="close every quote"
        ) from error


def _given(**sampling: float | None) -> dict[str, float]:
    return {name: value for name, value in sampling.items() if value is not None}
