"""``Places``: how row numbers are told to the reader, as rows or as lines of a file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["IN_MEMORY", "Part", "Places"]

_SHOWN_ROWS = 3


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a table.

    Attributes
    ----------
    path
        As the user wrote it.
    first
        The table's row number of the file's first row.
    lines
        From row numbers in the file to line numbers, where the file has lines.
    """

    path: str
    first: int
    lines: Callable[[Sequence[int]], Sequence[int]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the rows of a column come from.

    Rows are numbered from 0; lines of a text file from 1, the header counted.

    Attributes
    ----------
    parts
        The files, in order; empty for data in memory.
    offset
        The table's row number of the column's first row (a batch starts later than 0).
    kept
        Where rows were left out: the number, before that, of each row that was kept.

    Examples
    --------
    >>> Places().describe([1, 5, 9, 12])
    'rows 1, 5, 9'
    >>> Places((Part("a.csv", 0, lambda rows: [r + 2 for r in rows]),)).describe([1])
    'a.csv:3'
    """

    parts: tuple[Part, ...] = ()
    offset: int = 0
    kept: npt.NDArray[np.intp] | None = None

    @property
    def title(self) -> str:
        """The files, three at most; empty for data in memory."""
        paths = [part.path for part in self.parts]
        return ", ".join(paths[:3]) + (", ..." if len(paths) > 3 else "")

    def describe(self, rows: Sequence[int] | npt.NDArray[np.intp]) -> str:
        """Return the first three of ``rows`` as text."""
        before = [row if self.kept is None else self.kept[row] for row in rows[:_SHOWN_ROWS]]
        first = [int(row) + self.offset for row in before]
        if not self.parts:
            return _rows(first)
        starts = [part.first for part in self.parts]
        inside: dict[int, list[int]] = {}
        for row in first:
            which = bisect_right(starts, row) - 1
            inside.setdefault(which, []).append(row - starts[which])
        return ", ".join(_in_part(self.parts[which], found) for which, found in inside.items())

    def first_of(self, mask: npt.NDArray[np.bool_]) -> str:
        """Return the first three rows where ``mask`` holds, as text."""
        return self.describe(np.flatnonzero(mask)[:_SHOWN_ROWS])

    def shifted(self, rows: int) -> Places:
        """Return the places of the rows from ``rows`` on."""
        return Places(self.parts, self.offset + rows)

    def only(self, rows: npt.NDArray[np.bool_]) -> Places:
        """Return the places of some of the rows."""
        return Places(self.parts, self.offset, np.flatnonzero(rows))


def _rows(rows: Sequence[int]) -> str:
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))}"


def _in_part(part: Part, rows: list[int]) -> str:
    if part.lines is None:
        return f"{part.path} {_rows(rows)}"
    return ", ".join(f"{part.path}:{line}" for line in part.lines(rows))


IN_MEMORY = Places()  # of every column that no file holds: rows, from 0
