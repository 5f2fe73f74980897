"""Ask a judge every sample, and set its verdicts beside the labels."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from veridical.errors import InputError, JudgeStoppedError
from veridical.judge.calibration.agreement import (
    JUDGE_ERROR,
    MIN_SAMPLES,
    Calibration,
    Judged,
    PromptCalibration,
    Thresholds,
)
from veridical.judge.calibration.samples import Sample, band
from veridical.judge.contracts import CONTRACTS, verdict_score
from veridical.judge.reading import ReplyError, read_reply
from veridical.judge.rendering import render
from veridical.judge.verdicts import Failure, Question, Verdict

__all__ = ["Ask", "asking", "calibrate"]

Ask: TypeAlias = Callable[[Question, int], Awaitable[Verdict | Failure]]
"""``JudgeClient.ask``, or something like it: a question and the number of the repeat."""


def asking(answer: Callable[[dict[str, Any]], str]) -> Ask:
    """Return a judge in this process, ``answer`` of a chat request, as something to be asked."""

    async def ask(question: Question, repeat: int) -> Verdict | Failure:  # noqa: ARG001
        sent = render(question)
        if isinstance(sent, Failure):
            return sent
        raw = answer({"messages": list(sent.messages)})
        try:
            return Verdict(question.contract, read_reply(raw, question), raw)
        except ReplyError as error:
            return Failure(question.contract, error.code, error.detail, (raw,))

    return ask


async def calibrate(
    ask: Ask,
    samples: Sequence[Sample],
    *,
    judge: str,
    repeats: int = 1,
    thresholds: Thresholds | None = None,
) -> Calibration:
    """Return how far a judge agrees with the labels of samples.

    Parameters
    ----------
    ask
        The judge.
    samples
        At least ten for each prompt among them.
    judge
        Its name.
    repeats
        How often each sample is judged.
    thresholds
        By default those of ``Thresholds``.

    Raises
    ------
    InputError
        A prompt has too few samples.
    JudgeStoppedError
        The judge cannot be reached or paid for.
    """
    for contract, n in Counter(sample.contract for sample in samples).items():
        if n < MIN_SAMPLES:
            raise InputError(
                f"{contract} has {n} samples, and needs at least {MIN_SAMPLES}",
                fix="label more, or leave the prompt out",
            )
    asked = await asyncio.gather(*(_judged(ask, sample, repeats) for sample in samples))
    by_prompt: Mapping[str, list[Judged]] = {contract: [] for contract in CONTRACTS}
    for item in asked:
        by_prompt[item.sample.contract].append(item)
    limits = thresholds or Thresholds()
    prompts = (
        PromptCalibration(contract, tuple(by_prompt[contract]), limits)
        for contract in CONTRACTS
        if by_prompt[contract]
    )
    return Calibration(judge, tuple(prompts))


async def _judged(ask: Ask, sample: Sample, repeats: int) -> Judged:
    question = sample.asked()
    bands = [_band(question, await ask(question, repeat)) for repeat in range(1, repeats + 1)]
    return Judged(sample, tuple(bands))


def _band(question: Question, found: Verdict | Failure) -> str:
    if isinstance(found, Verdict):
        return band(verdict_score(question, found.reply))
    if found.kind in {"stop", "budget"}:
        raise JudgeStoppedError(
            f"the judge stopped: {found.detail}", fix="check its key, its budget and its address"
        )
    return JUDGE_ERROR
