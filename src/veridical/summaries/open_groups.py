"""``OpenGroups``: decisions about two groups, where merged cells leave some of them open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from veridical.summaries.compared_groups import ComparedGroups
from veridical.summaries.confusion import ConfusionCounts

__all__ = ["OpenCounts", "OpenGroups"]


class OpenCounts(NamedTuple):
    """The fewest and the most favourable decisions that a group can have.

    Attributes
    ----------
    fewest, most
        Of the same rows: either as many have the favourable label.  ``tp`` and ``fp`` may be any
        numbers between those of the two, one whatever the other.
    """

    fewest: ConfusionCounts
    most: ConfusionCounts

    @property
    def is_exact(self) -> bool:
        """Whether nothing is open."""
        return self.fewest == self.most

    def corner(self, tp: int, fp: int) -> ConfusionCounts:
        """Return the counts with the fewest (0) or the most (1) true and false positives.

        Examples
        --------
        >>> counts = OpenCounts(ConfusionCounts(1, 2, 4, 3), ConfusionCounts(2, 5, 3, 0))
        >>> counts.corner(0, 1)
        ConfusionCounts(tp=1, fp=5, fn=4, tn=0)
        """
        right, wrong = self[tp], self[fp]
        return ConfusionCounts(tp=right.tp, fp=wrong.fp, fn=right.fn, tn=wrong.tn)


@dataclass(frozen=True, slots=True)
class OpenGroups:
    """Decisions of two groups as far as they are known.

    Attributes
    ----------
    group, reference
        Positive is the favourable outcome.
    labelled
        Whether labels are known.
    """

    group: OpenCounts
    reference: OpenCounts
    labelled: bool = True

    def corners(self) -> Iterator[ComparedGroups]:
        """Yield counts between whose values every metric of fairness must lie.

        Each is a difference or a ratio of two rates that rise or fall with ``tp`` and with ``fp``,
        whatever the other is: the group is at one end of both, the reference at the other.  What
        is the larger of two such differences is largest at one of them, but may be less between.
        """
        for tp, fp in product((0, 1), (0, 1)):
            group, reference = self.group.corner(tp, fp), self.reference.corner(1 - tp, 1 - fp)
            yield ComparedGroups(group, reference, self.labelled)
