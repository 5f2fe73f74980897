"""Section 4: the same case again; how often all of k trials are right, and how often one is."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from veridical.errors import ParameterError

__all__ = ["all_of_k", "any_of_k", "pass_at_k", "pass_hat_k", "steady_and_wavering"]

Case = tuple[int, int]
"""How often a case was tried, and how many of the trials were right."""


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ParameterError(f"{k} trials cannot be chosen of {n}, of which {c} were right")


def all_of_k(n: int, c: int, k: int) -> float:
    """Return the share of choices of k trials of n in which all are right, if c of n are.

    Examples
    --------
    >>> all_of_k(4, 3, 2)
    0.5
    """
    _check(n, c, k)
    return comb(c, k) / comb(n, k)


def any_of_k(n: int, c: int, k: int) -> float:
    """Return the share of choices of k trials of n in which at least one is right.

    Examples
    --------
    >>> any_of_k(4, 1, 2)
    0.5
    """
    _check(n, c, k)
    return 1 - comb(n - c, k) / comb(n, k)


def pass_hat_k(cases: Sequence[Case], k: int) -> float:
    """Return the mean of ``all_of_k`` over cases: pass^k, what a user meets who comes k times.

    Examples
    --------
    >>> round(pass_hat_k([(4, 4), (4, 2)], 2), 4)
    0.5833
    """
    return sum(all_of_k(n, c, k) for n, c in cases) / len(cases)


def pass_at_k(cases: Sequence[Case], k: int) -> float:
    """Return the mean of ``any_of_k`` over cases: pass@k, for who can tell the right one.

    Examples
    --------
    >>> round(pass_at_k([(4, 4), (4, 2)], 2), 4)
    0.9167
    """
    return sum(any_of_k(n, c, k) for n, c in cases) / len(cases)


def steady_and_wavering() -> dict[str, list[Case]]:
    """Return two agents that are right in 75 of 100 trials: 20 cases, 8 trials each.

    Examples
    --------
    >>> for name, cases in steady_and_wavering().items():
    ...     print(f"{name}: {pass_hat_k(cases, 1):.2f}, {pass_hat_k(cases, 8):.2f}")
    steady: 0.75, 0.75
    wavering: 0.75, 0.00
    """
    return {"steady": [(8, 8)] * 15 + [(8, 0)] * 5, "wavering": [(8, 6)] * 20}
