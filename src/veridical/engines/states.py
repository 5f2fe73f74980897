"""Columns of a query that say what a row is: its class, and what is the matter with its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.errors import LabelError, ScoreError
from veridical.tables import LabelReader, column_from
from veridical.tables._words import shown
from veridical.tables.scores import TOLERANCE

__all__ = [
    "CLAMPED",
    "INEXACT",
    "MISSING",
    "MOST_LABELS",
    "N_STATES",
    "OUTSIDE",
    "USABLE",
    "JudgedLabels",
    "as_double",
    "class_of",
    "integers",
    "is_absent",
    "refuse_text",
    "state_column",
    "with_state",
]

# A score is fine; null or NaN; outside [0, 1] by rounding only; beyond that; or it is an integer
# so large that it may have no double of its own.
N_STATES: Final = 5
USABLE, MISSING, CLAMPED, OUTSIDE, INEXACT = range(N_STATES)

MOST_LABELS: Final = 1000
_EXACT_INTEGER: Final = 2**53
_LONG_INTEGERS: Final = (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)


def class_of(label: nw.Expr, dtype: nw.dtypes.DType, judged: JudgedLabels) -> nw.Expr:
    """Return 1 for a positive, 0 for a negative, -1 for a missing label.

    Parameters
    ----------
    label, dtype
        The column of labels and its type.
    judged
        Every label that occurs, and which of them are positive, which are missing.
    """
    lost = is_absent(label, dtype)
    words = [value for value in judged.chosen(judged.missing) if isinstance(value, str)]
    if words:  # "NA" and the like
        lost |= label.is_in(words)
    return _chosen((lost, -1), (label.is_in(judged.chosen(judged.positive)), 1), otherwise=0)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLabels:
    """Labels as a query gave them, possibly with repeats, and what they stand for.

    Attributes
    ----------
    values
        Arrow values of any type.
    positive, missing
        bool, as long as ``values``.
    """

    values: pa.ChunkedArray
    positive: npt.NDArray[np.bool_]
    missing: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, name: str, values: pa.ChunkedArray, labels: LabelReader) -> JudgedLabels:
        """Let the reader of labels judge them.

        Raises
        ------
        LabelError
            There are too many to be listed in a query.
        """
        if len(values.unique()) > MOST_LABELS:
            raise LabelError(
                f"there are more than {MOST_LABELS:,} distinct labels",
                where=f"column {shown(name)}",
                why="a query engine is told which labels are positive by listing them",
                fix="name the column of outcomes, or add one that is 1 for positives, else 0",
            )
        positive, missing = labels.read(column_from(name, values))
        return cls(values, positive, np.zeros_like(positive) if missing is None else missing)

    def chosen(self, mask: npt.NDArray[np.bool_]) -> list[Any]:
        """Return the distinct labels where ``mask`` holds, as Python values."""
        chosen: list[Any] = self.values.filter(pa.array(mask)).unique().to_pylist()
        return chosen


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
    cases = [(is_absent(score, dtype), MISSING)]
    if dtype in _LONG_INTEGERS:
        cases.append(((score > _EXACT_INTEGER) | (score < -_EXACT_INTEGER), INEXACT))
    frame = frame.with_columns(_chosen(*cases, otherwise=USABLE).alias(state_name))
    number = nw.when(known == MISSING).then(nw.lit(0.0)).otherwise(as_double(score, dtype))
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


def as_double(values: nw.Expr, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return numbers or booleans as doubles; null and NaN may become anything."""
    if dtype.is_boolean():
        return nw.when(values).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    # Through text: the direct cast of a decimal may round twice.
    return (values.cast(nw.String) if dtype.is_decimal() else values).cast(nw.Float64)


def is_absent(values: nw.Expr, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return whether a value is null or NaN; asked before any comparison."""
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
