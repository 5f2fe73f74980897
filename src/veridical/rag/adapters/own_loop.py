"""``OwnLoop``: a pipeline that is asynchronous has an event loop of its own, in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

__all__ = ["OwnLoop"]

_PATIENCE_S: Final = 1.0


class OwnLoop:
    """Where coroutines of others are awaited.

    One that blocks its loop, stops it, cancels all its tasks or will not be cancelled does so to
    the pipeline alone: time limits and signals of ours go on.  All calls share one loop, because
    connections belong to the loop in which they were made.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False

    async def awaited(self, make: Callable[[], Awaitable[Any]]) -> Any:
        """Await what ``make`` returns, there; whatever it raises is raised here."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            turning = threading.Thread(
                target=self._turn, args=(self._loop,), name="veridical-pipeline-loop", daemon=True
            )
            turning.start()
        call = asyncio.run_coroutine_threadsafe(_caught(make), self._loop)
        given, error = await asyncio.wrap_future(call)
        if error is not None:
            raise error
        return given

    async def close(self) -> None:
        """Cancel what is left, and end the loop; what hangs is left behind with its thread."""
        if self._loop is None:
            return
        left = asyncio.run_coroutine_threadsafe(_all_ended(), self._loop)
        try:
            ended = await asyncio.wait_for(asyncio.wrap_future(left), 2 * _PATIENCE_S)
        except (TimeoutError, asyncio.CancelledError):
            ended = False
        if ended:
            self._ended = True
            with suppress(RuntimeError):  # the pipeline stopped it just now
                self._loop.call_soon_threadsafe(self._loop.stop)

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        while not self._ended:  # a pipeline may stop it
            loop.run_forever()
        loop.close()


async def _caught(make: Callable[[], Awaitable[Any]]) -> tuple[Any, BaseException | None]:
    """Await, and return what was raised: an exit would end the loop."""
    try:
        return await make(), None
    except BaseException as error:  # noqa: BLE001 - raised again where it was called
        return None, error


async def _all_ended() -> bool:
    """Cancel all other tasks; whether they end."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    hanging = (await asyncio.wait(tasks, timeout=_PATIENCE_S))[1] if tasks else set()
    await asyncio.get_running_loop().shutdown_asyncgens()
    return not hanging
