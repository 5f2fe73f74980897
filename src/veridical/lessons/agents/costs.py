"""Section 3: what a right answer costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veridical.errors import ParameterError

__all__ = [
    "Attempt",
    "Prices",
    "money",
    "money_per_right",
    "tokens",
    "tokens_per_right",
    "two_models",
]


class Attempt(NamedTuple):
    """One attempt at one case: whether it was right, and the tokens of all its turns.

    Attributes
    ----------
    right
        Whether the answer was exactly the truth.
    read, written
        Tokens at the full rate, and those of the model's own words.
    cache_read, cache_write
        Tokens that the provider's cache gave, and took.
    """

    right: bool
    read: int
    written: int
    cache_read: int = 0
    cache_write: int = 0


class Prices(NamedTuple):
    """What a million tokens of each kind cost."""

    read: float
    written: float
    cache_read: float
    cache_write: float


def tokens(attempt: Attempt) -> int:
    """Return all tokens of an attempt, those of the cache too.

    Examples
    --------
    >>> tokens(Attempt(True, read=7, written=123, cache_read=20646, cache_write=1101))
    21877
    """
    return attempt.read + attempt.written + attempt.cache_read + attempt.cache_write


def money(attempt: Attempt, prices: Prices) -> float:
    """Return what an attempt costs.

    Examples
    --------
    >>> round(money(Attempt(True, 1_000_000, 100_000), Prices(3, 15, 0.3, 3.75)), 2)
    4.5
    """
    kinds = zip(attempt[1:], prices, strict=True)
    return sum(count * price for count, price in kinds) / 1_000_000


def tokens_per_right(attempts: Sequence[Attempt]) -> float:
    """Return the tokens of all attempts, over the number of right ones.

    Raises
    ------
    ParameterError
        No attempt was right: no amount buys an answer.

    Examples
    --------
    >>> tokens_per_right([Attempt(True, 100, 0), Attempt(False, 50, 0)])
    150.0
    """
    return sum(tokens(one) for one in attempts) / _right(attempts)


def money_per_right(attempts: Sequence[Attempt], prices: Prices) -> float:
    """Return the cost of all attempts, over the number of right ones."""
    return sum(money(one, prices) for one in attempts) / _right(attempts)


def _right(attempts: Sequence[Attempt]) -> int:
    right = sum(one.right for one in attempts)
    if not right:
        raise ParameterError("no attempt was right, and nothing can be divided by 0")
    return right


def two_models() -> dict[str, list[Attempt]]:
    """Return a small and a large model on 100 cases.

    Examples
    --------
    >>> for name, attempts in two_models().items():
    ...     print(f"{name}: {tokens(attempts[0]):,}, {tokens_per_right(attempts):,.0f}")
    small: 8,000, 26,667
    large: 20,000, 22,222
    """
    return {
        "small": [Attempt(case < 30, 7_000, 1_000) for case in range(100)],
        "large": [Attempt(case < 90, 2_000, 1_500, 15_000, 1_500) for case in range(100)],
    }
