"""Tests of the hypothesis that nothing has drifted, beside the measures of how much has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["ChiSquare", "chi_square_test", "smirnov_test"]


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Pearson's test of homogeneity.

    Attributes
    ----------
    statistic, freedom, p_value
        As usual.
    smallest_expected
        Below about 5 the approximation by the chi-square distribution is rough.
    """

    statistic: float
    freedom: int
    p_value: float
    smallest_expected: float


def chi_square_test(reference: npt.NDArray[np.int64], current: npt.NDArray[np.int64]) -> ChiSquare:
    """Compare the shares of two samples, counts of shape (cells,); empty cells do not count.

    Examples
    --------
    >>> chi_square_test(np.array([50, 50, 0]), np.array([40, 60, 0])).freedom
    1
    """
    from scipy.special import chdtrc

    observed = np.stack((reference, current)).astype(np.float64)
    observed = observed[:, observed.sum(axis=0) > 0]
    total = observed.sum()
    expected = observed.sum(axis=1, keepdims=True) * observed.sum(axis=0) / total
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = observed.shape[1] - 1
    return ChiSquare(statistic, freedom, float(chdtrc(freedom, statistic)), float(expected.min()))


def smirnov_test(distance: float, n_reference: int, n_current: int) -> float:
    """Return the p-value of a largest distance of two distribution functions.

    By Kolmogorov's distribution at the effective size n m / (n + m).  It is exact in the limit for
    continuous data, and too large (on the safe side) where there are ties.

    Examples
    --------
    >>> round(smirnov_test(0.5, 20, 20), 3)
    0.013
    """
    from scipy.special import kolmogorov

    size = n_reference * n_current / (n_reference + n_current)
    return float(kolmogorov(distance * size**0.5))
