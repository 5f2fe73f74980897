"""Two decisions on the same rows: McNemar's test, and resampled counts for everything else."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.comparison.pairs import Pair
from veridical.measures import Measure
from veridical.metrics.intervals import Units
from veridical.results import Interval, Measured
from veridical.stats.normal import z
from veridical.summaries import ConfusionCounts

__all__ = ["bonett_price", "cell_values", "discordant", "flagged", "replicated_cells"]

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]


def flagged(units: Units, threshold: float) -> Mask:
    """Return which rows score at least the threshold, compared in the type of the scores."""
    at_least: Mask = units.scores >= units.scores.dtype.type(threshold)
    return at_least


def discordant(right_a: Mask, right_b: Mask) -> tuple[int, int]:
    """Return how many rows only the first, and only the second, decided rightly."""
    return int(np.count_nonzero(right_a & ~right_b)), int(np.count_nonzero(right_b & ~right_a))


def bonett_price(only_first: int, only_second: int, n: int, level: float) -> Interval:
    """Interval of the difference of two proportions on the same n rows.

    Wald's interval after adding one row to each discordant cell, which keeps its coverage in
    small samples.

    Parameters
    ----------
    only_first, only_second
        Rows that only one of the two decided rightly.
    n
        All rows, >= 1.
    level
        Confidence level, in (0, 1).

    References
    ----------
    D. G. Bonett and R. M. Price (2012), Adjusted Wald confidence interval for a difference of
    binomial proportions based on paired data. doi:10.3102/1076998611411915

    Examples
    --------
    >>> interval = bonett_price(1, 7, 21, 0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.508, -0.013)
    """
    first, second = (only_first + 1) / (n + 2), (only_second + 1) / (n + 2)
    centre = first - second
    half = z(level) * math.sqrt((first + second - centre**2) / (n + 2))
    return Interval(max(-1.0, centre - half), min(1.0, centre + half), level, "bonett-price")


def replicated_cells(
    pair: Pair, thresholds: tuple[float, float], replicates: int, seed: int
) -> tuple[Floats, Floats]:
    """Return tp, fp, fn, tn of both models on the same resampled rows, each (replicates, 4).

    Rows fall into eight cells by label and the two decisions; drawing rows with replacement is
    drawing these counts.
    """
    a, b = pair.a.rows, pair.b.rows
    kind = 4 * a.positive + 2 * flagged(a, thresholds[0]) + flagged(b, thresholds[1])
    if pair.independent:
        counts = np.bincount(kind, minlength=8)
        generator = np.random.Generator(np.random.PCG64(seed))
        drawn = generator.multinomial(len(kind), counts / len(kind), size=replicates)
        cells = drawn.astype(np.float64)
    else:
        columns = [(kind == k).astype(np.float64) for k in range(8)]
        cells = a.sums(columns, replicates, seed)
    return _margins(cells, 2), _margins(cells, 1)


def _margins(cells: Floats, bit: int) -> Floats:
    """Add up the eight cells over the decision of the other model."""
    wanted = ((4, bit), (0, bit), (4, 0), (0, 0))  # label and decision of tp, fp, fn, tn
    columns = [
        sum(cells[:, k] for k in range(8) if k & 4 == label and k & bit == decision)
        for label, decision in wanted
    ]
    return np.stack([np.asarray(column) for column in columns], axis=1)


def cell_values(measure: Measure, cells: Floats) -> Floats:
    """Return the metric of each row of counts; NaN where it has no value."""
    arguments = measure.arguments()
    function = measure.definition.function
    distinct, at = np.unique(cells, axis=0, return_inverse=True)
    results = [
        function(ConfusionCounts(*(_count(cell) for cell in row)), **arguments)
        for row in distinct.tolist()
    ]
    values = np.array([r.value if isinstance(r, Measured) else math.nan for r in results])
    return values[at.ravel()]


def _count(cell: float) -> int | Fraction:
    return int(cell) if cell.is_integer() else Fraction(cell)
