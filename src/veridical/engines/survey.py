"""``Survey``: what a query engine says about its rows before any of them is ranked.

Labels, missing scores and scores that are no forecasts are counted where the data are, by a few
``group_by``; the judgement, and every error, is that of the readers for rows in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.engines.groups import MOST_GROUPS, check_number_of_groups, in_order
from veridical.engines.read import Read
from veridical.engines.states import (
    CLAMPED,
    INEXACT,
    MISSING,
    MOST_LABELS,
    N_STATES,
    OUTSIDE,
    JudgedLabels,
    as_double,
    class_of,
    integers,
    is_absent,
    refuse_text,
    state_column,
    with_state,
)
from veridical.errors import ScoreError
from veridical.metrics.evidence import Evidence
from veridical.results import Conditions
from veridical.slices import Slice
from veridical.tables import LabelReader, Query, Roles, column_from, read_groups
from veridical.tables._words import counted, shown
from veridical.tables.convert import EXACT_DIGITS
from veridical.tables.labels import missing_labels
from veridical.tables.lazy_frame import collected
from veridical.tables.scores import missing_scores

__all__ = ["CLASS", "Survey", "group_column", "score_column", "survey"]

CLASS: Final = "y"
"""The column that holds 1 for a positive and 0 for a negative."""
_LABEL: Final = "label"


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
    groups
        Grouping column to the names of its groups.
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
    groups: Mapping[str, list[str]]
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

    def scores(self, column: pa.ChunkedArray, subject: str) -> npt.NDArray[Any]:
        """Return scores that a query gave, in their type; forecasts are moved into [0, 1]."""
        scores: npt.NDArray[Any] = column.to_numpy().astype(self.dtypes[subject])
        scores = scores + scores.dtype.type(0)  # -0.0 + 0.0 is 0.0: the two tie
        return np.clip(scores, 0, 1) if self.probabilities[subject] else scores

    def members(self, table: pa.Table) -> Iterator[tuple[str | None, Any]]:
        """Yield all rows of what a query gave, then those of each group that the data have."""
        yield None, slice(None)
        for number, (name, values) in enumerate(self.groups.items()):
            found = read_groups(column_from(name, table.column(group_column(number))))
            codes = {value: code for code, value in enumerate(found.names)}
            for value in in_order(values):
                yield f"{name}={value}", np.flatnonzero(found.codes == codes.get(value, -1))

    def slice(self, subject: str, group: str | None, evidence: Evidence) -> Slice:
        """Return the evidence with what holds for all results of the slice."""
        clamped, skipped = self.clamped[subject], self.n_read - self.n_rows
        return Slice(
            subject,
            group,
            evidence,
            conditions=Conditions(observed={"n_clamped": clamped} if clamped else {}),
            notes=("clamped",) if clamped else (),
            counts={"n_skipped": skipped} if skipped else {},
        )

    def read(self, sha256: str) -> Read:
        """Return what was read; rows of an engine have no order, so the hash is one of counts."""
        return Read(
            {"kind": self.engine},
            self.n_read,
            self.n_rows,
            self.n_positive,
            sha256,
            (*self.notes, "hash_of_counts"),
            self.probabilities,
            self.engine,
        )


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
        refuse_text(name, dtype)
    labels = LabelReader(roles.positive)
    scores = [score_column(number) for number in range(len(dtypes))]
    groups = [group_column(number) for number in range(len(roles.groups))]
    raw = query.frame.select(
        nw.col(query.column(roles.label)).alias(_LABEL),
        *(nw.col(query.column(n)).alias(s) for n, s in zip(roles.scores, scores, strict=True)),
        *(nw.col(query.column(n)).alias(g) for n, g in zip(roles.groups, groups, strict=True)),
    )
    counts, judged = _counted(raw, dtypes, roles, labels)
    _refuse(counts, roles, labels, query.engine)
    typed = dict(zip(scores, dtypes, strict=True))
    of_class = class_of(nw.col(_LABEL), query.dtype(roles.label), judged)
    doubles = (as_double(nw.col(score), dtype).alias(score) for score, dtype in typed.items())
    frame = (
        raw.filter(*(~is_absent(nw.col(score), dtype) for score, dtype in typed.items()))
        .select(of_class.alias(CLASS), *doubles, *groups)
        .filter(nw.col(CLASS) >= 0)
    )
    return Survey(
        roles,
        query.engine,
        frame,
        groups={
            name: _distinct_groups(frame, name, group)
            for name, group in zip(roles.groups, groups, strict=True)
        },
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


def _distinct_groups(frame: nw.LazyFrame[Any], name: str, group: str) -> list[str]:
    # Two more than the limit: one may be a null, and one a NaN or an empty text beside it.
    distinct = frame.select(group).unique().head(MOST_GROUPS + 3)
    values = collected(distinct).column(0)
    names = read_groups(column_from(name, values)).names
    check_number_of_groups(name, len(names))
    return names


def _counted(
    frame: nw.LazyFrame[Any], dtypes: Sequence[nw.dtypes.DType], roles: Roles, labels: LabelReader
) -> tuple[_Counts, JudgedLabels]:
    """Count the rows by label and states of scores, and let the reader judge the labels."""
    scores = [score_column(number) for number in range(len(dtypes))]
    states = [state_column(score) for score in scores]
    for score, dtype in zip(scores, dtypes, strict=True):
        frame = with_state(frame, score, dtype)
    # Each label with each combination of states; one label more than is allowed.
    most = (MOST_LABELS + 1) * N_STATES ** len(states)
    query = frame.group_by(_LABEL, *states).agg(nw.len().alias("n")).head(most)
    answer = collected(query)
    judged = JudgedLabels.of(roles.label, answer.column(_LABEL), labels)
    columns = integers(answer.select(["n", *states]))
    y = np.where(judged.missing, -1, judged.positive.astype(np.int64))
    return _Counts(columns["n"], y, tuple(columns[state] for state in states)), judged


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """How many rows have each combination of class and states of scores."""

    n: npt.NDArray[np.int64]
    y: npt.NDArray[np.int64]
    states: tuple[npt.NDArray[np.int64], ...]

    def sum(self, chosen: npt.NDArray[np.bool_]) -> int:
        return int(self.n[chosen].sum())

    @property
    def used(self) -> npt.NDArray[np.bool_]:
        used: npt.NDArray[np.bool_] = self.y >= 0
        for states in self.states:
            used = used & (states != MISSING)
        return used

    def missing(self, roles: Roles) -> dict[str, int]:
        lost = {roles.label: self.sum(self.y < 0)}
        for name, states in zip(roles.scores, self.states, strict=True):
            lost[name] = self.sum(states == MISSING)
        return {name: n for name, n in lost.items() if n}

    def clamped(self, number: int) -> int | None:
        states = self.states[number][self.used]
        if bool((states == OUTSIDE).any()):
            return None
        return self.sum(self.used & (self.states[number] == CLAMPED))


def _refuse(counts: _Counts, roles: Roles, labels: LabelReader, engine: str) -> None:
    """Raise what reading the rows would have raised; rows of an engine have no numbers to tell."""
    places = f"the rows of a {engine} table have no numbers"
    lost = counts.y < 0
    if roles.missing == "error" and lost.any():
        raise missing_labels(f"column {shown(roles.label)}; {places}", counts.sum(lost))
    labels.finish()
    for name, states in zip(roles.scores, counts.states, strict=True):
        where = f"column {shown(name)}; {places}"
        no_score, inexact = states == MISSING, counts.sum(states == INEXACT)
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
