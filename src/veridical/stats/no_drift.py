"""What a drift measure shows where nothing has drifted: the noise of two finite samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["NoDrift", "no_drift", "no_drift_in"]

Floats: TypeAlias = npt.NDArray[np.float64]

LEVEL = 0.95

# Below so many expected rows in a cell the index is larger than the chi-square distribution knows:
# with 20 rows in each of ten cells noise exceeds its 95% quantile in 6% of samples, with 10 in 8%.
_ENOUGH: Final = 100
# Draws of the simulation; of many cells fewer, but never below 200.
_DRAWS: Final = 2_000
# Shares of a side that are drawn at once: with all that an index makes of them, 60 MB.
_NUMBERS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class NoDrift:
    """The population stability index of two samples from one distribution.

    Attributes
    ----------
    expected
        Its mean, about (cells - 1)(1/n_reference + 1/n_current).
    quantile
        Its 95% quantile: from the chi-square distribution with cells - 1 degrees of freedom or,
        where a cell expects fewer than 100 rows of a side, from samples drawn of the pooled shares.
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


def no_drift_in(
    reference: npt.NDArray[np.int64],
    current: npt.NDArray[np.int64],
    index: Callable[[Any, Any], npt.NDArray[np.float64]],
) -> NoDrift:
    """Return what to expect without drift of these cells, few rows or many.

    Parameters
    ----------
    reference, current
        Rows in each cell, shape (cells,), at least one row a side.
    index
        From the shares of draws, shape (draws, cells), of either side to the index of each draw.

    Examples
    --------
    >>> one, few = np.array([500, 500]), np.array([1, 1])
    >>> round(no_drift_in(one, one, lambda p, q: p).quantile, 4)
    0.0077
    >>> index = lambda p, q: ((q - p) * np.log((q + 1e-7) / (p + 1e-7))).sum(axis=-1)
    >>> bool(no_drift(2, 1000, 2).quantile < 2 < no_drift_in(one, few, index).quantile)
    True
    """
    both = reference + current
    both = both[both > 0]
    sizes = int(reference.sum()), int(current.sum())
    noise = no_drift(len(both), *sizes)
    shares = both / both.sum()
    if len(both) < 2 or min(sizes) * shares.min() >= _ENOUGH:
        return noise
    drawn = np.concatenate([index(p, q) for p, q in _draws(shares, sizes)])
    return replace(noise, quantile=float(np.quantile(drawn, LEVEL, method="higher")))


def _draws(shares: Floats, sizes: tuple[int, int]) -> Iterator[tuple[Floats, Floats]]:
    """Yield shares of both sides, as many draws at once as memory is for, shape (draws, cells).

    In the stream of random numbers those of the reference come first, all of them: what is drawn
    does not depend on how much is held at once.
    """
    n_reference, n_current = sizes
    at_once = max(1, _NUMBERS // len(shares))
    draws = min(_DRAWS, max(at_once, 200))
    pieces = [min(at_once, draws - done) for done in range(0, draws, at_once)]
    of_reference = of_current = np.random.default_rng(0)
    if len(pieces) > 1:
        # The stream is run through as far as the current side, to be read in both places.
        of_current = np.random.default_rng(0)
        for size in pieces:
            of_current.multinomial(n_reference, shares, size=size)
    for size in pieces:
        p = of_reference.multinomial(n_reference, shares, size=size) / n_reference
        q = of_current.multinomial(n_current, shares, size=size) / n_current
        yield p, q
