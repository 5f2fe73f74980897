"""Numbers in text that float64 would round or make infinite, so that different ones could tie."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.errors import ScoreError
from veridical.tables._words import counted, listed
from veridical.tables.arrow_numpy import numpy_of

__all__ = [
    "LARGEST_EXACT",
    "beyond_error",
    "beyond_rows",
    "is_rounded",
    "may_be_rounded",
    "rounded_error",
    "rounded_rows",
    "unfaithful",
]

LARGEST_EXACT = 2**53
_WITH_EXPONENT = r"^\s*[+-]?[0-9.]+[eE][+]?[0-9]+\s*$"
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


def beyond_rows(texts: pa.Array) -> npt.NDArray[np.intp]:
    """Return the rows of text in which a number stands that is too large for float64.

    Examples
    --------
    >>> beyond_rows(pa.array(["1e308", "1e309", "inf", "-2.5E+999", None])).tolist()
    [1, 3]
    """
    spelt = np.flatnonzero(numpy_of(pc.match_substring_regex(texts, _WITH_EXPONENT), null=False))
    rows = [row for row in spelt.tolist() if math.isinf(float(texts[row].as_py()))]
    return np.array(rows, dtype=np.intp)


def beyond_error(n: int, values: Sequence[Any], where: str) -> ScoreError:
    """Return the error for ``n`` such numbers, the first of which are ``values``."""
    return ScoreError(
        f"{counted(n, 'number')} beyond 1.8e308: {listed(values)}",
        where=where,
        why="as float64 they would be infinite, and scores that differ would tie",
        fix="take logarithms or ranks; write inf where infinity is meant",
    )


def unfaithful(texts: pa.Array) -> tuple[npt.NDArray[np.intp], Callable[..., ScoreError]] | None:
    """Return rows of text whose number is another one as float64, and their error; or None."""
    for rows, error in ((rounded_rows(texts), rounded_error), (beyond_rows(texts), beyond_error)):
        if len(rows):
            return rows, error
    return None
