"""What a drift measure shows where nothing has drifted: the noise of two finite samples."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NoDrift", "no_drift"]

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class NoDrift:
    """The population stability index of two samples from one distribution.

    Attributes
    ----------
    expected
        Its mean, about (cells - 1)(1/n_reference + 1/n_current).
    quantile
        Its 95% quantile, from the chi-square distribution with cells - 1 degrees of freedom.
    """

    expected: float
    quantile: float


def no_drift(cells: int, n_reference: int, n_current: int) -> NoDrift:
    """Return what to expect without drift.

    The index is, to second order, the chi-square statistic of two samples divided by the harmonic
    size of the samples.

    Parameters
    ----------
    cells
        That hold any row of either sample.
    n_reference, n_current
        Rows, at least 1.

    References
    ----------
    Yurdakul and Naranjo (2020), Journal of Risk Model Validation 14(4), doi:10.21314/JRMV.2020.227.

    Examples
    --------
    >>> round(no_drift(10, 200, 200).expected, 4)
    0.09
    """
    from scipy.special import chdtri  # scipy.stats takes half a second to import

    scale = 1 / n_reference + 1 / n_current
    freedom = max(cells - 1, 0)
    quantile = float(chdtri(freedom, 1 - LEVEL)) * scale if freedom else 0.0
    return NoDrift(freedom * scale, quantile)
