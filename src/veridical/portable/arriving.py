"""One batch of labels and scores, checked: what a stream may bring, and what it may not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Number
from typing import Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from veridical.errors import (
    InputError,
    LabelError,
    MismatchError,
    ParameterError,
    UnsupportedTypeError,
)
from veridical.tables import Column, LabelReader, Rows, column_from, read_numbers, read_weights
from veridical.tables.labels import missing_labels
from veridical.tables.scores import missing_scores

__all__ = ["BatchReader", "joined"]

Mask = npt.NDArray[np.bool_]


@dataclass(slots=True)
class BatchReader:
    """Reads batches that must agree with each other; a batch that is refused leaves no trace.

    Attributes
    ----------
    label, score, weight
        Names of the columns; ``weight`` None where rows have no weights.
    positive
        The label that counts as positive, or None.
    missing
        What to do with a missing label or score.
    forecasts
        Whether a score outside [0, 1] is refused.
    dtype
        The type of the scores so far; None before the first.
    signs
        How negatives were labelled so far: ``"0"``, ``"-"`` for -1.

    Examples
    --------
    >>> reader = BatchReader("y", "p")
    >>> reader.read([1, 0], [0.9, 0.6], None).positive.tolist()
    [True, False]
    """

    label: str
    score: str
    weight: str | None = None
    positive: Any = None
    missing: Literal["error", "drop"] = "error"
    forecasts: bool = False
    dtype: str | None = None
    signs: frozenset[str] = field(default_factory=frozenset)

    def __add__(self, other: BatchReader) -> BatchReader:
        """Return a reader that knows what both have seen."""
        signs = _agreeing(self.signs | other.signs)
        return replace(self, dtype=self.dtype or other.dtype, signs=signs)

    def read(self, labels: Any, scores: Any, weight: Any) -> Rows:
        """Return the rows of a batch that can be used.

        Raises
        ------
        LabelError, ScoreError, InputError
            A label, score or weight is missing, or is none.
        MismatchError
            The scores are of another type than before.
        ParameterError
            Weights that were not announced, or none where they were.
        UnsupportedTypeError
            An object that is no column of values.
        """
        self._check_weight(weight)
        given = {self.label: labels, self.score: scores, self.weight: weight}
        columns = {
            name: column_from(name, _as_column(values))
            for name, values in given.items()
            if name is not None
        }
        _check_lengths(columns)
        positive, no_label, signs = self._labels(columns[self.label])
        values, no_score = read_numbers(columns[self.score])
        lost = {
            name: mask
            for name, mask in ((self.label, no_label), (self.score, no_score))
            if mask is not None
        }
        if lost and self.missing == "error":
            _refuse_missing(columns, positive, lost)
        rows = Rows(
            positive,
            {self.score: values},
            weight=None if self.weight is None else read_weights(columns[self.weight]),
            n_read=len(positive),
            missing={name: int(mask.sum()) for name, mask in lost.items()},
        )
        rows = rows.kept(~np.logical_or.reduce(list(lost.values()))) if lost else rows
        if self.forecasts:
            rows.probabilities(self.score)  # raises, and says where
        if rows.n:
            self._check_type(values)
            self.dtype = str(values.dtype)
        self.signs = signs
        return rows

    def _labels(self, column: Column) -> tuple[Mask, Mask | None, frozenset[str]]:
        reader = LabelReader(self.positive)
        positive, missing = reader.read(column)
        if self.positive is not None:
            return positive, missing, self.signs
        reader.finish()
        negatives = reader.classes["negative"]
        signs = self.signs | {"-" if name.startswith("-") else "0" for name in negatives}
        return positive, missing, _agreeing(signs)

    def _check_weight(self, weight: Any) -> None:
        if (weight is None) != (self.weight is None):
            raise ParameterError(
                "a batch without weights" if weight is None else "weights were not announced",
                why="rows with and without weights do not count alike",
                fix="make the accumulator with weight='weight', and give every batch its weights",
            )

    def _check_type(self, scores: npt.NDArray[Any]) -> None:
        if self.dtype not in {None, str(scores.dtype)}:
            raise MismatchError(
                f"the scores are {scores.dtype}, those before were {self.dtype}",
                why="a threshold that ties with a score in float32 may not in float64",
                fix="convert every batch to one type",
            )


def joined(batches: Sequence[Rows], score: str) -> Rows:
    """Return the rows of several batches as one."""
    missing: dict[str, int] = {}
    for batch in batches:
        for name, count in batch.missing.items():
            missing[name] = missing.get(name, 0) + count
    weights = [batch.weight for batch in batches if batch.weight is not None]
    # An empty batch has no type of score of its own.
    scores: list[Any] = [batch.scores[score] for batch in batches if batch.n]
    return Rows(
        np.concatenate([batch.positive for batch in batches]),
        {score: np.concatenate(scores) if scores else np.zeros(0)},
        weight=np.concatenate(weights) if weights else None,
        n_read=sum(batch.n_read for batch in batches),
        missing=missing,
    )


def _as_column(data: Any) -> Any:
    """Return one value as a list of it, and a foreign array as one of numpy's, uncopied."""
    if isinstance(data, (Number, str, np.generic)):
        return [data]
    if getattr(data, "ndim", 1) == 0:
        return data.reshape(1)
    if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
        try:
            return np.from_dlpack(data)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise UnsupportedTypeError(
                f"an array of type {type(data).__name__} cannot be read: {error}",
                fix="move it to the CPU first",
            ) from error
    return data


def _check_lengths(columns: dict[str, Column]) -> None:
    if len({len(column) for column in columns.values()}) > 1:
        told = ", ".join(f"{len(column):,} in {name!r}" for name, column in columns.items())
        raise InputError(
            f"the columns have different lengths: {told}",
            why="a row has one value in each column",
            fix="pass columns of the same rows",
        )


def _agreeing(signs: frozenset[str]) -> frozenset[str]:
    if len(signs) > 1:
        raise LabelError(
            "negatives are labelled 0 in some batches and -1 in others",
            why="what the one means is not what the other means",
            fix="use one of the two, or name the positive class: positive=1",
        )
    return signs


def _refuse_missing(columns: dict[str, Column], positive: Mask, lost: dict[str, Mask]) -> NoReturn:
    name, mask = next(iter(lost.items()))
    where, n = columns[name].where(mask), int(mask.sum())
    if name == next(iter(columns)):
        raise missing_labels(where, n)
    raise missing_scores(where, n, int((mask & positive).sum()))
