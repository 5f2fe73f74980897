"""Ratings: what each rater called each item, as positions in a common list of labels."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from veridical.errors import InputError, LabelError, ParameterError
from veridical.kernels.labels import number_codes
from veridical.summaries.contingency import Label
from veridical.tables._words import MISSING_WORDS, NUMBER, listed, shown
from veridical.tables.column import Column
from veridical.tables.places import Places

__all__ = ["Coded", "Ratings", "coded_labels", "read_ratings"]

Codes = npt.NDArray[np.int8] | npt.NDArray[np.int32]
MOST_LABELS = 1000
# Cyrillic and Greek letters that no reader tells from Latin ones.
_LATIN_LOOKS = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u03bf\u03b1\u03bd",
    "aeopcyxisjoav",
)


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
        Rater to positions in ``labels``, int8 or int32, shape (items,); -1 is missing.
    """

    labels: tuple[Label, ...]
    declared: bool
    codes: Mapping[str, Codes]

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return len(next(iter(self.codes.values())))

    @property
    def alike(self) -> list[Label]:
        """The labels that a reader would take for another one of them; all count as different.

        They differ by case, by white space, or by letters of other scripts that look the same.
        """
        if not any(isinstance(label, str) for label in self.labels):
            return []
        looks = [_look(str(label)) for label in self.labels]
        times = Counter(looks)
        return [label for label, look in zip(self.labels, looks, strict=True) if times[look] > 1]


def _look(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_LATIN_LOOKS)
    return " ".join("".join(one for one in folded if one.isprintable()).split())


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """The labels of one rater as positions among them; the column itself is no longer held.

    Attributes
    ----------
    codes
        Integers, shape (items,); -1 is missing.
    labels
        Distinct labels; None is a missing one.
    complete
        Whether no label is missing.
    name, places
        The column's name and where its rows come from, for an error.
    """

    codes: Codes
    labels: list[Label | None]
    complete: bool
    name: str
    places: Places

    def __len__(self) -> int:
        return len(self.codes)

    def where(self, rows: npt.NDArray[np.bool_]) -> str:
        """Return ``column 'a', rows 1, 5, 9`` for an error."""
        return Column(self.name, self.codes, places=self.places).where(rows)


def coded_labels(column: Column) -> Coded:
    """Return a column of labels as positions.

    Examples
    --------
    >>> found = coded_labels(Column("a", np.array([7, 5, 7])))
    >>> found.codes.tolist(), found.labels
    ([1, 0, 1], [5, 7])
    """
    codes, labels, complete = _coded(column)
    return Coded(codes, labels, complete, column.name, column.places)


def read_ratings(
    columns: Mapping[str, Column | Coded],
    scale: Sequence[Any] | None = None,
    *,
    texts: bool = False,
) -> Ratings:
    """Return columns of labels as positions in one list of labels.

    Parameters
    ----------
    columns
        Rater to labels, all of one length; coded already or not.
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
    coded = {
        name: coded_labels(column) if isinstance(column, Column) else column
        for name, column in columns.items()
    }
    own = {name: column.labels for name, column in coded.items()}
    distinct = {label for labels in own.values() for label in labels if label is not None}
    if texts and all(_is_number(label) for label in distinct):
        number: dict[Label | None, Label] = {label: _number(label) for label in distinct}
        own = {name: [number.get(label) for label in labels] for name, labels in own.items()}
        distinct = set(number.values())
    if len({isinstance(label, str) for label in distinct}) > 1:
        raise _mixed_kinds(own)
    order = _ordered(distinct, scale)
    if len(order) > MOST_LABELS:
        raise LabelError(
            f"there are {len(order):,} different labels",
            why="agreement on labels is for a few categories",
            fix="round or group the ratings first",
        )
    place: dict[Label | None, int] = {None: -1, **{label: k for k, label in enumerate(order)}}
    codes = {
        name: _moved(column.codes, [place[label] for label in own[name]])
        for name, column in coded.items()
    }
    return Ratings(order, scale is not None, codes)


def _moved(codes: Codes, places: list[int]) -> Codes:
    """Return the new place of each code; -1 stays."""
    if places == list(range(len(places))):
        return codes
    # The last entry answers to the code -1.
    table = np.array([*places, -1])
    return table.astype(np.int8)[codes] if table.max() < 128 else table.astype(np.int32)[codes]


def _coded(column: Column) -> tuple[Codes, list[Label | None], bool]:
    """Return positions, distinct labels, and whether none is missing: -1, or the label None."""
    if column.kind == "text":
        in_order, texts = column.coded()
        labels: list[Label | None] = [None if t in MISSING_WORDS else t for t in texts]
        return in_order, labels, None not in labels and int(in_order.min(initial=0)) >= 0
    absent = column.absent()
    if absent is None:
        codes, values = _distinct(column.array)
    else:
        there, values = _distinct(column.array[~absent])
        codes = np.full(len(column), -1, dtype=np.int32)
        codes[~absent] = there
    return codes, values, absent is None


def _distinct(values: npt.NDArray[Any]) -> tuple[Codes, list[Any]]:
    """Return the position of each value among the distinct labels, and these, ascending."""
    whole = values
    if values.dtype.kind == "b":
        codes, numbers = _distinct(values.view(np.uint8))
        return codes, [bool(number) for number in numbers]
    if values.dtype.kind == "f" and np.abs(values).max(initial=0.0) < 2**53:
        as_whole = values.astype(np.int64)
        whole = as_whole if np.array_equal(as_whole, values) else values
    if whole.dtype.kind != "f":
        found = number_codes(whole, 10 * MOST_LABELS)
        if found is not None:
            return found
    distinct, at = np.unique(values, return_inverse=True)
    return at.reshape(-1).astype(np.int32), [_plain(value) for value in distinct.tolist()]


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


def _mixed_kinds(labels: Mapping[str, list[Label | None]]) -> InputError:
    firsts = {
        name: next((label for label in own if label is not None), None)
        for name, own in labels.items()
    }
    kinds = {
        name: "text" if isinstance(first, str) else "numbers"
        for name, first in firsts.items()
        if first is not None
    }
    return InputError(
        "the labels of one rater are text and those of another numbers",
        where=", ".join(f"{shown(name)}: {kind}" for name, kind in kinds.items()),
        why="no label could ever be the same",
        fix="write them in one form",
    )


def _ordered(distinct: set[Label], scale: Sequence[Any] | None) -> tuple[Label, ...]:
    if scale is None:
        return tuple(sorted(distinct))
    if isinstance(scale, str):
        raise ParameterError(
            f"a scale is a list of labels, not {shown(scale)}",
            fix="give scale=['low', 'medium', 'high']",
        )
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
