"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.errors import ParameterError

__all__ = ["benjamini_hochberg", "holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    Rejecting where the adjusted value is at most alpha keeps the chance of any false rejection
    at alpha, whatever the dependence between the tests.

    Parameters
    ----------
    p_values
        In [0, 1].

    Raises
    ------
    ParameterError
        For a value outside [0, 1], or NaN.

    References
    ----------
    S. Holm (1979), A simple sequentially rejective multiple test procedure,
    Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    _check(p_values)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return Benjamini and Hochberg's adjusted p-values, in the order given.

    Rejecting where the adjusted value is at most alpha keeps the expected share of false
    rejections among all rejections at alpha, for tests that are independent or depend positively
    on one another.

    Parameters
    ----------
    p_values
        In [0, 1].

    Raises
    ------
    ParameterError
        For a value outside [0, 1], or NaN.

    References
    ----------
    Y. Benjamini and Y. Hochberg (1995), Controlling the false discovery rate: a practical and
    powerful approach to multiple testing, Journal of the Royal Statistical Society B 57, 289-300.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    _check(p_values)
    adjusted = [0.0] * len(p_values)
    smallest, n = 1.0, len(p_values)
    order = sorted(range(n), key=p_values.__getitem__)
    for rank, index in reversed(list(enumerate(order, 1))):
        smallest = min(smallest, n * p_values[index] / rank)
        adjusted[index] = smallest
    return adjusted


def _check(p_values: Sequence[float]) -> None:
    for p in p_values:
        if not 0.0 <= p <= 1.0:
            raise ParameterError(
                f"a p-value lies in [0, 1], not {p}", fix="leave out what was not tested"
            )
