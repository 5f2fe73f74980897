"""``Column``: one validated column of a table, as numpy numbers or as Arrow text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from veridical.errors import InputError
from veridical.tables._words import shown
from veridical.tables.arrow_numpy import numpy_of
from veridical.tables.places import IN_MEMORY, Places

__all__ = ["Column", "concatenate"]

Kind = Literal["number", "bool", "text", "empty"]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column: numbers and booleans as numpy, text as Arrow.

    Attributes
    ----------
    name
        The column's name, as given: hostile text like everything from outside.
    values
        Shape (n,).  An integer, float32, float64 or bool array; or, for text, an Arrow string
        array or a dictionary of strings.  Where ``null`` holds, a number has no meaning.
    null
        Of numbers: bool, shape (n,), or None when no row is null.  Not NaN; see ``absent``.
    places
        How row numbers are told.
    notes
        What happened on the way in that changed a value (a decimal that was rounded).

    Examples
    --------
    >>> column = Column("p", np.array([0.5, np.nan]))
    >>> column.kind, len(column), column.absent().tolist()
    ('number', 2, [False, True])
    """

    name: str
    values: npt.NDArray[Any] | pa.Array
    null: Mask | None = None
    places: Places = IN_MEMORY
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def kind(self) -> Kind:
        """``"number"``, ``"bool"``, ``"text"``, or ``"empty"`` when every row is null."""
        if not isinstance(self.values, np.ndarray):
            return "text"
        if self.null is not None and self.null.all():
            return "empty"
        return "bool" if self.values.dtype == np.bool_ else "number"

    @property
    def array(self) -> npt.NDArray[Any]:
        """The numbers or booleans; only for a column that is not text."""
        if not isinstance(self.values, np.ndarray):
            raise TypeError(f"column {shown(self.name)} is text")
        return self.values

    @property
    def text(self) -> pa.Array:
        """The text, as an Arrow array; only for a column that is text."""
        if isinstance(self.values, np.ndarray):
            raise TypeError(f"column {shown(self.name)} is not text")
        return self.values

    def absent(self) -> Mask | None:
        """Return the rows that are null or NaN, shape (n,), or None when there are none."""
        if not isinstance(self.values, np.ndarray):
            return _nulls(self.values)
        if self.values.dtype.kind != "f":
            return self.null
        # The minimum is NaN exactly when a value is; one pass without a temporary mask.
        if self.values.size == 0 or not np.isnan(self.values.min()):
            return self.null
        nan: Mask = np.isnan(self.values)
        return nan if self.null is None else nan | self.null

    def coded(self) -> tuple[npt.NDArray[np.int32], list[str]]:
        """Return text as codes, shape (n,), and distinct texts; a null has the code -1."""
        values = self.text
        given = pa.types.is_dictionary(values.type)
        encoded = values if given else values.dictionary_encode()
        codes = numpy_of(encoded.indices.cast(pa.int32()), null=-1)
        texts: list[Any] = encoded.dictionary.to_pylist()
        # Only a dictionary from outside can name a text twice, or hold a null.
        return _without_repeats(codes, texts) if given else (codes, texts)

    def where(self, rows: Mask | Sequence[int] | npt.NDArray[np.intp]) -> str:
        """Return ``column 'p', rows 1, 5, 9`` for an error."""
        first = np.asarray(rows)
        told = (
            self.places.first_of(first)
            if first.dtype == np.bool_
            else self.places.describe(first[:3])
        )
        return f"column {shown(self.name)}, {told}"

    def sliced(self, start: int, stop: int) -> Column:
        """Return the rows from ``start`` up to ``stop``."""
        return replace(
            self,
            values=self.values[start:stop],
            null=None if self.null is None else self.null[start:stop],
            places=self.places.shifted(start),
        )

    def at(self, places: Places) -> Column:
        """Return the column with other places."""
        return replace(self, places=places)


def _nulls(text: pa.Array) -> Mask | None:
    null = numpy_of(text.is_null()) if text.null_count else None
    if pa.types.is_dictionary(text.type) and text.dictionary.null_count:  # one from outside
        of_text = numpy_of(text.dictionary.is_null())[numpy_of(text.indices)]
        null = of_text if null is None else null | of_text
    return null


def _without_repeats(
    codes: npt.NDArray[np.int32], texts: list[Any]
) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Give equal texts one code, and a null in the dictionary the code -1."""
    distinct: dict[str, int] = {}
    table = [-1 if t is None else distinct.setdefault(str(t), len(distinct)) for t in texts]
    if len(distinct) == len(texts):
        return codes, texts
    # The last entry answers to the code -1.
    return np.array([*table, -1], dtype=np.int32)[codes], list(distinct)


def concatenate(columns: Sequence[Column], places: Places) -> Column:
    """Return the rows of all columns, one after the other; all are of one kind.

    Raises
    ------
    InputError
        The kinds differ: the column is text in one file and numbers in another.
    """
    if len(columns) == 1:
        return columns[0].at(places)
    filled = [column for column in columns if column.kind != "empty" and len(column)]
    for column in filled:
        if column.kind != filled[0].kind:
            raise _mixed(columns, filled[0], column, places)
    like = filled[0] if filled else columns[0]
    name, notes = columns[0].name, tuple(dict.fromkeys(n for c in columns for n in c.notes))
    if like.kind == "text":
        chunks = [_as_text(column) for column in columns]
        return Column(name, pa.concat_arrays(chunks), None, places, notes)
    arrays = [c.array if c in filled else np.zeros(len(c), like.array.dtype) for c in columns]
    null = None
    if any(column.null is not None for column in columns):
        null = np.concatenate([_null_mask(column) for column in columns])
    return Column(name, np.concatenate(arrays), null, places, notes)


def _null_mask(column: Column) -> Mask:
    return np.zeros(len(column), dtype=np.bool_) if column.null is None else column.null


def _as_text(column: Column) -> pa.Array:
    values = column.values
    if isinstance(values, np.ndarray):
        return pa.nulls(len(values), pa.large_string())
    return values.cast(pa.large_string())


def _mixed(columns: Sequence[Column], one: Column, other: Column, places: Places) -> InputError:
    names = [part.path for part in places.parts]

    def told(column: Column) -> str:
        return f"{column.kind} in {names[columns.index(column)]}"

    return InputError(
        f"the column {shown(one.name)} has mixed types",
        where=f"{told(one)}, {told(other)}",
        why="one column has one type in all files",
        fix="write the files with the same type",
    )
