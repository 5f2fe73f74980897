"""``plan``: every call that a run may make, named before the first one is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from veridical import strict_json
from veridical.judge.verdicts import Contract
from veridical.rag.cases import Case
from veridical.rag.running.privacy import Privacy
from veridical.rag.scoring import METRICS

__all__ = ["Job", "Plan", "plan"]

_ANSWER: Final = "answer"
_JUDGE: Final = "judge"


@dataclass(frozen=True, slots=True)
class Job:
    """One case and repeat: a call to the pipeline, and then some to the judge.

    Attributes
    ----------
    case
        What the pipeline is asked.
    scored
        The same case as it is scored and judged: without what must not be kept.
    repeat
        The how manieth time, from 1.
    answer
        The unit of the ledger for the pipeline's call.
    judged
        Contract to the unit for the judge's call.
    """

    case: Case
    scored: Case
    repeat: int
    answer: str
    judged: Mapping[Contract, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """The jobs of a run in the order of the dataset, and the units of its ledger.

    Attributes
    ----------
    jobs
        Repeat by repeat, case by case: a run that is stopped early has seen each case.
    units
        Key to the hash of what is asked there.
    """

    jobs: tuple[Job, ...]
    units: Mapping[str, str]


def plan(
    cases: Sequence[Case],
    *,
    repeats: int = 1,
    pipeline_sha256: str,
    judge: Mapping[str, Any] | None,
    privacy: Privacy,
) -> Plan:
    """Return the plan of a run.

    Parameters
    ----------
    cases
        The dataset.
    repeats
        How often each case is asked.
    pipeline_sha256
        Of what is asked of the pipeline.
    judge
        ``JudgeSettings.identity()``, with the hash of each contract's prompt; None without a judge.
    privacy
        What has to be taken out before anything is scored.

    Examples
    --------
    >>> planned = plan(
    ...     [Case(id="a", question="?", kind="injection")],
    ...     pipeline_sha256="",
    ...     judge={"model": "judge-1", "prompts": {}},
    ...     privacy=Privacy(),
    ... )
    >>> list(planned.units)[:2]
    ['answer/a/1', 'judge/groundedness/a/1']
    """
    judge_hashes = {} if judge is None else _judge_hashes(judge)
    jobs: list[Job] = []
    units: dict[str, str] = {}
    for repeat in range(1, repeats + 1):
        for case in cases:
            contracts = () if judge is None else _contracts(case)
            job = Job(
                case,
                privacy.redacted_case(case),
                repeat,
                f"{_ANSWER}/{case.id}/{repeat}",
                {one: f"{_JUDGE}/{one}/{case.id}/{repeat}" for one in contracts},
            )
            jobs.append(job)
            asked = [case.sha256, pipeline_sha256, repeat]
            units[job.answer] = strict_json.sha256(asked)
            for contract, key in job.judged.items():
                units[key] = strict_json.sha256([*asked, contract, judge_hashes[contract]])
    return Plan(tuple(jobs), units)


def _judge_hashes(judge: Mapping[str, Any]) -> dict[Contract, str]:
    """Return for each contract the hash of who is asked, and with which prompt."""
    rest = {name: value for name, value in judge.items() if name != "prompts"}
    prompts = judge["prompts"]
    return {one: strict_json.sha256([rest, prompts.get(one)]) for one in get_args(Contract)}


def _contracts(case: Case) -> tuple[Contract, ...]:
    """Return the contracts that cases of this kind may need; the answer decides which they do."""
    found = [one.contract for one in METRICS.values() if case.kind in one.kinds and one.contract]
    return tuple(dict.fromkeys(found))
