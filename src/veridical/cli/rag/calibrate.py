"""``veridical rag calibrate``: a judge beside labelled samples, prompt by prompt."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json, talk
from veridical.cli.rag.running import NoCache, opened
from veridical.cli.saving import StoreAt
from veridical.errors import ParameterError
from veridical.exit_codes import FAILED, OK

if TYPE_CHECKING:
    from veridical.judge.calibration.calibrating import Ask
    from veridical.judge.purse import Purse
    from veridical.judge.settings import JudgeSettings
    from veridical.rag.configuration import Configuration

__all__ = ["calibrate"]


def calibrate(
    *,
    judge: Annotated[
        str | None,
        Parameter(
            help="lexical, constant-0.5, random or labels:FILE; by default the endpoint that "
            "--config, or VERIDICAL_JUDGE_BASE_URL and VERIDICAL_JUDGE_MODEL, name."
        ),
    ] = None,
    config: Annotated[
        Path | None, Parameter(help="The configuration whose judge is asked, and its store used.")
    ] = None,
    samples: Annotated[
        str | None, Parameter(help="JSONL of labelled samples; by default those of the package.")
    ] = None,
    repeats: Annotated[int, Parameter(help="How often each sample is judged.")] = 1,
    min_exact: Annotated[float, Parameter(help="Least share in the same band.")] = 0.7,
    min_within: Annotated[float, Parameter(help="Least share within one band.")] = 0.9,
    attacks: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help="Also try forged verdicts on the judge; one that raises a score fails.",
        ),
    ] = False,
    no_cache: NoCache = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Measure how far a judge agrees with labels; exit 1 where a prompt falls below.

    What an endpoint replies is kept, and asked once; a budget that is spent ends with exit 2.
    """
    from dataclasses import replace

    from veridical.judge.attacks import raised
    from veridical.judge.calibration.agreement import Calibration, Thresholds
    from veridical.judge.calibration.calibrating import calibrate as measure
    from veridical.judge.calibration.samples import read_samples, shipped_samples
    from veridical.judge.calibration.showing import calibration_text

    if repeats < 1 or not 0 <= min_exact <= 1 or not 0 <= min_within <= 1:
        raise ParameterError(
            "the repeats or a threshold cannot be", fix="give at least 1, and shares from 0 to 1"
        )
    labelled = shipped_samples() if samples is None else read_samples(samples)
    limits = Thresholds(exact=min_exact, within=min_within)

    async def measured() -> Calibration:
        async with AsyncExitStack() as stack:
            name, ask = (
                await _endpoint(stack, config, store, use_cache=not no_cache)
                if judge is None
                else _local(judge)
            )
            found = await measure(ask, labelled, judge=name, repeats=repeats, thresholds=limits)
            return replace(found, fallen_for=tuple(await raised(ask))) if attacks else found

    found = asyncio.run(measured())
    if json:
        emit_json(found.to_dict())
    else:
        emit(calibration_text(found))
    return OK if found.passed else FAILED


def _local(judge: str) -> tuple[str, Ask]:
    """Return the name of a judge in this process, and what asks it."""
    from veridical.judge.calibration.calibrating import asking
    from veridical.judge.serving import judge_named

    answers, name = judge_named(judge)
    return name, asking(answers)


async def _endpoint(
    stack: AsyncExitStack, config: Path | None, store: str | None, *, use_cache: bool
) -> tuple[str, Ask]:
    """Return the model behind the configured endpoint, and what asks it until the stack ends."""
    from veridical.judge.cache import VerdictCache
    from veridical.judge.client import JudgeClient
    from veridical.judge.purse import Purse
    from veridical.rag.configuration import read_configuration
    from veridical.store import GroupCommit, Store

    configuration = None if config is None else read_configuration(config)
    settings = _settings(configuration)
    settings.check_budget()
    cache, purse = None, Purse()
    if use_cache:
        kept = Store(store) if configuration is None else opened(configuration, store)
        cache = VerdictCache(
            await stack.enter_async_context(GroupCommit(stack.enter_context(kept)))
        )
    client = JudgeClient(settings, cache=cache, spending=purse)
    stack.callback(_tell, purse, priced=settings.price is not None)
    return settings.model, (await stack.enter_async_context(client)).ask


def _settings(configuration: Configuration | None) -> JudgeSettings:
    """Return the judge of a configuration, or that of the environment where there is none."""
    from veridical.judge.settings import JudgeSettings

    settings = (
        JudgeSettings.from_configuration({})
        if configuration is None
        else configuration.judge_settings()
    )
    if settings is None:
        raise ParameterError(
            "no judge is configured",
            fix="give --judge lexical or --config, or set VERIDICAL_JUDGE_BASE_URL",
        )
    return settings


def _tell(purse: Purse, *, priced: bool) -> None:
    if purse.calls:
        cost = f"{purse.cost} USD spent" if priced else "price unknown"
        talk(f"judge: {purse.calls:,} calls, {cost}")
