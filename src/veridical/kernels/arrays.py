"""The arrays that kernels take, checked once so that no compiled loop reads past an end."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, UnsupportedTypeError

__all__ = [
    "Bits",
    "Counts",
    "Floats",
    "Labels",
    "as_bits",
    "as_bytes",
    "as_score",
    "as_scores",
    "same_length",
]

Floats: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Labels: TypeAlias = npt.NDArray[np.bool_] | npt.NDArray[np.uint8]
Counts: TypeAlias = npt.NDArray[np.int64]
Bits: TypeAlias = npt.NDArray[np.uint64] | npt.NDArray[np.uint32]

_BITS = {np.dtype(np.float64): np.uint64, np.dtype(np.float32): np.uint32}


def as_scores(scores: Floats) -> Floats:
    """Return contiguous float64 or float32 scores, one-dimensional."""
    array = _one_dimensional(scores)
    if array.dtype not in _BITS:
        raise UnsupportedTypeError(
            f"scores of type {array.dtype}",
            where="kernels",
            why="scores are compared in their own precision, which is float64 or float32",
            fix="convert them: numpy.asarray(scores, dtype=float)",
        )
    contiguous: Floats = np.ascontiguousarray(array)
    return contiguous


def as_score(threshold: float, dtype: npt.DTypeLike) -> np.floating[Any]:
    """Return a threshold as a score of the type that it is compared in.

    A threshold that ties with a score there ties: 0.1 is the float32 nearest to it.  One beyond the
    range of the type stays on its side of every score: it becomes the next larger one.

    Examples
    --------
    >>> as_score(0.1, np.float32) == np.float32(0.1)
    np.True_
    >>> [float(as_score(t, np.float32)) for t in (1e300, -1e300, 1e-300)]
    [inf, -3.4028234663852886e+38, 1.401298464324817e-45]
    """
    kind: type[np.floating[Any]] = np.float32 if np.dtype(dtype) == np.float32 else np.float64
    with np.errstate(over="ignore", under="ignore"):
        score: np.floating[Any] = kind(threshold)
    beyond = (np.isinf(score) and not math.isinf(threshold)) or (score == 0 and threshold != 0)
    return np.nextafter(score, kind(np.inf)) if beyond and float(score) < threshold else score


def as_bits(scores: Floats) -> Bits:
    """Return the same memory as unsigned integers of the same width."""
    return scores.view(_BITS[scores.dtype])


def as_bytes(positive: Labels) -> npt.NDArray[np.uint8]:
    """Return contiguous labels, one byte each; any byte but 0 is positive."""
    positive = _one_dimensional(positive)
    if positive.dtype not in (np.dtype(np.bool_), np.dtype(np.uint8)):
        raise UnsupportedTypeError(
            f"labels of type {positive.dtype}",
            where="kernels",
            why="a kernel needs to be told which rows are positive",
            fix="compare first: labels == positive_value",
        )
    return np.ascontiguousarray(positive).view(np.uint8)


def same_length(**arrays: npt.NDArray[Any]) -> None:
    """Refuse arrays that do not have one element a row each."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(
            f"arrays of different lengths: {told}",
            where="kernels",
            why="row i of one belongs to row i of the other",
            fix="pass one element a row in each",
        )


def _one_dimensional(array: npt.ArrayLike) -> Any:
    array = np.asarray(array)
    if array.ndim != 1:
        raise InputError(
            f"an array of shape {array.shape}",
            where="kernels",
            why="rows are counted along one axis",
            fix="pass one column at a time",
        )
    return array
