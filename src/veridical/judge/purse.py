"""``Purse``: what may be spent on asking that belongs to no run, as calibrating does."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any, Protocol

from veridical.judge.costs import Taken
from veridical.judge.settings import Price

__all__ = ["Budget", "Purse"]


class Budget(Protocol):
    """What calls are reserved from: ``RunBudget``, or a ``Purse``."""

    async def reserve(self, amount: Decimal, limit: Decimal | None) -> bool:
        """Set the worst case of a call aside; return whether the limit allows it."""
        ...

    def settle(self, reserved: Any, taken: Taken, price: Price | None) -> None:
        """Replace a reservation by what the call took."""

    def abandon(self) -> None:
        """Leave a reservation as it is: what became of the call is not known."""

    async def finish(self) -> None:
        """Wait until all is on record."""


class Purse:
    """A budget of this process alone: nothing can resume what it is spent on.

    Attributes
    ----------
    calls, cost
        What was settled so far.

    Examples
    --------
    >>> purse, cent = Purse(), Decimal("0.01")
    >>> async def spend():
    ...     first = await purse.reserve(2 * cent, 3 * cent)
    ...     purse.settle(2 * cent, Taken(1000, 0, estimated=False), Price(Decimal(5), Decimal(5)))
    ...     return first, await purse.reserve(2 * cent, 3 * cent), purse.cost
    >>> asyncio.run(spend())
    (True, True, Decimal('0.005'))
    """

    def __init__(self) -> None:
        self.calls = 0
        self.cost = Decimal(0)
        self._committed = Decimal(0)
        self._open = 0
        self._change = asyncio.Event()

    async def reserve(self, amount: Decimal, limit: Decimal | None) -> bool:
        """Set the worst case of a call aside; where calls are under way, wait for what they leave.

        Parameters
        ----------
        amount, limit
            As for ``RunBudget``.
        """
        while limit is not None and self._committed + amount > limit:
            if not self._open:
                return False
            await self._change.wait()
        self._committed += amount
        self._open += 1
        return True

    def settle(self, reserved: Decimal, taken: Taken, price: Price | None) -> None:
        """Replace a reservation by what the call took."""
        cost = taken.cost(price)
        # An estimate frees nothing: the call may have cost all that was reserved for it.
        self._committed += (max(cost, reserved) if taken.estimated else cost) - reserved
        self.cost += cost
        self.calls += 1
        self.abandon()

    def abandon(self) -> None:
        """Leave a reservation as it is: what became of the call is not known."""
        self._open -= 1
        change, self._change = self._change, asyncio.Event()
        change.set()

    async def finish(self) -> None:
        """Do nothing: all of it is in memory."""
