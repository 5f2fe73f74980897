"""Signatures of what is posted: who sent it, that it was not changed, and when."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

__all__ = ["HEADER", "signature", "verified"]

HEADER: Final = "veridical-signature"
_FORM: Final = re.compile(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})")


def signature(secret: bytes, body: bytes, seconds: int) -> str:
    """Return the header of a body that is sent at a time.

    Parameters
    ----------
    secret
        What sender and receiver share.
    body
        What is sent.
    seconds
        The time, since 1970 in UTC.

    Examples
    --------
    >>> signature(b"secret", b"{}", 0)[:12]
    't=0,v1=4bbe8'
    """
    digest = hmac.new(secret, f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def verified(secret: bytes, body: bytes, header: str, now: int, tolerance_s: int = 300) -> bool:
    """Return whether a header is of this body, of who knows the secret, and recent.

    A receiver also refuses an id that it has seen: within the tolerance, a copy verifies too.

    Examples
    --------
    >>> sent = signature(b"secret", b"{}", 1000)
    >>> verified(b"secret", b"{}", sent, 1010), verified(b"other", b"{}", sent, 1010)
    (True, False)
    >>> verified(b"secret", b"{}", sent, 2000)
    False
    """
    found = _FORM.fullmatch(header)
    if found is None or abs(now - int(found[1])) > tolerance_s:
        return False
    return hmac.compare_digest(signature(secret, body, int(found[1])), header)
