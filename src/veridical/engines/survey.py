"""``Survey``: what a query engine says about its rows before any of them is ranked.

Labels, missing scores and scores that are no forecasts are counted where the data are, by a few
``group_by``; the judgement, and every error, is that of the readers for rows in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.engines.groups import MOST_GROUPS, check_number_of_groups
from veridical.errors import LabelError, ScoreError
from veridical.tables import LabelReader, Query, Roles, column_from, read_groups
from veridical.tables._words import counted, shown
from veridical.tables.convert import EXACT_DIGITS
from veridical.tables.labels import missing_labels
from veridical.tables.scores import TOLERANCE, missing_scores

__all__ = ["CLASS", "Survey", "group_column", "integers", "score_column", "survey"]

CLASS: Final = "y"
"""The column that holds 1 for a positive, 0 for a negative and -1 for a missing label."""

MOST_LABELS: Final = 1000
_USABLE, _MISSING, _CLAMPED, _OUTSIDE, _INEXACT = range(5)
_EXACT_INTEGER: Final = 2**53
_LONG_INTEGERS: Final = (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)


def score_column(number: int) -> str:
    """Return what the score column of this number is called in a prepared frame."""
    return f"s{number}"


def group_column(number: int) -> str:
    """Return what the grouping column of this number is called in a prepared frame."""
    return f"g{number}"


@dataclass(frozen=True, eq=False)
class Survey:
    """Rows of a query, judged and counted.

    Attributes
    ----------
    roles
        Which column is what.
    engine
        Who runs the query.
    frame
        The rows that can be used, lazily: ``y`` (1 or 0), ``s0``, ``s1``, ... (scores as they
        are, float64 or float32, never missing), ``g0``, ... (groups as they are).
    n_read, n_rows, n_positive
        Rows read, rows that can be used, positives among these.
    missing
        Column name to how many rows it was missing in; only where it was.
    clamped
        Score column to how many forecasts lie outside [0, 1] by rounding only; None where the
        column holds no forecasts.
    dtypes
        Score column to ``"float64"`` or ``"float32"``.
    classes, notes
        As in ``Rows``.
    """

    roles: Roles
    engine: str
    frame: nw.LazyFrame[Any]
    n_read: int
    n_rows: int
    n_positive: int
    missing: Mapping[str, int]
    clamped: Mapping[str, int | None]
    dtypes: Mapping[str, str]
    classes: Mapping[str, list[str]]
    notes: tuple[str, ...]

    @cached_property
    def probabilities(self) -> dict[str, bool]:
        """Score column to whether it holds forecasts."""
        return {name: self.n_rows > 0 and n is not None for name, n in self.clamped.items()}


def survey(source: Any, roles: Roles) -> Survey:
    """Judge and count the rows of a query.

    Parameters
    ----------
    source
        A frame of any library that narwhals knows.
    roles
        Which column is what; weights, clusters and price columns are not looked at.

    Raises
    ------
    MissingColumnError
        There is no such column.
    LabelError
        A label is missing, or the labels do not say which class is positive.
    ScoreError
        A score is missing or is not a number.
    InputError
        A grouping column has more than ``MOST_GROUPS`` distinct values.

    Examples
    --------
    >>> data = pa.table({"y": ["bad", "ok", "ok"], "p": [0.9, None, 0.4]})
    >>> found = survey(data, Roles("y", ("p",), positive="bad", missing="drop"))
    >>> found.n_read, found.n_rows, found.n_positive, found.missing
    (3, 2, 1, {'p': 1})
    """
    query = Query.of(source)
    query.check([roles.label, *roles.scores, *roles.groups])
    dtypes = [query.dtype(name) for name in roles.scores]
    for name, dtype in zip(roles.scores, dtypes, strict=True):
        _check_numeric(name, dtype)
    labels = LabelReader(roles.positive)
    scores = [score_column(number) for number in range(len(dtypes))]
    groups = [group_column(number) for number in range(len(roles.groups))]
    frame = query.frame.select(
        _judged(query, roles, labels).alias(CLASS),
        *(nw.col(query.column(n)).alias(s) for n, s in zip(roles.scores, scores, strict=True)),
        *(nw.col(query.column(n)).alias(g) for n, g in zip(roles.groups, groups, strict=True)),
    )
    for number, dtype in enumerate(dtypes):
        frame = _scored(frame, number, dtype)
    counts = _Counts.of(frame, len(dtypes))
    _refuse(counts, roles, labels, query.engine)
    present = (nw.col(_state(number)) != _MISSING for number in range(len(dtypes)))
    frame = frame.filter(nw.col(CLASS) >= 0, *present).select(CLASS, *scores, *groups)
    for name, group in zip(roles.groups, groups, strict=True):
        distinct = frame.select(group).unique().head(MOST_GROUPS + 2)
        values = column_from(name, distinct.collect(backend="pyarrow").to_native().column(0))
        check_number_of_groups(name, len(read_groups(values).names))
    return Survey(
        roles,
        query.engine,
        frame,
        n_read=int(counts.n.sum()),
        n_rows=counts.sum(counts.used),
        n_positive=counts.sum(counts.used & (counts.y == 1)),
        missing=counts.missing(roles),
        clamped={name: counts.clamped(number) for number, name in enumerate(roles.scores)},
        dtypes={
            name: "float32" if dtype == nw.Float32 else "float64"
            for name, dtype in zip(roles.scores, dtypes, strict=True)
        },
        classes=labels.classes,
        notes=tuple(dict.fromkeys((*labels.notes, *_rounded(query, roles)))),
    )


def _judged(query: Query, roles: Roles, labels: LabelReader) -> nw.Expr:
    """Return the class of a row: the distinct labels decide, as the reader of rows would."""
    name = query.column(roles.label)
    distinct = query.frame.select(name).unique().head(MOST_LABELS + 1)
    values = distinct.collect(backend="pyarrow").to_native().column(0)
    if len(values) > MOST_LABELS:
        raise LabelError(
            f"there are more than {MOST_LABELS:,} distinct labels",
            where=f"column {shown(roles.label)}",
            why="a query engine is told which labels are positive by listing them",
            fix="name the column of outcomes, or add one that is 1 for positives and 0 for others",
        )
    positive, missing = labels.read(column_from(roles.label, values))
    label = nw.col(name)
    lost = _is_absent(label, query.dtype(roles.label))
    if missing is not None:
        words = [value for value in values.filter(pa.array(missing)).to_pylist() if value]
        lost |= label.is_in([word for word in words if isinstance(word, str)])
    is_positive = label.is_in(values.filter(pa.array(positive)).to_pylist())
    return _chosen((lost, -1), (is_positive, 1), otherwise=0)


def _scored(frame: nw.LazyFrame[Any], number: int, dtype: nw.dtypes.DType) -> nw.LazyFrame[Any]:
    """Turn a score into a double without null and NaN, and add what is the matter with it."""
    ours, theirs = nw.col(score_column(number)), nw.col(score_column(number))
    lost = _is_absent(theirs, dtype)
    # NaN and null are asked for before any comparison: engines order them differently.
    state = _chosen((lost, _MISSING), otherwise=_USABLE)
    if dtype in _LONG_INTEGERS:
        beyond = (theirs > _EXACT_INTEGER) | (theirs < -_EXACT_INTEGER)
        state = _chosen((lost, _MISSING), (beyond, _INEXACT), otherwise=_USABLE)
    frame = frame.with_columns(state.alias(_state(number)))
    frame = frame.with_columns(
        nw.when(nw.col(_state(number)) == _MISSING)
        .then(nw.lit(0.0))
        .otherwise(_as_double(theirs, dtype))
        .alias(score_column(number))
    )
    beyond = (ours < -TOLERANCE) | (ours > 1 + TOLERANCE)
    return frame.with_columns(
        nw.when(nw.col(_state(number)) != _USABLE)
        .then(nw.col(_state(number)))
        .otherwise(
            _chosen((beyond, _OUTSIDE), ((ours < 0) | (ours > 1), _CLAMPED), otherwise=_USABLE)
        )
        .alias(_state(number))
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


def _check_numeric(name: str, dtype: nw.dtypes.DType) -> None:
    if not (dtype.is_numeric() or dtype.is_boolean()):
        raise ScoreError(
            f"the column {shown(name)} holds {shown(str(dtype))}, not numbers",
            why="this column is computed with",
            fix="convert it to double in the query, or choose another column",
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """How many rows have each combination of class and states of scores."""

    n: npt.NDArray[np.int64]
    y: npt.NDArray[np.int64]
    states: tuple[npt.NDArray[np.int64], ...]

    @classmethod
    def of(cls, frame: nw.LazyFrame[Any], scores: int) -> _Counts:
        keys = [CLASS, *map(_state, range(scores))]
        counted_rows = frame.group_by(*keys).agg(nw.len().alias("n"))
        columns = integers(counted_rows.collect(backend="pyarrow").to_native())
        return cls(columns["n"], columns[CLASS], tuple(columns[key] for key in keys[1:]))

    def sum(self, chosen: npt.NDArray[np.bool_]) -> int:
        return int(self.n[chosen].sum())

    @property
    def used(self) -> npt.NDArray[np.bool_]:
        used: npt.NDArray[np.bool_] = self.y >= 0
        for states in self.states:
            used = used & (states != _MISSING)
        return used

    def missing(self, roles: Roles) -> dict[str, int]:
        lost = {roles.label: self.sum(self.y < 0)}
        for name, states in zip(roles.scores, self.states, strict=True):
            lost[name] = self.sum(states == _MISSING)
        return {name: n for name, n in lost.items() if n}

    def clamped(self, number: int) -> int | None:
        states = self.states[number][self.used]
        if bool((states == _OUTSIDE).any()):
            return None
        return self.sum(self.used & (self.states[number] == _CLAMPED))


def _refuse(counts: _Counts, roles: Roles, labels: LabelReader, engine: str) -> None:
    """Raise what reading the rows would have raised; rows of an engine have no numbers to tell."""
    places = f"the rows of a {engine} table have no numbers"
    lost = counts.y < 0
    if roles.missing == "error" and lost.any():
        raise missing_labels(f"column {shown(roles.label)}; {places}", counts.sum(lost))
    labels.finish()
    for name, states in zip(roles.scores, counts.states, strict=True):
        where = f"column {shown(name)}; {places}"
        no_score, inexact = states == _MISSING, counts.sum(states == _INEXACT)
        if roles.missing == "error" and no_score.any():
            n_positive = counts.sum(no_score & (counts.y == 1))
            raise missing_scores(where, counts.sum(no_score), n_positive)
        if inexact:
            raise ScoreError(
                f"{counted(inexact, 'integer')} beyond 2**53",
                where=where,
                why="as float64 they would be rounded, and scores that differ could tie",
                fix="subtract a constant, or use ranks",
            )


def _rounded(query: Query, roles: Roles) -> tuple[str, ...]:
    digits = (getattr(query.dtype(name), "precision", None) or 0 for name in roles.scores)
    return ("decimals_rounded",) if max(digits) > EXACT_DIGITS else ()


def _state(number: int) -> str:
    return f"state{number}"


def integers(table: pa.Table) -> dict[str, npt.NDArray[np.int64]]:
    """Return columns of integers; DuckDB gives sums as decimals, polars counts as 32 bits."""
    return {name: table.column(name).cast(pa.int64()).to_numpy() for name in table.column_names}
