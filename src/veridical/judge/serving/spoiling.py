"""Replies spoiled on purpose: what models write instead of the object that was asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

__all__ = ["spoiled"]


def spoiled(kind: str, reply: str) -> str:
    """Return a reply with the fault ``kind`` in it; as it is where the fault is not one of replies.

    Examples
    --------
    >>> spoiled("nan", '{"refused": true}')
    '{"refused": true, "confidence": NaN}'
    """
    return _SPOILERS.get(kind, str)(reply)


def _fenced(reply: str) -> str:
    return f"Here is my verdict.\n```json\n{reply}\n```\n"


def _think(reply: str) -> str:
    return f"<think>\nThe texts are short, so this is easy.\n</think>\n\n{reply}"


def _two_objects(reply: str) -> str:
    return f"{reply}\n{_wrong_enum(reply)}"


def _nan(reply: str) -> str:
    return reply.rstrip().removesuffix("}") + ', "confidence": NaN}'


def _duplicate_keys(reply: str) -> str:
    name = next(iter(json.loads(reply)))
    return reply.rstrip().removesuffix("}") + f", {json.dumps(name)}: null}}"


def _wrong_enum(reply: str) -> str:
    return json.dumps(_replaced(json.loads(reply)))


def _replaced(value: Any) -> Any:
    """Return a verdict whose every word is none of the contract's."""
    if isinstance(value, bool):
        return "mostly"
    if isinstance(value, Mapping):
        changed = {name: _replaced(inner) for name, inner in value.items()}
        return changed | ({"verdict": "mostly"} if "verdict" in value else {})
    if isinstance(value, list):
        return [_replaced(inner) for inner in value] or "none"
    return value


def _unknown_id(reply: str) -> str:
    verdict = json.loads(reply)
    for claim in verdict.get("claims", ()):
        claim["chunk_ids"] = [*claim["chunk_ids"], "c99999"]
    if "citations" in verdict:
        verdict["citations"].append({"id": "c99999", "supported": True, "reason": "it says so"})
    elif not verdict.get("claims"):
        verdict["chunk_ids"] = ["c99999"]
    return json.dumps(verdict)


def _surrogate(reply: str) -> str:
    return reply.rstrip().removesuffix("}") + ', "reason\\ud800": "\\udfff"}'


_SPOILERS: Final[dict[str, Callable[[str], str]]] = {
    "fenced": _fenced,
    "think": _think,
    "two_objects": _two_objects,
    "nan": _nan,
    "duplicate_keys": _duplicate_keys,
    "wrong_enum": _wrong_enum,
    "unknown_id": _unknown_id,
    "surrogate": _surrogate,
    "bom_in_reply": lambda reply: f"\ufeff{reply}",
    "prose": lambda _: "I would say that the answer is mostly right.",
    "cut": lambda reply: reply[: len(reply) // 2],
}
