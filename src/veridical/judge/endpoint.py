"""``Endpoint``: messages in, a completion out, through whatever the endpoint does meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from veridical.judge.completions import (
    Completion,
    completion,
    encoded,
    is_too_long,
    refused_parameter,
    said,
)
from veridical.judge.costs import Messages, Taken, counted, free, most, with_call
from veridical.judge.purse import Budget
from veridical.judge.settings import JudgeSettings
from veridical.judge.slots import Slots
from veridical.judge.transport import Clients, Response, TransportError, post, retry_after
from veridical.judge.verdicts import FailureKind, Usage

if TYPE_CHECKING:
    import httpx2

__all__ = ["Bill", "Endpoint", "NoReplyError"]

_STOPS: Final = {401, 402, 403}
_AGAIN: Final = {408, 409, 425, 429}
# A gateway that gives up does not know whether the model behind it did its work.
_MAYBE_BILLED: Final = {502, 504, 524}
_SHORTEST_KEY: Final = 8


class NoReplyError(Exception):
    """There will be no reply; what a ``Failure`` says about it.

    Parameters
    ----------
    code, detail, kind
        As those of the failure.
    """

    def __init__(self, code: str, detail: str, kind: FailureKind = "error") -> None:
        self.code = code
        self.detail = detail
        self.kind = kind
        super().__init__(code)


@dataclass(slots=True)
class Bill:
    """What one question took so far; ``key`` seeds its pauses."""

    key: str
    usage: Usage = field(default_factory=Usage)


@dataclass(slots=True)
class _Tries:
    """What was tried already in one exchange; a repair begins a new one."""

    cap: int
    lost: int = 0
    refused: set[str] = field(default_factory=set)
    cut: Completion | None = None


class Endpoint:
    """One judge's endpoint, used by many tasks at once.

    Parameters
    ----------
    settings
        Which, and how.
    budget
        What each call is reserved from; None where nothing is kept of costs.
    http
        A client to use, which is left open; None for one of its own.
    """

    def __init__(
        self, settings: JudgeSettings, budget: Budget | None, http: httpx2.AsyncClient | None
    ) -> None:
        self._settings = settings
        self._budget = budget
        self._key = settings.key()
        self._clients = Clients(settings, http)
        self._slots = Slots(settings.concurrency)
        self._dropped: set[str] = set()

    @property
    def dropped(self) -> tuple[str, ...]:
        """The parameters that it refuses, as far as is known."""
        return tuple(sorted(self._dropped))

    async def close(self) -> None:
        """Close the connections, where they are its own, once all is settled."""
        try:
            if self._budget is not None:
                await self._budget.finish()
        finally:
            await self._clients.close()

    async def reply(self, messages: Messages, bill: Bill) -> Completion:
        """Return what the model replies, however often that has to be asked for.

        Raises
        ------
        NoReplyError
            It does not, or must not be asked.
        """
        tries = _Tries(self._settings.output_cap)
        while True:
            body = self._body(messages, tries.cap)
            try:
                came = await self._call(messages, body, tries.cap, bill)
            except TransportError as trouble:
                await self._later(bill, tries, trouble.code, trouble.detail, None)
                continue
            if isinstance(came, Completion):
                if not came.cut or tries.cut is not None:
                    return came
                tries.cut, tries.cap = came, tries.cap * 2
            elif not self._dropping(came, body, tries):
                if tries.cut is not None and came.status in {400, 422}:
                    return tries.cut  # the endpoint allows no more room
                await self._later(bill, tries, *self._refusal(came))

    async def _call(
        self, messages: Messages, body: Mapping[str, Any], cap: int, bill: Bill
    ) -> Completion | Response:
        """Send one request; its worst case is reserved before, and settled after."""
        async with self._slots.taken() as period:
            worst = most(messages, cap)
            reserved = await self._reserved(worst)
            taken: Taken | None = None  # of a call that is cancelled: nobody knows
            try:
                response = await self._sent(body)
                came = self._read(response)
                taken = _taken(came, messages, worst)
            except TransportError as trouble:
                taken = worst if trouble.sent else free()
                raise
            finally:
                self._settle(reserved, taken, bill)
            if response.status == 429:
                self._slots.slow_down(period)
            elif response.status == 200:
                self._slots.speed_up()
            return came

    async def _reserved(self, worst: Taken) -> Any:
        price, limit = self._settings.price, self._settings.max_cost_usd
        if limit is not None and "max_completion_tokens" in self._dropped:
            raise NoReplyError(
                "no_output_cap",
                "the endpoint takes no output cap, so a budget cannot be kept; remove the limit",
                "stop",
            )
        amount = worst.cost(price)
        if self._budget is not None and not await self._budget.reserve(amount, limit):
            raise NoReplyError(
                "budget", f"the next call may cost {amount:f}, and the limit is {limit:f}", "budget"
            )
        return amount

    def _settle(self, reserved: Any, taken: Taken | None, bill: Bill) -> None:
        if taken is not None:
            bill.usage = with_call(bill.usage, taken, self._settings.price)
        if self._budget is not None and taken is not None:
            self._budget.settle(reserved, taken, self._settings.price)
        elif self._budget is not None:
            self._budget.abandon()

    async def _sent(self, body: Mapping[str, Any]) -> Response:
        headers = {
            "content-type": "application/json",
            "accept": "application/json",
            "accept-encoding": "gzip",
        }
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        with self._clients.lent() as http:
            return await post(
                http,
                self._settings.url,
                headers,
                encoded(body),
                timeout_s=self._settings.timeout_s,
                largest=self._settings.largest_response,
            )

    def _body(self, messages: Messages, cap: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._settings.model, "messages": list(messages)}
        if self._settings.temperature is not None:
            body["temperature"] = self._settings.temperature
        if self._settings.response_format != "none":
            body["response_format"] = {"type": "json_object"}
        other = "max_tokens" in self._dropped
        body["max_completion_tokens" if other else "max_tokens"] = cap
        return {name: value for name, value in body.items() if name not in self._dropped}

    def _dropping(self, response: Response, body: Mapping[str, Any], tries: _Tries) -> bool:
        """Return whether to try again because a parameter was refused.

        It is dropped, for good and for all, when it is refused twice in a row: one stray refusal
        must not change how the rest of a run is judged.
        """
        if response.status not in {400, 422} or is_too_long(said(response)):
            return False
        name = refused_parameter(response, body)
        if name is None:
            return False
        if name in self._dropped:  # another request found out meanwhile
            return True
        if name in tries.refused:
            if tries.cut is not None and name.startswith("max_"):
                return False  # it takes a cap, but none so large
            self._dropped.add(name)
        tries.refused.add(name)
        return True

    def _refusal(self, response: Response) -> tuple[str, str, float | None]:
        """Return code, detail and wished pause of a refusal that may pass.

        Raises
        ------
        NoReplyError
            It will not.
        """
        status, words = response.status, self._hidden(said(response))[:300]
        told = f"HTTP {status}" + (f": {words}" if words else "")
        if status in _STOPS:
            raise NoReplyError(f"http_{status}", f"the endpoint refuses us: {told}", "stop")
        if status in {400, 413, 422} and is_too_long(words):
            raise NoReplyError("context_too_long", f"the model takes less: {told}", "skipped")
        if 300 <= status < 400:
            told = f"HTTP {status}: the endpoint is elsewhere, and redirects are not followed"
        if status not in _AGAIN and status < 500:
            raise NoReplyError(f"http_{status}", told)
        return f"http_{status}", told, retry_after(response.headers)

    async def _later(
        self, bill: Bill, tries: _Tries, code: str, detail: str, wished_s: float | None
    ) -> None:
        """Wait before another try; longer each time, and never in step with others."""
        tries.lost += 1
        if tries.lost > self._settings.retries:
            raise NoReplyError(code, f"{detail}, after {tries.lost} tries")
        jitter = random.Random(f"{bill.key}/{bill.usage.calls}").random()  # noqa: S311
        pause = self._settings.backoff_s * 2 ** (tries.lost - 1) * (0.5 + jitter / 2)
        await asyncio.sleep(min(max(pause, wished_s or 0.0), self._settings.longest_wait_s))

    def _read(self, response: Response) -> Completion | Response:
        if response.status != 200:
            return response
        came = completion(response)
        model = None if came.model is None else self._hidden(came.model)
        return replace(came, text=self._hidden(came.text), model=model)

    def _hidden(self, text: str) -> str:
        """Return a text without the key, which an endpoint may repeat to us."""
        if self._key is None or len(self._key) < _SHORTEST_KEY:
            return text
        return text.replace(self._key, "[key]")


def _taken(came: Completion | Response, messages: Messages, worst: Taken) -> Taken:
    """Return what a call took, by what came of it."""
    if isinstance(came, Completion):
        return counted(came.usage, messages, came.text)
    return worst if came.status in _MAYBE_BILLED else free()
