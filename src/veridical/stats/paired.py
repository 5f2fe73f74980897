"""Two models on the same rows: McNemar, sign and permutation tests, differences, and power."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

from veridical.errors import ParameterError
from veridical.reasons import SkipReason
from veridical.stats.bootstrap import percentile_interval
from veridical.stats.influence import Influence
from veridical.stats.normal import z
from veridical.stats.row_sums import PairedDifference, tested_by_t
from veridical.stats.standard_error import standard_error, unit_totals

__all__ = [
    "McNemar",
    "mcnemar",
    "minimum_detectable_effect",
    "paired_bootstrap",
    "paired_influence",
    "permutation_test",
    "sign_test",
]

Values: TypeAlias = npt.NDArray[np.float64]

SIGNS_IN_MEMORY = 4_000_000
"""Permutations times units that are held at once."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's test of two decisions on the same rows.

    Attributes
    ----------
    only_first, only_second
        Rows that only the first, and only the second, decided rightly.
    exact
        Two-sided binomial p-value; never too small, often too large.
    mid_p
        The same with half the probability of what was observed; nearer to its nominal level.
    """

    only_first: int
    only_second: int
    exact: float
    mid_p: float


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Test whether two decisions on the same rows are equally often right.

    Parameters
    ----------
    only_first, only_second
        Rows that only one of the two decided rightly, >= 0.

    Returns
    -------
    McNemar
        Both p-values are 1 when no row tells the two apart.

    References
    ----------
    M. W. Fagerland, S. Lydersen, P. Laake (2013), The McNemar test for binary matched-pairs data:
    mid-p and asymptotic are better than exact conditional. doi:10.1186/1471-2288-13-91

    Examples
    --------
    >>> test = mcnemar(1, 9)
    >>> round(test.exact, 6), round(test.mid_p, 6)
    (0.021484, 0.011719)
    """
    n, fewer = only_first + only_second, min(only_first, only_second)
    if min(only_first, only_second) < 0:
        raise ParameterError("a number of rows is never negative", fix="give counts of 0 or more")
    if n == 0:
        return McNemar(0, 0, 1.0, 1.0)
    up_to, below = (float(bdtr(k, n, 0.5)) if k >= 0 else 0.0 for k in (fewer, fewer - 1))
    if only_first == only_second:
        return McNemar(only_first, only_second, 1.0, 1.0 - (up_to - below) / 2)
    exact, mid_p = min(1.0, 2.0 * up_to), up_to + below
    return McNemar(only_first, only_second, exact, mid_p)


def sign_test(differences: Values) -> float:
    """Return the exact two-sided p-value of "the median difference is 0"; zeros are left out.

    Parameters
    ----------
    differences
        One a unit (row, query, customer), shape (n,).

    Examples
    --------
    >>> sign_test(np.array([0.2, 0.1, 0.3, 0.0, 0.5, 0.2]))
    0.0625
    """
    positive, negative = int((differences > 0).sum()), int((differences < 0).sum())
    return mcnemar(positive, negative).exact


def permutation_test(differences: Values, permutations: int = 10_000, seed: int = 0) -> float:
    """Return the two-sided p-value of "the mean difference is 0" by flipping signs.

    Under the hypothesis the two models may be swapped on any unit.  All 2**n ways are tried when
    that is no more than ``permutations``; else random ones, the observed one included.

    Parameters
    ----------
    differences
        One a unit (row, query, customer), shape (n,).
    permutations
        How many sign patterns at most.
    seed
        Determines the random ones.

    Returns
    -------
    float
        In (0, 1]; 1 for no differences at all.

    References
    ----------
    E. S. Edgington and P. Onghena (2007), Randomization Tests, chapter 4.

    Examples
    --------
    >>> permutation_test(np.array([0.2, 0.1, 0.3, 0.4, 0.5]))
    0.0625
    """
    moved = differences[differences != 0]
    observed = abs(float(moved.sum()))
    # Sums that differ only by the order of addition are ties.
    bar = observed - 1e-12 * float(np.abs(moved).sum())
    if len(moved) < 63 and 2 ** len(moved) <= permutations:
        patterns = np.arange(2 ** len(moved))[:, np.newaxis] >> np.arange(len(moved)) & 1
        return float(np.mean(np.abs((2 * patterns - 1) @ moved) >= bar))
    generator = np.random.Generator(np.random.PCG64(seed))
    size, as_extreme = max(1, SIGNS_IN_MEMORY // len(moved)), 1
    for done in range(0, permutations - 1, size):
        shape = (min(size, permutations - 1 - done), len(moved))
        signs = 2 * generator.integers(0, 2, shape, dtype=np.int8) - 1
        as_extreme += int((np.abs(signs @ moved) >= bar).sum())
    return as_extreme / permutations


def paired_influence(
    first: Influence,
    second: Influence,
    level: float = 0.95,
    *,
    weight: Values | None = None,
    units: npt.NDArray[np.intp] | None = None,
) -> PairedDifference:
    """Compare two models by a metric with influence values (AP, AUC, Brier, log loss).

    Parameters
    ----------
    first, second
        From the same function of ``influence``, on the same rows in the same order.
    level
        Confidence level, in (0, 1).
    weight, units
        As for ``unit_totals``.

    Returns
    -------
    PairedDifference
        First minus second; ``degenerate_variance`` when the two models do not differ on any row,
        or there are fewer than two units.

    Examples
    --------
    >>> from veridical.stats.influence import mean_influence
    >>> a, b = np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.2, 0.1, 0.5, 1.0])
    >>> result = paired_influence(mean_influence(a), mean_influence(b))
    >>> round(result.difference, 4), round(result.p_value, 3)
    (-0.075, 0.319)
    """
    difference = first.estimate - second.estimate
    per_unit = unit_totals(first.values - second.values, weight, units)
    scale = max(float(np.abs(influence.values).max()) for influence in (first, second))
    return tested_by_t(difference, standard_error(per_unit), scale, level)


def paired_bootstrap(
    difference: float, first: Values, second: Values, level: float = 0.95
) -> tuple[PairedDifference, int]:
    """Compare two models by replicates of a metric that were drawn on the same rows.

    Parameters
    ----------
    difference
        First minus second on all rows.
    first, second
        Replicates from ``unit_replicates`` with one seed, shape (B,); NaN where undefined.
    level
        Confidence level, in (0, 1).

    Returns
    -------
    PairedDifference
        With the percentile interval, and as p-value twice the smaller share of replicates on
        either side of 0, the observed difference counted once on each.
    int
        How many replicates have no value.

    References
    ----------
    A. C. Davison and D. V. Hinkley (1997), Bootstrap Methods and their Application, section 4.2.

    Examples
    --------
    >>> a, b = np.linspace(0.6, 0.8, 99), np.linspace(0.5, 0.6, 99)
    >>> result, degenerate = paired_bootstrap(0.15, a, b)
    >>> round(result.interval.low, 4), result.p_value, degenerate
    (0.1025, 0.02, 0)
    """
    differences = first - second
    interval, degenerate = percentile_interval(differences, level)
    valid = differences[~np.isnan(differences)]
    if interval is None or valid.min() == valid.max():
        return PairedDifference(difference, None, SkipReason.DEGENERATE_VARIANCE, None), degenerate
    tail = 1 + min(int((valid <= 0).sum()), int((valid >= 0).sum()))
    p_value = min(1.0, 2.0 * tail / (len(valid) + 1))
    return PairedDifference(difference, float(valid.var(ddof=1)), interval, p_value), degenerate


def minimum_detectable_effect(
    standard_error: float, level: float = 0.95, power: float = 0.8
) -> float:
    """Return the smallest true difference that a two-sided test would find with this power.

    Parameters
    ----------
    standard_error
        Of the estimated difference, > 0.
    level
        1 minus the size of the test, in (0, 1).
    power
        Chance of finding it, in (0, 1).

    References
    ----------
    H. S. Bloom (1995), Minimum detectable effects. doi:10.1177/0193841X9501900504

    Examples
    --------
    >>> round(minimum_detectable_effect(0.01), 4)
    0.028
    """
    if not 0.0 < power < 1.0:
        raise ParameterError(f"a power lies between 0 and 1, not {power}", fix="give 0.8, say")
    return (z(level) + NormalDist().inv_cdf(power)) * standard_error
