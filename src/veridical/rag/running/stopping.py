"""Why a run ends before all is done, and how a signal makes it end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias

from veridical.judge.verdicts import Failure

__all__ = ["Cause", "Stop", "on_signals"]

Cause: TypeAlias = Literal["", "interrupted", "aborted:budget", "stopped:judge"]
_OF_FAILURES: Final[dict[str, Cause]] = {"budget": "aborted:budget", "stop": "stopped:judge"}
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether to begin anything else; the first cause is the one that counts.

    Attributes
    ----------
    cause
        "" while the run goes on.
    failure
        What the judge said, where it is the cause.

    Examples
    --------
    >>> stop = Stop()
    >>> stop.by(Failure("refusal", "budget", "0.02 of 0.02 is spent", kind="budget"))
    >>> stop.interrupt()
    >>> stop.cause, stop.failure.detail
    ('aborted:budget', '0.02 of 0.02 is spent')
    """

    def __init__(self) -> None:
        self.cause: Cause = ""
        self.failure: Failure | None = None

    def __bool__(self) -> bool:
        return bool(self.cause)

    def interrupt(self) -> None:
        """Begin nothing more: somebody asked for it."""
        self.cause = self.cause or "interrupted"

    def by(self, failure: Failure) -> None:
        """Begin nothing more if that is what a failure of the judge means."""
        if not self.cause and failure.kind in _OF_FAILURES:
            self.cause, self.failure = _OF_FAILURES[failure.kind], failure


@contextmanager
def on_signals(stop: Stop, told: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the run; the second time without waiting for calls under way.

    Outside of the main thread, and where a loop takes no signals, nothing changes.

    Parameters
    ----------
    stop
        What is set.
    told
        Called at the first signal.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    times = 0

    def received() -> None:
        nonlocal times
        times += 1
        stop.interrupt()
        if times == 1:
            told()
        elif task is not None:
            task.cancel()

    installed = []
    try:
        for one in _SIGNALS:
            try:
                loop.add_signal_handler(one, received)
            except (RuntimeError, ValueError):  # where there are no signal handlers, too
                break
            installed.append(one)
        yield
    finally:
        for one in installed:
            loop.remove_signal_handler(one)
