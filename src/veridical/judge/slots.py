"""``Slots``: how many requests may be under way; fewer after the endpoint asked for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Slots"]


class Slots:
    """A semaphore whose width follows the endpoint: halved by a 429, a step wider by each success.

    Parameters
    ----------
    most
        The width to begin with, and never to exceed.

    Examples
    --------
    >>> slots = Slots(8)
    >>> slots.slow_down(slots.period), slots.slow_down(0), slots.width
    (None, None, 4)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._width = float(most)
        self._busy = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.period = 0

    @property
    def width(self) -> int:
        """How many requests may be under way."""
        return int(self._width)

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[int]:
        """Wait for a slot and hold it; yield the period in which it was taken."""
        await self._take()
        try:
            yield self.period
        finally:
            self._busy -= 1
            self._wake()

    def slow_down(self, period: int) -> None:
        """Halve the width, once for all requests that were sent before it was last halved."""
        if period == self.period:
            self.period += 1
            self._width = max(1.0, self._width / 2)

    def speed_up(self) -> None:
        """Widen by one after as many successes as the width."""
        self._width = min(float(self._most), self._width + 1 / self._width)
        self._wake()

    async def _take(self) -> None:
        if self._busy < self.width:
            self._busy += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given a slot all the same
                self._busy -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._busy < self.width:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)
