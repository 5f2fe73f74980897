"""Bootstrap replicates of ranking and cost metrics, drawn once for all metrics of a model.

Which rows a replicate draws depends on the seed and the number of units alone, so the replicates
of two models on the same rows are paired by their position.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.pairs import Pair, Side
from veridical.errors import ParameterError
from veridical.measures import Measure
from veridical.metrics.intervals import Units
from veridical.stats.bootstrap import CELLS_IN_MEMORY, bootstrap, row_slots, unit_replicates
from veridical.stats.resampled_walks import ResampledWalks, Statistic
from veridical.summaries import ScoreTable

__all__ = ["LARGE", "Replicates", "arguments_of", "replicates_for", "top_replicates"]

Floats: TypeAlias = npt.NDArray[np.float64]
Scores: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]

LARGE = 50_000
"""With more units than this, resampling every row a thousand times takes minutes."""
_FEWEST = 100
"""Drawn however long it takes: fewer do not know how far a difference varies."""


def replicates_for(units: int, wanted: int) -> int:
    """Return how many replicates of this many units are affordable.

    Examples
    --------
    >>> replicates_for(2_000, 1_000), replicates_for(200_000, 1_000)
    (1000, 250)
    """
    return min(wanted, max(_FEWEST, wanted * LARGE // max(units, 1)))


def arguments_of(measure: Measure, side: Side) -> dict[str, Any]:
    """Return what the metric's function is called with: parameters and settings."""
    settings = {name: side.settings.given(name) for name in measure.definition.settings}
    return {**measure.arguments(), **settings}


@dataclass(eq=False)
class Replicates:
    """Replicates of several metrics, drawn for each model when one is first asked for.

    Attributes
    ----------
    measures
        Metrics that will be asked for, and are drawn together.
    """

    measures: Sequence[Measure]
    _drawn: dict[Side, dict[str, Floats]] = field(default_factory=dict)

    def of(self, measure: Measure, side: Side) -> Floats:
        """Return the replicates of one metric, shape (B,); NaN where it has no value."""
        drawn = self._drawn.setdefault(side, {})
        if str(measure) not in drawn:
            wanted = {str(one): one for one in (*self.measures, measure)}
            drawn |= _draw(side, [one for name, one in wanted.items() if name not in drawn])
        return drawn[str(measure)]


def _draw(side: Side, measures: Sequence[Measure]) -> dict[str, Floats]:
    """Draw all metrics that are read at the same threshold from the same walks."""
    by_threshold: dict[float | None, dict[str, Statistic]] = {}
    for measure in measures:
        threshold = arguments_of(measure, side).get("threshold")
        by_threshold.setdefault(threshold, {})[str(measure)] = _statistic(measure, side)
    priced = any("costs" in measure.definition.settings for measure in measures)
    drawn: dict[str, Floats] = {}
    for threshold, statistics in by_threshold.items():
        drawn |= bootstrap(_walks(side, threshold, priced=priced), statistics)
    return drawn


def _walks(side: Side, threshold: float | None, *, priced: bool) -> Iterator[ResampledWalks]:
    units, ranking = side.rows, side.part.evidence.ranking
    return unit_replicates(
        ranking.walk if threshold is None else ranking.walk_at(threshold),
        units.positive,
        units.scores,
        replicates_for(units.n_units, side.settings.replicates),
        side.settings.seed,
        units=units.codes,
        weight=units.weight,
        **(units.costs if priced else {}),
    )


def top_replicates(
    pair: Pair, measure: Measure, fpr: float, replicates: int, seed: int
) -> tuple[Floats, Floats]:
    """Return paired replicates of a metric that reads the top of the ranking alone.

    Recall at a false-positive rate depends on the rows near the highest scores.  Rows that both
    models put well below stay together in two cells, one a class, and a replicate draws how many
    of them there are instead of which.

    Parameters
    ----------
    pair
        Independent rows.
    measure
        ``recall@fpr=``.
    fpr
        The rate.
    replicates, seed
        How many, and what determines them.
    """
    a, b = (_cut_below(units, fpr) for units in (pair.a.rows, pair.b.rows))
    positive = pair.a.rows.positive
    alone = (a > -math.inf) | (b > -math.inf)
    together = [np.count_nonzero(~alone & positive), np.count_nonzero(~alone & ~positive)]
    chance = np.append(np.ones(int(alone.sum())), np.array(together, dtype=np.float64)) / len(a)
    cell_positive = np.append(positive[alone], [True, False])
    generator = np.random.Generator(np.random.PCG64(seed))
    size = max(1, CELLS_IN_MEMORY // len(chance))
    drawn = [
        generator.multinomial(len(a), chance, size=min(size, replicates - done))
        for done in range(0, replicates, size)
    ]
    values = []
    for scores, side in ((a, pair.a), (b, pair.b)):
        top = _Top.of(positive, scores, cell_positive, np.append(scores[alone], [-math.inf] * 2))
        statistic = _statistic(measure, side)
        values.append(np.concatenate([statistic(top.walks(chunk)) for chunk in drawn]))
    return values[0], values[1]


def _statistic(measure: Measure, side: Side) -> Statistic:
    make = measure.definition.statistic
    if make is None:
        raise ParameterError(
            f"{measure} cannot be resampled",
            fix="compare metrics that can be, or test it in another way",
        )
    statistic: Statistic = make(side.part.evidence.ranking, **arguments_of(measure, side))
    return statistic


def _cut_below(units: Units, fpr: float) -> Floats:
    """Return the scores, with -inf for those that no replicate can reach at this rate."""
    negatives = np.sort(units.scores[~units.positive])
    expected = fpr * len(negatives)
    # Ten standard deviations beyond the rate: further down no replicate ever looks.
    reach = math.ceil(expected + 10 * math.sqrt(expected) + 100)
    scores = units.scores.astype(np.float64)
    if reach >= len(negatives):
        return scores
    return np.where(scores >= negatives[-reach], scores, -math.inf)


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    """The walk of one model over the cells, and the slot of each cell."""

    thresholds: Scores
    slots: npt.NDArray[np.intp]

    @classmethod
    def of(
        cls,
        positive: npt.NDArray[np.bool_],
        scores: Floats,
        cell_positive: npt.NDArray[np.bool_],
        cell_scores: Floats,
    ) -> _Top:
        walk = ScoreTable.from_rows(positive, scores).walk
        return cls(walk.thresholds, row_slots(walk, cell_positive, cell_scores))

    def walks(self, drawn: npt.NDArray[np.int64]) -> ResampledWalks:
        m = len(self.thresholds)
        sums = np.stack([np.bincount(self.slots, row, 3 * m + 1) for row in drawn])
        return ResampledWalks(self.thresholds, sums[:, :m], sums[:, m : 2 * m], sums[:, 2 * m :])
