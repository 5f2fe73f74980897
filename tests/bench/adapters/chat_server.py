"""A server on this machine that answers chat completions as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {
    "prompt_tokens": 2006,
    "completion_tokens": 300,
    "total_tokens": 2306,
    "prompt_tokens_details": {"cached_tokens": 1920},
}
OVERFLOW = {"error": {"message": "too long", "code": "context_length_exceeded"}}

Reply = tuple[int, dict[str, str], Any]


def calls(*tools: tuple[str, Any], usage: Any = USAGE, text: str | None = None) -> Reply:
    """Return a reply that calls tools; arguments that are no string are written as JSON."""
    return said(
        text,
        usage=usage,
        finish="tool_calls",
        tool_calls=[
            {
                "id": f"id-{number}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for number, (name, given) in enumerate(tools)
        ],
    )


def said(text: str | None, *, usage: Any = USAGE, finish: str = "stop", **message: Any) -> Reply:
    """Return a reply with a text."""
    body: dict[str, Any] = {
        "model": "model-as-served",
        "choices": [
            {
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if usage is not None:
        body["usage"] = usage
    return 200, {}, body


def status(code: int, body: Any = None, **headers: str) -> Reply:
    """Return a refusal."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return code, given, {"error": {"message": "no"}} if body is None else body


class Endpoint:
    """Where it listens, and what it was sent."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []


@contextmanager
def serving(*replies: Reply | Callable[[dict[str, Any]], Reply]) -> Iterator[Endpoint]:
    """Give the replies one after the other, the last one for ever."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            asked = json.loads(self.rfile.read(length))
            endpoint.asked.append(asked)
            endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
            reply = replies[min(len(endpoint.asked), len(replies)) - 1]
            code, headers, body = reply(asked) if callable(reply) else reply
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(code)
            for name, value in {"content-length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # whoever asked may have gone
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
