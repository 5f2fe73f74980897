"""From the ledger to records: what was measured, and nothing else, goes into a summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from veridical.judge.verdicts import Contract, Failure, Verdict
from veridical.rag.outcomes import Outcome
from veridical.rag.record import Attempted
from veridical.rag.running.artefacts import Answered, Judged, read_answered, read_judged
from veridical.rag.running.planning import Job
from veridical.rag.running.privacy import Privacy
from veridical.rag.running.working import Task
from veridical.rag.scoring import ScoreSettings, score
from veridical.store.ledger_batches import BatchLedger, Settled

__all__ = ["answered_records", "records", "tasks"]


def records(
    jobs: Sequence[Job], ledger: BatchLedger, settings: ScoreSettings, privacy: Privacy
) -> list[Attempted]:
    """Return what became of every case and repeat, those that were not asked yet too.

    Parameters
    ----------
    jobs
        The plan.
    ledger
        What was put on record.
    settings
        How to score it; of no effect where texts are not kept, and outcomes are.
    privacy
        What of a case that was not asked may be shown.
    """
    held = {one.key: one for one in ledger.settled()}
    found = []
    for job in jobs:
        answered = _answered(held.get(job.answer))
        if answered is None:
            outcomes = score(job.scored, None, {}, settings)
            case = privacy.kept_case(job.scored)
            found.append(Attempted(case, job.repeat, None, {}, outcomes))
        else:
            judged = {one: _judged(held.get(key)) for one, key in job.judged.items()}
            found.append(_attempted(answered, job.repeat, judged, settings))
    return found


def answered_records(ledger: BatchLedger, settings: ScoreSettings) -> list[Attempted]:
    """Return the records of the cases that were answered, from a stored run alone.

    Parameters
    ----------
    ledger
        Of the run.
    settings
        As the run was scored.
    """
    held = {one.key: one for one in ledger.settled()}
    found = []
    for key, one in held.items():
        kind, _, rest = key.partition("/")
        answered = _answered(one) if kind == "answer" else None
        if answered is not None:
            judged = {c: _judged(held.get(f"judge/{c}/{rest}")) for c in get_args(Contract)}
            repeat = int(rest.rpartition("/")[2])
            found.append(_attempted(answered, repeat, judged, settings))
    return found


def tasks(jobs: Iterable[Job], ledger: BatchLedger) -> list[Task]:
    """Return what is left to do of a run, in the order of its plan."""
    pending = set(ledger.pending())
    open_jobs = {job.answer: job for job in jobs if {job.answer, *job.judged.values()} & pending}
    halves = {key for key in open_jobs if key not in pending}
    replies = {
        one.key: answered.reply
        for one in (ledger.settled() if halves else ())
        if one.key in halves and (answered := _answered(one)) is not None
    }
    return [
        Task(
            job,
            replies.get(key),
            tuple(contract for contract, unit in job.judged.items() if unit in pending),
        )
        for key, job in open_jobs.items()
    ]


def _answered(settled: Settled | None) -> Answered | None:
    if settled is None or settled.artefact is None:
        return None
    return read_answered(settled.artefact)


def _judged(settled: Settled | None) -> Judged | None:
    if settled is None or settled.artefact is None:
        return None
    return read_judged(settled.artefact)


def _attempted(
    answered: Answered,
    repeat: int,
    judged: Mapping[Contract, Judged | None],
    settings: ScoreSettings,
) -> Attempted:
    given = {contract: one for contract, one in judged.items() if one is not None}
    verdicts: dict[str, Verdict | Failure] = {c: one.verdict for c, one in given.items()}
    case = answered.case
    if answered.outcomes:
        outcomes: dict[str, Outcome] = dict(answered.outcomes)
        for one in given.values():
            outcomes |= one.outcomes
    else:
        outcomes = score(case, answered.reply, verdicts, settings)
    return Attempted(replace(case, answer=None), repeat, answered.reply, verdicts, outcomes)
