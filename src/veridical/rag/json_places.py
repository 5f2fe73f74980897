"""Where a key stands in a line of JSON: for errors, which nobody waits for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Place", "columns_of", "duplicate_key"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_COLON = re.compile(r"\s*:")


class Place(NamedTuple):
    """A key, its column from 1, and how many objects and arrays it stands in."""

    key: str
    column: int
    depth: int


def duplicate_key(line: str) -> Place | None:
    """Return the first key that stands a second time in its object, or None.

    Examples
    --------
    >>> duplicate_key('{"a": {"b": 1}, "b": 2, "a": 3}')
    Place(key='a', column=25, depth=1)
    """
    seen: list[set[str]] = []
    for place in _keys(line, seen):
        if place.key in seen[-1]:
            return place
        seen[-1].add(place.key)
    return None


def columns_of(line: str) -> dict[str, int]:
    """Return the column of each key of the outermost object.

    Examples
    --------
    >>> columns_of('{"a": {"b": 1}, "c": 2}')
    {'a': 2, 'c': 17}
    """
    return {place.key: place.column for place in _keys(line, []) if place.depth == 1}


def _keys(line: str, seen: list[set[str]]) -> Iterator[Place]:
    """Yield every key; ``seen`` holds a set for each object or array that is open."""
    for token in _TOKEN.finditer(line):
        text = token.group()
        if text in "{[":
            seen.append(set())
        elif text in "}]":
            if seen:
                seen.pop()
        elif seen and _COLON.match(line, token.end()):
            try:
                yield Place(json.loads(text), token.start() + 1, len(seen))
            except ValueError:
                return
