"""Labels: which rows are positive, and an error wherever that would be a guess."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from numbers import Number
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from veridical.errors import LabelError
from veridical.tables._words import MISSING_WORDS, NUMBER, counted, listed, shown
from veridical.tables.arrow_numpy import array_of_numbers
from veridical.tables.column import Column, Mask

__all__ = ["LabelReader", "missing_labels", "read_labels"]

Value = bool | int | float | str

_WORDS = {"true": True, "false": False}
_REMEMBERED = 1000


def read_labels(column: Column, positive: Any = None) -> npt.NDArray[np.bool_]:
    """Return which rows are positive.

    Without ``positive``, labels are booleans, {0, 1} or {-1, 1}, as numbers or as text; one of
    the two values alone is enough.  With it, every other value is negative.

    Parameters
    ----------
    column
        The labels, n rows, none missing.
    positive
        The value of the positive class.  Text (as from a command line) also names the number or
        the boolean that it spells: ``"1"`` is 1, ``"true"`` is True.

    Returns
    -------
    ndarray of bool, shape (n,)

    Raises
    ------
    LabelError
        A label is missing; the values do not say which is positive; or ``positive`` occurs
        nowhere.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> read_labels(column_from("y", ["ok", "fraud", "ok"]), positive="fraud").tolist()
    [False, True, False]
    """
    reader = LabelReader(positive)
    found, missing = reader.read(column)
    if missing is not None:
        raise missing_labels(column.where(missing), int(missing.sum()))
    reader.finish()
    return found


def missing_labels(where: str, n: int) -> LabelError:
    """Return the error for ``n`` missing labels."""
    return LabelError(
        f"{counted(n, 'label')} missing",
        where=where,
        why="a row without a label is neither right nor wrong",
        fix="complete the labels, or leave such rows out with missing='drop' (--missing drop)",
    )


class LabelReader:
    """Reads labels batch by batch, and judges them when all have been seen.

    Parameters
    ----------
    positive
        As for ``read_labels``.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> reader = LabelReader()
    >>> reader.read(column_from("y", [0, 0]))[0].tolist()
    [False, False]
    >>> reader.read(column_from("y", [1, 2]))[0].tolist()
    [True, False]
    >>> reader.finish()
    Traceback (most recent call last):
        ...
    veridical.errors.LabelError: the labels 0, 1, 2 do not say which class is positive (column 'y')
      why: only booleans, {0, 1} and {-1, 1} say it by themselves
      fix: say with positive= (--positive) which of them a high score stands for
    """

    def __init__(self, positive: Any = None) -> None:
        self._positive = _plain(positive)
        self._seen: dict[Value, None] = {}
        self._found = False
        self._rows = 0
        self._name = ""
        self._more = False

    def read(self, column: Column) -> tuple[npt.NDArray[np.bool_], Mask | None]:
        """Return which rows are positive, and which are missing (None: no row is).

        A missing row is not positive.
        """
        self._name = column.name
        if column.kind == "empty":
            return np.zeros(len(column), dtype=np.bool_), column.null
        found, missing = self._text(column) if column.kind == "text" else self._numbers(column)
        self._rows += len(column) - (0 if missing is None else int(missing.sum()))
        self._found = self._found or bool(found.any())
        return found, missing

    def finish(self) -> tuple[str, ...]:
        """Judge all labels seen; return notes.

        Raises
        ------
        LabelError
            The values do not say which is positive, or ``positive`` did not occur.
        """
        if self._rows == 0:
            return ()
        if self._positive is None:
            if not _says_which(self._seen):
                raise self._ambiguous()
            return ()
        if not self._found:
            raise self._does_not_occur()
        return self.notes

    @property
    def notes(self) -> tuple[str, ...]:
        """``one_vs_rest`` where several values have been negative, else nothing."""
        if self._positive is None:
            return ()
        others = [value for value in self._seen if not self._is_positive(value)]
        return ("one_vs_rest",) if len(others) > 1 else ()

    @property
    def classes(self) -> dict[str, list[str]]:
        """Which values were positive and which negative, as shown to a reader; ten at most."""
        sides: dict[str, list[str]] = {"positive": [], "negative": []}
        for value in _in_order(self._seen):
            sides["positive" if self._is_positive(value) else "negative"].append(shown(value))
        return {side: values[:10] for side, values in sides.items()}

    def _listed(self) -> str:
        return listed(_in_order(self._seen)) + (" and others" if self._more else "")

    def _remember(self, values: Iterable[Value]) -> None:
        for value in values:
            if len(self._seen) >= _REMEMBERED:
                self._more = True
                return
            self._seen.setdefault(value)

    def _text(self, column: Column) -> tuple[npt.NDArray[np.bool_], Mask | None]:
        codes, texts = column.coded()
        used = np.zeros(len(texts) + 1, dtype=np.bool_)  # the last entry is the code -1, a null
        used[codes] = True
        lost = np.array([*map(self._stands_for_missing, texts), True])
        found = np.array([*map(self._is_positive, texts), False]) & ~lost
        present = np.flatnonzero(used & ~lost).tolist()
        self._remember(self._value(texts[code]) for code in present)
        return found[codes], lost[codes] if (used & lost).any() else None

    def _stands_for_missing(self, text: str) -> bool:
        return text in MISSING_WORDS and text != self._positive

    def _value(self, text: str) -> Value:
        return _spelled(text) if self._positive is None else text

    def _is_positive(self, value: Value) -> bool:
        return _matches(value, 1 if self._positive is None else self._positive)

    def _numbers(self, column: Column) -> tuple[npt.NDArray[np.bool_], Mask | None]:
        values, missing = column.array, column.absent()
        target = 1 if self._positive is None else _as_number(self._positive)
        found: Mask = np.zeros(len(values), bool) if target is None else values == target
        if missing is not None:
            found &= ~missing
        if n_found := np.count_nonzero(found):
            self._remember([values[int(found.argmax())].item()])
        # Where all that is not zero is positive, the others need not be looked at.
        if missing is None and target != 0 and n_found == np.count_nonzero(values):
            self._remember([values.dtype.type(0).item()] if n_found < len(values) else [])
            return found, missing
        rest = ~found if missing is None else ~(found | missing)
        # Hashing finds a few distinct values among millions faster than sorting does.
        self._remember(pc.unique(array_of_numbers(values[rest]))[: _REMEMBERED + 1].to_pylist())
        return found, missing

    def _ambiguous(self) -> LabelError:
        values = _in_order(self._seen)
        verb = "s {} do" if len(values) > 1 else " {} does"
        # Which of them it is would be a guess, and a guess that is copied is a wrong number.
        which = "say with positive= (--positive) which of them a high score stands for"
        if len(values) == 2:
            either = " or ".join(f"--positive {_argument(value)}" for value in values)
            which += f": {either}"
        return LabelError(
            f"the label{verb.format(self._listed())} not say which class is positive",
            where=f"column {shown(self._name)}",
            why="only booleans, {0, 1} and {-1, 1} say it by themselves",
            fix=which,
        )

    def _does_not_occur(self) -> LabelError:
        return LabelError(
            f"the positive label {shown(self._positive)} does not occur",
            where=f"column {shown(self._name)}",
            why=f"the labels are {self._listed()}",
            fix="name one of these with positive= (--positive)",
        )


def _says_which(seen: Iterable[Value]) -> bool:
    values = set(seen)
    return values <= {0, 1} or values <= {-1, 1}


def _in_order(seen: Iterable[Value]) -> list[Value]:
    return sorted(seen, key=lambda value: (isinstance(value, str), value))


def _argument(value: Value) -> str:
    """Return a value as it is typed after ``--positive``."""
    if not isinstance(value, str):
        return shown(value)
    plain = value.isprintable() and len(value) < 40 and not value.startswith("-")
    return shlex.quote(value) if plain else "VALUE"


def _plain(value: Any) -> Value | None:
    """Return what ``positive=`` means as a Python value; a date and the like as its text."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return float(value) if isinstance(value, Number) else str(value)  # type: ignore[arg-type]


def _spelled(text: str) -> Value:
    """Return the boolean or number that ``text`` spells, or the text itself."""
    number = _as_number(text)
    return text if number is None else number


def _as_number(value: Value) -> float | int | None:
    """Return the number that a value is or spells, or None; a boolean is 0 or 1."""
    if not isinstance(value, str):
        return value
    if value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    return float(value) if re.match(NUMBER, value.strip()) else None


def _matches(value: Value, positive: Value) -> bool:
    """Whether a label is the one meant: the same, or the same number or boolean in other words."""
    number, target = _as_number(value), _as_number(positive)
    return value == positive or (number is not None and number == target)
