"""Where thresholds part the rows of a summary, beside the cells of its scores.

A threshold seldom is an edge of the grid.  Decisions at it are counted exactly, so the rows of the
bin that holds it are known in two parts.  Places among the rows are numbered finer than keys: of
key k, the rows at or above j of the thresholds are at ``k * step + j``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.portable.binned import BinnedScores
from veridical.summaries import KeyGrid
from veridical.summaries.merged_cells import finest_cells, united

__all__ = ["Parting"]

Keys: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Parting:
    """Thresholds on a key grid.

    Attributes
    ----------
    grid
        Of the scores.
    at
        The key of each threshold, ascending.
    """

    grid: KeyGrid
    at: Keys

    @classmethod
    def of(cls, grid: KeyGrid, thresholds: Sequence[float]) -> Parting:
        """Return the parting at thresholds, which ascend."""
        values = np.array(thresholds, dtype=np.float64)
        if grid.scheme == "probability":
            values = np.clip(values, 0.0, 1.0)  # above or below all scores, there is one part
        return cls(grid, grid.keys(values))

    @property
    def step(self) -> int:
        """How many places a key has: a power of two, so that coarse grids stay coarse."""
        return 1 << len(self.at).bit_length()

    def cells(self, slices: Sequence[BinnedScores], least: int) -> tuple[Keys, Keys, Keys]:
        """Return the keys of all slices, and first and last key of the cell of each.

        The cells are the finest of which no count, and no difference of a count to decisions, is
        of 1 to ``least - 1`` rows of a class; provided that the decisions have none themselves.
        """
        keys = np.unique(np.concatenate([one.histogram.keys for one in slices]))
        if not len(keys):
            return keys, keys, keys
        # Every key is met below all of its thresholds, and then above each of them.
        low, high = (np.searchsorted(self.at, keys, side) for side in ("left", "right"))
        times = high - low + 1
        which = np.repeat(np.arange(len(keys)), times)
        passed = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
        places = keys[which] * self.step + low[which] + passed
        counts = [
            np.append(above[:-1] - above[1:], above[-1])
            for one in slices
            for above in self._above(one, places, passed > 0)
        ]
        held = np.logical_or.reduce([one > 0 for one in counts])
        places = places[held]
        cuts = np.searchsorted(places % self.step, np.arange(len(self.at)), side="right")
        first, last = finest_cells(
            places, [one[held] for one in counts], least, self.grid.size * self.step, cuts.tolist()
        )
        # A bin that a threshold parts belongs to one cell all the same.
        first, last = united(first // self.step, last // self.step)
        occupied, of = np.unique(places // self.step, return_index=True)
        return occupied, first[of], last[of]

    def parts(self, one: BinnedScores) -> Iterator[Counts]:
        """Yield the rows of each class between all that is told: cells, and thresholds."""
        keys = one.histogram.keys
        starts = keys * self.step + np.searchsorted(self.at, keys)
        cut = self.at * self.step + np.arange(len(self.at)) + 1
        order = np.argsort(np.concatenate([starts, cut]), kind="stable")
        for counts, flagged in self._told(one):
            above = np.concatenate([counts[::-1].cumsum()[::-1], flagged])[order]
            yield np.append(above[:-1] - above[1:], above[-1:])

    def _above(self, one: BinnedScores, places: Keys, decided: Mask) -> Iterator[Counts]:
        """Yield how many rows of each class lie at each place or above."""
        own = one.histogram.keys
        for counts, flagged in self._told(one):
            below = np.concatenate([[0], counts.cumsum()])
            above = counts.sum() - below[np.searchsorted(own, places // self.step)]
            above[decided] = flagged[places[decided] % self.step - 1]
            yield above

    def _told(self, one: BinnedScores) -> Iterator[tuple[Counts, Counts]]:
        """Yield the rows of each class in each cell, and how many are flagged at each threshold."""
        bins, decisions = one.histogram.bins, [one.decisions[t] for t in sorted(one.decisions)]
        for counts, name in ((bins.positives, "tp"), (bins.negatives, "fp")):
            flagged = [int(getattr(found, name)) for found in decisions]
            yield counts.whole, np.array(flagged, dtype=np.int64)
