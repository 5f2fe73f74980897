"""From the text of a submission to one JSON value, or the reason why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "NumberText",
    "Text",
    "depth_of",
    "fenced_blocks",
    "is_too_large",
    "read_text",
]

MAX_BYTES: Final = 1 << 20
"""Bytes of UTF-8 beyond which a submission is not read."""

MAX_DEPTH: Final = 32
"""Objects and lists within one another beyond which a submission is not read."""

_FENCE: Final = re.compile(r"^ {0,3}(`{3,})([^`]*)$")
# Strings, closed or not, hold brackets that open nothing.
_STRINGS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)


class NumberText(str):
    """A JSON number as it was written: a float would lose digits."""

    __slots__ = ()


@dataclass(slots=True)
class Text:
    """What was read.

    Attributes
    ----------
    value
        The JSON value; None where ``faults`` says that there is none.
    faults
        Reason codes.
    """

    value: Any = None
    faults: set[str] = field(default_factory=set)


def read_text(raw: str | None) -> Text:
    r"""Return the JSON value that a text wholly is, or that its only fenced block holds.

    Parameters
    ----------
    raw
        The argument of ``submit``, or the last text of the agent; None where there was neither.

    Examples
    --------
    >>> read_text('Here it is:\n```json\n{"a": []}\n```').value
    {'a': []}
    >>> read_text("the balance is 12.00").faults
    {'not_json'}
    """
    if raw is None or not raw.strip():
        return Text(faults={"no_submission"})
    if is_too_large(raw):
        return Text(faults={"too_large"})
    whole = _parsed(raw)
    if "not_json" not in whole.faults:
        return whole
    blocks = list(fenced_blocks(raw))
    if len(blocks) > 1:
        return Text(faults={"multiple_objects"})
    return _parsed(blocks[0]) if blocks else whole


def is_too_large(raw: str) -> bool:
    """Whether a text has more bytes than are read."""
    # Encoding 100 MB only to count them would be what the limit is there to prevent.
    return len(raw) > MAX_BYTES or len(raw.encode("utf-8", "replace")) > MAX_BYTES


def fenced_blocks(text: str) -> Iterator[str]:
    """Yield what stands between lines of three backticks or more; an open block is none."""
    opened, inside = "", list[str]()
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if not opened and fence:
            opened, inside = fence[1], []
        elif opened and fence and len(fence[1]) >= len(opened) and not fence[2].strip():
            yield "\n".join(inside)
            opened = ""
        elif opened:
            inside.append(line)


def depth_of(text: str) -> int:
    """Return how many brackets are open at once, at most, outside strings.

    Examples
    --------
    >>> depth_of('{"a": ["[[[", {}]}')
    3
    """
    deepest = depth = 0
    for bracket in re.findall(r"[\[\]{}]", _STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _parsed(text: str) -> Text:
    found = Text()
    # The parser descends by recursion; what is too deep for us must not be too deep for it.
    opening = text.count("{") + text.count("[")
    if opening > MAX_DEPTH and text.lstrip()[:1] in ("{", "[") and depth_of(text) > MAX_DEPTH:
        return Text(faults={"too_deep"})

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) < len(items):
            found.faults.add("duplicate_json_key")
        return made

    def constant(_name: str) -> None:
        found.faults.add("non_finite_number")

    def number(digits: str) -> NumberText:
        if "e" in digits.lower() and float(digits) in (float("inf"), float("-inf")):
            found.faults.add("non_finite_number")
        return NumberText(digits)

    try:
        found.value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_constant=constant,
            parse_float=number,
            parse_int=NumberText,
        )
    except (ValueError, RecursionError):
        return Text(faults={"not_json"})
    return found
