"""A receiver of retrain requests: standard library alone, to be copied and changed.

    VERIDICAL_WEBHOOK_SECRET=... python receiver.py 8080 received/

A request counts once: it must be signed by who knows the secret, be recent, and have an id that was
not seen before.  Every id that was taken is a file, written whole, so that neither a crash nor two
copies at once can take one twice.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TOLERANCE_S = 300
LARGEST = 1 << 20


def is_genuine(secret: bytes, body: bytes, header: str, now: float) -> bool:
    """Return whether a body was signed with the secret, not long ago."""
    found = re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", header)
    if found is None or abs(now - int(found[1])) > TOLERANCE_S:
        return False
    digest = hmac.new(secret, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(digest, found[2])


def take(folder: Path, body: bytes) -> bool:
    """Keep a request, and return whether it is a new one."""
    request = json.loads(body)
    if not re.fullmatch(r"[0-9a-f]{32}", str(request.get("id", ""))):
        raise ValueError("no id")
    path = folder / f"{request['id']}.json"
    half = folder / f".{request['id']}.{os.getpid()}.{time.monotonic_ns()}"
    half.write_bytes(body)
    try:
        os.link(half, path)  # fails where the name is taken, whoever was faster
    except FileExistsError:
        return False
    finally:
        half.unlink()
    return True


class Receiver(BaseHTTPRequestHandler):
    """Answers 202 to a new request, 200 to one it has, 401 to a forged one, 400 to nonsense."""

    def do_POST(self) -> None:
        """Take one request."""
        length = int(self.headers.get("content-length") or 0)
        if not 0 < length <= LARGEST:
            self._answer(400)
            return
        body = self.rfile.read(length)
        secret = os.environ["VERIDICAL_WEBHOOK_SECRET"].encode()
        if not is_genuine(secret, body, self.headers.get("veridical-signature", ""), time.time()):
            self._answer(401)
            return
        try:
            new = take(Path(self.server.folder), body)  # type: ignore[attr-defined]
        except (ValueError, AttributeError):
            self._answer(400)
            return
        self._answer(202 if new else 200)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def serve(port: int, folder: str) -> ThreadingHTTPServer:
    """Return a server on this machine that keeps requests in a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    server.folder = folder  # type: ignore[attr-defined]
    return server


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2]).serve_forever()
