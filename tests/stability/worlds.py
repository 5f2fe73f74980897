"""Two populations of known distance, and what samples of them show: for simulations.

The reference is standard normal, what comes later is moved by a shift.  Cells are the deciles of
the reference *sample*, frozen as they always are; the truth is the distance of the two populations
in these cells, so that it differs a little from draw to draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr
from scipy.stats import norm

from tests.stats.coverage import Coverage
from veridical.evaluation.unit_results import UnitSettings, unit_result
from veridical.metrics import find
from veridical.summaries.shifted_cells import ShiftedCells

BINS, REPLICATES, SCARCE = 10, 300, 5
METRICS = ("drift.psi", "drift.jsd", "drift.hellinger")


@dataclass(frozen=True, slots=True)
class Moved:
    """Rows of the reference and later, and by how many standard deviations all have moved."""

    n_reference: int
    n_current: int
    shift: float

    def __str__(self) -> str:
        return f"{self.n_reference}-{self.n_current} rows, shift {self.shift:g}"

    @property
    def rarest(self) -> float:
        """Rows that are expected later in the cell that has the fewest, with true deciles."""
        edges = norm.ppf(np.arange(1, BINS) / BINS)
        return float(self.n_current * shares(edges, self.shift).min())

    @property
    def is_claimed(self) -> bool:
        """Whether intervals are claimed to cover: no cell is nearly empty."""
        return self.rarest >= SCARCE

    def draws(
        self, seed: int, simulations: int
    ) -> Iterator[tuple[ShiftedCells, np.ndarray, np.ndarray]]:
        """Yield counts of both samples, and the true shares of both populations."""
        rng = np.random.default_rng([seed, self.n_reference, self.n_current])
        at = np.ceil(np.arange(1, BINS) * self.n_reference / BINS).astype(int) - 1
        for _ in range(simulations):
            before = np.sort(rng.normal(size=self.n_reference))
            edges = before[at]
            now = rng.normal(self.shift, size=self.n_current)
            counts = [
                np.bincount(np.searchsorted(edges, side), minlength=BINS) for side in (before, now)
            ]
            yield ShiftedCells(*counts), shares(edges, 0.0), shares(edges, self.shift)

    def coverage(self, metric: str, seed: int, simulations: int) -> Coverage:
        """Count how many intervals hold the truth."""
        measure, held, above, below = find(metric), 0, 0, 0
        for at, (cells, then, now) in enumerate(self.draws(seed, simulations)):
            truth = float(measure.definition.statistic(then, now, measure.arguments()))
            settings = UnitSettings(replicates=REPLICATES, seed=at)
            interval = unit_result(measure, cells, settings).interval
            held += interval.low <= truth <= interval.high
            above += truth < interval.low
            below += truth > interval.high
        return Coverage(held, above, below, 0)


def shares(edges: np.ndarray, shift: float) -> np.ndarray:
    """The share of a population in each cell."""
    return np.diff(np.concatenate([[0.0], ndtr(edges - shift), [1.0]]))


WORLDS = [
    Moved(n, m, shift)
    for n, m in (
        (200, 200),
        (500, 500),
        (1_000, 1_000),
        (5_000, 500),
        (5_000, 5_000),
        (20_000, 2_000),
    )
    for shift in (0.0, 0.1, 0.2, 0.35, 0.5, 1.0)
]


def main(simulations: int = 400) -> None:
    """Print the coverage of each world: `python -m tests.stability.worlds`."""
    for world in WORLDS:
        found = {metric: world.coverage(metric, 2, simulations) for metric in METRICS[:2]}
        told = ", ".join(f"{metric} {100 * one.share:.1f}" for metric, one in found.items())
        print(f"{world}: {told}{'' if world.is_claimed else ' (not claimed)'}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
