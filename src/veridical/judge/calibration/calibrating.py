"""Ask a judge every sample, and set its verdicts beside the labels."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from veridical.errors import BudgetSpentError, ConfigurationError, InputError, JudgeStoppedError
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

__all__ = ["Ask", "all_of", "asking", "calibrate", "check_goes_on"]

T = TypeVar("T")
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
    JudgeStoppedError, BudgetSpentError
        The judge cannot be asked any further.
    """
    for contract, n in Counter(sample.contract for sample in samples).items():
        if n < MIN_SAMPLES:
            raise InputError(
                f"{contract} has {n} samples, and needs at least {MIN_SAMPLES}",
                fix="label more, or leave the prompt out",
            )
    asked = await all_of(_judged(ask, sample, repeats) for sample in samples)
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


async def all_of(asked: Iterable[Awaitable[T]]) -> list[T]:
    """Return what each came to; an error only when nothing is under way: it may have been paid."""
    found = await asyncio.gather(*asked, return_exceptions=True)
    came = [one for one in found if not isinstance(one, BaseException)]
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return came


def check_goes_on(found: Verdict | Failure) -> None:
    """Refuse to go on where a judge cannot be asked any further.

    Raises
    ------
    JudgeStoppedError, BudgetSpentError
        Why.
    ConfigurationError
        There is a budget, and the endpoint takes no output cap.
    """
    if isinstance(found, Verdict) or found.kind not in {"stop", "budget"}:
        return
    if found.code == "no_output_cap":
        raise ConfigurationError(
            found.detail,
            where="judge.max_cost_usd",
            fix="use an endpoint that takes an output cap, or take max_cost_usd out",
        )
    if found.kind == "budget":
        raise BudgetSpentError(
            f"the budget is spent: {found.detail}",
            why="the verdicts so far are kept, and cost nothing the next time",
            fix="raise judge.max_cost_usd, and run it again",
        )
    raise JudgeStoppedError(
        f"the judge stopped: {found.detail}", fix="check its key and its address"
    )


async def _judged(ask: Ask, sample: Sample, repeats: int) -> Judged:
    question = sample.asked()
    bands = [_band(question, await ask(question, repeat)) for repeat in range(1, repeats + 1)]
    return Judged(sample, tuple(bands))


def _band(question: Question, found: Verdict | Failure) -> str:
    check_goes_on(found)
    if isinstance(found, Verdict):
        return band(verdict_score(question, found.reply))
    return JUDGE_ERROR
