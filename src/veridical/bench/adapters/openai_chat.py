"""``openai_chat``: a model behind an endpoint for chat completions with tools."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from veridical.bench.adapters.chat_turns import Conversation
from veridical.bench.agents.protocol import NO_USAGE, AgentResult, InfraError, RunEndedError
from veridical.errors import ConfigurationError
from veridical.extras import not_installed
from veridical.judge.completions import encoded, is_too_long, said
from veridical.judge.settings import variable_told
from veridical.judge.transport import Response, TransportError, is_loopback, post, retry_after

if TYPE_CHECKING:
    import httpx2

    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView

__all__ = ["OpenaiChatAgent"]

_LARGEST: Final = 8 << 20
_TIMEOUT_S: Final = 120.0
_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 30.0
_MAY_PASS: Final = frozenset({408, 409, 425, 429})


class OpenaiChatAgent:
    """A model that is asked until it submits.

    Parameters
    ----------
    model
        As the endpoint names it.
    base_url
        With ``/v1`` or whatever stands before ``/chat/completions``; no user, no password.
    key_env
        Name of the environment variable that holds the key; None for an endpoint without one.
    provider
        As the price table names it.
    sampling
        ``temperature``, ``top_p``, ``max_tokens``, ``seed``: sent where given.
    retries
        How often a call is repeated that was refused for load, or broke.
    version
        Of the agent, as reports show it.

    Raises
    ------
    ConfigurationError
        The address is none, or the variable is not set.
    MissingExtraError
        httpx2 is not installed.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        key_env: str | None = None,
        *,
        provider: str | None = None,
        sampling: Mapping[str, float | int] | None = None,
        retries: int = 5,
        version: str = "1",
    ) -> None:
        self._httpx = _library()
        self._url, self._local = _checked(self._httpx, base_url, has_key=key_env is not None)
        self._key = _key(key_env)
        self._retries = retries
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self.model = model
        self.provider = provider
        self.sampling = dict(sampling or {})
        self.name = f"openai_chat:{model}"
        self.version = version
        self.config: Mapping[str, Any] = {
            "kind": "openai_chat",
            "model": model,
            "base_url": base_url,
            "sampling": self.sampling,
            "retries": retries,
        }

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Talk with the model about a case."""
        return asyncio.run(self._run(task, tools))

    async def _run(self, task: TaskView, tools: Tools) -> AgentResult:
        end = time.monotonic() + task.limits.seconds
        talk = Conversation(task.prompt, tools, secret=self._key)
        async with self._httpx.AsyncClient(
            follow_redirects=False, trust_env=not self._local
        ) as http:
            try:
                while talk.stop_reason is None:
                    tools.next_turn()
                    response = await self._asked(http, talk, end)
                    if response.status == 200:
                        talk.take(response)
                    elif is_too_long(said(response)):
                        talk.stop_reason = "context_overflow"
                    else:
                        raise self._failed("status", self._refusal(response), talk)
            except RunEndedError as error:
                talk.stop_reason = error.stop_reason
            except TransportError as error:
                raise self._failed(error.code, error.detail, talk) from error
        return AgentResult(
            final_text=talk.final_text,
            messages=talk.recorded(),
            usage=talk.usage or dict(NO_USAGE),
            shape="openai_chat" if talk.usage else None,
            model=talk.model,
            provider=self.provider,
            stop_reason=talk.stop_reason,
            retries=talk.retries,
        )

    async def _asked(self, http: httpx2.AsyncClient, talk: Conversation, end: float) -> Response:
        """Return a response that is not worth repeating."""
        body = encoded({"model": self.model, **talk.request(), **self.sampling})
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        pause = _FIRST_PAUSE_S
        for left in range(self._retries, -1, -1):
            seconds = end - time.monotonic()
            if seconds <= 0:
                raise RunEndedError("time_limit")
            asked: float | None = None
            try:
                response = await post(
                    http,
                    self._url,
                    headers,
                    body,
                    timeout_s=min(_TIMEOUT_S, seconds),
                    largest=_LARGEST,
                )
                if response.status < 500 and response.status not in _MAY_PASS:
                    return response
                if left == 0:
                    return response
                asked = retry_after(response.headers)
            except TransportError as error:
                if error.code == "timeout" and time.monotonic() >= end:
                    raise RunEndedError("time_limit") from error
                if left == 0 or error.code not in {"timeout", "connection"}:
                    raise
            talk.retries += 1
            seconds = min(_LONGEST_PAUSE_S, pause if asked is None else asked)
            await self._sleep(min(seconds, max(0.0, end - time.monotonic())))
            pause *= 2
        raise AssertionError  # the last round returns or raises

    def _refusal(self, response: Response) -> str:
        words = said(response)[:200]
        words = words.replace(self._key, "[key]") if self._key else words
        return f"the endpoint says {response.status}" + (f": {words}" if words else "")

    def _failed(self, kind: str, message: str, talk: Conversation) -> InfraError:
        return InfraError(
            kind,
            message,
            retries=talk.retries,
            usage=talk.usage or dict(NO_USAGE),
            shape="openai_chat" if talk.usage else None,
        )


def _library() -> Any:
    try:
        import httpx2
    except ModuleNotFoundError as error:
        raise not_installed("httpx2", "judge") from error
    return httpx2


def _checked(library: Any, base_url: str, *, has_key: bool) -> tuple[str, bool]:
    """Return the address of chat completions, and whether it is on this machine."""
    try:
        url = library.URL(base_url)
    except (library.InvalidURL, TypeError) as error:
        raise ConfigurationError(
            "the base URL is no URL", fix="write it like http://127.0.0.1:8000/v1"
        ) from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError(
            "the base URL is no address of HTTP", fix="write it like http://127.0.0.1:8000/v1"
        )
    if url.userinfo or url.query:
        raise ConfigurationError(
            "the base URL holds a user, a password or a query",
            why="it is recorded with the run, and a secret never is",
            fix="put the key into an environment variable, and name that",
        )
    local = is_loopback(url.host)
    if url.scheme == "http" and has_key and not local:
        raise ConfigurationError("the key would go over the network in the clear", fix="take https")
    return f"{base_url.rstrip('/')}/chat/completions", local


def _key(name: str | None) -> str | None:
    if name is None:
        return None
    if value := os.environ.get(name):
        return value
    raise ConfigurationError(
        f"the environment variable {variable_told(name)} is not set",
        fix="set it to the endpoint's key",
    )
