"""One request and its response: bounded in time and size, whatever the other side does."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from veridical.extras import not_installed

if TYPE_CHECKING:
    import ssl

    import httpx2

    from veridical.judge.settings import JudgeSettings

__all__ = ["Clients", "Response", "TransportError", "is_loopback", "post", "retry_after"]

_GZIP_OR_ZLIB: Final = 32 + zlib.MAX_WBITS
_PIECE: Final = 1 << 16


class TransportError(Exception):
    """A request that brought no response that can be read.

    Parameters
    ----------
    code
        A stable string: ``timeout``, ``connection``, ``too_large``, ``bad_response``.
    detail
        One sentence, without any secret.
    sent
        Whether the other side may have done the work, and charge for it.
    """

    def __init__(self, code: str, detail: str, *, sent: bool = True) -> None:
        self.code = code
        self.detail = detail
        self.sent = sent
        super().__init__(code, detail)


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, decompressed.

    Attributes
    ----------
    status
        Of HTTP.
    headers
        Their names in lower case.
    body
        At most as many bytes as were allowed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Clients:
    """Clients that go to one endpoint and nowhere else, each with one connection.

    The pool of a client looks at all its connections before and after each request: one client for
    sixteen calls at a time spends more on that than on the calls.

    Parameters
    ----------
    settings
        Where the endpoint is, and how long it may take.
    given
        A client to lend to everybody instead, which is left open.

    Raises
    ------
    MissingExtraError
        The library of the extra is not installed.
    """

    def __init__(self, settings: JudgeSettings, given: httpx2.AsyncClient | None = None) -> None:
        self._settings = settings
        self._given = given
        self._all: list[httpx2.AsyncClient] = []
        self._free: list[httpx2.AsyncClient] = []
        if given is None:
            self._open()

    @contextmanager
    def lent(self) -> Iterator[httpx2.AsyncClient]:
        """Yield a client that nobody else uses meanwhile; the one that was used last."""
        if self._given is not None:
            yield self._given
            return
        if not self._free:
            self._open()
        client = self._free.pop()
        try:
            yield client
        finally:
            self._free.append(client)

    def _open(self) -> None:
        try:
            import httpx2
        except ModuleNotFoundError as error:
            raise not_installed("httpx2", "judge") from error
        client = httpx2.AsyncClient(
            verify=self._tls,
            follow_redirects=False,
            trust_env=self._trusts_environment,
            timeout=httpx2.Timeout(
                self._settings.timeout_s, connect=self._settings.connect_timeout_s
            ),
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1),
        )
        self._all.append(client)
        self._free.append(client)

    @cached_property
    def _trusts_environment(self) -> bool:
        # A proxy of the environment is for the world outside, not for this machine.
        host = urlsplit(self._settings.base_url).hostname or ""
        return not is_loopback(host)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        import ssl

        import httpx2

        if urlsplit(self._settings.base_url).scheme == "http":
            # Reading the world's certificates takes a while, and without them nobody is trusted.
            return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return httpx2.create_ssl_context(trust_env=self._trusts_environment)

    async def close(self) -> None:
        """Close all connections."""
        for client in self._all:
            await client.aclose()


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("example.org")
    (True, True, False)
    """
    import ipaddress

    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


async def post(
    http: httpx2.AsyncClient,
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    timeout_s: float,
    largest: int,
    method: str = "POST",
) -> Response:
    """Send one request and read its response.

    Parameters
    ----------
    http
        Whose connections to use.
    url, headers, body
        What to send, and where.
    timeout_s
        For all of it: a response that drips in slowly is late too.
    largest
        The most bytes of the response, before and after decompression.
    method
        Of HTTP.

    Raises
    ------
    TransportError
        There is no response, or none that may be read.
    """
    import httpx2

    try:
        async with (
            asyncio.timeout(timeout_s),
            http.stream(method, url, headers=dict(headers), content=body) as response,
        ):
            return Response(
                response.status_code,
                {name.lower(): value for name, value in response.headers.items()},
                await _read(response, largest),
            )
    except TimeoutError as error:
        raise TransportError("timeout", f"no whole response within {timeout_s:g} s") from error
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
        raise TransportError("connection", f"no connection: {_told(error)}", sent=False) from error
    except httpx2.TimeoutException as error:
        raise TransportError("timeout", f"the endpoint is silent: {_told(error)}") from error
    except httpx2.HTTPError as error:
        raise TransportError("connection", f"the connection broke: {_told(error)}") from error


async def _read(response: Any, largest: int) -> bytes:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"gzip", "x-gzip", "deflate"}:
        inflate: Any = zlib.decompressobj(_GZIP_OR_ZLIB)
    elif encoding in {"identity", ""}:
        inflate = None
    else:
        raise TransportError(
            "bad_response", f"the response has the encoding {ascii(encoding)[:40]}"
        )
    whole, came = bytearray(), 0
    async for piece in response.aiter_raw(_PIECE):
        came += len(piece)
        try:  # never more than is allowed, so that a small response cannot fill the memory
            whole += piece if inflate is None else inflate.decompress(piece, largest + 1)
        except zlib.error as error:
            raise TransportError("bad_response", "the response is damaged gzip") from error
        if max(len(whole), came) > largest:
            raise TransportError("too_large", f"the response is larger than {largest:,} bytes")
    if inflate is not None and not inflate.eof:
        raise TransportError("bad_response", "the response is gzip that breaks off")
    return bytes(whole)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return how many seconds the endpoint asks to wait; None where it says nothing readable.

    Examples
    --------
    >>> retry_after({"retry-after": "1.5"}), retry_after({"retry-after": "soon"})
    (1.5, None)
    """
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (moment - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds < float("inf") else None


def _told(error: Exception) -> str:
    return ascii(str(error) or type(error).__name__)[1:-1][:120]
