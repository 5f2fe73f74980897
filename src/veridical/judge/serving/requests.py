"""HTTP/1.1 as far as a mock needs it: one bounded request read, one response written.

Written on bare streams, because a server that resets, drips and lies cannot be made of one that
prevents all that.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["BadRequestError", "Request", "head", "read_request", "response"]

LARGEST_HEAD: Final = 32_768
LARGEST_BODY: Final = 8_000_000
_PATIENCE_S: Final = 30.0
_WORDS: Final = {
    200: "OK", 307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    411: "Length Required", 413: "Content Too Large", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout",
}  # fmt: skip


class BadRequestError(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, detail: str) -> None:
        self.status = status
        self.detail = detail
        super().__init__(status, detail)


@dataclass(frozen=True, slots=True)
class Request:
    """A request that is whole.

    Attributes
    ----------
    method, path
        As sent, the path without a query.
    headers
        Their names in lower case.
    body
        At most ``LARGEST_BODY`` bytes.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """Return the next request of a connection; None where the other side closed it.

    Raises
    ------
    BadRequestError
        It is too large, too slow or no HTTP.
    """
    try:
        async with asyncio.timeout(_PATIENCE_S):
            try:
                raw = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return None
            method, path, headers = _parsed(raw)
            return Request(method, path, headers, await _body(reader, headers))
    except TimeoutError as error:
        raise BadRequestError(408, "the request came too slowly") from error
    except asyncio.LimitOverrunError as error:
        raise BadRequestError(431, f"headers have {LARGEST_HEAD:,} bytes at most") from error
    except asyncio.IncompleteReadError:
        return None


def _parsed(raw: bytes) -> tuple[str, str, dict[str, str]]:
    first, *lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1.") or not words[1].startswith("/"):
        raise BadRequestError(400, "this is no request of HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip() or name.lower() in headers:
            raise BadRequestError(400, "a header is malformed or stands twice")
        headers[name.lower()] = value.strip()
    return words[0], words[1].partition("?")[0], headers


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if "transfer-encoding" in headers:
        raise BadRequestError(411, "send a Content-Length")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) < 12):
        raise BadRequestError(400, "Content-Length is no number")
    if int(length) > LARGEST_BODY:
        raise BadRequestError(413, f"a request has {LARGEST_BODY:,} bytes at most")
    return await reader.readexactly(int(length))


def head(status: int, length: int, **headers: str) -> bytes:
    """Return the head of a response; ``content_type="..."`` becomes ``content-type: ...``."""
    fields = {"content_type": "application/json", "content_length": str(length), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([f"HTTP/1.1 {status} {_WORDS[status]}", *lines, "", ""]).encode("latin-1")


def response(status: int, document: Any, **headers: str) -> bytes:
    """Return a whole response with a JSON document."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode("ascii")
    return head(status, len(body), **headers) + body
