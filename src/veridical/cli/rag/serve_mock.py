"""``veridical rag serve-mock``: a judge's endpoint on this machine, to try things on."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.output import emit, talk
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.judge.serving import MockServer

__all__ = ["serve_mock"]


def serve_mock(
    *,
    port: Annotated[int, Parameter(help="Where to listen; 0 for any free port.")] = 8643,
    judge: Annotated[
        str,
        Parameter(help="lexical, constant-0, constant-0.5, constant-1, random, or labels:FILE."),
    ] = "lexical",
    faults: Annotated[
        str, Parameter(help="What goes wrong: 429=0.1,reset=0.05 by rate, hang@3 by request.")
    ] = "",
    seed: Annotated[int, Parameter(help="Decides which requests meet a fault.")] = 0,
    finally_succeed: Annotated[
        bool, Parameter(show_default=False, help="Let every question come through in the end.")
    ] = False,
    latency_ms: Annotated[float, Parameter(help="How long a reply takes.")] = 0.0,
    input_cost: Annotated[
        Decimal | None, Parameter(help="What it charges for a million input tokens.")
    ] = None,
    output_cost: Annotated[
        Decimal | None, Parameter(help="What it charges for a million output tokens.")
    ] = None,
) -> int:
    """Serve a judge with a seeded schedule of faults, on this machine alone; Ctrl-C ends it."""
    from veridical.judge.serving import FaultSchedule, MockServer, judge_named
    from veridical.judge.settings import Price

    if not 0 <= port < 65536 or not 0 <= latency_ms <= 600_000:
        raise ParameterError(
            "the port or the latency cannot be", fix="give a port below 65536, and milliseconds"
        )
    if (input_cost is None) != (output_cost is None):
        raise ParameterError("one price is missing", fix="give --input-cost and --output-cost")
    priced = None if input_cost is None or output_cost is None else (input_cost, output_cost)
    answers, model = judge_named(judge)
    schedule = FaultSchedule.parse(faults, seed=seed, finally_succeeds=finally_succeed)
    server = MockServer(
        answers,
        schedule,
        model=model,
        port=port,
        latency_s=latency_ms / 1000,
        price=None if priced is None else Price(*priced),
    )
    try:
        asyncio.run(_until_interrupted(server))
    except KeyboardInterrupt:
        seen = server.ledger
        talk(f"{seen.requests:,} requests, {seen.paid:,} charged, {seen.cost} in all")
    return 0  # it was asked to end, and nothing was left undone


async def _until_interrupted(server: MockServer) -> None:
    async with server:
        emit(server.base_url)
        talk(f"serving {server.model}; set VERIDICAL_JUDGE_BASE_URL to the address; Ctrl-C ends it")
        await asyncio.Event().wait()
