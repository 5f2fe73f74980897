"""``Ranking``: what a metric of the ranking may ask of any exact summary of scores."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from veridical.summaries.confusion import ConfusionCounts, Count
from veridical.summaries.walk import Walk

__all__ = ["Ranking"]


@runtime_checkable
class Ranking(Protocol):
    """An exact summary of scores and classes: every score kept, or only the slots that matter.

    The metric cannot tell which; the walk is the same, and so are the digits.
    """

    @property
    def rows(self) -> int:
        """Rows that were summarised."""
        ...

    @property
    def walk(self) -> Walk:
        """Operating points at the distinct scores of positives, descending."""
        ...

    @property
    def total_positives(self) -> Count:
        """P, exactly."""
        ...

    @property
    def total_negatives(self) -> Count:
        """N, exactly."""
        ...

    @property
    def total(self) -> Count:
        """P + N, exactly."""
        ...

    @property
    def is_whole(self) -> bool:
        """Whether all weights are whole numbers."""
        ...

    def at(self, threshold: float | None) -> ConfusionCounts:
        """Return the counts when scores ``>= threshold`` are flagged; None flags nothing."""
        ...

    def walk_at(self, threshold: float) -> Walk:
        """Return the walk with one more stop, so that it can be read at ``threshold``."""
        ...
