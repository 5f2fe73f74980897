"""JSON Lines through Arrow; the careful reader takes over where Arrow refuses."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, cast

import pyarrow as pa

from veridical.errors import FileFormatError, InputError, VeridicalError
from veridical.tables._words import shown, told_path
from veridical.tables.arrow_numpy import numpy_of
from veridical.tables.exact_integers import (
    beyond_error,
    is_rounded,
    may_be_rounded,
    rounded_error,
)
from veridical.tables.files import File

__all__ = ["JsonFile"]

_PEEKED = 1000
_BLOCK = 1 << 24
_TYPES = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.large_string()}


class JsonFile:
    """One file of JSON objects, one a line, or one array of objects.

    Parameters
    ----------
    file
        The file, compressed or not; its kind says lines (``"jsonl"``) or array (``"json"``).
    """

    def __init__(self, file: File) -> None:
        self.file = file
        self.path = file.path

    @cached_property
    def names(self) -> list[str]:
        """The keys of the first 1,000 objects, or of all when these have too few."""
        return list(dict.fromkeys(key for _, record in self._peeked for key in record))

    @cached_property
    def _peeked(self) -> list[tuple[int, dict[str, Any]]]:
        return list(islice(self._records(), _PEEKED))

    @property
    def is_empty(self) -> bool:
        """Whether there are no objects."""
        return not self._peeked

    @property
    def rows(self) -> int | None:
        """Rows are not known before they are read."""
        return None

    def holds(self, name: str) -> bool:
        """Whether any object has the key; one that comes late needs the whole file."""
        if name in self.names:
            return True
        if len(self._peeked) < _PEEKED or not any(name in record for _, record in self._records()):
            return False
        self.names.append(name)
        return True

    def read(self, names: Sequence[str], numbers: Collection[str]) -> pa.Table:
        """Return the named columns."""
        if self._fast:
            try:
                with self.file.open() as data:
                    return self._quickly(data, names, numbers)
            except (pa.ArrowException, OSError):
                pass  # The careful reader either reads it or says what is wrong and where.
        return pa.Table.from_batches([self._slowly(self._records(), names, numbers, {})])

    def batches(
        self, names: Sequence[str], numbers: Collection[str], size: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the named columns in batches."""
        if not self._fast:
            yield from self.read(names, numbers).to_batches(max_chunksize=size)
            return
        kinds = {name: kind for name in names if (kind := self._kind(name)) is not None}
        for first_line, block in self._blocks():
            try:
                yield from self._quickly(pa.BufferReader(block), names, numbers).to_batches()
            except pa.ArrowException:
                records = self._parsed(io.BytesIO(block), first_line)
                yield self._slowly(records, names, numbers, kinds)

    @property
    def _fast(self) -> bool:
        return self.file.kind == "jsonl" and self.file.encoding == "utf8"

    def _blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield whole lines, about ``_BLOCK`` bytes at once, and the number of the first."""
        line = 1
        with io.BufferedReader(cast(io.RawIOBase, self.file.open())) as data:
            try:
                while block := data.read(_BLOCK):
                    block += data.readline()
                    if block.strip():
                        yield line, block
                    line += block.count(b"\n")
            except OSError as error:
                raise self._not_readable(error, line - 1) from error

    def _quickly(self, data: Any, names: Sequence[str], numbers: Collection[str]) -> pa.Table:
        from pyarrow import json as arrow_json

        table = arrow_json.read_json(data, parse_options=self._options(names, numbers))
        if any(may_be_rounded(numpy_of(table.column(name))) for name in names if name in numbers):
            raise pa.ArrowInvalid("what the careful reader must look at: integers may be rounded")
        return table

    def lines(self, rows: Sequence[int]) -> list[int]:
        """Return the line number of each of some rows."""
        wanted = set(rows)
        found = {r: line for r, (line, _) in enumerate(self._records()) if r in wanted}
        return [found[row] for row in rows]

    def _options(self, names: Sequence[str], numbers: Collection[str]) -> Any:
        from pyarrow import json as arrow_json

        fields = [(n, pa.float64() if n in numbers else self._type(n)) for n in names]
        return arrow_json.ParseOptions(
            explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore"
        )

    def _type(self, name: str) -> pa.DataType:
        types = {type(r[name]) for _, r in self._peeked if r.get(name) is not None}
        if types == {int, float}:
            return pa.float64()
        kind = next(iter(types), str)
        return _TYPES.get(kind, pa.large_string())

    def _records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each object and its line; line numbers of an array count its objects."""
        with self.file.open() as data:
            yield from self._parsed(data, 1)

    def _parsed(self, data: Any, first_line: int) -> Iterator[tuple[int, dict[str, Any]]]:
        line = first_line - 1
        try:
            text = self.file.decoded(data)
            if self.file.kind == "json":
                yield from enumerate(self._array(text.read()), start=1)
                return
            for line, content in enumerate(text, start=first_line):
                if content.strip():
                    record = json.loads(content, object_pairs_hook=_pairs, parse_float=_number)
                    yield line, self._object(record, line)
        except (UnicodeError, OSError) as error:
            raise self._not_readable(error, line) from error
        except VeridicalError:
            raise
        except (ValueError, RecursionError) as error:
            raise FileFormatError(
                f"this is not JSON: {shown(str(error), 120)}",
                where=f"{told_path(self.path)}:{line}" if line else told_path(self.path),
                fix="write one complete JSON object a line",
            ) from error

    def _not_readable(self, error: Exception, line: int) -> FileFormatError:
        encoding = isinstance(error, UnicodeError)
        return FileFormatError(
            "the text is not UTF-8" if encoding else "the file is damaged",
            where=f"{told_path(self.path)}, after line {line}",
            fix="save the file with the encoding UTF-8, or write it again",
        )

    def _array(self, text: str) -> list[dict[str, Any]]:
        records = json.loads(text, object_pairs_hook=_pairs, parse_float=_number)
        if not isinstance(records, list):
            records = [records]
        return [self._object(record, at) for at, record in enumerate(records, start=1)]

    def _object(self, record: Any, line: int) -> dict[str, Any]:
        if not isinstance(record, dict):
            raise FileFormatError(
                f"a JSON object is needed, not {type(record).__name__}",
                where=f"{told_path(self.path)}:{line}",
                why="each row is one JSON object, with the column names as keys",
                fix='write {"label": 1, "score": 0.5}, for example',
            )
        return record

    def _slowly(
        self,
        records: Iterator[tuple[int, dict[str, Any]]],
        names: Sequence[str],
        numbers: Collection[str],
        kinds: dict[str, tuple[str, int]],
    ) -> pa.RecordBatch:
        values: dict[str, list[Any]] = {name: [] for name in names}
        for line, record in records:
            for name in names:
                value = record.get(name)
                if value is not None:
                    self._check_type(name, value, line, kinds)
                if name in numbers and type(value) is int:
                    value = self._as_float(name, value, line)
                if name in numbers and isinstance(value, _Beyond):
                    where = f"column {shown(name)}, {told_path(self.path)}:{line}"
                    raise beyond_error(1, [value.spelt], where)
                values[name].append(value)
        arrays = [_array_of(name, values[name], as_number=name in numbers) for name in names]
        return pa.record_batch(arrays, names=list(names))

    def _as_float(self, name: str, integer: int, line: int) -> float:
        if is_rounded(integer):
            where = f"column {shown(name)}, {told_path(self.path)}:{line}"
            raise rounded_error(1, [integer], where)
        return float(integer)

    def _kind(self, name: str) -> tuple[str, int] | None:
        """Return the kind of the first value of a column, and its line."""
        found = ((line, record.get(name)) for line, record in self._peeked)
        return next(((_kind_of(v), line) for line, v in found if v is not None), None)

    def _check_type(
        self, name: str, value: Any, line: int, kinds: dict[str, tuple[str, int]]
    ) -> None:
        kind = _kind_of(value)
        first, at = kinds.setdefault(name, (kind, line))
        if first != kind or isinstance(value, (list, dict)):
            nested = isinstance(value, (list, dict))
            raise InputError(
                f"the column {shown(name)} holds a {kind}, not one value a row"
                if nested
                else f"the column {shown(name)} has mixed types: {first} on line {at}, {kind} here",
                where=f"{told_path(self.path)}:{line}",
                why="one column has one type",
                fix="write the column with one type",
            )


def _kind_of(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "number" if number else type(value).__name__


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return record


def _array_of(name: str, values: list[Any], *, as_number: bool) -> pa.Array:
    try:
        if as_number and not any(isinstance(v, str) for v in values):
            return pa.array(values, type=pa.float64(), from_pandas=True)
        return pa.array(values, from_pandas=True)
    except (pa.ArrowException, OverflowError, ValueError, TypeError) as error:
        raise InputError(
            f"the column {shown(name)} cannot be read: {shown(str(error), 120)}",
            fix="write the column with one type",
        ) from error


class _Beyond(float):
    """An infinity that was spelt as a number."""

    spelt: str


def _number(text: str) -> float:
    number = float(text)
    if not math.isinf(number):
        return number
    beyond = _Beyond(number)
    beyond.spelt = text
    return beyond
