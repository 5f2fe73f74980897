"""One HTTP call of a pipeline, and what its status means."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from veridical import strict_json
from veridical.errors import ConfigurationError
from veridical.extras import not_installed
from veridical.judge.settings import variable_told
from veridical.judge.transport import TransportError, is_loopback, post, retry_after
from veridical.rag.adapters.answering import CallFailedError

if TYPE_CHECKING:
    import httpx2

    from veridical.rag.configuration.sections import PipelineSection

__all__ = ["Caller", "secret"]

_LEAST_SECRET = 8
_MAY_PASS = {408, 409, 425, 429}


class Caller:
    """A client for one address.

    Parameters
    ----------
    url
        Where; redirects are not followed.
    settings
        Time limit and size.
    headers
        Sent with every call.
    secrets
        What is replaced in a reply that quotes it, so that it stands in no store and no report.

    Raises
    ------
    ConfigurationError
        It is no address, or holds a name and a password beside a header that does.
    MissingExtraError
        The library is not installed.
    """

    def __init__(
        self,
        url: str,
        settings: PipelineSection,
        headers: Mapping[str, str],
        secrets: Iterable[str] = (),
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigurationError(
                f"{url[:80]!r} is no address", fix="begin pipeline.target with https:// or http://"
            )
        try:
            import httpx2
        except ModuleNotFoundError as error:
            raise not_installed("httpx2", "judge") from error
        self._url, self._settings, self._headers = url, settings, headers
        try:
            parts = httpx2.URL(url)
        except httpx2.InvalidURL as error:
            raise ConfigurationError("the address cannot be read", fix="correct it") from error
        if parts.userinfo and any(name.lower() == "authorization" for name in headers):
            raise ConfigurationError(
                "the address and a header say who asks",
                why="only one of the two would be sent",
                fix="take what stands before @ out of pipeline.target",
            )
        quoted = [one for secret in secrets for one in secret.split() if len(one) >= _LEAST_SECRET]
        if parts.userinfo:
            quoted += [parts.password, b64encode(parts.userinfo).decode()]
        self._secrets = [one for one in quoted if one]
        self._direct = is_loopback(parts.host)
        self._http: httpx2.AsyncClient | None = None

    async def open(self) -> None:
        """Open the client."""
        import httpx2

        self._http = httpx2.AsyncClient(
            follow_redirects=False, trust_env=not self._direct, timeout=self._settings.timeout_s
        )

    async def close(self) -> None:
        """Close it, with its connections."""
        if self._http is not None:
            await self._http.aclose()

    async def called(self, body: Any, method: str = "POST") -> Any:
        """Return the JSON that comes back for a body, whose fields are the query of a ``GET``.

        Raises
        ------
        CallFailedError
            Nothing usable came back.
        """
        assert self._http is not None  # noqa: S101 - it is open
        url, content = self._url, strict_json.canonical(body)
        if method == "GET":
            url, content = f"{url}{'&' if '?' in url else '?'}{_query(body)}", b""
        try:
            response = await post(
                self._http,
                url,
                {"content-type": "application/json", **self._headers},
                content,
                timeout_s=self._settings.timeout_s,
                largest=self._settings.max_response_bytes,
                method=method,
            )
        except TransportError as error:
            again = error.code in {"timeout", "connection"}
            raise CallFailedError(error.code, error.detail, again=again) from error
        status = response.status
        if not 200 <= status < 300:
            raise CallFailedError(
                f"http_{status}",
                f"the endpoint answered with status {status}",
                again=status in _MAY_PASS or status >= 500,
                after_s=retry_after(response.headers),
                too_many=status == 429,
            )
        try:
            return strict_json.loads(self._without_secrets(response.body.decode("utf-8-sig")))
        except (ValueError, RecursionError) as error:
            raise CallFailedError("bad_reply", "the endpoint answered without JSON") from error

    def _without_secrets(self, text: str) -> str:
        for one in self._secrets:
            text = text.replace(json.dumps(one)[1:-1], "[key]")
        return text


def _query(fields: Mapping[str, Any]) -> str:
    texts = {
        name: value if isinstance(value, str) else strict_json.canonical(value).decode()
        for name, value in fields.items()
    }
    return urlencode(texts, errors="backslashreplace")


def secret(name: str) -> str:
    """Return a key by the name of its variable.

    Raises
    ------
    ConfigurationError
        It is not set, or cannot stand in a header.
    """
    value = os.environ.get(name, "")
    if not value or not value.isascii() or not value.isprintable():
        raise ConfigurationError(
            f"the variable {variable_told(name)} has no usable value",
            fix="set it in the environment: the key itself belongs into no file",
        )
    return value
