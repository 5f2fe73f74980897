"""``MockServer``: chat completions on this machine, from any judge, with faults on a schedule."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from veridical import strict_json
from veridical.errors import FileFormatError, OutputError, ParameterError
from veridical.judge.costs import estimated_tokens
from veridical.judge.serving.faults import FaultSchedule
from veridical.judge.serving.ledger import ServerLedger
from veridical.judge.serving.requests import (
    LARGEST_HEAD,
    BadRequestError,
    Request,
    head,
    read_request,
    response,
)
from veridical.judge.serving.spoiling import spoiled
from veridical.judge.settings import Price
from veridical.judge.transport import is_loopback

__all__ = ["Judge", "MockServer"]

Judge: TypeAlias = Callable[[Mapping[str, Any]], str]
"""The JSON of a request in, the text of a reply out."""

_MOST_CONNECTIONS: Final = 512
_UNPAID: Final = {"500", "503"}
_PAID: Final = {"502", "504"}
_CHARACTERS_A_TOKEN: Final = 4
_BOMB: Final = gzip.compress(bytes(50_000_000), mtime=0)


class MockServer:
    """A server of one judge; ``async with`` starts and ends it.

    It listens on this machine only.  ``GET /ledger`` tells what it saw and would charge.

    Parameters
    ----------
    judge
        What answers.
    faults
        What goes wrong, and when; None for nothing.
    model
        The name it serves the judge under.
    host, port
        Where to listen, 0 for any free port.
    latency_s
        How long it takes for a reply.
    retry_after_s
        What a 429 asks to wait.
    drip_s
        The pause between two bytes of a response that drips.
    price
        What it charges.
    refuses
        Parameters that it never takes, such as ``temperature``.

    Raises
    ------
    ParameterError
        The host is not this machine.
    """

    def __init__(
        self,
        judge: Judge,
        faults: FaultSchedule | None = None,
        *,
        model: str = "mock-judge-1",
        host: str = "127.0.0.1",
        port: int = 0,
        latency_s: float = 0.0,
        retry_after_s: float = 0.0,
        drip_s: float = 0.05,
        price: Price | None = None,
        refuses: tuple[str, ...] = (),
    ) -> None:
        if not is_loopback(host):
            raise ParameterError(
                f"{host[:80]!r} is not this machine",
                why="whoever reaches the server could use it",
                fix="listen on 127.0.0.1",
            )
        self._judge = judge
        self._faults = faults or FaultSchedule()
        self._host, self._port = host, port
        self._latency_s, self._retry_after_s, self._drip_s = latency_s, retry_after_s, drip_s
        self._refuses = refuses
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.model = model
        self.ledger = ServerLedger(price)

    @property
    def base_url(self) -> str:
        """What a judge is configured with."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}/v1"

    async def __aenter__(self) -> Self:
        """Listen."""
        try:
            self._server = await asyncio.start_server(
                self._accepted, self._host, self._port, limit=LARGEST_HEAD
            )
        except (OSError, OverflowError) as error:
            raise OutputError(
                f"port {self._port} cannot be listened on: {error}", fix="give another --port"
            ) from error
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection, whatever is under way."""
        if self._server is not None:
            self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._connections) >= _MOST_CONNECTIONS:
            writer.close()
            return
        self._connections.add(task)
        try:
            while await self._served_one(reader, writer):
                pass
        except (ConnectionError, asyncio.CancelledError):
            pass  # the other side went away, or the server ends
        finally:
            self._connections.discard(task)
            writer.close()

    async def _served_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; return whether the connection is good for another."""
        try:
            request = await read_request(reader)
            if request is None:
                return False
            body = self._routed(request)
            if not isinstance(body, bytes):
                with self.ledger.under_way() as number:
                    return await self._completed(body, number, reader, writer)
        except BadRequestError as error:
            document = {"error": {"message": error.detail, "type": "invalid_request_error"}}
            writer.write(response(error.status, document, connection="close"))
            await writer.drain()
            return False
        writer.write(body)
        await writer.drain()
        return True

    def _routed(self, request: Request) -> bytes | dict[str, Any]:
        """Return a whole response, or the chat request that is to be answered."""
        name = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
        if not is_loopback(name):  # a page of the web that renamed this machine
            raise BadRequestError(403, "this server is asked by its own machine only")
        if request.path == "/ledger" and request.method == "GET":
            return response(200, self.ledger.to_dict())
        if request.path == "/v1/models" and request.method == "GET":
            return response(200, {"object": "list", "data": [{"id": self.model}]})
        if request.path != "/v1/chat/completions":
            raise BadRequestError(404, "there is no such path")
        if request.method != "POST":
            raise BadRequestError(405, "completions are asked for by POST")
        return _chat(request.body)

    async def _completed(
        self,
        body: dict[str, Any],
        number: int,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        prompt = _prompt(body["messages"])
        fault = self._faults.draw(number, prompt)
        if fault is not None:
            self.ledger.faults[fault] += 1
        await asyncio.sleep(self._latency_s)
        refusal = self._refusal(fault, body)
        if refusal is not None:
            writer.write(refusal)
            await writer.drain()
            return True
        reply = self._reply(fault, body)
        text, usage, cut = _fitted(reply, body)
        self.ledger.charge(prompt, *usage)
        if fault in _PAID:
            writer.write(response(int(fault), b"<html>the gateway gave up</html>"))
            await writer.drain()
            return True
        document = self._document(number, text, usage, cut=cut or fault == "cut")
        if fault == "usage_missing":
            del document["usage"]
        if fault == "no_choices":
            document["choices"] = []
        return await self._sent(fault, json.dumps(document).encode("ascii"), reader, writer)

    def _refusal(self, fault: str | None, body: Mapping[str, Any]) -> bytes | None:
        """Return a response that charges nothing; None where the request is answered."""
        refused = [name for name in self._refuses if name in body]
        kind, _, name = (fault or "").partition("_")
        if refused or (kind == "400" and name in body):
            told = refused[0] if refused else name
            words = f"Unsupported parameter: '{told}' is not supported with this model."
            return response(400, {"error": {"message": words, "param": told}})
        if fault == "401":
            return response(401, {"error": {"message": "Incorrect API key provided."}})
        if fault == "429":
            limit = {"error": {"message": "Rate limit reached.", "code": "rate_limit_exceeded"}}
            return response(429, limit, retry_after=f"{self._retry_after_s:g}")
        if fault in _UNPAID:
            return response(int(str(fault)), {"error": {"message": "The server had an error."}})
        return None

    def _reply(self, fault: str | None, body: Mapping[str, Any]) -> str:
        try:
            return spoiled(fault or "", self._judge(body))
        except (KeyError, TypeError, ValueError) as error:
            raise BadRequestError(400, f"the judge cannot answer this: {error}"[:200]) from error

    def _document(
        self, number: int, text: str, usage: tuple[int, int], *, cut: bool
    ) -> dict[str, Any]:
        return {
            "id": f"mock-{number}",
            "object": "chat.completion",
            "model": self.model,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "length" if cut else "stop",
                }
            ],
            "usage": {
                "prompt_tokens": usage[0],
                "completion_tokens": usage[1],
                "total_tokens": sum(usage),
            },
        }

    async def _sent(
        self,
        fault: str | None,
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Send a completion, or what the fault makes of it."""
        if fault == "reset":
            writer.transport.abort()
            return False
        if fault == "hang":
            await reader.read(1)  # until the other side has had enough
            return False
        if fault == "drip":
            writer.write(head(200, len(body)))
            for byte in body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(self._drip_s)
                if reader.at_eof():
                    return False
            return True
        writer.write(_DELIVERIES.get(fault or "", _plain)(body))
        await writer.drain()
        return fault not in {"truncated", "garbage"}


def _plain(whole: bytes) -> bytes:
    return response(200, whole)


_DELIVERIES: Final[dict[str, Callable[[bytes], bytes]]] = {
    "garbage": lambda _: b"\x00\x01 this is no HTTP\r\n\r\n",
    "html": lambda _: response(200, b"<!doctype html><p>Sign in</p>", content_type="text/html"),
    "truncated": lambda whole: head(200, len(whole)) + whole[: len(whole) // 2],
    "gzip_bomb": lambda _: response(200, _BOMB, content_encoding="gzip"),
    "huge": lambda whole: _plain(whole + b" " * 10_000_000),
    "gzip": lambda whole: response(200, gzip.compress(whole, mtime=0), content_encoding="gzip"),
    "bom": lambda whole: response(200, b"\xef\xbb\xbf" + whole),
    "wrong_type": lambda whole: response(200, whole, content_type="text/html"),
}


def _chat(body: bytes) -> dict[str, Any]:
    try:
        document = strict_json.loads(body)
        for message in document["messages"]:
            if type(message["role"]) is not str or type(message["content"]) is not str:
                raise TypeError
    except (FileFormatError, KeyError, TypeError, ValueError) as error:
        raise BadRequestError(400, "this is no chat request") from error
    return dict(document)


def _prompt(messages: list[Mapping[str, str]]) -> str:
    """Return what stands for a prompt: a repair has the same, for it asks the same."""
    users = (at for at, message in enumerate(messages) if message["role"] == "user")
    asked = messages[: next(users, len(messages)) + 1]
    return hashlib.sha256(json.dumps([m["content"] for m in asked]).encode()).hexdigest()


def _fitted(reply: str, body: Mapping[str, Any]) -> tuple[str, tuple[int, int], bool]:
    """Return a reply within the output cap, the tokens of both sides, and whether it was cut."""
    sent = "".join(message["content"] for message in body["messages"])
    cap = body.get("max_tokens", body.get("max_completion_tokens"))
    cut = type(cap) is int and estimated_tokens(reply) > cap
    text = reply[: max(int(cap), 0) * _CHARACTERS_A_TOKEN] if cut and cap is not None else reply
    return text, (estimated_tokens(sent), estimated_tokens(text)), cut
