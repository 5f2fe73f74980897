"""How a request reaches its target: a file, a command, or a post."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from veridical import strict_json
from veridical.errors import OutputError
from veridical.extras import not_installed
from veridical.monitor.rules import Target
from veridical.monitor.signing import HEADER, signature
from veridical.writing import write_atomically

if TYPE_CHECKING:
    import httpx2

__all__ = ["DeliveryError", "send"]

_LARGEST_REPLY: Final = 1 << 16
_TOLD: Final = 200
_NO_FILE_NAME: Final = re.compile(r"[^0-9a-f]")


class DeliveryError(Exception):
    """An attempt that failed; what went wrong, in a line."""


def send(target: Target, payload: Mapping[str, Any]) -> str:
    """Deliver a request once, and return what the target said.

    Parameters
    ----------
    target
        Where to.
    payload
        A CloudEvent; its id is the same at every attempt.

    Raises
    ------
    DeliveryError
        It did not arrive, or nobody knows whether it did.
    MissingExtraError
        The library for posts is not installed.
    """
    body = strict_json.canonical(dict(payload))
    if target.kind == "file":
        return _to_file(target, str(payload["id"]), body)
    if target.kind == "command":
        return _to_command(target, body)
    return asyncio.run(_posted(target, body))


def _to_file(target: Target, request_id: str, body: bytes) -> str:
    name = _NO_FILE_NAME.sub("", request_id)
    try:
        Path(target.path).mkdir(parents=True, exist_ok=True)
        path = write_atomically(Path(target.path) / f"{name}.json", body + b"\n")
    except (OutputError, OSError) as error:
        raise DeliveryError(f"it cannot be written: {error}"[:_TOLD]) from error
    return f"written to {path}"


def _to_command(target: Target, body: bytes) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the words are the user's own, and no shell reads them
            target.argv, input=body, capture_output=True, timeout=target.timeout_s, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DeliveryError(f"no end within {target.timeout_s:g} s") from error
    except OSError as error:
        raise DeliveryError(f"it cannot be started: {error}"[:_TOLD]) from error
    said = ascii(done.stderr.decode("utf-8", "replace").strip()[-_TOLD:])[1:-1]
    if done.returncode != 0:
        raise DeliveryError(f"exit code {done.returncode}: {said}"[:_TOLD])
    return "exit code 0"


async def _posted(target: Target, body: bytes) -> str:
    try:
        import httpx2
    except ModuleNotFoundError as error:
        raise not_installed("httpx2", "judge") from error
    secret = os.environ.get(target.secret_env, "")
    if not secret:
        raise DeliveryError(f"the variable {target.secret_env} holds no secret to sign with")
    url, headers, extensions = _pinned(target)
    headers |= {
        "content-type": "application/cloudevents+json; charset=utf-8",
        HEADER: signature(secret.encode(), body, int(time.time())),
    }
    try:
        async with (
            asyncio.timeout(target.timeout_s),
            httpx2.AsyncClient(follow_redirects=False, trust_env=False) as http,
            http.stream("POST", url, headers=headers, content=body, extensions=extensions) as reply,
        ):
            said = await _beginning(reply)
    except (TimeoutError, httpx2.HTTPError) as error:
        told = str(error) or type(error).__name__
        raise DeliveryError(f"no reply: {ascii(told)[1:-1]}"[:_TOLD]) from error
    if 200 <= reply.status_code < 300:
        return f"HTTP {reply.status_code}"
    if 300 <= reply.status_code < 400:
        raise DeliveryError(f"HTTP {reply.status_code}: redirects are not followed")
    raise DeliveryError(f"HTTP {reply.status_code}: {said}"[:_TOLD])


async def _beginning(reply: httpx2.Response) -> str:
    whole = bytearray()
    async for piece in reply.aiter_raw(4096):
        whole += piece
        if len(whole) > _LARGEST_REPLY:
            break
    return ascii(bytes(whole[:_TOLD]).decode("utf-8", "replace"))[1:-1]


def _pinned(target: Target) -> tuple[str, dict[str, str], dict[str, Any]]:
    """Return the address by its number, checked, so that a name cannot change what it means.

    A name that leads to a private address would let whoever controls the name reach into the
    network of the sender.
    """
    parts = urlsplit(target.url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise DeliveryError(f"the host is not found: {ascii(host)[1:-1]}"[:_TOLD]) from error
    found = sorted({str(info[4][0]).partition("%")[0] for info in infos})
    addresses = [ipaddress.ip_address(text) for text in found]
    for address in addresses:
        if not (address.is_global or target.allow_private):
            raise DeliveryError(
                f"{ascii(host)[1:-1]} is the private address {address}, and allow_private is off"
            )
    address = addresses[0]
    number = f"[{address}]" if address.version == 6 else str(address)
    url = parts._replace(netloc=f"{number}:{port}", fragment="").geturl()
    return url, {"host": parts.netloc.rpartition("@")[2]}, {"sni_hostname": host}
