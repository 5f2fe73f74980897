"""``Work``: one process on the units of one run, many calls at a time.

Whatever a call gave is in the ledger before the slot of the call is free again, so that a process
that is killed has at most as many calls to repeat as it may make at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

from veridical.judge.verdicts import Contract, Failure, Question, Verdict
from veridical.rag.answers import Answer, CaseError, Reply
from veridical.rag.cases import Case
from veridical.rag.outcomes import Outcome
from veridical.rag.running.artefacts import Answered, Judged, answered_bytes, judged_bytes
from veridical.rag.running.planning import Job
from veridical.rag.running.privacy import Privacy
from veridical.rag.running.stopping import Stop
from veridical.rag.scoring import METRICS, ScoreSettings, questions, score
from veridical.store.attempts import Claim, UnitState
from veridical.store.group_commit import GroupCommit
from veridical.store.ledger_batches import BatchLedger, Done
from veridical.store.together import Together

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Answering", "Asking", "Task", "Work"]

Answering: TypeAlias = Callable[[Case, int], Awaitable[Reply]]
Asking: TypeAlias = Callable[[Question, int], Awaitable[Verdict | Failure]]
T = TypeVar("T")

UNUSABLE: Final = "unusable_reply"
"""The code of a reply that no JSON file can hold."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is left of a job.

    Attributes
    ----------
    job
        The case and repeat.
    reply
        What the ledger has of the answer; None where the pipeline has to be asked.
    contracts
        The contracts whose units are pending.
    """

    job: Job
    reply: Reply | None = None
    contracts: tuple[Contract, ...] = ()


class _Entry(NamedTuple):
    """What is put on record in one transaction: attempts, and units that need none."""

    done: Sequence[Done]
    needless: Sequence[tuple[UnitState, list[str]]]


@dataclass(kw_only=True, eq=False)
class Work:
    """The work on a run.

    Attributes
    ----------
    ledger, commit
        Where it is put on record, and by whom.
    answer, ask
        The pipeline and the judge; neither raises where its service fails.
    settings, privacy
        How cases are scored; what may be kept.
    stop
        Whether to begin anything else.
    pipeline_slots, judge_slots
        How many calls of each may be under way.
    at_once
        How many cases are claimed and recorded together: one, where a call may cost something.
    cached
        Whether ``ask`` keeps its verdicts elsewhere, durably, so that to ask again costs nothing.
    done
        Told how many units were settled.
    """

    ledger: BatchLedger
    commit: GroupCommit
    answer: Answering
    ask: Asking | None
    settings: ScoreSettings
    privacy: Privacy
    stop: Stop
    pipeline_slots: int = 8
    judge_slots: int = 8
    at_once: int = 1
    cached: bool = False
    done: Callable[[int], None] = lambda _: None
    _pipeline: asyncio.Semaphore = field(init=False)
    _judge: asyncio.Semaphore = field(init=False)
    _claiming: Together[list[str], dict[str, Claim]] = field(init=False)
    _recording: Together[_Entry, None] = field(init=False)

    async def run(self, tasks: Sequence[Task]) -> None:
        """Work through the tasks until they are done, or there is a cause to stop.

        Raises
        ------
        StoreError
            Nothing can be put on record.
        MismatchError
            Another process took the run over.
        """
        self._pipeline = asyncio.Semaphore(self.pipeline_slots)
        self._judge = asyncio.Semaphore(self.judge_slots)
        self._claiming = Together(self._claim_all)
        self._recording = Together(self._record_all)
        queue = iter(tasks)
        n = self.pipeline_slots + (self.judge_slots if self.ask else 0)
        workers = [asyncio.create_task(self._worker(queue)) for _ in range(min(n, len(tasks)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            await self._claiming.finish()
            await self._recording.finish()
            await self._written(self.ledger.release_own_in)

    async def _worker(self, queue: Iterator[Task]) -> None:
        while not self.stop and (some := list(islice(queue, self.at_once))):
            await self._work_through(some)

    async def _work_through(self, some: Sequence[Task]) -> None:
        replies = {task.job.answer: task.reply for task in some if task.reply is not None}
        replies |= await self._answered([task for task in some if task.reply is None])
        if self.ask is not None:
            for task in some:
                if (reply := replies.get(task.job.answer)) is not None:
                    await self._judged(task, reply, self.ask)

    async def _answered(self, tasks: Sequence[Task]) -> dict[str, Reply]:
        """Ask the pipeline, put its replies on record, and return them by unit."""
        claims = await self._claim(task.job.answer for task in tasks)
        mine = [task.job for task in tasks if task.job.answer in claims]
        async with self._pipeline:
            if self.stop or not mine:
                await self._release(claims.values())
                return {}
            replies = [
                self._usable(job, reply)
                for job, reply in zip(
                    mine,
                    await asyncio.gather(*(self.answer(job.case, job.repeat) for job in mine)),
                    strict=True,
                )
            ]
            given = list(zip(mine, replies, strict=True))
            done = [self._answer_done(job, claims[job.answer], reply) for job, reply in given]
            await self._record(done, [self._needless(job, reply) for job, reply in given])
        return {job.answer: reply for job, reply in given}

    async def _judged(self, task: Task, reply: Reply, ask: Asking) -> None:
        """Ask the judge what is still open of a case, each verdict on record as it arrives."""
        asked = self._questions(task.job, reply)
        claims = await self._claim(
            task.job.judged[one] for one in asked if one in task.contracts or task.reply is None
        )

        async def recorded(contract: Contract, claim: Claim) -> None:
            async with self._judge:
                verdict = await self._verdict(ask, asked[contract], task.job.repeat)
                if verdict is None:
                    await self._release([claim])
                    return
                recording = self._record([self._verdict_done(task.job, reply, claim, verdict)])
                if not (self.cached and isinstance(verdict, Verdict)):
                    await recording
                    return
            await recording  # meanwhile the next call may go: this one would not be paid again

        await asyncio.gather(
            *(
                recorded(contract, claims[key])
                for contract, key in task.job.judged.items()
                if key in claims
            )
        )

    async def _verdict(
        self, ask: Asking, question: Question, repeat: int
    ) -> Verdict | Failure | None:
        """Ask one question; None where the run has to stop instead."""
        if self.stop:
            return None
        verdict = self.privacy.redacted_verdict(await ask(question, repeat))
        if isinstance(verdict, Failure) and verdict.kind in {"budget", "stop"}:
            self.stop.by(verdict)
            return None
        return verdict

    def _questions(self, job: Job, reply: Reply) -> dict[Contract, Question]:
        found = questions(job.scored, reply, self.settings)
        return {
            contract: one
            for contract, one in found.items()
            if contract in job.judged and isinstance(one, Question)
        }

    def _usable(self, job: Job, reply: Reply) -> Reply:
        """Return a reply without what must not be kept, or say that no file can hold it."""
        redacted = self.privacy.redacted_reply(reply)
        try:
            answered_bytes(Answered(job.scored, redacted))
        except (TypeError, ValueError, RecursionError):
            detail = "the reply holds something that is no JSON, a score that is not finite for one"
            return Reply(CaseError(UNUSABLE, detail), None, reply.latency_s, reply.attempts)
        return redacted

    def _answer_done(self, job: Job, claim: Claim, reply: Reply) -> Done:
        outcomes = {}
        if not self.privacy.keeps_texts:
            outcomes = self.privacy.kept_outcomes(score(job.scored, reply, {}, self.settings))
        case, kept = self.privacy.kept_case(job.scored), self.privacy.kept_reply(reply)
        content = answered_bytes(Answered(case, kept, outcomes))
        if isinstance(kept.answer, Answer):
            return Done(claim, "answered", content)
        error = f"{kept.answer.code}: {kept.answer.detail}"
        return Done(claim, "case_error", content, error, settle="failed")

    def _verdict_done(
        self, job: Job, reply: Reply, claim: Claim, verdict: Verdict | Failure
    ) -> Done:
        outcomes: dict[str, Outcome] = {}
        if not self.privacy.keeps_texts:
            scored = score(job.scored, reply, {verdict.contract: verdict}, self.settings)
            decided = {name for name, one in METRICS.items() if one.contract == verdict.contract}
            outcomes = self.privacy.kept_outcomes({name: scored[name] for name in decided})
        kept = self.privacy.kept_verdict(verdict)
        content = judged_bytes(Judged(kept, outcomes))
        cost = verdict.usage.cost
        if isinstance(kept, Verdict):
            return Done(claim, "judged", content, cost=cost)
        error = f"{kept.code}: {kept.detail}"
        if kept.kind == "skipped":
            return Done(claim, "skipped", content, error, cost, "skipped")
        return Done(claim, "judge_error", content, error, cost, "failed")

    def _needless(self, job: Job, reply: Reply) -> tuple[UnitState, list[str]]:
        """Return the units of the judge that an answer makes needless, and how they end."""
        asked = self._questions(job, reply) if self.ask is not None else {}
        failed = isinstance(reply.answer, CaseError)
        keys = [key for contract, key in job.judged.items() if contract not in asked]
        return "failed" if failed else "skipped", keys

    async def _claim(self, keys: Iterable[str]) -> dict[str, Claim]:
        wanted = list(keys)
        return await self._claiming(wanted) if wanted else {}

    async def _claim_all(self, wanted: list[list[str]]) -> list[dict[str, Claim]]:
        keys = [key for some in wanted for key in some]
        claims = await self.commit(lambda c: self.ledger.claim_these_in(c, keys))
        by_key = {claim.key: claim for claim in claims}
        return [{key: by_key[key] for key in some if key in by_key} for some in wanted]

    async def _record(
        self, done: Sequence[Done], needless: Sequence[tuple[UnitState, list[str]]] = ()
    ) -> None:
        await self._recording(_Entry(done, needless))
        self.done(len(done) + sum(len(keys) for _, keys in needless))

    async def _record_all(self, entries: list[_Entry]) -> list[None]:
        by_state: dict[UnitState, list[str]] = {}
        for state, keys in (pair for entry in entries for pair in entry.needless):
            by_state.setdefault(state, []).extend(keys)

        def write(connection: Connection) -> None:
            self.ledger.record_all_in(connection, [one for entry in entries for one in entry.done])
            for state, keys in by_state.items():
                self.ledger.settle_all_in(connection, keys, state)

        await self.commit(write)
        return [None] * len(entries)

    async def _release(self, claims: Iterable[Claim]) -> None:
        left = list(claims)
        if left:
            await self._written(lambda c: self.ledger.release_all_in(c, left))

    async def _written(self, work: Callable[[Connection], T]) -> T:
        """Write, and wait for it also where this task is cancelled meanwhile."""
        return await asyncio.shield(asyncio.ensure_future(self.commit(work)))
