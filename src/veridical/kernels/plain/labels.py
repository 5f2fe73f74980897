"""Labels as small numbers, and how often two of them meet: the definitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["number_codes", "pair_counts", "text_codes", "whole_numbers"]

Codes = npt.NDArray[np.int8] | npt.NDArray[np.int32]


def text_codes(values: list[Any]) -> tuple[npt.NDArray[np.int32], list[str]] | None:
    """Return (codes, distinct texts), or None where a value is neither text nor missing."""
    places: dict[str, int] = {}
    codes = [
        places.setdefault(value, len(places)) if type(value) is str else _missing(value)
        for value in values
    ]
    return None if None in codes else (np.array(codes, dtype=np.int32), list(places))


def _missing(value: Any) -> int | None:
    return -1 if value is None or (type(value) is float and math.isnan(value)) else None


def whole_numbers(values: list[Any]) -> npt.NDArray[np.int64] | None:
    """Return an int64 array, or None where a value is no int of that range."""
    fitting = all(type(value) is int and -(2**63) <= value < 2**63 for value in values)
    return np.array(values, dtype=np.int64) if fitting else None


def number_codes(
    values: npt.NDArray[np.integer[Any]], widest: int
) -> tuple[Codes, list[int]] | None:
    """Return (codes, distinct values ascending), or None where more than ``widest`` lie between."""
    array, positions = np.unique(values, return_inverse=True)
    distinct = array.tolist()
    if distinct and distinct[-1] - distinct[0] >= widest:
        return None
    return positions.astype(np.int8 if len(distinct) <= 128 else np.int32), distinct


def pair_counts(first: Codes, second: Codes, size: int) -> npt.NDArray[np.int64] | None:
    """Return int64, shape (size, size): rows by both codes; None where a code is not below size.

    A row with a code below 0 is out.
    """
    if max(first.max(initial=-1), second.max(initial=-1)) >= size:
        return None
    both = (first >= 0) & (second >= 0)
    cells = first[both].astype(np.int64) * size + second[both]
    return np.bincount(cells, minlength=size * size).astype(np.int64).reshape(size, size)
