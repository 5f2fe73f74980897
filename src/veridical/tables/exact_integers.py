"""Integers in text that float64 would round, so that numbers that differ could tie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.errors import ScoreError
from veridical.tables._words import counted, listed
from veridical.tables.arrow_numpy import numpy_of

__all__ = ["LARGEST_EXACT", "is_rounded", "may_be_rounded", "rounded_error", "rounded_rows"]

LARGEST_EXACT = 2**53
_LONG_INTEGER = r"^\s*[+-]?[0-9]{16,}\s*$"


def may_be_rounded(numbers: npt.NDArray[np.floating]) -> bool:
    """Whether any number is so large that an integer may have been rounded to it."""
    if not numbers.size:
        return False
    # A comparison with NaN is False, and needs no second array.
    return bool((numbers >= LARGEST_EXACT).any() or (numbers <= -LARGEST_EXACT).any())


def rounded_rows(texts: pa.Array) -> npt.NDArray[np.intp]:
    """Return the rows of text in which an integer stands that has no float64 of its own.

    Examples
    --------
    >>> rounded_rows(pa.array(["9007199254740992", "9007199254740993", "0.5", "1e300"])).tolist()
    [1]
    """
    long = np.flatnonzero(numpy_of(pc.match_substring_regex(texts, _LONG_INTEGER), null=False))
    rounded = [row for row in long.tolist() if _spells_rounded(texts[row].as_py().strip())]
    return np.array(rounded, dtype=np.intp)


def _spells_rounded(digits: str) -> bool:
    try:
        return is_rounded(int(digits))
    except ValueError:  # more digits than Python converts
        return True


def is_rounded(integer: int) -> bool:
    """Whether an integer has no float64 of its own.

    Examples
    --------
    >>> is_rounded(2**53), is_rounded(2**53 + 1), is_rounded(10**400)
    (False, True, True)
    """
    try:
        return int(float(integer)) != integer
    except OverflowError:
        return True


def rounded_error(n: int, values: Sequence[Any] | npt.NDArray[Any], where: str) -> ScoreError:
    """Return the error for ``n`` such integers, the first of which are ``values``."""
    return ScoreError(
        f"{counted(n, 'integer')} beyond 2**53: {listed(values)}",
        where=where,
        why="as float64 they would be rounded, and scores that differ could tie",
        fix="subtract a constant, or use ranks",
    )
