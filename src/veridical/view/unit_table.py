"""Units of a run as a table that is filtered, sorted and cut into pages in memory.

A run keeps its units in one block, which is read in a tenth of a second and then held: whoever
looks at a second page need not wait again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from veridical.errors import ParameterError
from veridical.report.titles import title
from veridical.store import UnitColumn, Units

__all__ = ["UnitTable"]

_MOST_WORDS: Final = 40
Rows = npt.NDArray[np.intp]


class UnitTable:
    """Units with what a page asks of them.

    Parameters
    ----------
    units
        The units.
    """

    def __init__(self, units: Units) -> None:
        self.units = units
        self.columns: list[UnitColumn] = list(units.columns)
        self._arrays: list[Any] = [units.columns[column] for column in self.columns]
        self.words = {
            at: words for at in range(len(self.columns)) if (words := self._words(at)) is not None
        }
        self.subjects = list(dict.fromkeys(c.subject for c in self.columns if c.subject))
        self._orders: dict[str, Rows] = {}

    def __len__(self) -> int:
        return len(self.units)

    def _words(self, at: int) -> list[str] | None:
        """Return the values of a column that has only a few, or None."""
        values = self._arrays[at]
        if values.dtype == np.bool_:
            return ["yes", "no"]
        if values.dtype != object:
            return None
        found = sorted({str(value) for value in np.ma.getdata(values)})
        return found if len(found) <= _MOST_WORDS else None

    def label(self, at: int) -> str:
        """Return what a column is called."""
        column = self.columns[at]
        if column.role == "value":
            return title(column.name)
        if column.role == "state":
            return f"{title(column.name)}: state"
        if column.name == column.subject or column.role in {"group", "weight", "cluster"}:
            return column.role if column.role == "score" else column.name
        return f"{column.name} is positive" if column.role == "label" else column.name

    def numeric(self) -> list[int]:
        """Return the columns that hold numbers."""
        return [at for at, a in enumerate(self._arrays) if a.dtype.kind in "if"]

    def order(self, sort: str, *, down: bool) -> Rows:
        """Return all rows in order of the id, of a column, or as they were measured.

        Parameters
        ----------
        sort
            ``id``, ``place``, or the number of a column.
        down
            Largest first; what has no value comes last either way.
        """
        if sort == "place":
            rows = np.arange(len(self), dtype=np.intp)
            return rows[::-1] if down else rows
        up = self._orders.get(sort)
        if up is None:
            up = self._orders[sort] = self._sorted(sort)
        if not down:
            return up
        known = len(self) - int(self._absent(sort).sum())
        return np.concatenate([up[:known][::-1], up[known:]])

    def _absent(self, sort: str) -> npt.NDArray[np.bool_]:
        if sort == "id":
            return np.zeros(len(self), dtype=np.bool_)
        return np.ma.getmaskarray(self._arrays[int(sort)])

    def _sorted(self, sort: str) -> Rows:
        key = self.units.ids if sort == "id" else np.ma.getdata(self._arrays[int(sort)])
        if isinstance(key, np.ndarray) and key.dtype != object:
            rows = np.argsort(key, kind="stable")
        else:
            rows = np.array(sorted(range(len(self)), key=key.__getitem__), dtype=np.intp)
        gone = self._absent(sort)[rows]
        return np.concatenate([rows[~gone], rows[gone]])

    def matching(self, asked: Mapping[str, str]) -> npt.NDArray[np.bool_]:
        """Return which units an address asks for.

        Parameters
        ----------
        asked
            ``text`` in the id; ``w3`` for a word in column 3; ``by`` a column of numbers, from
            ``min`` to ``max``.
        """
        kept = np.ones(len(self), dtype=np.bool_)
        text = asked.get("text", "").casefold()
        if text:
            found = (text in unit.casefold() for unit in self.units.ids)
            kept &= np.fromiter(found, np.bool_, len(self))
        for at in self.words:
            word = asked.get(f"w{at}")
            if word is not None:
                kept &= self._equal(at, word)
        if "by" in asked:
            kept &= self._between(asked)
        return kept

    def _equal(self, at: int, word: str) -> npt.NDArray[np.bool_]:
        values, absent = np.ma.getdata(self._arrays[at]), np.ma.getmaskarray(self._arrays[at])
        if values.dtype == np.bool_:
            same = (values & (word == "yes")) | (~values & (word == "no"))
        else:
            same = values == word
        return np.asarray(same, dtype=np.bool_) & ~absent

    def _between(self, asked: Mapping[str, str]) -> npt.NDArray[np.bool_]:
        by = asked["by"]
        if by not in {str(at) for at in self.numeric()}:
            raise ParameterError(
                f"{by[:40]!r} is no column of numbers", where="the address", fix="choose one"
            )
        values = self._arrays[int(by)]
        kept = ~np.ma.getmaskarray(values)
        for name, compare in _ENDS.items():
            if name in asked:
                kept &= compare(np.ma.getdata(values), _number(name, asked[name]))
        return kept

    def cells(self, row: int, shown: Sequence[int]) -> list[str | None]:
        """Return the values of a unit as text; None where there is none."""
        return [_cell(self._arrays[at], row) for at in shown]


_ENDS: Mapping[str, Callable[[Any, float], Any]] = {"min": np.greater_equal, "max": np.less_equal}


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if np.isnan(number):
        raise ParameterError(
            f"{name} is a number, not {text[:40]!r}", where="the address", fix="correct it"
        )
    return number


def _cell(values: Any, row: int) -> str | None:
    if np.ma.getmaskarray(values)[row]:
        return None
    value = values[row]
    if isinstance(value, (np.bool_, bool)):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)
