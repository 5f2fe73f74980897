"""``Adapter``: time limits, repeated calls and patience around one way to ask a pipeline."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar

from veridical.errors import InputError
from veridical.rag.answers import Answer, CaseError, Chunk, Reply

if TYPE_CHECKING:
    from veridical.rag.cases import Case
    from veridical.rag.configuration.sections import PipelineSection

__all__ = ["Adapter", "CallFailedError", "Calling", "Throttle"]

T = TypeVar("T")
FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 30.0
LONGEST_ASKED_S: Final = 300.0


class CallFailedError(Exception):
    """A call that brought no answer.

    Parameters
    ----------
    code
        A stable string.
    detail
        One sentence, without any secret.
    again
        Whether another call may succeed.
    after_s
        How long the other side asked to wait.
    too_many
        Whether it asked for fewer calls at a time.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        again: bool = False,
        after_s: float | None = None,
        too_many: bool = False,
    ) -> None:
        self.code = code
        self.detail = detail
        self.again = again
        self.after_s = after_s
        self.too_many = too_many
        super().__init__(code, detail)


class Calling(Protocol):
    """One way to ask a pipeline."""

    has_retrieve: bool

    async def open(self) -> None:
        """Make ready."""

    async def close(self) -> None:
        """Leave nothing behind."""

    async def answer(self, case: Case) -> Answer:
        """Ask once; ``CallFailedError`` or ``InputError`` where there is no answer."""
        ...

    async def retrieve(self, case: Case) -> tuple[Chunk, ...]:
        """Ask once for the chunks alone, where ``has_retrieve`` holds."""
        ...


class Throttle:
    """How many calls may be under way: fewer after each complaint, slowly more again.

    Examples
    --------
    >>> throttle = Throttle(8)
    >>> throttle.complained()
    >>> throttle.limit
    4.0
    """

    def __init__(self, most: int) -> None:
        self.limit = float(most)
        self._most = most
        self._running = 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._running < max(1, int(self.limit)))
            self._running += 1
        try:
            yield
        finally:
            async with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def complained(self) -> None:
        """Halve the limit."""
        self.limit = max(1.0, self.limit / 2)

    def succeeded(self) -> None:
        """Raise the limit by one for each round of calls."""
        self.limit = min(float(self._most), self.limit + 1 / self.limit)


class Adapter:
    """A pipeline that answers cases.

    Parameters
    ----------
    settings
        Time limit, concurrency, repeated calls.
    calling
        How it is asked.
    """

    def __init__(self, settings: PipelineSection, calling: Calling) -> None:
        self._settings = settings
        self._calling = calling
        self._throttle = Throttle(settings.concurrency)

    async def __aenter__(self) -> Self:
        await self._calling.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._calling.close()

    async def answer(self, case: Case) -> Reply:
        """Return the reply to a case; whatever fails is a ``CaseError`` in it."""
        answer, attempts, took = await self._tried(case, self._calling.answer)
        retrieved: tuple[Chunk, ...] | CaseError | None = None
        # Of a failed answer every metric is an error: what was retrieved decides nothing.
        lacks = isinstance(answer, Answer) and answer.retrieved_chunks is None
        if lacks and self._calling.has_retrieve:
            retrieved, *_ = await self._tried(case, self._calling.retrieve)
        return Reply(answer, retrieved, None if self._settings.kind == "static" else took, attempts)

    async def _tried(
        self, case: Case, call: Callable[[Case], Awaitable[T]]
    ) -> tuple[T | CaseError, int, float]:
        """Call until there is an answer, or no use in another call; how often, and how long last.

        Neither the wait for a place nor a pause is the pipeline's time.
        """
        # Calls do not come in step; an id may hold half a surrogate pair.
        pauses = random.Random(case.id.encode("utf-8", "surrogatepass"))  # noqa: S311
        attempt = 1
        while True:
            async with self._throttle.slot():
                began = time.monotonic()
                came = await self._once(case, call)
                took = time.monotonic() - began
            if not isinstance(came, CallFailedError):
                return came, attempt, took
            if not came.again or attempt > self._settings.retries:
                return CaseError(came.code, came.detail), attempt, took
            usual = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempt - 1))
            pause = usual * (0.5 + pauses.random() / 2)
            if came.after_s is not None:
                pause = max(pause, min(came.after_s, LONGEST_ASKED_S))
            await asyncio.sleep(pause)
            attempt += 1

    async def _once(self, case: Case, call: Callable[[Case], Awaitable[T]]) -> T | CallFailedError:
        limit = asyncio.timeout(self._settings.timeout_s)
        try:
            async with limit:
                given = await call(case)
        except TimeoutError:
            told = f"no answer within {self._settings.timeout_s:g} s"
            if not limit.expired():
                told = "the pipeline gave up waiting: it raised TimeoutError"
            return CallFailedError("timeout", told, again=True)
        except CallFailedError as error:
            if error.too_many:
                self._throttle.complained()
            return error
        except InputError as error:
            return CallFailedError("bad_reply", str(error.what)[:300])
        self._throttle.succeeded()
        return given
