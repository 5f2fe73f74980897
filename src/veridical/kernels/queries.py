"""What is known of each query of a ranking: its value by a metric, whether it has one.

A kernel takes and gives plain memory, so that a command that prints means makes no array.  Where
``values_of`` knows a metric it gives the digits of its definition, which is the metric's own
function; tests hold both together.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple, TypeAlias

from veridical.kernels.choice import implementation

__all__ = ["KNOWN", "Memory", "QueryColumns", "starts_of", "values_of", "with_relevant"]

Memory: TypeAlias = Any
"""One column: an array of numpy, or an ``array`` or ``bytearray`` that one can be made of."""

KNOWN = frozenset({"judged", "map", "mrr", "ndcg", "precision", "recall"})
_FARTHEST = 1 << 30


class QueryColumns(NamedTuple):
    """The columns of ``RankedQueries`` that metrics read, as they are there."""

    retrieved: Memory
    starts: Memory
    rank: Memory
    grades: Memory
    ideal_starts: Memory
    ideal: Memory


def values_of(
    metric: str,
    queries: QueryColumns,
    k: int | None,
    rel: float,
    discounts: array[float],
) -> Memory | None:
    """Return the value of each query, float64, shape (Q,).

    Parameters
    ----------
    metric
        One of ``KNOWN``.
    queries
        Where their judged documents stand.
    k
        Ranks that count; None for all.
    rel
        From which grade on a document is relevant.
    discounts
        By what a gain is divided at each rank from 1; those of all k of them.

    Returns
    -------
    memory or None
        None where the metric's own function must be asked.
    """
    if k is None and metric == "ndcg":
        return None
    if k is not None and k >= (len(discounts) if metric == "ndcg" else _FARTHEST):
        return None
    return implementation("queries").values_of(metric, *queries, k, rel, discounts)


def with_relevant(ideal_starts: Memory, ideal: Memory, rel: float = 1.0) -> Memory:
    """Return which queries have a relevant document in the golden set, a byte for each.

    Parameters
    ----------
    ideal_starts, ideal
        As for ``RankedQueries``.
    rel
        From which grade on a document is relevant.

    Examples
    --------
    >>> list(with_relevant(array("q", [0, 1, 3]), array("d", [0.0, 2.0, 0.0])))
    [0, 1]
    """
    return implementation("queries").with_relevant(ideal_starts, ideal, rel)


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
    return implementation("queries").starts_of(counts)
