"""An agent on a suite: every case and trial once, kept as it goes, and gone on with later."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Final

from veridical.bench.agents.protocol import NOT_RECORDED
from veridical.bench.prompting import hashes
from veridical.bench.running.one_case import Conditions, identity, run_case
from veridical.bench.trajectories import Trajectory, TrajectoryWriter, settled
from veridical.errors import MismatchError, ParameterError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Agent
    from veridical.bench.cases import Case, Limits

__all__ = ["GIVE_UP_AFTER", "Ran", "new_run_id", "run_suite"]

GIVE_UP_AFTER: Final = 10
"""Trials in a row that cannot be asked: the next would not be either."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run came to.

    Attributes
    ----------
    path
        The file of trajectories.
    planned
        Cases times trials.
    kept
        Trials that had ended before, and were left alone.
    outcomes
        How many trials there are now of each outcome.
    torn_bytes
        The length of an unfinished last line that was found, and cut off.
    left
        Trials that were not begun, because so many in a row could not be asked.
    last_error
        Why the last one of those could not be.
    """

    path: Path
    planned: int
    kept: int
    outcomes: Mapping[str, int]
    torn_bytes: int
    left: int = 0
    last_error: str | None = None


def new_run_id() -> str:
    """Return a name for a run that no other has."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"


def run_suite(
    agent: Agent,
    cases: Sequence[Case],
    path: str | Path,
    *,
    suite: str,
    limits: Limits,
    run_id: str,
    trials: int = 1,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Ran:
    """Run what the file does not hold yet.

    A trial that ended in ``infra_error`` is tried again; every other one is left alone.  After
    ``GIVE_UP_AFTER`` in a row that could not be asked the rest is left for another time.

    Parameters
    ----------
    agent
        Used by ``workers`` threads at a time.
    cases
        With their files; their ids differ.
    path
        Of the trajectories; created, or gone on with.
    suite, limits, run_id
        The same for every line of a file.
    trials
        How often each case is run, at least 1.
    workers
        How many cases at a time, at least 1.
    progress
        Called with how many trials are done and how many there are.

    Raises
    ------
    MismatchError
        The file belongs to another run, agent, suite or version of the bench.
    DuplicateTrialError
        One trial ended twice in it.
    OutputError
        The file cannot be written.
    """
    if trials < 1 or workers < 1:
        raise ParameterError("trials and workers are at least 1", fix="give whole numbers from 1")
    conditions = Conditions(run_id, suite, limits)
    with TrajectoryWriter(path) as writer:
        _check_same(agent, conditions, cases, trials, writer.before.lines)
        ended = settled(writer.before.lines)
        done = sum(line.outcome != "infra_error" for line in ended.values())
        outcomes: list[str] = [
            line.outcome for line in ended.values() if line.outcome != "infra_error"
        ]
        planned = len(cases) * trials
        todo = list(_todo(cases, trials, ended))

        def one(work: tuple[Case, int, int]) -> Trajectory:
            case, trial, attempt = work
            return run_case(agent, case, conditions, trial=trial, attempt=attempt)

        in_a_row, last_error = 0, None
        for number, line in enumerate(_in_threads(one, todo, workers), start=done + 1):
            writer.append(line)
            outcomes.append(line.outcome)
            if progress is not None:
                progress(number, planned)
            if line.outcome != "infra_error" or line.error is None:
                in_a_row = 0
                continue
            last_error = f"{line.error['class']}: {line.error['message']}"
            in_a_row += line.error["class"] != NOT_RECORDED
            if in_a_row >= GIVE_UP_AFTER:
                break
        return Ran(
            Path(path),
            planned,
            done,
            {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))},
            writer.before.torn_bytes,
            planned - len(outcomes),
            last_error,
        )


def _todo(
    cases: Sequence[Case], trials: int, ended: Mapping[tuple[str, int], Trajectory]
) -> Iterator[tuple[Case, int, int]]:
    for trial in range(trials):
        for case in cases:
            before = ended.get((case.case_id, trial))
            if before is None:
                yield case, trial, 1
            elif before.outcome == "infra_error":
                yield case, trial, before.attempt + 1


def _in_threads(
    one: Callable[[tuple[Case, int, int]], Trajectory],
    todo: Sequence[tuple[Case, int, int]],
    workers: int,
) -> Iterator[Trajectory]:
    """Yield what each piece of work gives, as it ends; an interruption waits for nothing."""
    if workers == 1:
        yield from map(one, todo)
        return
    waiting = deque(todo)
    ready: SimpleQueue[Trajectory | BaseException] = SimpleQueue()

    def work() -> None:
        while True:
            try:
                piece = waiting.popleft()
            except IndexError:  # nothing is left
                return
            try:
                ready.put(one(piece))
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                ready.put(error)

    for _ in range(min(workers, len(todo))):
        Thread(target=work, daemon=True).start()
    try:
        for _ in todo:
            ended = ready.get()
            if isinstance(ended, BaseException):
                raise ended
            yield ended
    finally:
        waiting.clear()


def _check_same(
    agent: Agent,
    conditions: Conditions,
    cases: Sequence[Case],
    trials: int,
    lines: Sequence[Trajectory],
) -> None:
    by_id = {case.case_id: case for case in cases}
    now = {
        "run_id": conditions.run_id,
        "suite": conditions.suite,
        "agent": identity(agent),
        "prompt_sha256": hashes()["prompt_sha256"],
    }
    for line in lines:
        for name, value in now.items():
            if getattr(line, name) != value:
                raise _other(f"its {name} differs")
        case = by_id.get(line.case_id)
        if case is None or line.trial >= trials:
            raise _other(f"it has trial {line.trial} of case {line.case_id[:60]!a}")
        if line.bench_version != case.bench_version or line.case_sha256 != case.sha256:
            raise _other(f"it was made with another case {line.case_id[:60]!a}")


def _other(why: str) -> MismatchError:
    return MismatchError(
        "the file of trajectories belongs to another run",
        why=why,
        fix="name another file, or go on with the run as it was begun",
    )
