"""``read_rows``: everything tabular in, checked rows out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from veridical.errors import LabelError, ParameterError, ScoreError
from veridical.parameters import names, text
from veridical.tables._words import shown
from veridical.tables.column import Column, Mask
from veridical.tables.groups import Groups, read_clusters, read_groups
from veridical.tables.hashing import content_hash
from veridical.tables.identifiers import read_ids
from veridical.tables.labels import LabelReader, missing_labels
from veridical.tables.places import Places
from veridical.tables.scores import (
    Floats,
    check_probabilities,
    missing_scores,
    read_costs,
    read_numbers,
    read_weights,
)
from veridical.tables.source import BATCH_ROWS, Table, open_table

__all__ = ["Roles", "Rows", "iter_rows", "read_rows"]


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column is what.

    Attributes
    ----------
    label
        The column of labels.
    scores
        One column of scores for each model.
    weight, cluster
        A column of row weights, of clusters; or None.
    groups
        Columns to report by.
    costs
        Which price (``"fn"``, ``"fp"``, ``"review"``) is which column.
    positive
        The label of the positive class, where the labels do not say it.
    missing
        ``"error"``, or ``"drop"`` to leave out rows whose label or whose score in any model is
        missing.  Missing weights and prices are always an error.
    id
        A column that names each row, or None.
    """

    label: str
    scores: tuple[str, ...]
    weight: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    costs: Mapping[str, str] = field(default_factory=dict)
    positive: Any = None
    missing: Literal["error", "drop"] = "error"
    id: str | None = None

    def __post_init__(self) -> None:
        if self.missing not in ("error", "drop"):
            raise ParameterError(
                f"missing is {shown(self.missing)}", fix='pass missing="error" or missing="drop"'
            )
        for role, name in (
            ("label", self.label),
            ("weight", self.weight),
            ("cluster", self.cluster),
            ("id", self.id),
        ):
            if name is not None or role == "label":
                text(role, name)
        names("score", self.scores)
        names("groups", self.groups)
        if self.label in self.scores:
            raise ParameterError(
                f"the column {shown(self.label)} is both label and score",
                why="labels rank themselves perfectly",
                fix="name the column of the model's scores",
            )

    @property
    def numbers(self) -> frozenset[str]:
        """The columns that are computed with."""
        weight = () if self.weight is None else (self.weight,)
        return frozenset((*self.scores, *weight, *self.costs.values()))

    @property
    def columns(self) -> list[str]:
        """Every column that is needed, once."""
        others = [x for x in (self.weight, self.cluster, self.id) if x is not None]
        every = [self.label, *self.scores, *self.groups, *others, *self.costs.values()]
        return list(dict.fromkeys(every))


@dataclass(frozen=True, eq=False)
class Rows:
    """Checked rows: no label and no score is missing.

    Attributes
    ----------
    positive
        bool, shape (n,).
    scores
        Column name to float64 or float32, shape (n,); no NaN, infinities are possible.
    weight
        float64, shape (n,), finite and not negative; or None.
    costs
        ``"fn"``, ``"fp"``, ``"review"`` to float64, shape (n,), finite and not negative.
    groups
        Column name to ``Groups``.
    cluster
        int64 codes, shape (n,), or None.
    ids
        The name of each row, no two alike; or None.  No part of the hash.
    n_read
        Rows read, before any was left out.
    missing
        Column name to how many rows it was missing in; only where it was.
    classes
        ``"positive"`` and ``"negative"`` to the labels that count as it, as shown to a reader.
    notes
        Stable notes on the input: ``one_vs_rest``, ``decimals_rounded``.
    source
        What the rows came from, as JSON.
    places
        How the number of a row is told, in an error.

    Examples
    --------
    >>> data = {"y": [1, 0, 1], "p": [0.9, 0.2, None]}
    >>> rows = read_rows(data, Roles("y", ("p",), missing="drop"))
    >>> rows.positive.tolist(), rows.n_skipped, rows.missing
    ([True, False], 1, {'p': 1})
    """

    positive: npt.NDArray[np.bool_]
    scores: Mapping[str, Floats]
    weight: npt.NDArray[np.float64] | None = None
    costs: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    groups: Mapping[str, Groups] = field(default_factory=dict)
    cluster: npt.NDArray[np.int64] | None = None
    ids: Groups | None = None
    n_read: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    classes: Mapping[str, list[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    places: Places = field(default_factory=Places, repr=False)
    _checked: dict[str, tuple[Floats, int]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def n(self) -> int:
        """Rows that are used."""
        return len(self.positive)

    @property
    def n_skipped(self) -> int:
        """Rows that were left out because their label or a score is missing."""
        return self.n_read - self.n

    @property
    def hashed(self) -> dict[str, Any]:
        """The columns that the hash of the data covers, by their role."""
        optional = {"weight": self.weight, "cluster": self.cluster}
        return {
            "label": self.positive,
            **{f"score:{name}": values for name, values in self.scores.items()},
            **{f"cost:{name}": values for name, values in self.costs.items()},
            **{f"group:{name}": groups for name, groups in self.groups.items()},
            **{name: values for name, values in optional.items() if values is not None},
        }

    @cached_property
    def sha256(self) -> str:
        """Hash of the rows used; the same rows give it in every file format and frame."""
        return content_hash(self.hashed)

    def in_unit_interval(self, score: str) -> bool:
        """Whether every value of a score lies in [0, 1], within 1e-9."""
        try:
            self.probabilities(score)
        except ScoreError:
            return False
        return True

    def probabilities(self, score: str) -> tuple[Floats, int]:
        """Return a score as probabilities, and how many ``check_probabilities`` clamped."""
        if score not in self._checked:
            values = self.scores[score]
            column = Column(score, values, places=self.places)
            self._checked[score] = check_probabilities(values, column)
        return self._checked[score]

    def kept(self, keep: Mask) -> Rows:
        """Return some of the rows, as what is left of all that were read."""
        return replace(
            self,
            positive=self.positive[keep],
            scores={name: values[keep] for name, values in self.scores.items()},
            weight=None if self.weight is None else self.weight[keep],
            costs={name: values[keep] for name, values in self.costs.items()},
            groups={name: groups.kept(keep) for name, groups in self.groups.items()},
            # Codes without gaps: rows that were left out leave no trace, in the hash either.
            cluster=None
            if self.cluster is None
            else np.unique(self.cluster[keep], return_inverse=True)[1],
            ids=None if self.ids is None else self.ids.kept(keep),
            places=self.places.only(keep),
        )


def read_rows(source: Any, roles: Roles) -> Rows:
    """Read the columns that are needed, check them, and return the rows that can be used.

    Parameters
    ----------
    source
        Anything that ``open_table`` takes.
    roles
        Which column is what.

    Raises
    ------
    LabelError, ScoreError, InputError
        A column cannot be used as it is; see ``read_labels``, ``read_scores``, ``read_weights``,
        ``read_costs``, ``read_groups`` and ``read_clusters``.

    Examples
    --------
    >>> rows = read_rows({"y": [1, 0, 1], "p": [0.9, 0.2, 0.4]}, Roles("y", ("p",)))
    >>> rows.positive.tolist(), rows.scores["p"].tolist()
    ([True, False, True], [0.9, 0.2, 0.4])
    """
    table = open_table(source)
    labels = LabelReader(roles.positive)
    rows = _rows(table.read(roles.columns, roles.numbers), roles, labels, table.describe())
    notes = dict.fromkeys((*labels.finish(), *rows.notes))
    return replace(rows, classes=labels.classes, notes=tuple(notes))


def iter_rows(source: Any, roles: Roles, size: int = BATCH_ROWS) -> Iterator[Rows]:
    """Yield the rows in batches of about ``size``; the labels are judged after the last one.

    The notes and classes of a batch are those of the rows read so far.

    Group codes and clusters are those of the batch: compare groups by name across batches.

    Raises
    ------
    LabelError
        After the last batch: the labels do not say which class is positive.
    """
    table = open_table(source)
    labels = LabelReader(roles.positive)
    described = table.describe()
    for columns in table.batches(roles.columns, roles.numbers, size):
        try:
            rows = _rows(columns, roles, labels, described)
        except (LabelError, ScoreError):
            # The count in an error is that of the whole table, not of the batch.
            _raise_missing(table, roles, size)
            raise
        yield replace(rows, classes=labels.classes, notes=(*labels.notes, *rows.notes))
    labels.finish()


def _raise_missing(table: Table, roles: Roles, size: int) -> None:
    """Raise for the labels, or else for the first score, that are missing anywhere."""
    for name in (roles.label, *roles.scores):
        labels, where, n, n_positive = LabelReader(roles.positive), "", 0, 0
        both = list(dict.fromkeys((roles.label, name)))
        for columns in table.batches(both, roles.numbers, size):
            positive, missing = labels.read(columns[roles.label])
            if name != roles.label:
                missing = read_numbers(columns[name])[1]
            if missing is not None:
                where = where or columns[name].where(missing)
                n, n_positive = n + int(missing.sum()), n_positive + int((positive & missing).sum())
        if n and name == roles.label:
            raise missing_labels(where, n)
        if n:
            labels.finish()
            raise missing_scores(where, n, n_positive)


def _rows(
    columns: Mapping[str, Column], roles: Roles, labels: LabelReader, source: Mapping[str, Any]
) -> Rows:
    label = columns[roles.label]
    positive, no_label = labels.read(label)
    if no_label is not None and roles.missing == "error":
        raise missing_labels(label.where(no_label), int(no_label.sum()))
    lost: dict[str, Mask] = {} if no_label is None else {roles.label: no_label}
    scores = {}
    for name in roles.scores:
        scores[name], no_score = read_numbers(columns[name])
        if no_score is None:
            continue
        if roles.missing == "error":
            labels.finish()  # A count by class must not rest on labels that are a guess.
            n_positive = int((no_score & positive).sum())
            raise missing_scores(columns[name].where(no_score), int(no_score.sum()), n_positive)
        lost[name] = no_score
    rows = Rows(
        positive,
        scores,
        weight=None if roles.weight is None else read_weights(columns[roles.weight]),
        costs={price: read_costs(columns[name]) for price, name in roles.costs.items()},
        groups={name: read_groups(columns[name]) for name in roles.groups},
        cluster=None if roles.cluster is None else read_clusters(columns[roles.cluster]),
        ids=None if roles.id is None else read_ids(columns[roles.id]),
        n_read=len(label),
        missing={name: int(mask.sum()) for name, mask in lost.items()},
        notes=tuple(
            note for name, column in columns.items() if name != roles.id for note in column.notes
        ),
        source=source,
        places=label.places,
    )
    return rows if not lost else rows.kept(~np.logical_or.reduce(list(lost.values())))
