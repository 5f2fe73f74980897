"""Several places beside each other: each alone, all others without it, and how far it lies off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.metrics import find
from veridical.portable.binned import BinnedScores
from veridical.portable.summary import Held, Key, Summary
from veridical.results import Result, Skipped
from veridical.stability.traffic_light import with_light
from veridical.summaries import ScoreBins, ScoreTable
from veridical.summaries.merged_cells import united
from veridical.summaries.partition import Partition
from veridical.summaries.score_histogram import last_keys
from veridical.summaries.shifted_cells import ShiftedCells

__all__ = ["Place", "places_of"]

_BINS = 10

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Place:
    """One of several summaries.

    Attributes
    ----------
    alone
        The summary of the place.
    others
        The sum of all other ones; None where there is no other.
    """

    alone: Summary
    others: Summary | None

    def drift(self, score: str) -> Result | None:
        """Return the population stability index of its scores against those of all others.

        Cells are the ten quantiles of the others, of their distinct scores where these are kept,
        else of their bins, so that an edge is the highest score of a bin.  None without others;
        skipped where rows have weights.
        """
        if self.others is None:
            return None
        psi = find("drift.psi")
        if self.alone.header.weight is not None:
            skipped = Skipped("unsupported_by_engine", detail="rows with weights are no counts")
            return replace(skipped, metric=str(psi), subject=score)
        cells = _cells(self.others.parts[Key(score)], self.alone.parts[Key(score)])
        return with_light(unit_result(psi, cells, UnitSettings(), subject=score))


def places_of(summaries: Sequence[Summary]) -> list[Place]:
    """Return each summary with the sum of all others.

    Raises
    ------
    MismatchError
        Two of them cannot be added.

    Examples
    --------
    >>> from veridical.portable import summarise
    >>> north = summarise({"y": [1, 0] * 50, "p": [0.9, 0.6] * 50}, label="y", score="p")
    >>> south = summarise({"y": [1, 0] * 50, "p": [0.6, 0.1] * 50}, label="y", score="p")
    >>> [place.others.rows for place in places_of([north, south])]
    [100, 100]
    """
    # Sums from either end: with n places 3 n additions, not n^2.
    before: list[Summary | None] = [None]
    after: list[Summary | None] = [None]
    for summary in summaries[:-1]:
        before.append(_sum(before[-1], summary))
    for summary in reversed(summaries[1:]):
        after.append(_sum(after[-1], summary))
    return [
        Place(summary, _sum(*ends))
        for summary, ends in zip(summaries, zip(before, reversed(after), strict=True), strict=True)
    ]


def _sum(*summaries: Summary | None) -> Summary | None:
    there = [one for one in summaries if one is not None]
    return reduce(add, there) if there else None


def _cells(reference: Held, current: Held) -> ShiftedCells:
    """Count two sets of scores in the quantiles of the first."""
    values, then, now = _side_by_side(reference, current)
    if not then.sum():
        return ShiftedCells(then, now)
    partition = Partition.of_counts(values, then, _BINS)
    place, size = partition.places(values), len(partition.names)

    def counted(rows: Counts) -> Counts:
        sums = np.zeros(size, dtype=np.int64)
        np.add.at(sums, place, rows)
        return sums

    occupied = np.flatnonzero(then)
    below, above = int(now[: occupied[0]].sum()), int(now[occupied[-1] + 1 :].sum())
    return ShiftedCells(counted(then), counted(now), partition, below, above)


def _side_by_side(one: Held, two: Held) -> tuple[Floats, Counts, Counts]:
    """Return the scores (of bins: the highest in each) of both, and how many rows of either."""
    if isinstance(one, BinnedScores) and isinstance(two, BinnedScores):
        mine, theirs = one.histogram, two.histogram
        last = np.concatenate([last_keys(mine), last_keys(theirs)])
        keys, _ = united(np.concatenate([mine.keys, theirs.keys]), last)
        return _together(keys, _counted(mine.bins), _counted(theirs.bins))
    sides = [
        _counted(ScoreBins.from_table(side)) for side in (one, two) if isinstance(side, ScoreTable)
    ]
    return _together(np.concatenate([scores for scores, _ in sides]), *sides)


def _counted(bins: ScoreBins) -> tuple[Floats, Counts]:
    # An edge is a number: infinity stands for itself nowhere.
    highest = np.nan_to_num(bins.highest.astype(np.float64))
    return highest, bins.positives.whole + bins.negatives.whole


def _together(
    keys: npt.NDArray[Any], one: tuple[Floats, Counts], two: tuple[Floats, Counts]
) -> tuple[Floats, Counts, Counts]:
    """Return the highest score of each key, and the rows of both sides that have it."""
    found, at = np.unique(keys, return_inverse=True)
    sides = np.split(at, [len(one[0])])
    values = np.full(len(found), -np.inf)
    np.maximum.at(values, at, np.concatenate([one[0], two[0]]))
    counts = np.zeros((2, len(found)), dtype=np.int64)
    for sums, place, (_, rows) in zip(counts, sides, (one, two), strict=True):
        np.add.at(sums, place, rows)
    return values, counts[0], counts[1]
