"""What calls cost: the worst case before one, what it took after it, and the budget of a run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from veridical.errors import StoreError
from veridical.judge.settings import Price
from veridical.judge.verdicts import Usage
from veridical.store.spending import Settlement
from veridical.store.together import Together

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from veridical.store.group_commit import GroupCommit

__all__ = ["RunBudget", "Taken", "counted", "estimated_tokens", "free", "most", "with_call"]

_CHARACTERS_A_TOKEN: Final = 4
_PAUSE_S: Final = 0.02
"""How long what nobody waits for is gathered, before it is written at once."""
_MOST_TOKENS: Final = 1 << 40
"""More than any model reads: a count beyond it is nonsense, and not to be added."""

Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Taken:
    """What one call took, or may have taken at most.

    Attributes
    ----------
    input_tokens, output_tokens
        As the provider counted them, or as we estimate.
    estimated
        Whether it is an estimate.
    """

    input_tokens: int
    output_tokens: int
    estimated: bool

    def cost(self, price: Price | None) -> Decimal:
        """Return what it costs; nothing is added up where the price is unknown."""
        return Decimal(0) if price is None else price.cost(self.input_tokens, self.output_tokens)


def free() -> Taken:
    """Return what a call took that the endpoint refused."""
    return Taken(0, 0, estimated=False)


def most(messages: Messages, output_cap: int) -> Taken:
    """Return the most that a call can take: a token has a byte at least.

    Examples
    --------
    >>> most([{"role": "user", "content": "naïve"}], 100)
    Taken(input_tokens=10, output_tokens=100, estimated=True)
    """
    texts = [text for message in messages for text in message.values()]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return Taken(size, output_cap, estimated=True)


def counted(usage: Any, messages: Messages, reply: str) -> Taken:
    """Return what a call took: the provider's count, else an estimate.

    Parameters
    ----------
    usage
        The ``usage`` of a response, whatever stands there.
    messages, reply
        What was sent, and what came: four characters count as one token.

    Examples
    --------
    >>> counted({"prompt_tokens": 12, "completion_tokens": 5}, [], "")
    Taken(input_tokens=12, output_tokens=5, estimated=False)
    >>> counted(None, [{"role": "user", "content": "Is it so?"}], "yes")
    Taken(input_tokens=3, output_tokens=1, estimated=True)
    """
    found = usage if isinstance(usage, Mapping) else {}
    numbers: list[Any] = [found.get("prompt_tokens"), found.get("completion_tokens")]
    if all(type(number) is int and 0 <= number < _MOST_TOKENS for number in numbers):
        return Taken(numbers[0], numbers[1], estimated=False)
    sent = "".join(message["content"] for message in messages)
    return Taken(estimated_tokens(sent), estimated_tokens(reply), estimated=True)


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has.

    Examples
    --------
    >>> estimated_tokens("")
    0
    """
    return -(-len(text) // _CHARACTERS_A_TOKEN)


def with_call(usage: Usage, taken: Taken, price: Price | None) -> Usage:
    """Return what a question took, one call later."""
    return replace(
        usage,
        calls=usage.calls + 1,
        input_tokens=usage.input_tokens + taken.input_tokens,
        output_tokens=usage.output_tokens + taken.output_tokens,
        estimated=usage.estimated or taken.estimated,
        cost=None if price is None else (usage.cost or Decimal(0)) + taken.cost(price),
    )


class RunBudget:
    """What one run may spend, for many tasks that ask at once.

    Parameters
    ----------
    commit
        The writer of the store that the run is in.
    run_id
        The run; its sums go on where an earlier process left them.
    """

    def __init__(self, commit: GroupCommit, run_id: str) -> None:
        self._commit = commit
        self._spending = commit.store.spending(run_id)
        self._open = 0
        self._change = asyncio.Event()
        self._books = Together(self._booked, pause_s=_PAUSE_S)
        self._soon: set[asyncio.Task[None]] = set()

    async def reserve(self, amount: Decimal, limit: Decimal | None) -> bool:
        """Set the worst case of a call aside, durably; return whether the budget allows it.

        Where calls are under way, it waits for what they leave of their own reservations.  Where
        there is no limit nobody waits: what is reserved is written while the call is under way.
        """
        if limit is None:
            self._open += 1
            self._book(amount)
            return True
        while True:
            change = self._change
            if await self._commit(
                lambda connection: self._spending.reserve_in(connection, [amount], limit)
            ):
                self._open += 1
                return True
            if not self._open and not change.is_set():
                return False
            await change.wait()

    def settle(self, reserved: Decimal, taken: Taken, price: Price | None) -> None:
        """Replace a reservation by what the call took, soon.

        Nobody has to wait for it: until it is on the disk, the reservation counts as spent.
        """
        one = Settlement(
            reserved, taken.cost(price), taken.input_tokens, taken.output_tokens, taken.estimated
        )
        self._book(one)

    async def finish(self) -> None:
        """Wait until all that was reserved and settled is on the disk.

        Raises
        ------
        StoreError
            It could not be written.
        """
        tasks, self._soon = self._soon, set()
        await asyncio.gather(*tasks)

    def _book(self, entry: Decimal | Settlement) -> None:
        task = asyncio.create_task(self._books(entry))
        self._soon.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is None:
            self._soon.discard(task)

    async def _booked(self, entries: list[Decimal | Settlement]) -> list[None]:
        """Write reservations and settlements; a call's reservation is never the later one."""
        amounts = [one for one in entries if isinstance(one, Decimal)]
        settlements = [one for one in entries if isinstance(one, Settlement)]

        def write(connection: Connection) -> None:
            if amounts and not self._spending.reserve_in(connection, amounts, limit=None):
                raise StoreError("the run spent more than can be counted", fix="begin a new run")
            if settlements:
                self._spending.settle_in(connection, settlements)

        try:
            await self._commit(write)
        finally:
            for _ in settlements:
                self.abandon()
        return [None] * len(entries)

    def abandon(self) -> None:
        """Leave a reservation as it is: what became of the call is not known."""
        self._open -= 1
        change, self._change = self._change, asyncio.Event()
        change.set()
