"""CSV and TSV through Arrow; the careful reader explains what Arrow refuses."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from veridical.errors import FileFormatError, InputError
from veridical.tables._words import MISSING_WORDS, NUMBER, listed, shown, told_path
from veridical.tables.arrow_numpy import numpy_of
from veridical.tables.exact_integers import may_be_rounded, unfaithful
from veridical.tables.files import File

__all__ = ["CsvFile"]

_DELIMITERS = ",;\t|"
_NUMBER = re.compile(NUMBER)
_BLOCKS = (1 << 20, 1 << 26, 1 << 30)
"""Bytes that are read at once; a row must fit in, and few are longer than the first."""


class CsvFile:
    """One CSV file with a header line.

    Types are never guessed from the first rows: a column is read as numbers when the caller says
    so, and as text otherwise, so that the group ``007`` stays ``007``.

    Parameters
    ----------
    file
        The file, compressed or not.
    """

    def __init__(self, file: File) -> None:
        self.file = file
        self.path = file.path
        self._exact: set[str] = set()  # columns whose large numbers are known to be unrounded

    @cached_property
    def names(self) -> list[str]:
        """The header."""
        return self._header[1]

    @cached_property
    def _header(self) -> tuple[str, list[str]]:
        with self.file.open_text() as text:
            try:
                first = text.readline()
                while first and not first.strip("\r\n"):
                    first = text.readline()
                delimiter = _delimiter(first, self.path)
                text.seek(0) if text.seekable() else None
            except (UnicodeError, OSError, csv.Error) as error:
                raise self._unreadable(error) from error
        with self.file.open_text() as text:
            for record in csv.reader(text, delimiter=delimiter):
                if record:
                    return delimiter, record
        raise FileFormatError(
            "the file has no header line", where=told_path(self.path), fix="write it again"
        )

    @property
    def rows(self) -> int | None:
        """Rows are not known before they are read."""
        return None

    def read(self, names: Sequence[str], numbers: Collection[str]) -> pa.Table:
        """Return the named columns."""
        from pyarrow import csv as arrow_csv

        if not self._has_rows:
            return pa.table({name: pa.array([], pa.large_string()) for name in names})
        for block in _BLOCKS:
            try:
                with self.file.open() as data:
                    table = arrow_csv.read_csv(data, **self._options(names, numbers, block))
            except (pa.ArrowException, OSError, UnicodeError) as error:
                if block == _BLOCKS[-1] or not _is_too_long(error):
                    raise self._explained(error, names, numbers) from error
            else:
                self._refuse_rounded(table, numbers)
                break
        return table

    def batches(
        self, names: Sequence[str], numbers: Collection[str], size: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the named columns in batches of about ``size`` rows."""
        from pyarrow import csv as arrow_csv

        if not self._has_rows:
            return
        # About 16 bytes a number and as much a text; a batch need not be exact.
        usual = max(1 << 16, size * 16 * len(self.names))
        done = 0
        for block in (usual, *_BLOCKS[1:]):
            try:
                with self.file.open() as data:
                    options = self._options(names, numbers, block)
                    for batch in _from_row(done, arrow_csv.open_csv(data, **options)):
                        self._refuse_rounded(batch, numbers)
                        done += batch.num_rows
                        yield batch
            except (pa.ArrowException, OSError, UnicodeError) as error:
                if block == _BLOCKS[-1] or not _is_too_long(error):
                    raise self._explained(error, names, numbers) from error
            else:
                return

    def _refuse_rounded(self, read: pa.Table | pa.RecordBatch, numbers: Collection[str]) -> None:
        """Raise if float64 rounds an integer that was read, or makes a number infinite."""
        for name in sorted(numbers):
            unknown = name in read.schema.names and name not in self._exact
            if unknown and may_be_rounded(numpy_of(read.column(name))):
                self._refuse_rounded_column(name)
                self._exact.add(name)

    def _refuse_rounded_column(self, name: str) -> None:
        from pyarrow import csv as arrow_csv

        options = self._options([name], (), _BLOCKS[-1])
        options["convert_options"].column_types = {name: pa.large_string()}
        with self.file.open() as data:
            texts = arrow_csv.read_csv(data, **options).column(0).combine_chunks()
        if found := unfaithful(texts):
            rows, error = found
            first = rows[:3].tolist()
            lines = ", ".join(f"{told_path(self.path)}:{line}" for line in self.lines(first))
            values = [texts[row].as_py() for row in first]
            raise error(len(rows), values, f"column {shown(name)}, {lines}")

    @cached_property
    def _has_rows(self) -> bool:
        try:
            return next(self._records(), None) is not None
        except (UnicodeError, OSError, csv.Error):
            return True  # Reading says what is wrong.

    def lines(self, rows: Sequence[int]) -> list[int]:
        """Return the line number on which each of some rows begins."""
        wanted, found = set(rows), {}
        for row, (line, _) in enumerate(self._records()):
            if row in wanted:
                found[row] = line
                if len(found) == len(wanted):
                    break
        return [found[row] for row in rows]

    def _options(
        self, names: Sequence[str], numbers: Collection[str], block: int
    ) -> dict[str, Any]:
        from pyarrow import csv as arrow_csv

        text = pa.dictionary(pa.int32(), pa.large_string())
        return {
            "read_options": arrow_csv.ReadOptions(encoding=self.file.encoding, block_size=block),
            "parse_options": arrow_csv.ParseOptions(
                delimiter=self._header[0],
                newlines_in_values=True,
                ignore_empty_lines=len(self.names) > 1,
            ),
            "convert_options": arrow_csv.ConvertOptions(
                column_types={n: pa.float64() if n in numbers else text for n in names},
                include_columns=list(names),
                null_values=sorted(MISSING_WORDS),
                strings_can_be_null=False,
            ),
        }

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield each row's line number and values, slowly and carefully."""
        # What Arrow reads, the careful reader must too; the limit is one of the whole process.
        csv.field_size_limit(max(csv.field_size_limit(), _BLOCKS[-1]))
        with self.file.open_text() as text:
            reader = csv.reader(text, delimiter=self._header[0], strict=True)
            header_seen, line = False, 1
            for record in reader:
                if header_seen and (record or len(self.names) == 1):
                    yield line, record
                header_seen = header_seen or bool(record)
                line = reader.line_num + 1

    def _explained(
        self, error: Exception, names: Sequence[str], numbers: Collection[str]
    ) -> InputError:
        """Return what is wrong with the file, and on which line."""
        width, line = len(self.names), 1
        checked = [(name, self.names.index(name)) for name in names if name in numbers]
        try:
            for line, record in self._records():
                if len(record) != width and width > 1:
                    return _ragged(self.path, line, width, len(record))
                for name, place in checked:
                    value = record[place].strip()
                    if value not in MISSING_WORDS and not _NUMBER.match(value):
                        return _not_a_number(self.path, line, name, value)
        except UnicodeError:
            return self._unreadable(UnicodeError(), line)
        except (csv.Error, OSError) as problem:
            return self._unreadable(problem, line)
        return self._unreadable(error)

    def _unreadable(self, error: Exception, line: int | None = None) -> FileFormatError:
        where = (
            told_path(self.path) if line is None else f"{told_path(self.path)}, after line {line}"
        )
        if isinstance(error, UnicodeError):
            return FileFormatError(
                "the text is not UTF-8", where=where, fix="save the file with the encoding UTF-8"
            )
        return FileFormatError(
            "a quote is opened and never closed"
            if "unexpected end" in str(error)
            else "the file is damaged or is not CSV",
            where=where,
            why=shown(str(error), 200),
            fix="write it again",
        )


def _is_too_long(error: Exception) -> bool:
    """Whether a row did not fit into a block."""
    return "straddling" in str(error)


def _from_row(row: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Leave out the first rows, which were read before with smaller blocks."""
    for batch in batches:
        if batch.num_rows > row:
            yield batch.slice(row)
        row = max(0, row - batch.num_rows)


def _delimiter(first_line: str, path: str) -> str:
    if path.lower().split(".gz")[0].endswith((".tsv", ".tab")):
        return "\t"
    outside = re.sub(r'"[^"]*"', "", first_line)
    return max(_DELIMITERS, key=outside.count)


def _ragged(path: str, line: int, width: int, found: int) -> FileFormatError:
    return FileFormatError(
        f"the row has {found} values, the header names {width}",
        where=f"{told_path(path)}:{line}",
        why="it is not clear which value belongs to which column",
        fix="quote values that contain the delimiter, or write the file again",
    )


def _not_a_number(path: str, line: int, name: str, value: str) -> InputError:
    comma = "," in value
    return InputError(
        f"{listed([value])} in column {shown(name)} is not a number",
        where=f"{told_path(path)}:{line}",
        why="numbers have a decimal point, not a comma"
        if comma
        else "this column is computed with",
        fix="correct the value, or choose another column",
    )
