"""``ScoreSlots``: negatives counted below, between and at the scores of positives.

Exact like a score table, in memory proportional to the positives.  Slots need two passes (first
the positives, then the rest), and two sets of slots with different edges cannot be added.  Their
portable form lets a stored run be computed again; to be pooled with others, summarise the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from veridical import strict_json
from veridical.errors import FileFormatError, MismatchError, ParameterError
from veridical.kernels import SlotCounts, SortedSlots, slot_counts, slot_edges, sorted_slots
from veridical.kernels.arrays import as_score
from veridical.summaries.base import check_schema
from veridical.summaries.confusion import ConfusionCounts, Count
from veridical.summaries.fixed_point import FixedArray
from veridical.summaries.walk import Walk

__all__ = ["ScoreSlots"]

COUNTED_UP_TO_PREVALENCE = 0.025
"""Up to this share of positives, looking up the slot of each row is faster than sorting them."""

Floats = npt.NDArray[np.float64] | npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ScoreSlots:
    """Whole counts of rows in the slots around the scores of positives and some thresholds.

    Attributes
    ----------
    edges
        Distinct scores of positives, and thresholds that were asked for, ascending, shape (m,).
    positives
        Positives at each edge, int64, shape (m,); 0 at a threshold that no positive has.
    tied, between
        Negatives at each edge, shape (m,), and below, between and above the edges, (m + 1,).

    Examples
    --------
    >>> y, scores = np.array([1, 0, 1, 0]) == 1, np.array([0.9, 0.6, 0.4, 0.1])
    >>> slots = ScoreSlots.from_rows(y, scores, thresholds=[0.5])
    >>> slots.walk.thresholds.tolist(), slots.walk.between.whole.tolist()
    ([0.9, 0.4], [0, 1, 1])
    >>> slots.at(0.5)
    ConfusionCounts(tp=1, fp=1, fn=1, tn=1)
    """

    schema: ClassVar[str] = "veridical.score_slots/1"

    edges: Floats
    positives: npt.NDArray[np.int64]
    tied: npt.NDArray[np.int64]
    between: npt.NDArray[np.int64]

    @classmethod
    def from_edges(
        cls, edges: Floats, positives: npt.NDArray[np.int64], thresholds: Sequence[float] = ()
    ) -> ScoreSlots:
        """Start empty slots: all positives counted, no negative yet.

        Parameters
        ----------
        edges, positives
            Distinct scores of positives, ascending, and how many have each.
        thresholds
            Further stops, at which ``at`` and ``walk_at`` can be read.
        """
        stops = np.array([as_score(t + 0.0, edges.dtype) for t in thresholds], dtype=edges.dtype)
        every = np.union1d(edges, stops)
        counts = np.zeros(len(every), dtype=np.int64)
        counts[np.searchsorted(every, edges)] = positives
        zeros = np.zeros(len(every), dtype=np.int64)
        return cls(every, counts, zeros, np.zeros(len(every) + 1, dtype=np.int64))

    @classmethod
    def from_rows(
        cls,
        positive: npt.NDArray[np.bool_],
        scores: Floats,
        *,
        thresholds: Sequence[float] = (),
        threads: int = 1,
    ) -> ScoreSlots:
        """Summarise rows: ``positive`` bool, ``scores`` without NaN, both of shape (n,)."""
        if np.count_nonzero(positive) > COUNTED_UP_TO_PREVALENCE * len(positive):
            return cls._from_sorted_rows(positive, scores, thresholds)
        empty = cls.from_edges(*slot_edges(scores[positive]), thresholds)
        return empty.counted(positive, scores, threads=threads)

    @classmethod
    def _from_sorted_rows(
        cls, positive: npt.NDArray[np.bool_], scores: Floats, thresholds: Sequence[float]
    ) -> ScoreSlots:
        """Sort all rows once, and count them again only around thresholds between the edges."""
        slots = sorted_slots(positive, scores)
        stops = np.unique(
            np.array([as_score(t + 0.0, scores.dtype) for t in thresholds], dtype=scores.dtype)
        )
        at = np.searchsorted(slots.edges, stops, "left")
        is_new = np.searchsorted(slots.edges, stops, "right") == at
        if not is_new.any():
            return cls(*slots)
        stops, at = stops[is_new], at[is_new]
        counts = slot_counts(stops, scores, positive)
        tied = np.insert(slots.tied, at, counts.tied)
        up_to = np.insert(_up_to(slots), at, _up_to(counts))
        negatives = len(scores) - int(slots.positives.sum())
        between = np.append(up_to - tied, negatives) - np.concatenate([[0], up_to])
        edges: Any = np.insert(slots.edges, at, stops)  # numpy's stubs lose the type
        return cls(edges, np.insert(slots.positives, at, 0), tied, between)

    def counted(
        self, positive: npt.NDArray[np.bool_], scores: Floats, *, threads: int = 1
    ) -> ScoreSlots:
        """Return the slots with the negatives of these rows added.

        The positives of the rows must be among the edges; they were counted with them.
        """
        counts = slot_counts(self.edges, scores, positive, threads=threads)
        return ScoreSlots(
            self.edges, self.positives, self.tied + counts.tied, self.between + counts.between
        )

    def __add__(self, other: ScoreSlots) -> ScoreSlots:
        if not isinstance(other, ScoreSlots):
            return NotImplemented
        same = np.array_equal(self.edges, other.edges)
        if not same or not np.array_equal(self.positives, other.positives):
            raise MismatchError(
                "slots with different edges cannot be added",
                why="their negatives are counted between different scores",
                fix="add score tables or histograms instead",
            )
        return ScoreSlots(
            self.edges, self.positives, self.tied + other.tied, self.between + other.between
        )

    def __len__(self) -> int:
        return len(self.edges)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable form: edges as hexadecimal floats, counts as integers."""
        return {
            "schema": self.schema,
            "dtype": str(self.edges.dtype),
            "edges": [float(edge).hex() for edge in self.edges],
            **{name: getattr(self, name).tolist() for name in _COUNTS},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ScoreSlots:
        """Read back what ``to_dict`` wrote.

        Raises
        ------
        FileFormatError
            The edges do not ascend, or a count is none.
        """
        check_schema(data, cls.schema)
        edges = np.array([float.fromhex(edge) for edge in data["edges"]], dtype=data["dtype"])
        counts = [np.array(data[name], dtype=np.int64) for name in _COUNTS]
        lengths = [len(edges), len(edges), len(edges) + 1]
        ascending = not np.isnan(edges).any() and bool((edges[1:] > edges[:-1]).all())
        if (
            edges.dtype not in (np.float64, np.float32)
            or not ascending
            or [len(column) for column in counts] != lengths
            or any((column < 0).any() for column in counts)
        ):
            raise FileFormatError(
                "edges ascend, with a count of at least 0 at each and between them",
                fix="measure the rows again",
            )
        return cls(edges, *counts)

    @property
    def sha256(self) -> str:
        """Hash of the canonical form."""
        return strict_json.sha256(self.to_dict())

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        return int(self.total_positives) + int(self.total_negatives)

    @cached_property
    def total_positives(self) -> Count:
        """P."""
        return int(self.positives.sum())

    @cached_property
    def total_negatives(self) -> Count:
        """N."""
        return int(self.tied.sum()) + int(self.between.sum())

    @property
    def total(self) -> Count:
        """P + N."""
        return self.total_positives + self.total_negatives

    @property
    def is_whole(self) -> bool:
        """Slots hold whole counts only."""
        return True

    @cached_property
    def _full(self) -> Walk:
        """The walk that stops at every edge, also where there is no positive."""
        columns = (self.positives, self.tied, self.between)
        return Walk(self.edges[::-1], *(FixedArray.from_int(column[::-1]) for column in columns))

    @cached_property
    def walk(self) -> Walk:
        """Operating points at the distinct scores of positives, descending."""
        if self.positives.all():
            return self._full
        # Interleave slots and edges into groups, and merge those without a positive.
        m = len(self.edges)
        scores = np.repeat(self.edges, 2)
        groups = np.zeros((2, 2 * m + 1), dtype=np.int64)
        groups[0, 1::2] = self.positives
        groups[1, 1::2], groups[1, 0::2] = self.tied, self.between
        padded = np.concatenate([scores[:1], scores]) if m else np.zeros(1, self.edges.dtype)
        return Walk.from_groups(
            padded[::-1], FixedArray(groups[0, ::-1]), FixedArray(groups[1, ::-1])
        )

    def walk_at(self, threshold: float) -> Walk:
        """Return the walk with a stop at ``threshold``, which must be one of the edges."""
        self._edge(threshold)
        return self._full

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts when scores ``>= threshold`` are flagged; None flags nothing."""
        cut = len(self.edges) if threshold is None else self._edge(threshold)
        tp = int(self.positives[cut:].sum())
        fp = int(self.tied[cut:].sum()) + (int(self.between[cut + 1 :].sum()))
        positives, negatives = int(self.total_positives), int(self.total_negatives)
        return ConfusionCounts(tp, fp, positives - tp, negatives - fp)

    def _edge(self, threshold: float) -> int:
        score = as_score(threshold, self.edges.dtype)
        at = int(np.searchsorted(self.edges, score, "left"))
        if at == len(self.edges) or self.edges[at] != score:
            raise ParameterError(
                f"these slots were counted without the threshold {threshold:g}",
                why="negatives between two edges are not told apart",
                fix="name the threshold before counting",
            )
        return at


_COUNTS = ("positives", "tied", "between")


def _up_to(slots: SortedSlots | SlotCounts) -> npt.NDArray[np.int64]:
    """Return the negatives at or below each edge."""
    return np.cumsum(slots.tied + slots.between[:-1])
