"""What metrics of rankings add up over the judged documents of each query, and over queries.

The documents of all queries stand one after the other, best rank first, and ``starts`` says where
those of each begin; a row is a document.  Sums add in the order of ranks, beginning with 0.

Columns come as arrays or as plain memory, and results are plain memory, of which ``np.frombuffer``
makes an array: whoever prints a mean needs no numpy.
"""

from __future__ import annotations

import math
from array import array
from itertools import compress, pairwise
from typing import Any, TypeAlias

from veridical.kernels.choice import implementation

__all__ = [
    "DISCOUNTS",
    "Memory",
    "both",
    "discounted_list_sums",
    "discounted_sums",
    "exact_sum",
    "first_ranks",
    "hit_counts",
    "positive",
    "precision_sums",
    "quotients",
    "relevant_counts",
    "starts_of",
    "top_counts",
]

Memory: TypeAlias = Any
"""A column: an array of numpy, or an ``array`` or ``bytearray`` that one can be made of."""

_LAST = 2**63 - 1  # no list is longer
DISCOUNTS = array("d", map(math.log2, range(1, 1026)))
"""``log2(rank + 1)`` by rank from 0, for lists of usual length."""


def relevant_counts(starts: Memory, grades: Memory, rel: float) -> Memory:
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
    Memory
        Whole numbers as float64, shape (Q,).

    Examples
    --------
    >>> list(relevant_counts(array("q", [0, 2, 3]), array("d", [3.0, 1.0, 0.0]), rel=1.0))
    [2.0, 0.0]
    """
    counts = _room(len(starts) - 1)
    implementation("query_sums").relevant_counts(starts, grades, rel, counts)
    return counts


def hit_counts(starts: Memory, rank: Memory, grades: Memory, k: int | None, rel: float) -> Memory:
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
    counts = _room(len(starts) - 1)
    implementation("query_sums").hit_counts(starts, rank, grades, _last(k), rel, counts)
    return counts


def first_ranks(starts: Memory, rank: Memory, grades: Memory, k: int | None, rel: float) -> Memory:
    """Return the rank of the first relevant document of each query, 0 without one in the top k.

    Parameters
    ----------
    starts, rank, grades, k, rel
        As for ``hit_counts``.
    """
    ranks = _room(len(starts) - 1)
    implementation("query_sums").first_ranks(starts, rank, grades, _last(k), rel, ranks)
    return ranks


def precision_sums(
    starts: Memory, rank: Memory, grades: Memory, k: int | None, rel: float
) -> Memory:
    """Return the sum over the relevant documents in the top k of the precision down to each.

    Parameters
    ----------
    starts, rank, grades, k, rel
        As for ``hit_counts``.

    Examples
    --------
    >>> starts, rank, grades = array("q", [0, 2]), array("q", [2, 5]), array("d", [3.0, 2.0])
    >>> list(precision_sums(starts, rank, grades, None, rel=1.0))  # 1/2 + 2/5
    [0.9]
    """
    sums = _room(len(starts) - 1)
    implementation("query_sums").precision_sums(starts, rank, grades, _last(k), rel, sums)
    return sums


def discounted_sums(starts: Memory, rank: Memory, gains: Memory, k: int | None) -> Memory:
    """Return the sum of ``gain / log2(rank + 1)`` over the documents in the top k of each query.

    Parameters
    ----------
    starts, rank, k
        As for ``hit_counts``.
    gains
        float64, shape (rows,), without NaN; one below 0 counts 0.
    """
    sums = _room(len(starts) - 1)
    last = _last(k)
    discounts = _discounts(last if last < len(DISCOUNTS) else _highest(rank))
    implementation("query_sums").discounted_sums(starts, rank, gains, last, discounts, sums)
    return sums


def discounted_list_sums(starts: Memory, gains: Memory, k: int | None) -> Memory:
    """Return the same where the rank of a document is its place in its query.

    Parameters
    ----------
    starts, gains, k
        As for ``discounted_sums``.

    Examples
    --------
    >>> list(discounted_list_sums(array("q", [0, 2, 3]), array("d", [3.0, -1.0, 2.0]), None))
    [3.0, 2.0]
    """
    sums = _room(len(starts) - 1)
    last = _last(k)
    discounts = _discounts(last if last < len(DISCOUNTS) else _longest(starts))
    implementation("query_sums").discounted_list_sums(starts, gains, last, discounts, sums)
    return sums


def exact_sum(values: Memory, among: Memory | None = None) -> float:
    """Return the sum of values, rounded once, as ``math.fsum`` does.

    Parameters
    ----------
    values
        float64, shape (n,).
    among
        A byte of 1 for each that is added, and of 0 for the others; None adds all.

    Raises
    ------
    OverflowError, ValueError
        Those of ``math.fsum``: a sum beyond float64, infinities of both signs.

    Examples
    --------
    >>> exact_sum(array("d", [0.1] * 10)), exact_sum(array("d", [1e16, 1.0, -1e16]))
    (1.0, 1.0)
    """
    among = bytearray(b"\x01" * len(values)) if among is None else among
    total: float | None = implementation("query_sums").exact_sum(values, among)
    return math.fsum(compress(values.tolist(), among)) if total is None else total


def quotients(numerator: Memory | float, denominator: Memory | float) -> Memory:
    """Return each quotient, 0 where the denominator is 0 or less.

    Parameters
    ----------
    numerator, denominator
        float64 of the same length, or one number for all; one of them is a column.

    Examples
    --------
    >>> list(quotients(array("d", [1.0, 0.0]), array("d", [4.0, 0.0])))
    [0.25, 0.0]
    >>> list(quotients(array("d", [1.0, 3.0]), 4))
    [0.25, 0.75]
    """
    columns = [
        array("d", [one]) if isinstance(one, (int, float)) else one
        for one in (numerator, denominator)
    ]
    found = _room(max(map(len, columns)) if all(map(len, columns)) else 0)
    implementation("query_sums").quotients(*columns, found)
    return found


def top_counts(retrieved: Memory, k: int) -> Memory:
    """Return how many documents stand in the top k of each query, as float64.

    Parameters
    ----------
    retrieved
        How long each list is, int64, shape (Q,).
    k
        The last rank that counts.
    """
    found = _room(len(retrieved))
    implementation("query_sums").top_counts(retrieved, _last(k), found)
    return found


def positive(values: Memory) -> bytearray:
    """Return which values are above 0, a byte of 0 or 1 for each.

    Examples
    --------
    >>> list(positive(array("d", [2.0, 0.0])))
    [1, 0]
    """
    marks = bytearray(len(values))
    implementation("query_sums").positive(values, marks)
    return marks


def both(one: Memory, other: Memory) -> bytearray:
    """Return what is marked twice.

    Parameters
    ----------
    one, other
        A byte of 0 or 1 for each.

    Examples
    --------
    >>> list(both(bytearray([1, 1, 0]), bytearray([1, 0, 1])))
    [1, 0, 0]
    """
    marks = bytearray(len(one))
    implementation("query_sums").both(one, other, marks)
    return marks


def starts_of(counts: Memory) -> Memory:
    """Return where each of the parts of these lengths begins, and where the last one ends.

    Parameters
    ----------
    counts
        int64, shape (Q,).

    Examples
    --------
    >>> list(starts_of(array("q", [2, 3])))
    [0, 2, 5]
    """
    starts = array("q", bytes(8 * (len(counts) + 1)))
    implementation("query_sums").starts_of(counts, starts)
    return starts


def _room(n: int) -> array[float]:
    return array("d", bytes(8 * n))


def _highest(rank: Memory) -> int:
    return max(rank, default=0) if isinstance(rank, array) else int(rank.max(initial=0))


def _longest(starts: Memory) -> int:
    return max((end - start for start, end in pairwise(starts.tolist())), default=0)


def _last(k: int | None) -> int:
    return _LAST if k is None else min(k, _LAST)


def _discounts(longest: int) -> Memory:
    """Return ``log2(rank + 1)`` of the ranks from 0 to ``longest`` at least."""
    if longest < len(DISCOUNTS):
        return DISCOUNTS
    return DISCOUNTS + array("d", map(math.log2, range(len(DISCOUNTS) + 1, longest + 2)))
