"""``estimate``: the questions of a run counted before anybody is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

from veridical.judge.cache import cache_key
from veridical.judge.costs import Taken, estimated_tokens, most
from veridical.judge.rendering import Rendered, render
from veridical.judge.settings import JudgeSettings
from veridical.judge.verdicts import Contract, Question
from veridical.judge.worst_case import longest, most_calls, most_of_a_question
from veridical.rag.configuration import Configuration
from veridical.rag.estimating.earlier import Earlier
from veridical.rag.estimating.figures import Asked, Estimate, Share
from veridical.rag.foreseen import ANSWER, PASSAGE, Foreseeing
from veridical.rag.outcomes import Outcome
from veridical.rag.running.measured import Measured, measured_by
from veridical.rag.running.planning import Job
from veridical.rag.scoring import questions

__all__ = ["REPLY_TOKENS", "Cached", "estimate"]

REPLY_TOKENS: Final = 200
"""Tokens that a judge's reply is assumed to have."""

Cached: TypeAlias = Callable[[Sequence[str]], Container[str]]


def estimate(
    configuration: Configuration, earlier: Earlier | None = None, cached: Cached | None = None
) -> Estimate:
    """Return what a run of this configuration will ask; the dataset is read, and nobody is asked.

    Parameters
    ----------
    configuration
        Of the run.
    earlier
        A run whose replies and usage stand for those to come.
    cached
        Which replies of the judge are kept, by their keys: ``store.verdicts().get_all``.  A run
        does not ask for them; None for a run that uses none.

    Raises
    ------
    ConfigurationError, FileFormatError, FileMissingError
        The configuration or the dataset cannot be used.
    """
    measured, pipeline = measured_by(configuration), configuration.pipeline
    planned = measured.plan()
    static = pipeline.kind == "static"
    before = Earlier("") if earlier is None else earlier
    if static:  # answers that are known need no others in their place
        before = replace(before, replies={})
    foreseeing = Foreseeing(static, measured.score.k, before.replies)
    contracts: dict[Contract, Asked] = {}
    assumed = 0
    if not measured.privacy.keeps_texts:  # then a run keeps no replies either
        cached = None
    for job in planned.jobs if measured.judge is not None else ():
        if job.repeat > 1:
            break  # every repeat asks the same
        assumed += not static and job.case.id not in before.replies
        for contract, asked in _of_case(job, measured, foreseeing, cached).items():
            contracts[contract] = contracts.get(contract, Asked()) + asked
    answers = len(planned.jobs)
    calls = (pipeline.retries + 1) * (2 if pipeline.kind == "python" else 1)  # answer, retrieve()
    return Estimate(
        cases=len(measured.dataset.cases),
        repeats=measured.repeats,
        answers=0 if static else answers,
        pipeline_most=0 if static else answers * calls,
        judge=measured.judge,
        contracts={one: _like(asked, before.usage.get(one)) for one, asked in contracts.items()},
        known=static,
        assumptions=tuple(_assumptions(measured, before, contracts, assumed)),
    )


def _of_case(
    job: Job, measured: Measured, foreseeing: Foreseeing, cached: Cached | None
) -> dict[Contract, Asked]:
    """Return what all repeats of a case take."""
    judge, repeats = measured.judge, measured.repeats
    assert judge is not None  # noqa: S101 - without one there are no such units
    reply, known = foreseeing.reply(job.case)
    redacted = measured.privacy.redacted_reply(reply)
    likely = possible = questions(job.scored, redacted, measured.score)
    if not known:
        possible = questions(job.scored, foreseeing.assumed(), measured.score)
    asked = {one: _rendered(likely[one], judge) for one in job.judged}
    keys = {
        contract: [cache_key(judge, rendered, repeat + 1) for repeat in range(repeats)]
        for contract, rendered in asked.items()
        if rendered is not None and cached is not None
    }
    kept = cached([key for some in keys.values() for key in some]) if cached and keys else ()
    return {
        contract: _of_question(
            rendered,
            judge,
            repeats,
            sum(key in kept for key in keys.get(contract, ())),
            known=known,
        )
        for contract, rendered in asked.items()
        if isinstance(possible[contract], Question)
    }


def _rendered(question: Question | Outcome, judge: JudgeSettings) -> Rendered | None:
    """Return a question as it is sent; None where it is needless, or too long to be asked."""
    if isinstance(question, Outcome):
        return None
    rendered = render(question, judge.language, judge.longest_prompt)
    return rendered if isinstance(rendered, Rendered) else None


def _of_question(
    rendered: Rendered | None, judge: JudgeSettings, repeats: int, cached: int, *, known: bool
) -> Asked:
    """Return what a question takes that is asked once for each repeat, or needless."""
    _, unknown = _shares(judge, longest(judge))
    if rendered is None:
        return Asked() if known else Asked(repeats, most=unknown.times(repeats))
    tokens = estimated_tokens("".join(message["content"] for message in rendered.messages))
    likely = Share(1, tokens, min(REPLY_TOKENS, judge.output_cap))
    reserved, repeated = _shares(judge, most(rendered.messages, judge.output_cap))
    new = repeats - cached
    at_most = repeated if known else unknown
    return Asked(repeats, cached, likely.times(new), reserved.times(new), at_most.times(repeats))


def _like(asked: Asked, usage: tuple[Fraction, ...] | None) -> Asked:
    """Return the questions of a contract, each likely to take what one took before."""
    if usage is None:
        return asked
    n = asked.reserved.calls  # one for each question that is likely to be asked
    return replace(asked, likely=Share(*(math.ceil(n * one) for one in usage)))


def _shares(judge: JudgeSettings, call: Taken) -> tuple[Share, Share]:
    """Return what one call of a question takes at most, and what all of its calls do."""
    every = most_of_a_question(call, judge)
    return (
        Share(1, call.input_tokens, call.output_tokens),
        Share(most_calls(judge), every.input_tokens, every.output_tokens),
    )


def _assumptions(
    measured: Measured, earlier: Earlier, asked: Iterable[Contract], assumed: int
) -> Iterator[str]:
    if measured.judge is None:
        return
    if earlier.usage:
        yield f"a question takes what it took in {earlier.label} in the mean"
    if set(asked) - set(earlier.usage):
        yield f"four characters of a prompt are a token, and a reply has {REPLY_TOKENS} of them"
    if earlier.replies:
        yield f"cases are answered as in {earlier.label}"
    if assumed:
        yield (
            f"{assumed:,} cases are answered in {ANSWER:,} characters from {measured.score.k} "
            f"passages of {PASSAGE:,}, each of them cited"
        )
