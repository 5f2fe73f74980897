"""What the metrics of a reliability table read: its bins, rows and base rate."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.measures import integer
from veridical.summaries import ReliabilityTable

__all__ = ["BINS", "base_rate", "filled_bins", "is_empty", "whole_n"]

Floats: TypeAlias = npt.NDArray[np.float64]

BINS = integer("bins", 10, low=1, high=10_000)
"""The parameter: how many bins of equal width."""


def filled_bins(table: ReliabilityTable) -> tuple[Floats, Floats, Floats]:
    """Return |B|, conf and acc of the bins that hold rows."""
    n, sum_p, sum_y = (table.column(name) for name in ("n", "sum_p", "sum_y"))
    held = n > 0
    return n[held], sum_p[held] / n[held], sum_y[held] / n[held]


def is_empty(table: ReliabilityTable) -> bool:
    """Whether it holds no row."""
    # Not by the rounded n: three rows of weight 0.1 are rows.
    return not any(table.n)


def whole_n(table: ReliabilityTable) -> int:
    """Return how many rows it holds; of weights their sum, rounded."""
    return round(table.total("n"))


def base_rate(table: ReliabilityTable) -> float:
    """Return the event rate of all rows."""
    return table.total("sum_y") / table.total("n")
