"""What metrics of rankings add up over the judged documents of each query, and over queries.

The documents of all queries stand one after the other, best rank first, and ``starts`` says where
those of each begin; a row is a document.  Sums add in the order of ranks, beginning with 0.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from veridical.kernels.choice import implementation

__all__ = [
    "discounted_list_sums",
    "discounted_sums",
    "exact_sum",
    "first_ranks",
    "hit_counts",
    "precision_sums",
    "relevant_counts",
]

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_LAST = 2**63 - 1  # no list is longer
_DISCOUNTS = np.log2(np.arange(1.0, 1026.0))  # by rank from 0, for lists of usual length


def relevant_counts(starts: Counts, grades: Floats, rel: float) -> Floats:
    """Count the documents of each query that have a grade of at least ``rel``.

    Parameters
    ----------
    starts
        int64, shape (Q + 1,): the rows of query q are those from ``starts[q]`` to
        ``starts[q + 1]``.
    grades
        float64, shape (rows,), without NaN.
    rel
        The lowest grade that is relevant.

    Returns
    -------
    Counts
        Whole numbers as float64, shape (Q,).

    Examples
    --------
    >>> relevant_counts(np.array([0, 2, 3]), np.array([3.0, 1.0, 0.0]), rel=1.0).tolist()
    [2.0, 0.0]
    """
    counts = np.empty(len(starts) - 1)
    implementation("query_sums").relevant_counts(starts, grades, rel, counts)
    return counts


def hit_counts(starts: Counts, rank: Counts, grades: Floats, k: int | None, rel: float) -> Floats:
    """Count the relevant documents of each query in the top k, or in all of its list.

    Parameters
    ----------
    starts, grades, rel
        As for ``relevant_counts``.
    rank
        From 1, int64, shape (rows,).
    k
        The last rank that counts; None for all.
    """
    counts = np.empty(len(starts) - 1)
    implementation("query_sums").hit_counts(starts, rank, grades, _last(k), rel, counts)
    return counts


def first_ranks(starts: Counts, rank: Counts, grades: Floats, k: int | None, rel: float) -> Floats:
    """Return the rank of the first relevant document of each query, 0 without one in the top k.

    Parameters
    ----------
    starts, rank, grades, k, rel
        As for ``hit_counts``.
    """
    ranks = np.empty(len(starts) - 1)
    implementation("query_sums").first_ranks(starts, rank, grades, _last(k), rel, ranks)
    return ranks


def precision_sums(
    starts: Counts, rank: Counts, grades: Floats, k: int | None, rel: float
) -> Floats:
    """Return the sum over the relevant documents in the top k of the precision down to each.

    Parameters
    ----------
    starts, rank, grades, k, rel
        As for ``hit_counts``.

    Examples
    --------
    >>> starts, rank, grades = np.array([0, 2]), np.array([2, 5]), np.array([3.0, 2.0])
    >>> precision_sums(starts, rank, grades, None, rel=1.0).tolist()  # 1/2 + 2/5
    [0.9]
    """
    sums = np.empty(len(starts) - 1)
    implementation("query_sums").precision_sums(starts, rank, grades, _last(k), rel, sums)
    return sums


def discounted_sums(starts: Counts, rank: Counts, gains: Floats, k: int | None) -> Floats:
    """Return the sum of ``gain / log2(rank + 1)`` over the documents in the top k of each query.

    Parameters
    ----------
    starts, rank, k
        As for ``hit_counts``.
    gains
        float64, shape (rows,), without NaN; one below 0 counts 0.
    """
    sums = np.empty(len(starts) - 1)
    last = _last(k)
    discounts = _discounts(last if last < len(_DISCOUNTS) else int(rank.max(initial=0)))
    implementation("query_sums").discounted_sums(starts, rank, gains, last, discounts, sums)
    return sums


def discounted_list_sums(starts: Counts, gains: Floats, k: int | None) -> Floats:
    """Return the same where the rank of a document is its place in its query.

    Parameters
    ----------
    starts, gains, k
        As for ``discounted_sums``.

    Examples
    --------
    >>> discounted_list_sums(np.array([0, 2, 3]), np.array([3.0, -1.0, 2.0]), None).tolist()
    [3.0, 2.0]
    """
    sums = np.empty(len(starts) - 1)
    last = _last(k)
    discounts = _discounts(last if last < len(_DISCOUNTS) else int(np.diff(starts).max(initial=0)))
    implementation("query_sums").discounted_list_sums(starts, gains, last, discounts, sums)
    return sums


def exact_sum(values: Floats) -> float:
    """Return the sum of values, rounded once, as ``math.fsum`` does.

    Parameters
    ----------
    values
        float64, shape (n,).

    Raises
    ------
    OverflowError, ValueError
        Those of ``math.fsum``: a sum beyond float64, infinities of both signs.

    Examples
    --------
    >>> exact_sum(np.array([0.1] * 10)), exact_sum(np.array([1e16, 1.0, -1e16]))
    (1.0, 1.0)
    """
    values = np.ascontiguousarray(values, np.float64)
    total: float | None = implementation("query_sums").exact_sum(values)
    return math.fsum(values.tolist()) if total is None else total


def _last(k: int | None) -> int:
    return _LAST if k is None else min(k, _LAST)


def _discounts(longest: int) -> Floats:
    """Return ``log2(rank + 1)`` of the ranks from 0 to ``longest`` at least."""
    known: Floats = _DISCOUNTS
    return known if longest < len(known) else np.log2(np.arange(1.0, longest + 2.0))
