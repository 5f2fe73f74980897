"""Factorial designs: what each factor moves, by least squares with effect coding.

The model holds every main effect and every interaction of two factors.  A level's mean is then
the mean over the levels of the other factors, each counting once however many runs it has, and
higher interactions are taken to be absent.  Noise is what runs of one combination differ by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, stdtrit

from veridical.errors import ParameterError

__all__ = [
    "MOST_COLUMNS",
    "Estimate",
    "Factorial",
    "JointTest",
    "Noise",
    "check_size",
    "estimate",
    "is_nothing",
    "joint_test",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.intp]
Term: TypeAlias = tuple[int, ...]

MOST_COLUMNS: Final = 500
"""Larger models are refused: nobody reads them, and they take minutes."""
_RANK = 1e-9
_ROUNDING = 1e-12
_MANY = 1e9


@dataclass(frozen=True, slots=True)
class Noise:
    """What runs of one combination differ by.

    Attributes
    ----------
    mean_square
        Pooled variance within combinations.
    df
        Its degrees of freedom, at least 1.
    rows
        How much of it the rows explain: the mean excess of a run's variance by rows over its
        covariance with its replicates.
    """

    mean_square: float
    df: int
    rows: float = 0.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A weighted sum of runs with its interval by Student's t."""

    value: float
    error: float
    df: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class JointTest:
    """An F test of several weighted sums being zero together."""

    statistic: float
    df: tuple[int, float]
    p_value: float


@dataclass(frozen=True, eq=False)
class Factorial:
    """Runs by factors.

    Attributes
    ----------
    codes
        The level of each run in each factor, shape (n, k), numbered from 0.
    levels
        How many levels each factor has, at least 2.

    Examples
    --------
    >>> design = Factorial(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), (2, 2))
    >>> design.difference(0, 1, 0).round(9).tolist()
    [-0.5, -0.5, 0.5, 0.5]
    >>> design.interaction((0, 1), (1, 1), (0, 0)).round(9).tolist()
    [1.0, -1.0, -1.0, 1.0]
    """

    codes: Codes
    levels: tuple[int, ...]

    def __post_init__(self) -> None:
        check_size(self.levels)

    @property
    def terms(self) -> list[Term]:
        """Main effects, then pairs of factors."""
        of = range(len(self.levels))
        return [*((one,) for one in of), *combinations(of, 2)]

    @cached_property
    def _coding(self) -> list[Floats]:
        """The row of effect codes of each level: the last one is minus the sum of the others."""
        return [np.vstack([np.eye(n - 1), -np.ones(n - 1)]) for n in self.levels]

    @cached_property
    def _columns(self) -> dict[Term, slice]:
        at, found = 1, {}
        for term in self.terms:
            width = math.prod(self.levels[one] - 1 for one in term)
            found[term] = slice(at, at + width)
            at += width
        return found

    @cached_property
    def _matrix(self) -> Floats:
        coded = [rows[self.codes[:, at]] for at, rows in enumerate(self._coding)]
        n = len(self.codes)
        parts = [np.ones((n, 1)), *coded]
        parts += [
            (coded[a][:, :, None] * coded[b][:, None, :]).reshape(n, -1)
            for a, b in combinations(range(len(coded)), 2)
        ]
        return np.hstack(parts)

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.pinv(self._matrix, rcond=_RANK), dtype=np.float64)

    @cached_property
    def cells(self) -> Codes:
        """The combination of each run, shape (n,)."""
        inverse: Codes = np.unique(self.codes, axis=0, return_inverse=True)[1].reshape(-1)
        return inverse

    @cached_property
    def _fitted(self) -> Floats:
        """An orthonormal basis of what combinations explain."""
        full = np.eye(int(self.cells.max()) + 1)[self.cells]
        basis: Floats = full / np.sqrt(full.sum(axis=0))
        return basis

    @property
    def df(self) -> int:
        """Degrees of freedom of the noise: 0 where no combination has replicates."""
        return len(self.codes) - int(self._fitted.shape[1])

    def noise(self, values: Floats, rows: Floats | None = None) -> Noise | None:
        """Return the pooled variance within combinations; None without replicates.

        Parameters
        ----------
        values
            Of each run, shape (n,).
        rows
            Covariance of the runs by the rows they were measured on, shape (n, n); None where it
            is not known.
        """
        if self.df < 1:
            return None
        basis = self._fitted
        left = values - basis @ (basis.T @ values)
        square = float(left @ left)
        if is_nothing(square / len(values), values):
            square = 0.0
        by_rows = 0.0
        if rows is not None:
            by_rows = float(np.trace(rows) - np.sum(basis * (rows @ basis))) / self.df
        return Noise(square / self.df, self.df, by_rows)

    def _weights(self, coefficients: Floats) -> Floats | None:
        """Return the weight of each run in a sum of coefficients; None if it is not estimable."""
        inverse = self._inverse
        weights: Floats = inverse.T @ coefficients
        apart = np.abs(self._matrix.T @ weights - coefficients).max()
        return None if apart > 1e-6 else weights

    def _placed(self, term: Term, values: Floats, *, intercept: float = 0.0) -> Floats:
        coefficients = np.zeros(self._matrix.shape[1])
        coefficients[0] = intercept
        coefficients[self._columns[term]] = values
        return coefficients

    def mean(self, factor: int, level: int) -> Floats | None:
        """Return the weights of a level's mean over the levels of the other factors."""
        return self._weights(self._placed((factor,), self._coding[factor][level], intercept=1.0))

    def difference(self, factor: int, level: int, reference: int) -> Floats | None:
        """Return the weights of one level's mean minus another's."""
        rows = self._coding[factor]
        return self._weights(self._placed((factor,), rows[level] - rows[reference]))

    def interaction(self, factors: Term, levels: Term, references: Term) -> Floats | None:
        """Return the weights of a difference of differences.

        How much more the first factor moves at a level of the second than at its reference.
        """
        one, two = (
            self._coding[factor][level] - self._coding[factor][reference]
            for factor, level, reference in zip(factors, levels, references, strict=True)
        )
        return self._weights(self._placed(factors, np.outer(one, two).ravel()))

    def whole(self, term: Term) -> Floats | None:
        """Return the weights of all coefficients of a term, shape (n, q)."""
        at = self._columns[term]
        found = [self._weights(self._placed(term, unit)) for unit in np.eye(at.stop - at.start)]
        if any(one is None for one in found):
            return None
        return np.stack([one for one in found if one is not None], axis=1)

    def higher(self) -> Floats | None:
        """Return the weights of what no pair of factors explains, shape (n, q); None if nothing."""
        columns = np.linalg.svd(self._matrix, full_matrices=False)
        model = columns[0][:, columns[1] > _RANK * columns[1][0]]
        left, sizes, _ = np.linalg.svd(
            self._fitted - model @ (model.T @ self._fitted), full_matrices=False
        )
        weights: Floats = left[:, sizes > 0.5]  # sines of angles: of two nested spaces 0 or 1
        return weights if weights.shape[1] else None


def check_size(levels: Sequence[int]) -> None:
    """Raise where factors of so many levels make too large a model.

    Raises
    ------
    ParameterError
        It has more than 500 coefficients.
    """
    pairs = combinations([n - 1 for n in levels], 2)
    columns = 1 + sum(n - 1 for n in levels) + sum(a * b for a, b in pairs)
    if columns > MOST_COLUMNS:
        raise ParameterError(
            f"the factors have {columns:,} effects, more than {MOST_COLUMNS:,}",
            why="such a model can be neither fitted well nor read",
            fix="name fewer factors, or factors with fewer levels",
        )


def is_nothing(variance: float, values: Floats) -> bool:
    """Return whether a variance is no more than what rounding leaves of equal values."""
    return variance <= (_ROUNDING * float(np.abs(values).max())) ** 2


def estimate(
    weights: Floats, values: Floats, noise: Noise, level: float, rows: Floats | None = None
) -> Estimate | None:
    """Return a weighted sum of runs with its interval.

    Its variance is that of the noise, and what the rows add beyond what replicates show of them.

    Parameters
    ----------
    weights, values
        Shape (n,).
    noise
        Of the design.
    level
        Coverage.
    rows
        Covariance of the runs by rows, shape (n, n), or None.

    Returns
    -------
    Estimate or None
        None where the variance is 0.

    Examples
    --------
    >>> found = estimate(np.array([0.5, 0.5]), np.array([1.0, 3.0]), Noise(2.0, 1), 0.95)
    >>> found.value, found.error, round(found.high, 3)
    (2.0, 1.0, 14.706)
    """
    value, spread = float(weights @ values), float(weights @ weights)
    of_noise, of_rows = noise.mean_square * spread, 0.0
    if rows is not None:
        of_rows = max(0.0, float(weights @ rows @ weights) - noise.rows * spread)
    variance = of_noise + of_rows
    if is_nothing(variance, values):
        return None
    df = min(_MANY, noise.df * (variance / of_noise) ** 2 if of_noise else _MANY)
    error = math.sqrt(variance)
    reach = float(stdtrit(df, (1 + level) / 2)) * error
    return Estimate(value, error, df, value - reach, value + reach)


def joint_test(
    weights: Floats, values: Floats, noise: Noise, rows: Floats | None = None
) -> JointTest | None:
    """Return the F test that several weighted sums are all zero.

    Parameters
    ----------
    weights
        Shape (n, q), linearly independent columns.
    values, noise, rows
        As for ``estimate``.

    Returns
    -------
    JointTest or None
        None where the variance is 0.

    Examples
    --------
    >>> one = np.array([[-0.5], [-0.5], [0.5], [0.5]])
    >>> joint_test(one, np.array([1.0, 3.0, 4.0, 6.0]), Noise(2.0, 2)).statistic
    4.5
    """
    q = weights.shape[1]
    inverse = np.linalg.inv(np.linalg.cholesky(weights.T @ weights))
    beyond = np.zeros((q, q))
    if rows is not None:
        beyond = inverse @ (weights.T @ rows @ weights) @ inverse.T - noise.rows * np.eye(q)
    sizes, axes = np.linalg.eigh(beyond)
    variances = noise.mean_square + np.maximum(sizes, 0.0)
    if is_nothing(float(variances.min()), values):
        return None
    along = axes.T @ (inverse @ (weights.T @ values))
    statistic = float(np.sum(along**2 / variances)) / q
    share = noise.mean_square / float(variances.mean())
    df = min(_MANY, noise.df / share**2 if share else _MANY)
    return JointTest(statistic, (q, df), float(fdtrc(q, df, statistic)))
