"""``begin``, ``resume``, ``rescore``: a configuration and a store in, a stored run out.

They are plain functions that may be called inside a running event loop too: the calls then happen
in a loop of another thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

from veridical.errors import MismatchError
from veridical.judge.verdicts import Failure, Question, Verdict
from veridical.rag.adapters import adapter
from veridical.rag.answers import Reply
from veridical.rag.cases import Case
from veridical.rag.configuration import Configuration
from veridical.rag.running.closing import Closed, close, settings_of
from veridical.rag.running.measured import Measured, measured_by
from veridical.rag.running.planning import Plan
from veridical.rag.running.recorded import tasks
from veridical.rag.running.stopping import Stop, on_signals
from veridical.rag.running.stored_answers import (
    StoredAnswers,
    check_has_cases,
    measured_again,
    stored_answers,
)
from veridical.rag.running.whole_cases import WholeCases
from veridical.rag.running.working import Answering, Asking, Work
from veridical.store.drafts import draft
from veridical.store.group_commit import GroupCommit
from veridical.store.ledger_batches import BatchLedger
from veridical.store.run import LATEST

if TYPE_CHECKING:
    from veridical.store.run import Run
    from veridical.store.runs import Store

__all__ = ["Progress", "begin", "rescore", "resume"]

T = TypeVar("T")
_SUMMARY: Final = "veridical.rag.summary"
_CALLS_ARE_OUT_S: Final = 0.1
_AT_ONCE: Final = 250
"""Cases that are recorded together where no call costs anything."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Who is told how a run goes on.

    Attributes
    ----------
    settled
        Called with how many units are settled, of how many.
    stopping
        Called when a signal asked to stop, and calls under way are waited for.
    """

    settled: Callable[[int, int], None] = lambda _done, _of: None
    stopping: Callable[[], None] = lambda: None


def begin(
    configuration: Configuration,
    store: Store,
    *,
    name: str | None = None,
    tags: Iterable[str] = (),
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Closed:
    """Run the pipeline of a configuration over its dataset, and keep the run.

    Parameters
    ----------
    configuration
        What is asked, of whom, and how it is judged.
    store
        Where the run and its ledger are kept.
    name, tags
        Of the run.
    use_cache
        Whether verdicts that are kept in the store are used, and new ones kept.
    progress
        Who is told.

    Raises
    ------
    ConfigurationError, FileFormatError
        The configuration or the dataset cannot be used; nothing was asked.
    MissingExtraError
        A library is missing.
    """
    measured = measured_by(configuration)
    planned = measured.plan()
    adapter(configuration)  # a target that cannot be loaded leaves no run behind
    run = _begun(store, measured, planned, name=name, tags=tags)
    job = _Running(configuration, store, run, measured, planned, None, use_cache=use_cache)
    return job.carried_on(progress or Progress())


def resume(
    configuration: Configuration,
    store: Store,
    reference: str,
    *,
    retry_failed: bool = False,
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Closed:
    """Go on with a run that was interrupted, or whose process was killed.

    Parameters
    ----------
    reference
        The run; ``latest`` is the newest that is not finished.
    retry_failed
        Whether calls that failed are made again.  Where texts are not kept those are the calls to
        the pipeline alone: what the judge failed on is gone.
    configuration, store, use_cache, progress
        See ``begin``.

    Raises
    ------
    MismatchError
        The dataset or the configuration is not the one that the run was begun with, or the run is
        finished.
    """
    run = _rag_run(store, _unfinished(store, reference))
    if run.state == "finished":
        raise MismatchError(
            "the run is finished",
            where=run.label,
            why="what is finished does not change",
            fix=f"measure its answers anew with `veridical rag rescore {run.id}`",
        )
    measured, answers = measured_by(configuration), None
    if (origin_id := run.settings.get("origin")) is not None:
        origin = store.load(origin_id)
        measured = measured_again(origin, measured)
        answers = stored_answers(store, origin, measured)
    measured.check_same(run.settings.get("measured", {}), run.label)
    planned = measured.plan()
    ledger = BatchLedger(store.database, run.id)
    ledger.plan(planned.units)
    ledger.resume(retry=retry_failed)
    if not measured.privacy.keeps_texts:
        _leave_failed(store, ledger, planned)
    job = _Running(configuration, store, run, measured, planned, answers, use_cache=use_cache)
    return job.carried_on(progress or Progress())


def rescore(
    configuration: Configuration,
    store: Store,
    reference: str,
    *,
    name: str | None = None,
    tags: Iterable[str] = (),
    use_cache: bool = True,
    progress: Progress | None = None,
) -> Closed:
    """Score the answers of a finished run again, under another ``k``, matching or judge.

    The pipeline is not asked.  The judge is asked for the verdicts that are not stored: where it,
    its prompt or the redaction changed, or where a question failed before.

    Parameters
    ----------
    reference
        The run whose answers are scored.
    configuration, store, name, tags, use_cache, progress
        See ``begin``; its ``pipeline`` does not matter.

    Raises
    ------
    MismatchError
        The run is not finished, or measured another dataset.
    InputError
        It keeps no texts.
    """
    origin = _rag_run(store, reference)
    if origin.state != "finished":
        raise MismatchError(
            f"the run is {origin.state}",
            where=origin.label,
            fix=f"finish it with `veridical rag resume {origin.id}`",
        )
    measured = measured_again(origin, measured_by(configuration))
    answers = stored_answers(store, origin, measured)
    planned = measured.plan()
    run = _begun(store, measured, planned, name=name, tags=tags, origin=origin.id)
    job = _Running(configuration, store, run, measured, planned, answers, use_cache=use_cache)
    return job.carried_on(progress or Progress())


def _unfinished(store: Store, reference: str) -> str:
    """Return what to resume: ``latest`` means the newest run that is not finished."""
    if reference.strip().casefold() != LATEST:
        return reference
    waiting = (run.id for run in store.runs(kind="rag") if run.state != "finished")
    return next(waiting, reference)


def _rag_run(store: Store, reference: str) -> Run:
    run = store.load(reference)
    check_has_cases(run)
    return run


def _begun(
    store: Store,
    measured: Measured,
    planned: Plan,
    *,
    name: str | None,
    tags: Iterable[str],
    origin: str | None = None,
) -> Run:
    """Store a run that is about to begin, with its plan."""
    run = store.save(
        draft(
            kind="rag",
            name=name,
            tags=tags,
            state="running",
            settings=settings_of(measured, "running", origin=origin),
            seed=measured.seed,
            data_sha256=measured.dataset.sha256,
        )
    )
    BatchLedger(store.database, run.id).plan(planned.units)
    return run


def _leave_failed(store: Store, ledger: BatchLedger, planned: Plan) -> None:
    """Settle again the verdicts that failed on an answer that is on record, without its text."""
    pending = set(ledger.pending())
    gone = [
        key
        for job in planned.jobs
        if job.answer not in pending
        for key in job.judged.values()
        if key in pending
    ]
    with store.database.writing() as connection:
        ledger.settle_all_in(connection, gone, "failed")


@dataclass(frozen=True, slots=True)
class _Running:
    """One process at work on one run."""

    configuration: Configuration
    store: Store
    run: Run
    measured: Measured
    planned: Plan
    answers: StoredAnswers | None
    use_cache: bool

    def carried_on(self, progress: Progress) -> Closed:
        """Work through what is left, and close the run, whatever ended it."""
        stop = Stop()
        _in_a_loop(self._worked(stop, progress))
        return close(self.store, self.run, self.measured, self.planned, stop)

    async def _worked(self, stop: Stop, progress: Progress) -> None:
        ledger = BatchLedger(self.store.database, self.run.id)
        left = tasks(self.planned.jobs, ledger)
        if not left:
            return
        pipeline, judge = self.configuration.pipeline, self.measured.judge
        free = judge is None and (self.answers is not None or pipeline.kind == "static")
        of, settled = len(self.planned.units), len(self.planned.units) - len(ledger.pending())

        def done(n: int) -> None:
            nonlocal settled
            settled += n
            progress.settled(settled, of)

        async with (
            GroupCommit(self.store) as commit,
            self._answering() as answer,
            self._asking(commit) as ask,
        ):
            kind = Work if self.measured.privacy.keeps_texts else WholeCases
            work = kind(
                ledger=ledger,
                commit=commit,
                answer=answer,
                ask=ask,
                settings=self.measured.score,
                privacy=self.measured.privacy,
                stop=stop,
                pipeline_slots=pipeline.concurrency,
                judge_slots=1 if judge is None else judge.concurrency,
                at_once=_AT_ONCE if free else 1,
                cached=self._caches(),
                done=done,
            )
            loading = asyncio.create_task(_loaded_soon(_SUMMARY))
            with on_signals(stop, progress.stopping):
                try:
                    await work.run(left)
                except asyncio.CancelledError:
                    if not stop:
                        raise
            await loading

    def _caches(self) -> bool:
        # A reply may quote what was judged.
        return self.use_cache and self.measured.privacy.keeps_texts

    @asynccontextmanager
    async def _answering(self) -> AsyncIterator[Answering]:
        if self.answers is not None:
            yield self.answers.answer
            return
        async with adapter(self.configuration) as made:

            async def answer(case: Case, _repeat: int) -> Reply:
                return await made.answer(case)

            yield answer

    @asynccontextmanager
    async def _asking(self, commit: GroupCommit) -> AsyncIterator[Asking | None]:
        judge = self.measured.judge
        if judge is None:
            yield None
            return
        from veridical.judge.cache import VerdictCache
        from veridical.judge.client import JudgeClient
        from veridical.judge.costs import RunBudget

        cache = VerdictCache(commit) if self._caches() else None
        budget = RunBudget(commit, self.run.id)
        async with JudgeClient(judge, cache=cache, spending=budget) as client:

            async def ask(question: Question, repeat: int) -> Verdict | Failure:
                known = None if self.answers is None else self.answers.verdict(question, repeat)
                return known or await client.ask(question, repeat)

            yield ask


async def _loaded_soon(module: str) -> None:
    """Load what the end of a run needs while the first replies are waited for."""
    await asyncio.sleep(_CALLS_ARE_OUT_S)
    await asyncio.to_thread(import_module, module)


def _in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, in a loop of another thread where this one has its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    ended: list[T | BaseException] = []

    def elsewhere() -> None:
        try:
            ended.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - raised again where it was called
            ended.append(error)

    thread = threading.Thread(target=elsewhere, name="veridical-rag")
    thread.start()
    thread.join()
    [result] = ended
    if isinstance(result, BaseException):
        raise result
    return result
