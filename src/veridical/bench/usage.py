"""Tokens of a run: what each provider counts, brought to four kinds that never overlap.

``input`` is what was read at the full rate, without anything that a cache gave or took; reasoning
is part of ``output``.  The total is the sum of the four.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

__all__ = ["NO_TOKENS", "SHAPES", "Usage", "normalised", "recorded", "total_of"]

_MOST_TOKENS: Final = 1 << 40
"""More than any model reads: a count beyond it is nonsense."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by kind, each >= 0.

    Attributes
    ----------
    input
        Read at the full rate.
    output
        Written, reasoning included.
    cache_read, cache_write
        Taken from the provider's cache, and put into it.

    Examples
    --------
    >>> Usage(input=7, output=123, cache_read=20646, cache_write=1101).total
    21877
    """

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        """All four kinds."""
        return self.input + self.output + self.cache_read + self.cache_write

    def to_dict(self) -> dict[str, int]:
        """Return the four counts."""
        return asdict(self)


NO_TOKENS: Final = Usage(0, 0)
"""Of an agent that asks no model, and of a call that got no response."""


def total_of(calls: Iterable[Usage | None]) -> Usage | None:
    """Return the sum of several calls, or None where one of them is unknown.

    Examples
    --------
    >>> total_of([Usage(1, 2), Usage(3, 4)])
    Usage(input=4, output=6, cache_read=0, cache_write=0)
    >>> total_of([Usage(1, 2), None]) is None
    True
    """
    known = list(calls)
    if any(one is None for one in known):
        return None
    rows = [(one.input, one.output, one.cache_read, one.cache_write) for one in known if one]
    return Usage(*(sum(column) for column in zip(*rows, strict=True))) if rows else NO_TOKENS


def normalised(shape: str, raw: Any) -> tuple[Usage | None, str]:
    """Return what a provider's own record of a call says, or None and why it says nothing.

    Parameters
    ----------
    shape
        ``"openai_chat"``, ``"openai_responses"`` or ``"anthropic_messages"``.
    raw
        What stood in the response; hostile.

    Returns
    -------
    Usage or None, str
        The reason is empty where there is a usage.

    Examples
    --------
    >>> raw = {"prompt_tokens": 2006, "completion_tokens": 300,
    ...        "prompt_tokens_details": {"cached_tokens": 1920}}
    >>> normalised("openai_chat", raw)
    (Usage(input=86, output=300, cache_read=1920, cache_write=0), '')
    >>> normalised("openai_chat", None)
    (None, 'no usage was reported')
    """
    if shape not in SHAPES:
        return None, f"no shape of usage is called {shape[:40]!a}"
    if not isinstance(raw, Mapping):
        return None, "no usage was reported"
    names = SHAPES[shape]
    details = raw.get(names.details) if names.details else raw
    if details is None:
        details = {}
    if not isinstance(details, Mapping):
        return None, f"{names.details} is no object"
    counts = {
        names.input: raw.get(names.input),
        names.output: raw.get(names.output),
        # A provider that knows no cache says nothing about it.
        names.cache_read: _or_zero(details.get(names.cache_read)),
        names.cache_write: _or_zero(details.get(names.cache_write)),
    }
    for name, count in counts.items():
        if type(count) is not int or not 0 <= count < _MOST_TOKENS:
            return None, f"{name} is {'absent' if count is None else 'no count of tokens'}"
    read, written, cache_read, cache_write = counts.values()
    if names.details:  # there the input holds what the cache gave and took
        read -= cache_read + cache_write
    if read < 0:
        return None, "more tokens were cached than were read"
    return Usage(read, written, cache_read, cache_write), ""


def recorded(data: Any) -> Usage | None:
    """Read the ``usage`` of a trajectory, or None where it is null or no usage.

    Examples
    --------
    >>> recorded({"input": 1, "output": 2, "cache_read": 0, "cache_write": 0, "calls": []})
    Usage(input=1, output=2, cache_read=0, cache_write=0)
    """
    if not isinstance(data, Mapping):
        return None
    kinds = ("input", "output", "cache_read", "cache_write")
    counts: list[Any] = [data.get(kind) for kind in kinds]
    if all(type(count) is int and 0 <= count < _MOST_TOKENS for count in counts):
        return Usage(*counts)
    return None


def _or_zero(count: Any) -> Any:
    return 0 if count is None else count


@dataclass(frozen=True, slots=True)
class _Names:
    """How a provider names its counts; ``details`` holds those of the cache, if it is apart."""

    input: str
    output: str
    details: str | None
    cache_read: str
    cache_write: str


SHAPES: Final = {
    "openai_chat": _Names(
        "prompt_tokens",
        "completion_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "cache_write_tokens",
    ),
    "openai_responses": _Names(
        "input_tokens",
        "output_tokens",
        "input_tokens_details",
        "cached_tokens",
        "cache_write_tokens",
    ),
    "anthropic_messages": _Names(
        "input_tokens",
        "output_tokens",
        None,
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
    ),
}
"""The records of usage that can be read, by name."""
