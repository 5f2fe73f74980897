"""Labels as small numbers, and how often two of them meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError
from veridical.kernels.arrays import same_length
from veridical.kernels.choice import implementation
from veridical.parameters import whole

__all__ = ["number_codes", "pair_counts", "text_codes", "whole_numbers"]

_MOST_CODES = 10_000  # 800 MB of counts

Codes = npt.NDArray[np.int8] | npt.NDArray[np.int32]


def text_codes(values: list[Any]) -> tuple[npt.NDArray[np.int32], list[str]] | None:
    """Return texts as positions among the distinct ones.

    Parameters
    ----------
    values
        A list of texts; None and NaN are missing.

    Returns
    -------
    tuple or None
        Codes, int32, shape (n,), -1 where the text is missing; and the distinct texts in order of
        appearance.  None where anything else is in the list: that needs a careful reader.

    Examples
    --------
    >>> codes, texts = text_codes(["no", "yes", None, "no"])
    >>> codes.tolist(), texts
    ([0, 1, -1, 0], ['no', 'yes'])
    """
    found: tuple[npt.NDArray[np.int32], list[str]] | None
    found = implementation("labels").text_codes(values)
    return found


def whole_numbers(values: list[Any]) -> npt.NDArray[np.int64] | None:
    """Return a list of ints as an array; None where one is no int, or does not fit int64.

    Examples
    --------
    >>> whole_numbers([3, -1]).tolist(), whole_numbers([3, True])
    ([3, -1], None)
    """
    found: npt.NDArray[np.int64] | None = implementation("labels").whole_numbers(values)
    return found


def number_codes(
    values: npt.NDArray[np.integer[Any]], widest: int
) -> tuple[Codes, list[int]] | None:
    """Return integers as positions among the distinct ones, ascending.

    Parameters
    ----------
    values
        Integers of any width, shape (n,); they are read where they lie.
    widest
        Largest number of integers from the least value to the greatest.

    Returns
    -------
    tuple or None
        Codes, shape (n,), int8 where there are at most 128 of them, else int32; and the distinct
        values.  None where the range is wider: then sorting is the way.

    Examples
    --------
    >>> codes, distinct = number_codes(np.array([7, 5, 7]), widest=10)
    >>> codes.tolist(), distinct
    ([1, 0, 1], [5, 7])
    """
    found: tuple[Codes, list[int]] | None = implementation("labels").number_codes(
        np.ascontiguousarray(values), widest
    )
    return found


def pair_counts(
    first: npt.NDArray[np.integer[Any]], second: npt.NDArray[np.integer[Any]], size: int
) -> npt.NDArray[np.int64]:
    """Count rows by two codes at once.

    Parameters
    ----------
    first, second
        Integers below ``size``, shape (n,); a row where either is below 0 is not counted.
    size
        How many codes there are.

    Returns
    -------
    array
        int64, shape (size, size): ``[i, j]`` rows have the codes i and j.

    Raises
    ------
    InputError
        The lengths differ, or a code is not below ``size``.
    ParameterError
        There are more codes than a table has room for.

    Examples
    --------
    >>> first, second = np.array([0, 0, 1, -1], np.int32), np.array([0, 1, 1, 1], np.int32)
    >>> pair_counts(first, second, 2).tolist()
    [[1, 1], [0, 1]]
    """
    whole("size", size, 0, _MOST_CODES)
    kind = np.int8 if first.dtype == second.dtype == np.int8 else np.int32
    one = np.ascontiguousarray(first, dtype=kind)
    other = np.ascontiguousarray(second, dtype=kind)
    if len(one) != len(other):
        same_length(first=one, second=other)  # says which
    counts: npt.NDArray[np.int64] | None = implementation("labels").pair_counts(one, other, size)
    if counts is None:
        raise InputError(
            f"a code is not below {size}", where="kernels", fix="count with the right size"
        )
    return counts
