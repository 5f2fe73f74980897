"""``WholeCases``: the work on a run whose texts are not kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from veridical.rag.running.planning import Job
from veridical.rag.running.working import Asking, Task, Work

__all__ = ["WholeCases"]


class WholeCases(Work):
    """Puts a case on record as a whole.

    A verdict that is missing could not be asked for later: the answer it is about is gone.  So the
    answer and its verdicts become one transaction, and a case that is stopped half way is asked
    again from its beginning.  Until then it keeps its place at the pipeline and one at the judge
    for each of its questions, so that a process that is killed leaves no more calls to repeat than
    it may make at once (or than one case needs, where that is more).
    """

    async def run(self, tasks: Sequence[Task]) -> None:
        """See ``Work.run``."""
        self._taking = asyncio.Lock()
        await super().run(tasks)

    async def _work_through(self, some: Sequence[Task]) -> None:
        if self.ask is None:
            await super()._work_through(some)
            return
        for task in some:
            await self._whole(task.job, self.ask)

    async def _whole(self, job: Job, ask: Asking) -> None:
        claims = await self._claim([job.answer])
        if not claims:
            return
        async with self._pipeline:
            if self.stop:
                await self._release(claims.values())
                return
            reply = self._usable(job, await self.answer(job.case, job.repeat))
            asked = self._questions(job, reply)
            claims |= await self._claim(job.judged[contract] for contract in asked)
            async with self._places(len(asked)):
                verdicts = await asyncio.gather(
                    *(self._verdict(ask, question, job.repeat) for question in asked.values())
                )
                given = [one for one in verdicts if one is not None]
                if len(given) < len(asked) or len(claims) <= len(asked):
                    await self._release(claims.values())
                    return
                done = [self._answer_done(job, claims[job.answer], reply)]
                done += [
                    self._verdict_done(job, reply, claims[job.judged[one.contract]], one)
                    for one in given
                ]
                await self._record(done, [self._needless(job, reply)])

    @asynccontextmanager
    async def _places(self, wanted: int) -> AsyncIterator[None]:
        """Hold as many places at the judge, or all that there are."""
        taken = 0
        try:
            async with self._taking:  # two that hold half of theirs would wait for ever
                while taken < min(wanted, self.judge_slots):
                    await self._judge.acquire()
                    taken += 1
            yield
        finally:
            for _ in range(taken):
                self._judge.release()
