"""Distinct scores with their positives and negatives."""

from __future__ import annotations

from typing import NamedTuple

from veridical.kernels.arrays import Counts, Floats, Labels, as_bytes, as_scores, same_length
from veridical.kernels.choice import implementation

__all__ = ["Groups", "SortedSlots", "sorted_groups", "sorted_slots"]


class Groups(NamedTuple):
    """Rows grouped by score.

    Attributes
    ----------
    scores
        Distinct scores, ascending, in the dtype they came in, shape (m,).  -0.0 is stored as 0.0.
    positives, negatives
        Rows of each class at each score, int64, shape (m,).
    """

    scores: Floats
    positives: Counts
    negatives: Counts


class SortedSlots(NamedTuple):
    """Rows counted around the scores of positives.

    Attributes
    ----------
    edges
        Distinct scores of positives, ascending, in the dtype they came in, shape (m,).
    positives, tied
        Positives and negatives at each edge, int64, shape (m,).
    between
        Negatives below the first edge, between neighbours, above the last: int64, shape (m + 1,).
    """

    edges: Floats
    positives: Counts
    tied: Counts
    between: Counts


def sorted_groups(positive: Labels, scores: Floats) -> Groups:
    """Count the positives and negatives at each distinct score.

    Parameters
    ----------
    positive
        bool or uint8 (0 is negative), shape (n,).
    scores
        float64 or float32 without NaN, shape (n,).  Infinities and denormals are legal; -0.0 ties
        with 0.0; each dtype is compared as it is.

    Returns
    -------
    Groups
        ``(scores, positives, negatives)``, each of shape (m,), m <= n.

    Examples
    --------
    >>> import numpy as np
    >>> groups = sorted_groups(np.array([1, 0, 0], np.uint8), np.array([0.5, 0.5, 0.25]))
    >>> [column.tolist() for column in groups]
    [[0.25, 0.5], [0, 1], [1, 1]]
    """
    labels, scores = as_bytes(positive), as_scores(scores)
    same_length(positive=labels, scores=scores)
    return Groups(*implementation("sorting").sorted_groups(labels, scores))


def sorted_slots(positive: Labels, scores: Floats) -> SortedSlots:
    """Count what ``slot_edges`` and ``slot_counts`` do, by sorting all rows.

    Where positives are many this is faster than looking each row's slot up.

    Parameters
    ----------
    positive, scores
        As for ``sorted_groups``.

    Returns
    -------
    SortedSlots
        ``(edges, positives, tied, between)``.

    Examples
    --------
    >>> import numpy as np
    >>> slots = sorted_slots(np.array([1, 0, 1, 0], np.uint8), np.array([0.9, 0.6, 0.4, 0.4]))
    >>> [column.tolist() for column in slots]
    [[0.4, 0.9], [1, 1], [1, 0], [0, 1, 0]]
    """
    labels, scores = as_bytes(positive), as_scores(scores)
    same_length(positive=labels, scores=scores)
    return SortedSlots(*implementation("sorting").sorted_slots(labels, scores))
