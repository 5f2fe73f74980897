"""JSON that every reader accepts: no NaN, no Infinity, no duplicate keys.

``canonical`` is the form that is hashed: sorted keys, no spaces, UTF-8.  What every command loads
imports this module, and the libraries only where a document is read or written.
"""

from __future__ import annotations

import math
from typing import Any

from veridical.errors import FileFormatError

__all__ = ["canonical", "deeper_than", "dumps", "loads", "sha256"]


def _encode(value: Any) -> Any:
    from decimal import Decimal

    if isinstance(value, Decimal):
        # Money keeps its digits: a float would turn 0.10 into 0.1000000000000000055.
        return str(value)
    if hasattr(value, "item"):  # numpy scalars, without importing numpy
        return value.item()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    raise TypeError(f"{type(value).__name__} is not JSON")


def dumps(value: Any, *, indent: int | None = 2) -> str:
    """Return ``value`` as JSON text; a NaN or an infinity raises ``ValueError``.

    Examples
    --------
    >>> dumps({"value": 0.5}, indent=None)
    '{"value": 0.5}'
    >>> dumps(float("nan"))
    Traceback (most recent call last):
        ...
    ValueError: Out of range float values are not JSON compliant: nan
    """
    import json

    return json.dumps(value, indent=indent, allow_nan=False, ensure_ascii=False, default=_encode)


def canonical(value: Any) -> bytes:
    """Return the one byte string that stands for ``value``: sorted keys, no spaces, UTF-8.

    Examples
    --------
    >>> canonical({"b": 1, "a": [2]})
    b'{"a":[2],"b":1}'
    """
    import json

    text = json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        ensure_ascii=False,
        default=_encode,
    )
    # A lone surrogate has no UTF-8 form; backslashreplace keeps the text distinct and writable.
    return text.encode("utf-8", "backslashreplace")


def sha256(value: Any) -> str:
    """Return the sha256 of the canonical form, in hexadecimal."""
    import hashlib

    return hashlib.sha256(canonical(value)).hexdigest()


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise FileFormatError(
                f"the key {key[:80]!r} occurs twice in one JSON object",
                why="readers disagree about which of the two counts",
                fix="keep one of them",
            )
        seen[key] = value
    return seen


def _no_constant(name: str) -> Any:
    raise FileFormatError(
        f"{name[:80]} is not JSON",
        why="a number that is not finite is never a result",
        fix="write null and a reason instead",
    )


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_constant(digits)


def loads(text: str | bytes) -> Any:
    """Parse JSON strictly: duplicate keys, NaN, Infinity and numbers like 1e400 are errors.

    Raises
    ------
    FileFormatError
        The text is not strict JSON.
    """
    import json

    try:
        return json.loads(
            text,
            object_pairs_hook=_no_duplicates,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except FileFormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"this is not JSON: {error}", fix="check the file") from error


def deeper_than(value: Any, levels: int) -> bool:
    """Whether objects and lists stand in one another in more than ``levels`` levels.

    What is read far down a stack of calls fails where it was read near the top of one: whoever
    keeps a value, to read it elsewhere, sets a limit.

    Examples
    --------
    >>> deeper_than({"a": [1]}, 2), deeper_than({"a": [[]]}, 2)
    (False, True)
    """
    left = [(value, 1)]
    while left:
        one, level = left.pop()
        if isinstance(one, (dict, list, tuple)):
            if level > levels:
                return True
            inner = one.values() if isinstance(one, dict) else one
            left.extend((each, level + 1) for each in inner)
    return False
