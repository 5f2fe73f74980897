"""Tables parted as they are between places that differ, for studies of pooled summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, ParameterError
from veridical.parameters import number, whole

__all__ = ["dirichlet_split"]


def dirichlet_split(
    classes: Sequence[Any] | npt.NDArray[Any], parts: int, alpha: float, *, seed: int = 0
) -> list[npt.NDArray[np.int64]]:
    """Part rows between places so that the mix of classes differs from place to place.

    For each class, the share of its rows that goes to each place is drawn from a symmetric
    Dirichlet distribution.  A large ``alpha`` gives all places the same mix; 0.5 and less is the
    usual setting of skewed ones, where a place may lack a class altogether.

    Parameters
    ----------
    classes
        The class of each row, label or segment, shape (n,).
    parts
        How many places, at least 1.
    alpha
        Concentration, above 0.
    seed
        Of all draws.

    Returns
    -------
    list of int64 arrays
        The rows of each place, ascending.  Each row is in one of them; a place may have none.

    Raises
    ------
    InputError
        ``classes`` is not one column.
    ParameterError
        ``parts`` or ``alpha`` is out of range.

    References
    ----------
    Hsu, Qi and Brown (2019), arXiv:1909.06335; Yurochkin et al. (2019), arXiv:1905.12022.

    Examples
    --------
    >>> banks = dirichlet_split([0, 0, 0, 1, 1, 1], parts=2, alpha=0.5, seed=1)
    >>> sorted(int(row) for bank in banks for row in bank)
    [0, 1, 2, 3, 4, 5]
    """
    labels = np.asarray(classes)
    if labels.ndim != 1:
        raise InputError(
            f"classes of shape {labels.shape}", fix="give one column: the class of each row"
        )
    parts, alpha = whole("parts", parts, 1), number("alpha", alpha)
    if not alpha > 0:
        raise ParameterError(f"alpha is a number above 0, not {alpha}", fix="give alpha=0.5")
    rng = np.random.default_rng(whole("seed", seed))
    place = np.empty(len(labels), dtype=np.int64)
    _, codes = np.unique(labels, return_inverse=True)
    for code in range(codes.max(initial=-1) + 1):
        rows = rng.permutation(np.flatnonzero(codes == code))
        ends = np.cumsum(_shares(rng, parts, alpha))[:-1] * len(rows)
        for at, some in enumerate(np.split(rows, np.rint(ends).astype(np.int64))):
            place[some] = at
    return [np.flatnonzero(place == at) for at in range(parts)]


def _shares(rng: np.random.Generator, parts: int, alpha: float) -> npt.NDArray[np.float64]:
    """Draw shares; all to one place, where they are too small for floats to be told apart."""
    drawn = rng.standard_gamma(alpha, parts)
    total = drawn.sum()
    return np.asarray(drawn / total if total > 0 else np.eye(parts)[rng.integers(parts)])
