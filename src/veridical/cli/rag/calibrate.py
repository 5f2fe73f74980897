"""``veridical rag calibrate``: a judge beside labelled samples, prompt by prompt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.judge.calibration.agreement import Calibration, Thresholds
    from veridical.judge.calibration.samples import Sample

__all__ = ["calibrate"]


def calibrate(
    *,
    judge: Annotated[
        str | None,
        Parameter(
            help="lexical, constant-0.5, random or labels:FILE; by default the endpoint that "
            "VERIDICAL_JUDGE_BASE_URL and VERIDICAL_JUDGE_MODEL name."
        ),
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
    json: Json = False,
) -> int:
    """Measure how far a judge agrees with labels; exit 1 where a prompt falls below."""
    from veridical.judge.calibration.agreement import Thresholds
    from veridical.judge.calibration.samples import read_samples, shipped_samples
    from veridical.judge.calibration.showing import calibration_text

    if repeats < 1 or not 0 <= min_exact <= 1 or not 0 <= min_within <= 1:
        raise ParameterError(
            "the repeats or a threshold cannot be", fix="give at least 1, and shares from 0 to 1"
        )
    labelled = shipped_samples() if samples is None else read_samples(samples)
    limits = Thresholds(exact=min_exact, within=min_within)
    found = asyncio.run(_asked(judge, labelled, repeats, limits, attacked=attacks))
    if json:
        emit_json(found.to_dict())
    else:
        emit(calibration_text(found))
    return 0 if found.passed else 1


async def _asked(
    judge: str | None,
    samples: list[Sample],
    repeats: int,
    limits: Thresholds,
    *,
    attacked: bool,
) -> Calibration:
    from contextlib import AsyncExitStack
    from dataclasses import replace

    from veridical.judge.attacks import raised
    from veridical.judge.calibration.calibrating import asking
    from veridical.judge.calibration.calibrating import calibrate as measured
    from veridical.judge.client import JudgeClient
    from veridical.judge.serving import judge_named
    from veridical.judge.settings import JudgeSettings

    async with AsyncExitStack() as stack:
        if judge is not None:
            answers, name = judge_named(judge)
            ask = asking(answers)
        elif (settings := JudgeSettings.from_configuration({})) is not None:
            name, ask = settings.model, (await stack.enter_async_context(JudgeClient(settings))).ask
        else:
            raise ParameterError(
                "no judge is configured",
                fix="give --judge lexical, or set VERIDICAL_JUDGE_BASE_URL",
            )
        found = await measured(ask, samples, judge=name, repeats=repeats, thresholds=limits)
        return replace(found, fallen_for=tuple(await raised(ask))) if attacked else found
