"""The shadow parse: what a strict grammar costs.  It is counted and printed, and never scored."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Final

from veridical.bench.submissions.parsing import faults_of, parse
from veridical.bench.submissions.strict_text import (
    MAX_DEPTH,
    NumberText,
    depth_of,
    fenced_blocks,
    is_too_large,
)

__all__ = ["would_have_parsed"]

_ATTEMPTS: Final = 32
"""Opening braces that are tried; beyond them nobody would find the object either."""

_GROUPED: Final = re.compile(
    r"[-+]?[0-9]{1,3}(?:([,' \u00a0\u202f_])[0-9]{3}(?:\1[0-9]{3})*)(?:\.[0-9]{1,6})?\Z"
)
_MINUS: Final = str.maketrans({"\u2212": "-"})
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]+)?([eE][-+]?[0-9]{1,2})?\Z")


def would_have_parsed(raw: str | None) -> bool:
    """Whether a submission that did not parse would have, read with good will.

    Balances may be JSON numbers, grouped in thousands, or carry U+2212 for a minus; the object may
    stand anywhere in the text.  Everything else is held to the strict grammar.

    Examples
    --------
    >>> would_have_parsed('So: {"accounts": [{"account_id": "A1", "closing_balance": 1250.0, '
    ...                   '"currency": "GBP"}], "flags": [], "confidence": "high"}. Done.')
    True
    >>> would_have_parsed("I will report 812.35")
    False
    """
    if raw is None or is_too_large(raw) or parse(raw).submission is not None:
        return False
    found = _embedded(raw)
    return found is not None and not set(faults_of(_forgiven(found)))


def _embedded(raw: str) -> dict[str, Any] | None:
    """Return the one object that has accounts, or None where there are none or several."""
    blocks = list(fenced_blocks(raw))
    text = blocks[0] if len(blocks) == 1 else raw
    if depth_of(text) > MAX_DEPTH:
        return None
    decoder = json.JSONDecoder(parse_float=NumberText, parse_int=NumberText)
    objects, place = [], 0
    for _ in range(_ATTEMPTS):
        place = text.find("{", place)
        if place < 0:
            break
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if isinstance(value, dict) and "accounts" in value:
            objects.append(value)
    return objects[0] if len(objects) == 1 else None


def _forgiven(value: dict[str, Any]) -> dict[str, Any]:
    accounts = value["accounts"]
    if not isinstance(accounts, list):
        return value
    return {**value, "accounts": [_plain(one) for one in accounts]}


def _plain(account: Any) -> Any:
    if not isinstance(account, dict) or not isinstance(account.get("closing_balance"), str):
        return account
    balance = str(account["closing_balance"]).strip().translate(_MINUS)
    if isinstance(account["closing_balance"], NumberText) and _NUMBER.match(balance):
        balance = f"{Decimal(balance):f}"
    elif _GROUPED.match(balance):
        balance = re.sub(r"[^0-9.-]", "", balance)
    return {**account, "closing_balance": balance}
