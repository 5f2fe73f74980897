"""``Together``: what many tasks ask for one by one, done for all of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

__all__ = ["Together"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class Together(Generic[Item, Result]):
    """Does in one go what was asked for while the last go was under way, in its order.

    A statement about a hundred rows takes hardly longer than one about a single row.

    Parameters
    ----------
    work
        Takes the items of one go, and gives a result for each.  Where it fails, it failed for all
        of them.
    pause_s
        How long each go waits for more to come along.

    Examples
    --------
    >>> async def doubled(items):
    ...     return [2 * item for item in items]
    >>> async def ask():
    ...     together = Together(doubled)
    ...     return await asyncio.gather(*map(together, [1, 2, 3]))
    >>> asyncio.run(ask())
    [2, 4, 6]
    """

    def __init__(
        self, work: Callable[[list[Item]], Awaitable[Sequence[Result]]], *, pause_s: float = 0.0
    ) -> None:
        self._work = work
        self._pause_s = pause_s
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._going: asyncio.Task[None] | None = None

    async def __call__(self, item: Item) -> Result:
        """Return the result for one item; it is worked on also where this task is cancelled."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._going is None:
            self._going = asyncio.create_task(self._go())
        return await future

    async def finish(self) -> None:
        """Wait until nothing is under way."""
        while self._going is not None:
            await asyncio.wait([self._going])

    async def _go(self) -> None:
        try:
            while self._waiting:
                # Without a pause, whoever asks in the same turn of the loop still comes along.
                await asyncio.sleep(self._pause_s)
                batch, self._waiting = self._waiting, []
                try:
                    results = await self._work([item for item, _ in batch])
                except Exception as error:  # noqa: BLE001 - told to everyone who waits
                    for _, future in batch:
                        if not future.done():
                            future.set_exception(error)
                else:
                    for (_, future), result in zip(batch, results, strict=True):
                        if not future.done():  # who waited was cancelled
                            future.set_result(result)
        finally:
            self._going = None
