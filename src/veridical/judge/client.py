"""``JudgeClient``: a question in, a verdict or the reason for none out.

::

    ask ── kept? ──> exchange ── read ──> Verdict
                        │          └─ not understood: once more, with what was wrong
                        └─ not through: again, later; cut off: once more, with more room

A verdict depends on the reply that was finally valid, and on nothing that went wrong before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from veridical.errors import ParameterError
from veridical.judge.cache import Kept, VerdictCache, cache_key
from veridical.judge.completions import Completion
from veridical.judge.costs import Messages
from veridical.judge.endpoint import Bill, Endpoint, NoReplyError
from veridical.judge.purse import Budget
from veridical.judge.reading import ReplyError, read_reply
from veridical.judge.rendering import Rendered, render
from veridical.judge.settings import JudgeSettings
from veridical.judge.verdicts import Failure, Question, Usage, Verdict

if TYPE_CHECKING:
    import httpx2

__all__ = ["LONGEST_ECHO", "JudgeClient"]

LONGEST_ECHO: Final = 8_000
_REPAIR: Final = (
    "Your last reply could not be used: {detail}. Reply again to the request above, with exactly "
    "one JSON object of the form it asks for, and nothing else."
)


@dataclass(slots=True)
class _Asking:
    """What is known about one question while it is asked."""

    question: Question
    bill: Bill
    raw: list[str] = field(default_factory=list)


class JudgeClient:
    """Asks one judge, many questions at once; ``async with`` opens and closes it.

    Parameters
    ----------
    settings
        Which judge, and how.
    cache
        Where valid replies are kept; None to ask every time.
    spending
        The budget of the run, or a ``Purse``; needed where the settings have a limit.
    http
        A client of httpx2 to use, which is left open; None for one of its own.

    Raises
    ------
    ConfigurationError
        The key is missing, or a budget cannot be kept because the price is unknown.
    MissingExtraError
        The libraries of the extra ``judge`` are not installed.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        *,
        cache: VerdictCache | None = None,
        spending: Budget | None = None,
        http: httpx2.AsyncClient | None = None,
    ) -> None:
        settings.check_budget()
        if settings.max_cost_usd is not None and spending is None:
            raise ParameterError(
                "a budget needs something to be spent from",
                fix="give spending=RunBudget(commit, run_id), or Purse()",
            )
        self.settings = settings
        self._cache = cache
        self._endpoint = Endpoint(settings, spending, http)
        self._asked: dict[str, asyncio.Future[Verdict | Failure | None]] = {}
        self._stopped: Failure | None = None

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connections, where they are its own."""
        await self._endpoint.close()

    def __repr__(self) -> str:
        return f"JudgeClient({self.settings.model!r} at {self.settings.endpoint!r})"

    async def ask(self, question: Question, repeat: int = 1) -> Verdict | Failure:
        """Return the verdict on a question, or why there is none.

        Trouble with the endpoint is never raised.

        Parameters
        ----------
        question
            What is to be judged.
        repeat
            The how manieth time it is asked, from 1: each has a verdict of its own.
        """
        rendered = render(question, self.settings.language, self.settings.longest_prompt)
        if isinstance(rendered, Failure):
            return rendered
        key = cache_key(self.settings, rendered, repeat)
        asking = _Asking(question, Bill(key))
        if self._cache is None:
            return await self._from_endpoint(asking, rendered)
        # The same question twice at once would be paid twice, and kept once.
        while (other := self._asked.get(key)) is not None:
            outcome = await asyncio.shield(other)
            if isinstance(outcome, Verdict):
                return replace(outcome, usage=Usage(), cached=True)
            if outcome is not None:
                return replace(outcome, usage=Usage())
        mine = self._asked[key] = asyncio.get_running_loop().create_future()
        try:
            kept = await self._from_cache(question, key)
            outcome = kept or await self._from_endpoint(asking, rendered)
            mine.set_result(outcome)
        finally:
            del self._asked[key]
            if not mine.done():  # it was cancelled: whoever waits asks for himself
                mine.set_result(None)
        return outcome

    async def _from_cache(self, question: Question, key: str) -> Verdict | None:
        kept = None if self._cache is None else await self._cache.get(key)
        if kept is None:
            return None
        try:
            reply = read_reply(kept.raw, question)
        except ReplyError:  # kept by a reader that was less strict
            return None
        return _verdict(question, reply, kept, Usage(), cached=True)

    async def _from_endpoint(self, asking: _Asking, rendered: Rendered) -> Verdict | Failure:
        question, bill = asking.question, asking.bill
        if self._stopped is not None:
            return replace(self._stopped, contract=question.contract)
        try:
            reply, came = await self._valid(asking, rendered.messages)
        except NoReplyError as end:
            failure = Failure(
                question.contract, end.code, end.detail, tuple(asking.raw), bill.usage, end.kind
            )
            if end.kind in {"stop", "budget"}:
                self._stopped = replace(failure, raw=(), usage=Usage())
            return failure
        kept = Kept(came.text, came.model, self._endpoint.dropped)
        if self._cache is not None:
            mine, model = kept, self.settings.model
            kept = await self._cache.put(bill.key, mine, contract=question.contract, model=model)
            if kept.raw != mine.raw:  # another process was faster, and its reply is the one kept
                reply = read_reply(kept.raw, question)
        return _verdict(question, reply, kept, bill.usage, cached=False)

    async def _valid(
        self, asking: _Asking, messages: Messages
    ) -> tuple[Mapping[str, Any], Completion]:
        """Return a reply that keeps the contract, after one repair at most."""
        came = await self._endpoint.reply(messages, asking.bill)
        try:
            return read_reply(came.text, asking.question), came
        except ReplyError as error:
            asking.raw.append(came.text)
            repair = [
                *messages,
                {"role": "assistant", "content": came.text[:LONGEST_ECHO]},
                {"role": "user", "content": _REPAIR.format(detail=error.detail)},
            ]
        came = await self._endpoint.reply(repair, asking.bill)
        try:
            return read_reply(came.text, asking.question), came
        except ReplyError as error:
            asking.raw.append(came.text)
            raise NoReplyError(error.code, error.detail) from error


def _verdict(
    question: Question, reply: Mapping[str, Any], kept: Kept, usage: Usage, *, cached: bool
) -> Verdict:
    return Verdict(
        question.contract, reply, kept.raw, kept.model, usage, cached=cached, dropped=kept.dropped
    )
