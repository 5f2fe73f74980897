"""Ratings: what each rater called each item, as positions in a common list of labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, LabelError, ParameterError
from veridical.summaries.contingency import Label
from veridical.tables._words import MISSING_WORDS, NUMBER, listed, shown
from veridical.tables.column import Column

__all__ = ["Ratings", "read_ratings"]

Codes = npt.NDArray[np.int64]
MOST_LABELS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """What each rater called each item.

    Attributes
    ----------
    labels
        Distinct labels: the scale where one was declared, else ascending.
    declared
        Whether a scale was declared.
    codes
        Rater to positions in ``labels``, int64, shape (items,); -1 is missing.
    """

    labels: tuple[Label, ...]
    declared: bool
    codes: Mapping[str, Codes]

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return len(next(iter(self.codes.values())))


def read_ratings(
    columns: Mapping[str, Column], scale: Sequence[Any] | None = None, *, texts: bool = False
) -> Ratings:
    """Return columns of labels as positions in one list of labels.

    Parameters
    ----------
    columns
        Rater to labels, all of one length.
    scale
        The labels from lowest to highest, or None.
    texts
        Whether the columns come from a file that writes numbers as text.

    Raises
    ------
    LabelError
        A label is not on the scale, or there are more than a thousand different ones.
    InputError
        One rater's labels are text and another's are numbers.
    ParameterError
        The scale names a label twice.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> ratings = read_ratings({"a": column_from("a", ["high", "low", None])}, ["low", "high"])
    >>> ratings.codes["a"].tolist()
    [1, 0, -1]
    """
    coded = {name: _coded(column) for name, column in columns.items()}
    distinct: set[Label] = {label for _, labels in coded.values() for label in labels}
    convert = texts and all(_is_number(label) for label in distinct)
    if convert:
        coded = {n: (c, [_number(label) for label in labels]) for n, (c, labels) in coded.items()}
        distinct = {_number(label) for label in distinct}
    _check_kinds(coded)
    order = _ordered(distinct, scale)
    if len(order) > MOST_LABELS:
        raise LabelError(
            f"there are {len(order):,} different labels",
            why="agreement on labels is for a few categories",
            fix="round or group the ratings first",
        )
    place = {label: index for index, label in enumerate(order)}
    codes = {}
    for name, (positions, labels) in coded.items():
        # The last entry answers to the code -1 of a missing rating.
        table = np.array([*(place[label] for label in labels), -1], dtype=np.int64)
        codes[name] = table[positions]
    return Ratings(order, scale is not None, codes)


def _coded(column: Column) -> tuple[Codes, list[Label]]:
    """Return positions and distinct labels of one column; -1 is missing."""
    if column.kind == "text":
        codes, texts = column.coded()
        wanted = [text for text in texts if text not in MISSING_WORDS]
        place = {text: index for index, text in enumerate(wanted)}
        table = np.array([*(place.get(text, -1) for text in texts), -1], dtype=np.int64)
        return table[codes], list(wanted)
    absent = column.absent()
    positions = np.full(len(column), -1, dtype=np.int64)
    present = np.ones(len(column), dtype=bool) if absent is None else ~absent
    values, at = _distinct(column.array[present])
    positions[present] = at
    return positions, [_plain(value) for value in values.tolist()]


def _distinct(values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Codes]:
    """Return the distinct values ascending, and the position of each value among them."""
    if values.size and values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low < 10 * MOST_LABELS:
            # Counting beats sorting where the range is short.
            shifted = values.astype(np.int64) - low
            seen = np.bincount(shifted) > 0
            return np.flatnonzero(seen) + low, (np.cumsum(seen) - 1)[shifted]
    distinct, at = np.unique(values, return_inverse=True)
    return distinct, at.reshape(-1).astype(np.int64)


def _plain(value: Any) -> Label:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise LabelError(f"a rating is {value}", fix="leave it empty where it is missing")
    return value  # type: ignore[no-any-return]


def _is_number(label: Label) -> bool:
    text = str(label)
    return re.match(NUMBER, text) is not None and math.isfinite(float(text))


def _number(label: Label) -> Label:
    text = str(label)
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else _plain(float(text))


def _check_kinds(coded: Mapping[str, tuple[Codes, list[Label]]]) -> None:
    kinds = {
        name: "text" if isinstance(labels[0], str) else "numbers"
        for name, (_, labels) in coded.items()
        if labels
    }
    if len(set(kinds.values())) > 1:
        told = ", ".join(f"{shown(name)}: {kind}" for name, kind in kinds.items())
        raise InputError(
            "the labels of one rater are text and those of another numbers",
            where=told,
            why="no label could ever be the same",
            fix="write them in one form",
        )


def _ordered(distinct: set[Label], scale: Sequence[Any] | None) -> tuple[Label, ...]:
    if scale is None:
        return tuple(sorted(distinct))
    numbers = bool(distinct) and not any(isinstance(label, str) for label in distinct)
    steps = [_on_scale(step, numbers=numbers) for step in scale]
    if len(set(steps)) < len(steps) or len(steps) < 2:
        raise ParameterError(
            f"a scale names at least two labels, each once, not {listed(steps)}",
            fix="give scale=['low', 'medium', 'high']",
        )
    _check_on_scale(distinct, steps)
    return tuple(steps)


def _on_scale(step: Any, *, numbers: bool) -> Label:
    if hasattr(step, "item") and not isinstance(step, (str, bytes)):
        step = step.item()
    if isinstance(step, str):
        return _number(step) if numbers and _is_number(step) else step
    if isinstance(step, (int, float)):
        return _plain(step)
    raise ParameterError(
        f"{shown(step)} is no label", fix="a scale is a list of texts or of numbers"
    )


def _check_on_scale(distinct: Iterable[Label], steps: Sequence[Label]) -> None:
    outside = sorted(set(distinct) - set(steps), key=str)
    if outside:
        raise LabelError(
            f"not on the scale: {listed(outside)}",
            where=f"the scale is {listed(steps)}",
            why="its distance from the other labels is unknown",
            fix="add it to the scale, or correct the ratings",
        )
