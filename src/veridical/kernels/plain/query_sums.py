"""What metrics of rankings add up over the judged documents of each query."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
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

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Marks = npt.NDArray[np.uint8]


def _of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give the function arrays of whatever memory there is, results included."""

    @wraps(function)
    def call(*given: Any) -> Any:
        return function(*(one if np.isscalar(one) else np.asarray(one) for one in given))

    return call


@_of_arrays
def relevant_counts(starts: Counts, grades: Floats, rel: float, counts: Floats) -> None:
    """Count the documents of a grade of at least ``rel``."""
    counts[:] = np.bincount(_query(starts)[grades >= rel], minlength=len(counts))


@_of_arrays
def hit_counts(
    starts: Counts, rank: Counts, grades: Floats, k: int, rel: float, counts: Floats
) -> None:
    """Count the relevant documents of a rank up to k."""
    hits = (grades >= rel) & (rank <= k)
    counts[:] = np.bincount(_query(starts)[hits], minlength=len(counts))


@_of_arrays
def first_ranks(
    starts: Counts, rank: Counts, grades: Floats, k: int, rel: float, ranks: Floats
) -> None:
    """Find the rank of the first relevant document, 0 without one of a rank up to k."""
    hits = np.flatnonzero((grades >= rel) & (rank <= k))
    found, first = np.unique(_query(starts)[hits], return_index=True)
    ranks[:] = 0.0
    ranks[found] = rank[hits[first]]


@_of_arrays
def precision_sums(
    starts: Counts, rank: Counts, grades: Floats, k: int, rel: float, sums: Floats
) -> None:
    """Add up the precision at each relevant document of a rank up to k, best rank first."""
    query, relevant = _query(starts), grades >= rel
    total = np.cumsum(relevant)
    hits = total - np.append(0, total)[starts[:-1]][query]
    sums[:] = np.bincount(query, relevant * (rank <= k) * hits / rank, len(sums))


@_of_arrays
def discounted_sums(
    starts: Counts, rank: Counts, gains: Floats, k: int, discounts: Floats, sums: Floats
) -> None:
    """Add up gain over discount down to rank k; a gain below 0 counts 0.

    ``discounts`` has one of each rank that is counted, from rank 0.
    """
    top = np.flatnonzero(rank <= k)
    steps = np.maximum(gains[top], 0.0) / discounts[rank[top]]
    sums[:] = np.bincount(_query(starts)[top], steps, len(sums))


@_of_arrays
def discounted_list_sums(
    starts: Counts, gains: Floats, k: int, discounts: Floats, sums: Floats
) -> None:
    """Do the same where the rank of a document is its place in its query."""
    rank = np.arange(1, len(gains) + 1) - starts[_query(starts)]
    discounted_sums(starts, rank, gains, k, discounts, sums)


@_of_arrays
def quotients(numerator: Floats, denominator: Floats, found: Floats) -> None:
    """Divide each by each, or by the only one; 0 where the denominator is 0 or less."""
    found[:] = 0.0
    np.divide(numerator, denominator, out=found, where=denominator > 0)


@_of_arrays
def top_counts(retrieved: Counts, k: int, found: Floats) -> None:
    """Count the documents of each list down to rank k."""
    found[:] = np.minimum(retrieved, k)


@_of_arrays
def positive(values: Floats, marks: Marks) -> None:
    """Mark the values above 0."""
    marks[:] = values > 0


@_of_arrays
def starts_of(counts: Counts, starts: Counts) -> None:
    """Add up lengths, so that each part begins where the one before it ends."""
    starts[1:] = np.cumsum(counts)


@_of_arrays
def both(one: Marks, other: Marks, marks: Marks) -> None:
    """Mark what is marked twice."""
    marks[:] = one & other


@_of_arrays
def exact_sum(values: Floats, among: Marks) -> float:
    """Return the sum of those that are marked, rounded once."""
    return math.fsum(values[among != 0].tolist())


def _query(starts: Counts) -> Counts:
    """Return the query of each row."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
