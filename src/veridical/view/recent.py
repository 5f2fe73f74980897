"""What was made lately, so that a second look at a run is quick."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

__all__ = ["Held", "Recent"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The values that were asked for last, whichever thread asked.

    Parameters
    ----------
    most
        How many are kept.

    Examples
    --------
    >>> recent = Recent(1)
    >>> recent.of("a", lambda: 1), recent.of("a", lambda: 2), recent.of("b", lambda: 3)
    (1, 1, 3)
    >>> recent.of("a", lambda: 4)
    4
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def peek(self, key: K) -> V | None:
        """Return the value of a key, or None where it is not held."""
        with self._lock:
            return self._held.get(key)

    def of(self, key: K, make: Callable[[], V], *, lasting: bool = True) -> V:
        """Return the value of a key, made now if it is not held.

        Two threads that ask at once both make it: neither waits, and both are right.

        Parameters
        ----------
        key, make
            What is asked for, and how it is made.
        lasting
            Whether the value will be the same tomorrow; if not, it is made anew each time.
        """
        if not lasting:
            return make()
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        value = make()
        self.keep(key, value)
        return value

    def keep(self, key: K, value: V) -> None:
        """Hold a value, in place of the one that was asked for longest ago."""
        with self._lock:
            self._held[key] = value
            while len(self._held) > self._most:
                self._held.popitem(last=False)


class Held:
    """What the pages of one viewer hold: only of runs that are sealed, which do not change."""

    def __init__(self) -> None:
        self.reports: Recent[Any, Any] = Recent(8)
        self.units: Recent[Any, Any] = Recent(2)  # a million of them take 200 MB
        self.comparisons: Recent[Any, Any] = Recent(8)
        self.results: Recent[Any, Any] = Recent(4000)
