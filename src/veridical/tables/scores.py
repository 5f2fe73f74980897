"""Scores, weights and prices: numbers that are checked before anything is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from veridical.errors import InputError, ScoreError
from veridical.tables._words import MISSING_WORDS, NUMBER, counted, listed, shown
from veridical.tables.arrow_numpy import array_of_texts, numpy_of
from veridical.tables.column import Column, Mask
from veridical.tables.exact_integers import (
    LARGEST_EXACT,
    may_be_rounded,
    rounded_error,
    unfaithful,
)

__all__ = [
    "check_probabilities",
    "missing_scores",
    "read_costs",
    "read_numbers",
    "read_scores",
    "read_weights",
]

Floats = npt.NDArray[np.float64] | npt.NDArray[np.float32]

TOLERANCE = 1e-9
"""How far outside [0, 1] a forecast may lie, by rounding, and still be a probability."""

_RESOLUTION = 2.0**-53
_LARGEST_SUM = 2.0**62


def read_numbers(column: Column) -> tuple[Floats, Mask | None]:
    """Return a column as floats, and which rows are missing (None: no row is).

    float64 and float32 stay as they are; integers and booleans become float64; text is parsed.

    Raises
    ------
    ScoreError
        A text is not a number, or an integer has no float64 of its own.
    """
    if column.kind == "text":
        return _parsed(column)
    values, missing = column.array, column.absent()
    if values.dtype.kind == "f":
        return values, missing
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and len(values):
        _check_exact(column, values)
    return values.astype(np.float64), missing


def read_scores(column: Column, positive: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Return scores ready for ranking: none missing, infinities allowed.

    Parameters
    ----------
    column
        Numbers, booleans or numeric text, n rows.
    positive
        The labels, shape (n,), where known: an error then counts missing scores by class.

    Returns
    -------
    ndarray of float64 or float32, shape (n,)
        float32 input stays float32, because two scores that tie there tie.

    Raises
    ------
    ScoreError
        A score is missing (null or NaN) or is not a number.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> read_scores(column_from("p", [0, 1, 1])).tolist()
    [0.0, 1.0, 1.0]
    >>> read_scores(column_from("p", [0.5, None, 0.25]))
    Traceback (most recent call last):
        ...
    veridical.errors.ScoreError: 1 score missing (column 'p', row 1)
      why: a missing score has no place in a ranking
      fix: complete the scores, or leave such rows out with missing='drop' (--missing drop)
    """
    values, missing = read_numbers(column)
    if missing is not None:
        n_positive = None if positive is None else int((missing & positive).sum())
        raise missing_scores(column.where(missing), int(missing.sum()), n_positive)
    return values


def missing_scores(where: str, n: int, n_positive: int | None) -> ScoreError:
    """Return the error for ``n`` missing scores, ``n_positive`` of them on positive rows."""
    by_class = (
        ""
        if n_positive is None
        else f": {n_positive:,} of positives, {n - n_positive:,} of negatives"
    )
    return ScoreError(
        f"{counted(n, 'score')} missing{by_class}",
        where=where,
        why="a missing score has no place in a ranking",
        fix="complete the scores, or leave such rows out with missing='drop' (--missing drop)",
    )


def check_probabilities(scores: Floats, column: Column | None = None) -> tuple[Floats, int]:
    """Return forecasts within [0, 1], and how many were clamped to it.

    Parameters
    ----------
    scores
        Scores without NaN, shape (n,).
    column
        The column they come from, for its name and rows in an error.

    Returns
    -------
    clamped : ndarray, shape (n,)
        The same array when nothing had to be clamped.
    n_clamped : int
        Forecasts that lay outside by at most 1e-9, as averaging leaves them.

    Raises
    ------
    ScoreError
        A forecast lies further outside, or is infinite.

    Examples
    --------
    >>> clamped, n = check_probabilities(np.array([0.5, 1.0000000000000002]))
    >>> clamped.tolist(), n
    ([0.5, 1.0], 1)
    """
    if scores.size == 0 or (scores.min() >= 0 and scores.max() <= 1):
        return scores, 0
    beyond = (scores < -TOLERANCE) | (scores > 1 + TOLERANCE)
    if beyond.any():
        column = column or Column("score", scores)
        first = np.flatnonzero(beyond)[:3]
        raise ScoreError(
            f"{counted(int(beyond.sum()), 'score')} outside [0, 1]: {listed(scores[first])}",
            where=column.where(first),
            why="calibration and log loss are defined for probabilities",
            fix="leave these metrics out, or calibrate the scores first",
        )
    outside = (scores < 0) | (scores > 1)
    clamped = scores.copy()
    np.clip(scores, 0, 1, out=clamped)
    return clamped, int(outside.sum())


def read_weights(column: Column) -> npt.NDArray[np.float64]:
    """Return row weights: finite, not negative, and not so small that they vanish.

    Returns
    -------
    ndarray of float64, shape (n,)
        A row of weight 0 counts as absent; a whole weight w counts as w equal rows.

    Raises
    ------
    InputError
        A weight is missing, negative, infinite, or positive but below half of 2**-52.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> read_weights(column_from("w", [1, -1]))
    Traceback (most recent call last):
        ...
    veridical.errors.InputError: a weight is negative: -1 (column 'w', row 1)
      why: a negative weight makes curves that go backwards
      fix: leave the row out, or give it the weight 0
    """
    weights = _non_negative(column, "weight", "a negative weight makes curves that go backwards")
    vanishing = (weights > 0) & (weights <= _RESOLUTION)
    if vanishing.any():
        raise InputError(
            f"{counted(int(vanishing.sum()), 'weight')} too small to count: "
            f"{listed(weights[np.flatnonzero(vanishing)[:3]])}",
            where=column.where(vanishing),
            why="weights are summed exactly in steps of 2**-52, and these would round to 0",
            fix="rescale the weights, so that their mean is 1 for example",
        )
    return weights


def read_costs(column: Column) -> npt.NDArray[np.float64]:
    """Return prices, one a row: finite and not negative.

    Returns
    -------
    ndarray of float64, shape (n,)
        In the unit of the column.

    Raises
    ------
    InputError
        A price is missing, negative or infinite.
    """
    return _non_negative(column, "price", "a negative price would reward a mistake")


def _non_negative(column: Column, noun: str, why: str) -> npt.NDArray[np.float64]:
    values, missing = read_numbers(column)
    if missing is not None:
        raise InputError(
            f"{counted(int(missing.sum()), noun)} missing",
            where=column.where(missing),
            why=f"without its {noun} a row cannot be counted",
            fix=f"complete the column, or give such rows the {noun} 0",
        )
    if values.size and not values.min() >= 0:
        first = np.flatnonzero(values < 0)[:3]
        raise InputError(
            f"a {noun} is negative: {listed(values[first])}",
            where=column.where(first),
            why=why,
            fix=f"leave the row out, or give it the {noun} 0",
        )
    if values.size and np.isinf(values.max()):
        raise InputError(
            f"a {noun} is infinite",
            where=column.where(np.isinf(values)),
            why=f"no sum with an infinite {noun} is finite",
            fix="give the row a number",
        )
    values = values.astype(np.float64, copy=False)
    if values.size and (values.max() >= _LARGEST_SUM or values.sum() >= _LARGEST_SUM):
        largest = int(values.argmax())
        raise InputError(
            f"the {noun}s, up to {values[largest]:g}, are too large to be added exactly",
            where=column.where([largest]),
            why="sums are exact to 2**-52, and for that stay below 2**62",
            fix="give the column in a larger unit",
        )
    return values


def _check_exact(column: Column, values: npt.NDArray[Any]) -> None:
    largest = max(abs(int(values.min())), abs(int(values.max())))
    if largest <= LARGEST_EXACT:
        return
    floats = values.astype(np.float64)
    # 2**63 or 2**64 itself would overflow on the way back, and is never exact in the dtype.
    top = float(np.iinfo(values.dtype).max)
    safe = np.where(floats >= top, 0.0, floats)
    changed = np.flatnonzero((safe.astype(values.dtype) != values) | (floats >= top))
    if len(changed):
        first = changed[:3]
        raise rounded_error(len(changed), values[first], column.where(first))


def _parsed(column: Column) -> tuple[Floats, Mask | None]:
    texts = column.text
    if pa.types.is_dictionary(texts.type):
        texts = texts.cast(texts.type.value_type)
    texts = pc.utf8_trim_whitespace(texts)
    words = array_of_texts(sorted(MISSING_WORDS)).cast(texts.type)
    texts = pc.if_else(pc.is_in(texts, value_set=words), pa.nulls(1, texts.type)[0], texts)
    try:
        numbers = texts.cast(pa.float64())
    except pa.ArrowInvalid:
        raise _not_numbers(column, texts) from None
    null = numpy_of(numbers.is_null()) if numbers.null_count else None
    parsed = Column(column.name, numpy_of(numbers), null)
    if may_be_rounded(parsed.array) and (found := unfaithful(texts)):
        rows, error = found
        first = [texts[row].as_py() for row in rows[:3].tolist()]
        raise error(len(rows), first, column.where(rows[:3]))
    return parsed.array, parsed.absent()


def _not_numbers(column: Column, texts: pa.Array) -> ScoreError:
    fine = pc.match_substring_regex(texts, NUMBER)
    bad = ~numpy_of(fine, null=True)
    first = np.flatnonzero(bad)[:3]
    values = [texts[int(row)].as_py() for row in first]
    comma = any("," in value for value in values)
    return ScoreError(
        f"{counted(int(bad.sum()), 'value')} {'is' if bad.sum() == 1 else 'are'} not a number: "
        f"{listed(values)}",
        where=column.where(first),
        why="numbers have a decimal point, not a comma"
        if comma
        else "this column is computed with",
        fix=f"correct the file, or choose another column than {shown(column.name)}",
    )
