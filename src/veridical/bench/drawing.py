"""Randomness that no release of anything changes: integers from a counter under sha256."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Draw"]

T = TypeVar("T")
_BITS = 64


class Draw:
    """A stream of integers that its key alone decides.

    Streams of different keys have nothing to do with each other, so that a change of one part of
    a case leaves all others as they were.

    Parameters
    ----------
    key
        Suite seed, case id, component.

    Examples
    --------
    >>> Draw("2026", "v1-dev-000001", "amounts").below(100)
    53
    >>> Draw("2026", "v1-dev-000001", "amounts").below(100)
    53
    """

    def __init__(self, *key: str | int) -> None:
        # Lengths keep ("a", "bc") apart from ("ab", "c").
        self._key = "".join(f"{len(str(part))}:{part}" for part in key).encode()
        self._counter = 0

    def _word(self) -> int:
        self._counter += 1
        digest = hashlib.sha256(self._key + b"#%d" % self._counter).digest()
        return int.from_bytes(digest[: _BITS // 8], "big")

    def below(self, bound: int) -> int:
        """Return an integer from 0 to ``bound`` - 1, each as likely as the others."""
        if not 0 < bound <= 1 << _BITS:
            raise ValueError(f"no integer can be drawn below {bound}")
        # The last, incomplete round of residues would favour small ones.
        whole_rounds = (1 << _BITS) // bound * bound
        while (word := self._word()) >= whole_rounds:
            pass
        return word % bound

    def between(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """Return True in ``percent`` of 100 draws."""
        return self.below(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in an order drawn by Fisher and Yates."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """Return ``n`` of the items, none twice."""
        return self.shuffled(items)[:n]
