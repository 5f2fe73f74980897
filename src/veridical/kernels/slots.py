"""The slots that ranking needs: negatives below, between and at the scores of positives.

Lowering a threshold past a negative never changes recall, so all that ranking metrics ask about
the negatives is how many lie strictly between two neighbouring scores of positives, and how many
tie with one.  With m distinct scores of positives that is 2m + 1 numbers, whatever the number of
rows.  Pass one collects the positives (``slot_edges``); pass two counts the rows into the slots
(``slot_counts``), batch by batch where they do not fit in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from veridical.errors import MismatchError, ParameterError
from veridical.kernels.arrays import Counts, Floats, Labels, as_bytes, as_scores, same_length
from veridical.kernels.choice import implementation
from veridical.kernels.sorting import sorted_groups
from veridical.kernels.threads import over_chunks

__all__ = ["SlotCounts", "slot_counts", "slot_edges"]


class SlotCounts(NamedTuple):
    """Rows in each slot.

    Attributes
    ----------
    between
        Rows strictly below edge 0, strictly between edges 0 and 1, ..., strictly above the last
        one; int64, shape (m + 1,).
    tied
        Rows at exactly each edge; int64, shape (m,).
    """

    between: Counts
    tied: Counts

    def __add__(self, other: object) -> SlotCounts:
        """Return the counts of both batches of rows, which were counted against the same edges."""
        if not isinstance(other, SlotCounts):
            return NotImplemented
        if len(self.tied) != len(other.tied):
            raise MismatchError(
                f"{len(self.tied)} edges and {len(other.tied)} edges",
                why="slots of different edges are different intervals",
                fix="count both batches against the same edges",
            )
        return SlotCounts(self.between + other.between, self.tied + other.tied)


def slot_edges(scores_of_positives: Floats) -> tuple[Floats, Counts]:
    """Return the distinct scores, ascending, and how many rows have each.

    Parameters
    ----------
    scores_of_positives
        float64 or float32 without NaN, shape (P,).

    Returns
    -------
    edges
        Distinct scores in the dtype they came in, shape (m,); -0.0 is given as 0.0.
    counts
        Rows at each, int64, shape (m,).

    Examples
    --------
    >>> import numpy as np
    >>> edges, counts = slot_edges(np.array([0.9, 0.4, 0.9]))
    >>> edges.tolist(), counts.tolist()
    ([0.4, 0.9], [1, 2])
    """
    scores = as_scores(scores_of_positives)
    groups = sorted_groups(np.ones(len(scores), dtype=np.uint8), scores)
    return groups.scores, groups.positives


def slot_counts(
    edges: Floats, scores: Floats, positive: Labels | None = None, *, threads: int = 1
) -> SlotCounts:
    """Count the negatives in each slot.

    Parameters
    ----------
    edges
        From ``slot_edges``: distinct, ascending, without NaN, shape (m,).
    scores
        In the dtype of the edges, shape (n,).  Infinities are legal, NaN is not.
    positive
        bool or uint8, shape (n,): rows to leave out of the slots.  None counts every row.
    threads
        How many threads share the rows.  The result does not depend on it.

    Raises
    ------
    MismatchError
        When edges and scores differ in dtype: 0.1 as float32 is another number than 0.1.
    ParameterError
        When edges are not distinct, ascending numbers.

    Examples
    --------
    >>> import numpy as np
    >>> counts = slot_counts(np.array([0.4, 0.9]), np.array([0.6, 0.1, 0.4]))
    >>> counts.between.tolist(), counts.tied.tolist()
    ([1, 1, 0], [1, 0])
    """
    edges, scores = as_scores(edges), as_scores(scores)
    if edges.dtype != scores.dtype:
        raise MismatchError(
            f"{scores.dtype} scores against {edges.dtype} edges",
            where="kernels",
            why="a score that ties in one precision does not in the other",
            fix="read the edges and the scores in the same precision",
        )
    if np.isnan(edges).any() or not (edges[1:] > edges[:-1]).all():
        raise ParameterError(
            "edges are not distinct and ascending",
            where="kernels",
            why="a slot is what lies between two neighbours",
            fix="take them from slot_edges, after refusing NaN",
        )
    kernel: Callable[..., tuple[Counts, Counts]]
    kernel = implementation("slots").slot_counts

    def count(part: Floats) -> SlotCounts:
        return SlotCounts(*kernel(edges, part))

    counts = over_chunks(count, (scores,), threads)
    if positive is None:
        return counts
    labels = as_bytes(positive)
    same_length(positive=labels, scores=scores)
    # Positives are few where slots are used: counting them apart spares every row a branch.
    left_out = count(scores[labels != 0])
    return SlotCounts(counts.between - left_out.between, counts.tied - left_out.tied)
