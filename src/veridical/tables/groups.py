"""Groups and clusters: a column of any type as codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from veridical.errors import InputError
from veridical.summaries.grouped import MISSING_GROUP
from veridical.tables._words import counted
from veridical.tables.arrow_numpy import array_of_numbers, array_of_texts, numpy_of
from veridical.tables.column import Column

__all__ = ["Groups", "read_clusters", "read_groups"]

_QUOTED_MISSING = rf"^'*{re.escape(MISSING_GROUP)}'*$"


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which group each row is in.

    Attributes
    ----------
    codes
        int32, shape (n,), each in ``range(len(names))``.
    names
        The groups that occur, numbers in numeric order and texts in alphabetical order;
        ``"(missing)"``, the group of rows that name none, is the last.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> groups = read_groups(column_from("state", ["CT", None, "AK", "(missing)"]))
    >>> groups.names, groups.codes.tolist()
    (["'(missing)'", 'AK', 'CT', '(missing)'], [2, 3, 1, 0])
    """

    codes: npt.NDArray[np.int32]
    names: list[str]

    def __len__(self) -> int:
        return len(self.codes)

    def kept(self, rows: npt.NDArray[np.bool_]) -> Groups:
        """Return the groups of some rows; groups that no longer occur are left out."""
        codes = self.codes[rows]
        occurs = np.zeros(len(self.names), dtype=np.bool_)
        occurs[codes] = True
        renumbered = (np.cumsum(occurs) - 1).astype(np.int32)
        return Groups(renumbered[codes], [n for n, o in zip(self.names, occurs, strict=True) if o])

    def members(self) -> Iterator[tuple[str, npt.NDArray[np.intp]]]:
        """Yield each group that occurs with its rows, in the order of the names."""
        order = np.argsort(self.codes, kind="stable")
        cuts = np.searchsorted(self.codes[order], np.arange(len(self.names) + 1))
        for name, start, stop in zip(self.names, cuts[:-1], cuts[1:], strict=True):
            if stop > start:
                yield name, order[start:stop]


def read_groups(column: Column) -> Groups:
    """Return the group of each row.

    A number is named by its shortest form (2.0 is ``"2"``, as a file without missing values
    would have it), a boolean ``"True"`` or ``"False"``.  A null, a NaN and an empty text are the
    group ``"(missing)"``.  A value that really reads ``(missing)`` gets quotes around it, and one
    that already has them gets one more pair, so that no two values share a name.

    Parameters
    ----------
    column
        Any column, n rows.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> read_groups(column_from("age", [10, 9, 10])).names
    ['9', '10']
    """
    codes, names = _text_codes(column) if column.kind == "text" else _number_codes(column)
    if (codes < 0).any():
        codes = np.where(codes < 0, np.int32(len(names)), codes)
        names = [*names, MISSING_GROUP]
    return Groups(codes, names)


def read_clusters(column: Column) -> npt.NDArray[np.int64]:
    """Return the cluster of each row as a code from 0, in order of the names.

    Raises
    ------
    InputError
        A cluster is missing: rows that name none are not known to belong together.

    Examples
    --------
    >>> from veridical.tables import column_from
    >>> read_clusters(column_from("customer", ["b", "a", "b"])).tolist()
    [1, 0, 1]
    """
    groups = read_groups(column)
    if groups.names and groups.names[-1] == MISSING_GROUP:
        missing = groups.codes == len(groups.names) - 1
        raise InputError(
            f"{counted(int(missing.sum()), 'cluster')} missing",
            where=column.where(missing),
            why="rows without a cluster are not known to belong together",
            fix="give each such row an identifier of its own",
        )
    return groups.codes.astype(np.int64)


def _text_codes(column: Column) -> tuple[npt.NDArray[np.int32], list[str]]:
    codes, texts = column.coded()
    distinct = array_of_texts(texts)
    order = numpy_of(pc.sort_indices(distinct))
    used = np.zeros(len(texts) + 1, dtype=np.bool_)
    used[codes] = True
    used[:-1] &= numpy_of(pc.binary_length(distinct)) > 0
    order = order[used[order]]
    table = np.full(len(texts) + 1, -1, dtype=np.int32)
    table[order] = np.arange(len(order), dtype=np.int32)
    quoted = numpy_of(pc.match_substring_regex(distinct, _QUOTED_MISSING))
    for code in np.flatnonzero(quoted):
        texts[code] = f"'{texts[code]}'"
    return table[codes], [texts[code] for code in order.tolist()]


def _number_codes(column: Column) -> tuple[npt.NDArray[np.int32], list[str]]:
    values, absent = column.array, column.absent()
    if values.dtype.kind == "f":
        values = values + values.dtype.type(0)  # -0.0 + 0.0 is 0.0: the two are one group
    encoded = array_of_numbers(values, absent).dictionary_encode()
    codes = numpy_of(encoded.indices, null=-1)
    distinct = numpy_of(encoded.dictionary)
    order = np.argsort(distinct, kind="stable")
    table = np.full(len(distinct) + 1, -1, dtype=np.int32)
    table[order] = np.arange(len(order), dtype=np.int32)
    in_order = distinct[order]
    if in_order.dtype == np.float32:  # its own shortest form: 0.1, not 0.10000000149011612
        in_order = in_order.astype(str).astype(np.float64)
    return table[codes], [_number_name(value) for value in in_order.tolist()]


def _number_name(value: Any) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return str(int(value)) if whole else str(value)
