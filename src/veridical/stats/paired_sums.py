"""Two systems on the same units, by a score of sums over units: corpus BLEU, TER, kappa."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.results import Interval
from veridical.stats.bootstrap import percentile_interval
from veridical.stats.resolution import interval_notes

__all__ = ["PairedSums", "paired_sums"]

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]
Score: TypeAlias = Callable[[Floats], Floats]

CELLS_AT_ONCE = 2_000_000
MOST_SWAPS, FEWEST_SWAPS, MOST_COINS = 10_000, 1_000, 100_000_000
"""How many random swaps are tried, and at most how many coins are tossed for them in all."""


@dataclass(frozen=True, slots=True)
class PairedSums:
    """A difference of two scores of sums.

    Attributes
    ----------
    interval
        Percentile bootstrap over units, both systems on the same draws; None where they do not
        vary, or most replicates have no score.
    p_value
        Two-sided, of "the two may be swapped on any unit" (approximate randomisation).
    degenerate, replicates
        How many replicates have no score, and how many have one.
    units
        How many there are.
    """

    interval: Interval | None
    p_value: float
    degenerate: int
    replicates: int
    units: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said of the interval, or of there being none."""
        return interval_notes(self.interval, self.replicates, self.units)


def paired_sums(
    a: Any,
    b: Any,
    score: Score,
    *,
    times: Counts | None = None,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> PairedSums:
    """Compare two systems by a score of the sum of their units' rows.

    Parameters
    ----------
    a, b
        What each system adds for each unit, arrays or sparse matrices of shape (units, columns).
    score
        From sums, shape (m, columns), to scores, shape (m,); NaN where there is none.
    times
        How many units there are of each kind, shape (units,); one each by default.
    level, replicates, seed
        Coverage, how many bootstrap replicates, what determines all draws.

    References
    ----------
    S. Riezler and J. T. Maxwell (2005), On some pitfalls in automatic evaluation and significance
    testing for MT, ACL workshop, W05-0908.

    Examples
    --------
    >>> a = np.array([[1.0], [1.0], [1.0], [0.0], [1.0]])
    >>> b = np.array([[0.0], [0.0], [0.0], [0.0], [0.0]])
    >>> paired_sums(a, b, lambda sums: sums[:, 0] / 5).p_value
    0.125
    """
    counts = np.ones(a.shape[0], np.int64) if times is None else times
    values, degenerate = _replicates(a, b, score, counts, replicates, seed, level)
    p_value = _p_value(a, b, score, counts, seed)
    return PairedSums(values, p_value, degenerate, replicates - degenerate, int(counts.sum()))


def _replicates(
    a: Any, b: Any, score: Score, times: Counts, replicates: int, seed: int, level: float
) -> tuple[Interval | None, int]:
    """Return the percentile interval of the difference, and how many replicates lack a score."""
    generator = np.random.Generator(np.random.PCG64(seed))
    total, values = int(times.sum()), []
    for size in _sizes(replicates, max(a.shape)):
        drawn = _drawn(generator, times, total, size)
        values.append(score(drawn @ a) - score(drawn @ b))
    interval, degenerate = percentile_interval(np.concatenate(values), level)
    return (None if interval is None or interval.width == 0 else interval), degenerate


def _drawn(generator: np.random.Generator, times: Counts, total: int, size: int) -> Floats:
    """Return how often each kind is drawn with replacement, shape (size, kinds)."""
    if not (times == 1).all():
        return generator.multinomial(total, times / total, size=size).astype(np.float64)
    # Units that are kinds of their own: drawing their numbers is ten times as fast.
    drawn = np.empty((size, total))
    for row in drawn:
        row[:] = np.bincount(generator.integers(0, total, total), minlength=total)
    return drawn


def _p_value(a: Any, b: Any, score: Score, times: Counts, seed: int) -> float:
    """Return the share of swaps, the observed one among them, that differ at least as much."""
    apart = a - b
    moved = np.flatnonzero(np.asarray(abs(apart).sum(axis=1)).ravel() > 0)
    apart, times_moved = apart[moved], times[moved]
    every = times.astype(np.float64)[np.newaxis]
    first, second = every @ a, every @ b
    observed = abs(float((score(first) - score(second))[0]))
    tried = extreme = 0
    for swapped in _swaps(times_moved, max(a.shape), seed):
        change = swapped @ apart
        differences = np.abs(score(first - change) - score(second + change))
        tried += len(differences)
        # A swap after which there is no score counts against a difference, and so does a tie.
        extreme += int((~(differences < observed - 1e-12)).sum())
    return extreme / tried


def _swaps(times: Counts, columns: int, seed: int) -> Iterator[Floats]:
    """Yield how many units of each kind are swapped, shape (m, kinds): all ways, or random ones."""
    total = int(times.sum())
    if total < 63 and 2**total <= MOST_SWAPS:
        patterns = np.arange(2**total)[:, np.newaxis] >> np.arange(total) & 1
        kind = np.repeat(np.arange(len(times)), times)
        yield (patterns @ (kind[:, np.newaxis] == np.arange(len(times)))).astype(np.float64)
        return
    yield np.zeros((1, len(times)))
    generator = np.random.Generator(np.random.PCG64(seed))
    tries = min(MOST_SWAPS, max(FEWEST_SWAPS, MOST_COINS // len(times)))
    for size in _sizes(tries - 1, max(columns, len(times))):
        if (times == 1).all():
            coins = generator.integers(0, 256, (size, len(times) // 8 + 1), dtype=np.uint8)
            yield np.unpackbits(coins, axis=1)[:, : len(times)].astype(np.float64)
        else:
            yield generator.binomial(times, 0.5, (size, len(times))).astype(np.float64)


def _sizes(number: int, cells: int) -> Iterator[int]:
    at_once = max(1, CELLS_AT_ONCE // max(1, cells))
    for done in range(0, number, at_once):
        yield min(at_once, number - done)
