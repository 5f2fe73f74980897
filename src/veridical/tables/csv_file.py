"""CSV and TSV through Arrow; the careful reader explains what Arrow refuses."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from veridical.errors import FileFormatError, InputError
from veridical.tables._words import MISSING_WORDS, NUMBER, listed, shown, told_path
from veridical.tables.files import File

__all__ = ["CsvFile"]

_DELIMITERS = ",;\t|"
_NUMBER = re.compile(NUMBER)


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
        try:
            with self.file.open() as data:
                return arrow_csv.read_csv(data, **self._options(names, numbers, None))
        except (pa.ArrowException, OSError, UnicodeError) as error:
            raise self._explained(error, names, numbers) from error

    def batches(
        self, names: Sequence[str], numbers: Collection[str], size: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the named columns in batches of about ``size`` rows."""
        from pyarrow import csv as arrow_csv

        if not self._has_rows:
            return
        try:
            with self.file.open() as data:
                yield from arrow_csv.open_csv(data, **self._options(names, numbers, size))
        except (pa.ArrowException, OSError, UnicodeError) as error:
            raise self._explained(error, names, numbers) from error

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
        self, names: Sequence[str], numbers: Collection[str], size: int | None
    ) -> dict[str, Any]:
        from pyarrow import csv as arrow_csv

        text = pa.dictionary(pa.int32(), pa.large_string())
        # About 16 bytes a number and as much a text; a batch need not be exact.
        block = {} if size is None else {"block_size": max(1 << 16, size * 16 * len(self.names))}
        return {
            "read_options": arrow_csv.ReadOptions(encoding=self.file.encoding, **block),
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
