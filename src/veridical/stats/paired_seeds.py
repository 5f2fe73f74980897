"""Experiments in which a seed stands for the same split or fold in every combination.

A difference is taken within each seed, and its noise is what seeds differ by in it.  So a seed may
move all its runs, and some combinations more than others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc

from veridical.stats.factorial import Estimate, Factorial, JointTest, Noise, estimate, is_nothing

__all__ = ["PairedSeeds", "mean_of"]

Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairedSeeds:
    """Runs in which every seed stands once in every combination.

    Attributes
    ----------
    design
        The combinations, one run each, m of them.
    order
        The number of the run of each seed in each combination, shape (seeds, m).

    Examples
    --------
    >>> paired = PairedSeeds(Factorial(np.array([[0], [1]]), (2,)), np.array([[0, 1], [2, 3]]))
    >>> difference, values = np.array([-1.0, 1.0]), np.array([1.0, 3.0, 5.0, 9.0])
    >>> paired.within(difference, values).tolist()
    [2.0, 4.0]
    >>> paired.estimate(difference, values, 0.95).error
    1.0
    """

    design: Factorial
    order: npt.NDArray[np.intp]

    def within(self, weights: Floats, values: Floats) -> Floats:
        """Return weighted sums within each seed.

        Parameters
        ----------
        weights
            Of the combinations, shape (m,), or of several sums, shape (m, q).
        values
            Of the runs, shape (n,).

        Returns
        -------
        array
            Shape (seeds,) or (seeds, q).
        """
        sums: Floats = values[self.order] @ weights
        return sums

    def estimate(
        self, weights: Floats, values: Floats, level: float, rows: Floats | None = None
    ) -> Estimate | None:
        """Return the mean of a weighted sum over seeds; None where the seeds do not differ.

        Parameters
        ----------
        weights, values
            As for ``within``.
        level
            Coverage.
        rows
            Covariance of the runs by rows, shape (n, n), or None.
        """
        by_seed = None
        if rows is not None:
            by_seed = np.einsum("abcd,b,d->ac", self._blocks(rows), weights, weights)
        return mean_of(self.within(weights, values), level, by_seed)

    def joint_test(
        self, weights: Floats, values: Floats, rows: Floats | None = None
    ) -> JointTest | None:
        """Return Hotelling's test that several weighted sums are all zero.

        None where there are no more seeds than sums, or they do not differ.
        """
        sums = self.within(weights, values)
        seeds, q = sums.shape
        if seeds <= q:
            return None
        mean = sums.mean(axis=0)
        variance = np.cov(sums, rowvar=False).reshape(q, q) / seeds
        if rows is not None:
            variance = variance + self._beyond(weights, rows)
        if is_nothing(float(np.linalg.eigvalsh(variance).min()), values):
            return None
        squared = float(mean @ np.linalg.solve(variance, mean))
        statistic = squared * (seeds - q) / (q * (seeds - 1))
        return JointTest(statistic, (q, seeds - q), float(fdtrc(q, seeds - q, statistic)))

    def _blocks(self, rows: Floats) -> Floats:
        """Return the covariances by seed, combination, seed, combination."""
        blocks: Floats = rows[self.order[:, :, None, None], self.order]
        return blocks

    def _beyond(self, weights: Floats, rows: Floats) -> Floats:
        """Return what rows add to the variance of the means beyond what seeds show of it."""
        blocks, seeds = self._blocks(rows), len(self.order)
        own = np.einsum("abac->bc", blocks)
        every = blocks.sum(axis=(0, 2))
        shown = (own - every / seeds) / (seeds - 1) / seeds
        sizes, axes = np.linalg.eigh(weights.T @ (every / seeds**2 - shown) @ weights)
        beyond: Floats = (axes * np.maximum(sizes, 0.0)) @ axes.T
        return beyond


def mean_of(values: Floats, level: float, rows: Floats | None = None) -> Estimate | None:
    """Return the mean of runs with its interval; None where they are fewer than two, or equal.

    Parameters
    ----------
    values
        Shape (n,).
    level
        Coverage.
    rows
        Covariance of the runs by rows, shape (n, n), or None.

    Examples
    --------
    >>> found = mean_of(np.array([1.0, 3.0]), 0.95)
    >>> found.value, found.error, found.df
    (2.0, 1.0, 1.0)
    """
    n = len(values)
    if n < 2:
        return None
    spread = float(np.var(values, ddof=1))
    by_rows = 0.0 if rows is None else float(np.trace(rows) - rows.sum() / n) / (n - 1)
    noise = Noise(0.0 if is_nothing(spread, values) else spread, n - 1, by_rows)
    return estimate(np.full(n, 1 / n), values, noise, level, rows)
