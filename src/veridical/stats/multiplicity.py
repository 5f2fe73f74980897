"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.errors import ParameterError

__all__ = ["holm"]


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
    for p in p_values:
        if not 0.0 <= p <= 1.0:
            raise ParameterError(f"a p-value lies in [0, 1], not {p}")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted
