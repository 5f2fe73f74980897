"""Intervals of metrics whose units are items or segments: what is asked, and the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from veridical.measures import Definition
from veridical.metrics.interval_request import Outcome
from veridical.results import Measured
from veridical.stats.bootstrap import percentile_interval

__all__ = ["Question", "from_replicates", "resampled"]

CELLS_AT_ONCE = 2_000_000
CELLS_IN_CACHE = 1 << 17

Floats = npt.NDArray[np.float64]
DEGENERATE = Outcome(None, notes=("no_interval_degenerate",))


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What an interval method of these families may use.

    Attributes
    ----------
    definition, arguments
        The metric, and its parameters as its function was called with.
    summary
        What it was computed from.
    level, seed, replicates
        Coverage asked for; what determines all random draws; how many bootstrap replicates.
    method
        ``"analytic"`` where there is a formula, or ``"bootstrap"`` throughout.
    """

    definition: Definition
    arguments: Mapping[str, Any]
    summary: Any
    level: float = 0.95
    seed: int = 0
    replicates: int = 1000
    method: Literal["analytic", "bootstrap"] = "analytic"


def resampled(
    times: npt.NDArray[np.int64],
    statistic: Callable[[Floats], Floats],
    question: Question,
    *,
    cells: int = 0,
) -> Floats:
    """Return a statistic of items drawn with replacement.

    Parameters
    ----------
    times
        How many items are of each kind, shape (kinds,): drawing items is drawing kinds.
    statistic
        From counts of shape (replicates, kinds) to values of shape (replicates,), NaN where a
        replicate has none.
    question
        Seed and number of replicates.
    cells
        How many numbers the statistic holds for each replicate, where that is more than kinds.
    """
    generator = np.random.Generator(np.random.PCG64(question.seed))
    total = int(times.sum())
    at_once = max(1, CELLS_AT_ONCE // max(len(times), cells, 1))
    values = []
    for done in range(0, question.replicates, at_once):
        size = min(at_once, question.replicates - done)
        drawn = _drawn(generator, times, total, size)
        values.append(statistic(drawn.astype(np.float64)))
    return np.concatenate(values)


def _drawn(
    generator: np.random.Generator, times: npt.NDArray[np.int64], total: int, size: int
) -> npt.NDArray[np.int64]:
    """Return how often each kind is drawn, shape (size, kinds)."""
    if not (times == 1).all():
        return generator.multinomial(total, times / total, size=size)
    # Each item is a kind of its own: drawing its number is ten times as fast.
    drawn = np.empty((size, total), dtype=np.int64)
    at_once = max(1, CELLS_IN_CACHE // max(total, 1))
    for done in range(0, size, at_once):
        part = drawn[done : done + at_once]
        places = generator.integers(0, total, part.shape)
        places += total * np.arange(len(part))[:, np.newaxis]
        part[:] = np.bincount(places.ravel(), minlength=part.size).reshape(part.shape)
    return drawn


def from_replicates(result: Measured, values: Floats, level: float) -> Outcome:
    """Return the percentile interval of replicates; none where they do not vary."""
    interval, degenerate = percentile_interval(values, level)
    if interval is None:
        return Outcome(None, notes=("no_interval_replicates",))
    if interval.width == 0:
        return Outcome(None, notes=("no_interval_uniform",))
    observed = {"degenerate_replicates": degenerate} if degenerate else {}
    if result.value not in interval:
        low, high = min(interval.low, result.value), max(interval.high, result.value)
        interval = type(interval)(low, high, level, interval.method)
    return Outcome(interval, observed, replicates=len(values) - degenerate)
