"""Who may ask the viewer: a browser on this machine that was shown the token, and nobody else.

Runs hold names of data, labels and answers that are nobody's business.  Four doors are shut:

*   another user of the machine knows no token, which is drawn anew for each viewer; the one that
    stands for a moment in the list of processes, while the browser starts, opens the door once;
*   a page on the web that had its name resolved to 127.0.0.1 is given away by its Host header;
*   a page on the web that points a form, an image or a script at the viewer is given away by
    Origin or Sec-Fetch-Site, and gets no cookie because it is strict about sites;
*   a name in a run that is really markup meets escaping first, and then a policy under which only
    the viewer's own files run: they carry a number that is drawn for each answer.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard"]

_METHODS = ("GET", "HEAD")
_OWN_SITE = {"same-origin", "none"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """An ASGI application in front of another: refuses, or adds the headers that protect.

    Parameters
    ----------
    app
        The application behind it; ``scope["nonce"]`` tells it what its files must carry.
    token
        What the address printed by ``veridical view`` ends with.
    once
        A token that is good for one use: for the address that the browser is started with.
    port
        Where the viewer listens.
    style_hashes
        Sources of inline style sheets that are allowed: those of the charts.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        port: int,
        once: str | None = None,
        style_hashes: Iterable[str] = (),
    ) -> None:
        self._app = app
        self._token = token
        self._once = once
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        # Browsers send cookies to every port of a host: two viewers must not share one.
        self._cookie = f"veridical-{port}"
        self._styles = " ".join(f"'{source}'" for source in style_hashes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        nonce = scope["nonce"] = secrets.token_urlsafe(16)

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = self._policy(nonce)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        answer = self._foreign(request) or self._unknown(request) or self._app
        await answer(scope, receive, protected)

    def _foreign(self, request: Request) -> Response | None:
        """Refuse what no page of the viewer's own would ask."""
        headers = request.headers
        if headers.get("host") not in self._hosts:
            return _refused(421, "the Host header names another machine")
        if request.method not in _METHODS:
            allowed = {"Allow": ", ".join(_METHODS)}
            return _refused(405, "the viewer only shows, and changes nothing", allowed)
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return _refused(403, "the request comes from another page", fix=_OPEN_DIRECTLY)
        if headers.get("sec-fetch-site", "none") not in _OWN_SITE:
            return _refused(403, "the request comes from another site", fix=_OPEN_DIRECTLY)
        return None

    def _unknown(self, request: Request) -> Response | None:
        """Let in whoever brings a token, and refuse whoever has not been let in."""
        given = request.query_params.get("token", "")
        if _equal(given, self._token) or self._is_first_use(given):
            return self._let_in(request)
        if not _equal(request.cookies.get(self._cookie, ""), self._token):
            return _refused(403, "this browser has not shown the token", fix=_OPEN_PRINTED)
        return None

    def _is_first_use(self, given: str) -> bool:
        if self._once is None or not _equal(given, self._once):
            return False
        self._once = None
        return True

    def _let_in(self, request: Request) -> Response:
        """Exchange the token for a cookie, so that it stands in no address from here on."""
        rest = [pair for pair in request.query_params.multi_items() if pair[0] != "token"]
        # One slash: two would make what follows them the name of another machine.
        path = "/" + request.url.path.lstrip("/")
        query = f"?{urlencode(rest)}" if rest else ""
        answer = RedirectResponse(f"{path}{query}", status_code=303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return answer

    def _policy(self, nonce: str) -> str:
        return "; ".join(
            [
                "default-src 'none'",
                f"script-src 'nonce-{nonce}'",
                f"style-src 'nonce-{nonce}' {self._styles}".rstrip(),
                "img-src data:",
                "connect-src 'self'",
                "form-action 'self'",
                "base-uri 'none'",
                "frame-ancestors 'none'",
            ]
        )


_OPEN_DIRECTLY = "open the address directly: copy it into the browser's address bar"
_OPEN_PRINTED = (
    "open the address that `veridical view` printed; after that this address works here too"
)


def _equal(given: str, secret: str) -> bool:
    """Compare in a time that says nothing about the secret."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _refused(
    status: int, why: str, headers: dict[str, str] | None = None, *, fix: str = _OPEN_PRINTED
) -> Response:
    return PlainTextResponse(f"Refused: {why}.\nTo do: {fix}.\n", status, headers)
