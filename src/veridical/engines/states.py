"""Columns of a query that say what a row is: its class, and what is the matter with its scores."""

from __future__ import annotations

from typing import Any, Final

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.errors import LabelError, ScoreError
from veridical.tables import LabelReader, Query, column_from
from veridical.tables._words import shown
from veridical.tables.scores import TOLERANCE

__all__ = [
    "CLAMPED",
    "INEXACT",
    "MISSING",
    "OUTSIDE",
    "USABLE",
    "class_of",
    "integers",
    "refuse_text",
    "state_column",
    "with_state",
]

# A score is fine; null or NaN; outside [0, 1] by rounding only; beyond that; or it is an integer
# so large that it may have no double of its own.
USABLE, MISSING, CLAMPED, OUTSIDE, INEXACT = range(5)

_MOST_LABELS: Final = 1000
_EXACT_INTEGER: Final = 2**53
_LONG_INTEGERS: Final = (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)


def class_of(query: Query, name: str, labels: LabelReader) -> nw.Expr:
    """Return 1 for a positive, 0 for a negative, -1 for a missing label.

    The reader of labels in memory judges the distinct ones.

    Raises
    ------
    LabelError
        There are too many of them.
    """
    label = nw.col(query.column(name))
    distinct = query.frame.select(label).unique().head(_MOST_LABELS + 1)
    values = distinct.collect(backend="pyarrow").to_native().column(0)
    if len(values) > _MOST_LABELS:
        raise LabelError(
            f"there are more than {_MOST_LABELS:,} distinct labels",
            where=f"column {shown(name)}",
            why="a query engine is told which labels are positive by listing them",
            fix="name the column of outcomes, or add one that is 1 for positives and 0 for others",
        )
    positive, missing = labels.read(column_from(name, values))
    lost = _is_absent(label, query.dtype(name))
    if missing is not None:
        words = [value for value in values.filter(pa.array(missing)).to_pylist() if value]
        lost |= label.is_in([word for word in words if isinstance(word, str)])
    is_positive = label.is_in(values.filter(pa.array(positive)).to_pylist())
    return _chosen((lost, -1), (is_positive, 1), otherwise=0)


def with_state(frame: nw.LazyFrame[Any], name: str, dtype: nw.dtypes.DType) -> nw.LazyFrame[Any]:
    """Turn a score into a double without null and NaN, and add what is the matter with it.

    Parameters
    ----------
    frame
        With the column ``name``.
    name
        Column of numbers or booleans.
    dtype
        Its type.
    """
    score, state_name = nw.col(name), state_column(name)
    known = nw.col(state_name)
    # NaN and null are asked for before any comparison: engines order them differently.
    cases = [(_is_absent(score, dtype), MISSING)]
    if dtype in _LONG_INTEGERS:
        cases.append(((score > _EXACT_INTEGER) | (score < -_EXACT_INTEGER), INEXACT))
    frame = frame.with_columns(_chosen(*cases, otherwise=USABLE).alias(state_name))
    number = nw.when(known == MISSING).then(nw.lit(0.0)).otherwise(_as_double(score, dtype))
    frame = frame.with_columns(number.alias(name))
    beyond = (score < -TOLERANCE) | (score > 1 + TOLERANCE)
    range_state = _chosen((beyond, OUTSIDE), ((score < 0) | (score > 1), CLAMPED), otherwise=USABLE)
    return frame.with_columns(
        nw.when(known == USABLE).then(range_state).otherwise(known).alias(state_name)
    )


def _chosen(*cases: tuple[nw.Expr, int], otherwise: int) -> nw.Expr:
    """Return the number of the first case that holds."""
    chosen = nw.lit(otherwise, dtype=nw.Int64)
    for case, number in reversed(cases):
        chosen = nw.when(case).then(nw.lit(number, dtype=nw.Int64)).otherwise(chosen)
    return chosen


def _as_double(values: nw.Expr, dtype: nw.dtypes.DType) -> nw.Expr:
    if dtype.is_boolean():
        return nw.when(values).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    # Through text: the direct cast of a decimal may round twice.
    return (values.cast(nw.String) if dtype.is_decimal() else values).cast(nw.Float64)


def _is_absent(values: nw.Expr, dtype: nw.dtypes.DType) -> nw.Expr:
    return values.is_null() | values.is_nan() if dtype.is_float() else values.is_null()


def refuse_text(name: str, dtype: nw.dtypes.DType) -> None:
    """Raise unless a type is that of numbers or booleans."""
    if not (dtype.is_numeric() or dtype.is_boolean()):
        raise ScoreError(
            f"the column {shown(name)} holds {shown(str(dtype))}, not numbers",
            why="this column is computed with",
            fix="convert it to double in the query, or choose another column",
        )


def state_column(score: str) -> str:
    """Return what the column is called that says what is the matter with a score."""
    return f"{score}_state"


def integers(table: pa.Table) -> dict[str, npt.NDArray[np.int64]]:
    """Return columns of integers; DuckDB gives sums as decimals, polars counts as 32 bits."""
    return {name: table.column(name).cast(pa.int64()).to_numpy() for name in table.column_names}
