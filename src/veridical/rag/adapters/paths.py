"""Paths into a JSON reply: ``$.data.contexts[*].id``, a small and documented part of JSONPath."""

from __future__ import annotations

import re
from typing import Any

from veridical.errors import ConfigurationError

__all__ = ["Path"]

_STEP = re.compile(r"\.?([^.\[\]\"*$]+)|\[(\d+|\*)\]|\[\"([^\"]+)\"\]")


class Path:
    """Names, ``[n]`` and ``[*]``, after an optional ``$``.

    Parameters
    ----------
    text
        The path.

    Raises
    ------
    ConfigurationError
        It is none.

    Examples
    --------
    >>> Path("$.docs[*].id").all({"docs": [{"id": "a"}, {"id": "b"}]})
    ['a', 'b']
    >>> Path("answer").one({"answer": "42"})
    '42'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._steps: list[str | int | None] = []
        at, rest = 0, text.removeprefix("$")
        while at < len(rest):
            found = _STEP.match(rest, at)
            if found is None:
                raise ConfigurationError(
                    f"{text[:80]!r} is no path",
                    why="a path has names, [n] and [*], such as $.data.contexts[*]",
                    fix="correct it",
                )
            name, place, quoted = found.groups()
            if place is None:
                self._steps.append(name or quoted)
            else:
                self._steps.append(None if place == "*" else int(place))
            at = found.end()

    def all(self, document: Any) -> list[Any]:
        """Return everything that the path leads to; an absent step leads nowhere."""
        found = [document]
        for step in self._steps:
            found = [inner for one in found for inner in _below(one, step)]
        return found

    def one(self, document: Any) -> Any:
        """Return what the path leads to; None where it is absent."""
        found = self.all(document)
        return found[0] if found else None


def _below(document: Any, step: str | int | None) -> list[Any]:
    if isinstance(step, str):
        return [document[step]] if isinstance(document, dict) and step in document else []
    if not isinstance(document, list):
        return []
    return document if step is None else document[step : step + 1]
