"""Vectors, one a segment."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, MismatchError, UnsupportedTypeError

__all__ = ["read_vectors"]

Vectors = npt.NDArray[np.float64]


def read_vectors(first: Any, second: Any) -> tuple[Vectors, Vectors]:
    """Return two sides as arrays of finite numbers of one shape, (n, dimensions).

    Parameters
    ----------
    first, second
        Arrays or lists of vectors; one vector each may stand alone.

    Raises
    ------
    UnsupportedTypeError
        They are no vectors, but texts, say.
    InputError
        A number is missing or infinite.
    MismatchError
        The shapes differ.

    Examples
    --------
    >>> read_vectors([1, 2], [3, 4])[0].shape
    (1, 2)
    """
    sides = [_read(side) for side in (first, second)]
    if sides[0].shape != sides[1].shape:
        raise MismatchError(
            f"the vectors differ in shape: {sides[0].shape} and {sides[1].shape}",
            why="each candidate is compared with its own reference",
            fix="give as many vectors on both sides, made by one model",
        )
    return sides[0], sides[1]


def _read(side: Any) -> Vectors:
    try:
        array = np.asarray(side)
        vectors = np.atleast_2d(array.astype(np.float64)) if array.dtype.kind in "iuf" else None
    except (TypeError, ValueError):
        vectors = None
    if vectors is None or vectors.ndim != 2:
        raise UnsupportedTypeError(
            "vectors are expected: numbers, as many for each segment",
            why="no model is chosen for you, and none is downloaded",
            fix="embed the texts first, and pass the vectors",
        )
    if not np.isfinite(vectors).all():
        bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))[:3] + 1
        raise InputError(
            "a vector holds NaN or infinity",
            where=f"segments {', '.join(map(str, bad.tolist()))}",
            fix="check the model that gave it",
        )
    return vectors
