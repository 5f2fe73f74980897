"""Section 2: the population stability index, PSI."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veridical.errors import InputError
from veridical.lessons.drift.cells import counts, quantile_edges

__all__ = ["EPS", "index_of_shares", "index_terms", "moved_scores", "psi"]

EPS = 1e-7
"""Added within the logarithm, so that an empty cell has one."""


def index_terms(then: Sequence[float], now: Sequence[float], eps: float = EPS) -> list[float]:
    """Return what each cell adds to the index.

    Parameters
    ----------
    then, now
        The share of rows in each cell, of the reference and of the current data.
    eps
        A small number.

    Examples
    --------
    >>> [round(term, 4) for term in index_terms([0.5, 0.5], [0.4, 0.6])]
    [0.0223, 0.0182]
    """
    if len(then) != len(now):
        raise InputError(f"{len(then)} cells then and {len(now)} now: they are the same cells")
    terms = []
    for p, q in zip(then, now, strict=True):
        terms.append((q - p) * math.log((q + eps) / (p + eps)))
    return terms


def index_of_shares(then: Sequence[float], now: Sequence[float], eps: float = EPS) -> float:
    """Return the population stability index of two sets of shares: 0 where nothing moved.

    Examples
    --------
    >>> round(index_of_shares([0.5, 0.5], [0.4, 0.6]), 4)
    0.0405
    >>> round(index_of_shares([0.5, 0.5, 0.0], [0.5, 0.4, 0.1]), 4)
    1.4039
    """
    return max(0.0, math.fsum(index_terms(then, now, eps)))


def psi(
    reference: Sequence[float], current: Sequence[float], bins: int = 10, eps: float = EPS
) -> float:
    """Return the population stability index of a column, in cells that the reference sets.

    Parameters
    ----------
    reference, current
        Finite numbers, at least one of each.
    bins
        Of the reference, as for ``quantile_edges``.
    eps
        As for ``index_terms``.

    Examples
    --------
    >>> psi([1, 2, 3, 4], [4, 3, 2, 1], bins=4)
    0.0
    >>> round(psi(*moved_scores(20_000, shift=0.5)), 2)
    0.23
    """
    edges = quantile_edges(reference, bins)
    then, now = counts(reference, edges), counts(current, edges)
    cells = sorted({*then, *now})
    return index_of_shares(
        [then[cell] / len(reference) for cell in cells],
        [now[cell] / len(current) for cell in cells],
        eps,
    )


def moved_scores(n: int, shift: float = 0.0, seed: int = 0) -> tuple[list[float], list[float]]:
    """Draw a reference and current data from two bell curves of standard deviation 1.

    Parameters
    ----------
    n
        Rows of each side.
    shift
        How far the mean has moved; 0 is no drift.
    seed
        Of ``numpy.random.default_rng``; the reference is drawn first.

    Examples
    --------
    >>> reference, current = moved_scores(200)
    >>> round(psi(reference, current), 3)
    0.109
    """
    draws = np.random.default_rng(seed)
    reference, current = draws.normal(0, 1, n), draws.normal(shift, 1, n)
    return reference.tolist(), current.tolist()
