"""Intervals and tests of means over queries.

Student's distribution is imported where it is asked for: a ranking without intervals needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from veridical.late import np
from veridical.results import Interval
from veridical.stats.resolution import interval_notes

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["NORMAL_ABOVE", "PairedMeans", "mean_intervals", "over_queries", "paired_means"]

Floats: TypeAlias = "npt.NDArray[np.float64]"
Mask: TypeAlias = "npt.NDArray[np.bool_]"

NORMAL_ABOVE = 10_000
"""Queries above which the mean is normal for every purpose, and nothing is resampled."""

_CELLS = 2_000_000


def over_queries(
    values: Floats, level: float = 0.95, replicates: int = 1000, seed: int = 0
) -> Interval | None:
    """Bootstrap over queries, percentiles of the mean; Student's above 10,000 queries.

    Parameters
    ----------
    values
        One a query, shape (n,).
    level, replicates, seed
        Coverage, how many replicates, what determines the draws.

    Returns
    -------
    Interval or None
        None for fewer than two queries, or when all values are equal.

    Examples
    --------
    >>> over_queries(np.array([0.0, 0.5, 1.0, 0.5])).method
    'bootstrap-percentile'
    """
    return mean_intervals([values], [np.ones(len(values), np.bool_)], level, replicates, seed)[0]


def mean_intervals(
    values: Sequence[Floats],
    defined: Sequence[Mask],
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> list[Interval | None]:
    """Return the interval of the mean of each column of values, all from the same draws.

    Parameters
    ----------
    values, defined
        Each of shape (n,), over the same queries; a mean is over those that are defined.
    level, replicates, seed
        As for ``over_queries``.
    """
    if not values:
        return []
    from veridical.stats.bootstrap import percentile_interval
    from veridical.stats.standard_error import scaled_interval, standard_error

    parts = [column[mask] for column, mask in zip(values, defined, strict=True)]
    found: list[Interval | None] = [None] * len(parts)
    drawn = []
    for index, part in enumerate(parts):
        if len(part) < 2 or np.ptp(part) == 0.0:
            continue
        if len(part) > NORMAL_ABOVE:
            one = scaled_interval(float(part.mean()), standard_error(part), level, "student")
            found[index] = one if isinstance(one, Interval) else None
        else:
            drawn.append(index)
    if drawn:
        means = _means([values[i] for i in drawn], [defined[i] for i in drawn], replicates, seed)
        for index, column in zip(drawn, means.T, strict=True):
            found[index] = percentile_interval(column, level)[0]
    return found


def _means(values: Sequence[Floats], defined: Sequence[Mask], replicates: int, seed: int) -> Floats:
    """Return the mean of each column in each replicate, NaN where it has no query."""
    present = np.stack(defined, axis=1).astype(np.float64)
    columns = np.where(present > 0, np.stack(values, axis=1), 0.0)
    used = present.any(axis=1)
    columns, present = columns[used], present[used]
    n = len(columns)
    generator = np.random.Generator(np.random.PCG64(seed))
    size = max(1, _CELLS // n)
    means = []
    for done in range(0, replicates, size):
        rows = min(size, replicates - done)
        draws = generator.integers(0, n, (rows, n)) + n * np.arange(rows)[:, np.newaxis]
        counts = np.bincount(draws.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
        totals, queries = counts @ columns, counts @ present
        means.append(
            np.divide(totals, queries, out=np.full(totals.shape, np.nan), where=queries > 0)
        )
    return np.concatenate(means)


class PairedMeans(NamedTuple):
    """Two systems on the same queries.

    Attributes
    ----------
    difference
        Mean of the differences.
    interval
        Of it; None for fewer than two queries, or when all differences are equal.
    p_value
        Two-sided: permutation of signs, or Student's t above 10,000 queries.
    t_p_value
        Of the paired t-test; None where there is no variance.
    effect
        Mean over standard deviation of the differences; None where there is no variance.
    wins, ties, losses
        Queries on which the first is better, equal, worse (higher being better).
    method
        ``"permutation"`` or ``"paired-t"``.
    replicates
        How many were asked for.
    """

    difference: float
    interval: Interval | None
    p_value: float
    t_p_value: float | None
    effect: float | None
    wins: int
    ties: int
    losses: int
    method: str
    replicates: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said of the interval, or of there being none."""
        return interval_notes(self.interval, self.replicates, self.wins + self.ties + self.losses)


def paired_means(
    a: Floats, b: Floats, level: float = 0.95, replicates: int = 1000, seed: int = 0
) -> PairedMeans:
    """Compare two systems query by query.

    Parameters
    ----------
    a, b
        Values of the two on the same queries, shape (n,), n >= 1.
    level, replicates, seed
        As for ``over_queries``.

    References
    ----------
    M. D. Smucker, J. Allan and B. Carterette (2007), A comparison of statistical significance
    tests for information retrieval evaluation.  doi:10.1145/1321440.1321528

    Examples
    --------
    >>> found = paired_means(np.array([0.5, 0.7, 0.9, 0.4]), np.array([0.4, 0.6, 0.9, 0.1]))
    >>> found.wins, found.ties, found.losses, found.p_value
    (3, 1, 0, 0.25)
    """
    from veridical.stats.paired import permutation_test
    from veridical.stats.standard_error import standard_error

    difference = a - b
    n = len(difference)
    mean = float(difference.mean())
    error = standard_error(difference) if n > 1 else None
    spread = float(difference.std(ddof=1)) if n > 1 else 0.0
    t_p = _t_test(mean, spread, n) if error is not None else None
    permuted = n <= NORMAL_ABOVE or t_p is None
    return PairedMeans(
        mean,
        over_queries(difference, level, replicates, seed),
        permutation_test(difference, seed=seed) if permuted else float(t_p or 0.0),
        t_p,
        mean / spread if error is not None else None,
        int((difference > 0).sum()),
        int((difference == 0).sum()),
        int((difference < 0).sum()),
        "permutation" if permuted else "paired-t",
        replicates,
    )


def _t_test(mean: float, spread: float, n: int) -> float:
    from veridical.stats.standard_error import StandardError, t_p_value

    return t_p_value(mean, StandardError(spread / n**0.5, n - 1.0))
