"""``RunningSum``: many values added up so that none is copied more often than need be."""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import Any, Generic, TypeVar

__all__ = ["RunningSum"]

Value = TypeVar("Value")


class RunningSum(Generic[Value]):
    """The sum of mergeable values, added in pairs of like size: none is copied more than log times.

    Parameters
    ----------
    size
        What adding a value costs.

    Examples
    --------
    >>> total = RunningSum(len)
    >>> for part in ("a", "b", "c"):
    ...     total.add(part)
    >>> total.value("")
    'abc'
    """

    def __init__(self, size: Callable[[Any], int]) -> None:
        self._size = size
        self._parts: list[Value] = []

    def add(self, value: Value) -> None:
        """Add one more."""
        self._parts.append(value)
        while len(self._parts) > 1 and self._size(self._parts[-2]) <= 2 * self._size(
            self._parts[-1]
        ):
            self._join()

    @property
    def size(self) -> int:
        """What all that is held costs."""
        return sum(map(self._size, self._parts))

    def value(self, nothing: Value) -> Value:
        """Return the sum of what was added; ``nothing`` before that."""
        while len(self._parts) > 1:
            self._join()
        return self._parts[0] if self._parts else nothing

    def _join(self) -> None:
        last: Any = self._parts.pop()
        self._parts[-1] = add(self._parts[-1], last)
