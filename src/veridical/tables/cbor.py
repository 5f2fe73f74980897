"""The part of CBOR (RFC 8949) that runs are written in: maps, texts and numbers."""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["read_cbor"]

_DEEPEST = 4
_WIDTHS = {24: 1, 25: 2, 26: 4, 27: 8}
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}


def read_cbor(data: bytes) -> Any:
    r"""Return the one item that ``data`` holds.

    Parameters
    ----------
    data
        Maps with distinct keys, texts, and numbers, of definite length.

    Raises
    ------
    ValueError
        It is anything else, or stops in the middle.

    Examples
    --------
    >>> read_cbor(b"\xa1\x61a\xf9\x3c\x00")
    {'a': 1.0}
    """
    try:
        item, end = _item(data, 0, _DEEPEST)
    except (IndexError, struct.error) as error:
        raise ValueError("the data stop in the middle of an item") from error
    if end != len(data):
        raise ValueError("there is something after the item")
    return item


def _item(data: bytes, at: int, deepest: int) -> tuple[Any, int]:
    """Return the item at a place, and where the next begins."""
    kind, detail = data[at] >> 5, data[at] & 31
    at += 1
    if kind == 7 and detail in _FLOATS:
        width = _WIDTHS[detail]
        return struct.unpack_from(_FLOATS[detail], data, at)[0], at + width
    if detail >= 24:
        if detail not in _WIDTHS:
            raise ValueError("items of indefinite length are not read")
        width = _WIDTHS[detail]
        if at + width > len(data):
            raise ValueError("the data stop in the middle of an item")
        detail, at = int.from_bytes(data[at : at + width], "big"), at + width
    if kind in {0, 1}:
        return (detail if kind == 0 else -1 - detail), at
    if kind == 3:
        if at + detail > len(data):
            raise ValueError("the data stop in the middle of a text")
        return data[at : at + detail].decode(), at + detail
    if kind == 5 and deepest:
        return _map(data, at, detail, deepest - 1)
    raise ValueError(f"items of kind {kind} are not read")


def _map(data: bytes, at: int, size: int, deepest: int) -> tuple[dict[Any, Any], int]:
    found: dict[Any, Any] = {}
    for _ in range(size):
        key, at = _item(data, at, 0)
        if key in found:
            raise ValueError(f"the key {key!r} occurs twice in one map")
        found[key], at = _item(data, at, deepest)
    return found, at
