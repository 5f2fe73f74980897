"""``open_table``: one door for files, frames, arrays and records."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from veridical.errors import InputError, UnsupportedTypeError
from veridical.tables._words import check_names, counted, missing_column, shown, told_path
from veridical.tables.arrow_file import ArrowFile, ParquetFile
from veridical.tables.column import Column, concatenate
from veridical.tables.convert import column_from, column_from_arrow
from veridical.tables.csv_file import CsvFile
from veridical.tables.files import find_files, sniff
from veridical.tables.json_file import JsonFile
from veridical.tables.lazy_frame import LazyTable
from veridical.tables.places import Part, Places
from veridical.tables.table import BATCH_ROWS, Table

__all__ = ["BATCH_ROWS", "FileTable", "MemoryTable", "Table", "open_table"]


class MemoryTable(Table):
    """Columns that are in memory already.

    Parameters
    ----------
    kind
        What the user passed: ``"dict"``, ``"pandas"``, ...
    names
        The columns, possibly with repeats.
    fetch
        From the number of a column to its data.
    """

    def __init__(self, kind: str, names: Sequence[Any], fetch: Callable[[int], Any]) -> None:
        self.names = [str(name) for name in names]
        self._kind = kind
        self._fetch = fetch

    def describe(self) -> dict[str, Any]:
        """Return the kind of object that was passed."""
        return {"kind": self._kind}

    def read(self, names: Sequence[str], numbers: Collection[str] = ()) -> dict[str, Column]:
        """Return the named columns; they must have equal lengths."""
        del numbers  # Data in memory has types of its own.
        check_names(names, self.names, self._kind)
        columns = {n: column_from(n, self._fetch(self.names.index(n))) for n in names}
        _check_lengths(columns)
        return columns

    def batches(
        self, names: Sequence[str], numbers: Collection[str] = (), size: int = BATCH_ROWS
    ) -> Iterator[dict[str, Column]]:
        """Yield slices of the named columns."""
        columns = self.read(names, numbers)
        rows = max((len(column) for column in columns.values()), default=0)
        for start in range(0, rows, size):
            yield {n: column.sliced(start, start + size) for n, column in columns.items()}


class _Reader(Protocol):
    """What each kind of file can do."""

    path: str

    @property
    def names(self) -> list[str]: ...

    @property
    def rows(self) -> int | None: ...

    def read(self, names: Sequence[str], numbers: Collection[str]) -> pa.Table: ...

    def batches(
        self, names: Sequence[str], numbers: Collection[str], size: int
    ) -> Iterator[pa.RecordBatch]: ...


_READERS: dict[str, Callable[..., _Reader]] = {
    "csv": CsvFile,
    "jsonl": JsonFile,
    "json": JsonFile,
    "parquet": ParquetFile,
    "arrow": ArrowFile,
}


class FileTable(Table):
    """One file, or several that are read one after the other as one table.

    Parameters
    ----------
    title
        As the user named them.
    paths
        The files, in order.
    """

    def __init__(self, title: str, paths: Sequence[str]) -> None:
        files = [sniff(path) for path in paths]
        readers = [_READERS[file.kind](file) for file in files]
        self._title = title
        self._kind = files[0].kind
        # A part without a single object knows no column, which is no fault of it.
        self._readers = [one for one in readers if not (isinstance(one, JsonFile) and one.is_empty)]
        if not self._readers:
            raise self._no_rows()
        self.names = self._readers[0].names

    def describe(self) -> dict[str, Any]:
        """Return the kind of file, the path as given, and how many files these are."""
        return {"kind": self._kind, "path": self._title, "files": len(self._readers)}

    def size(self) -> tuple[int | None, int]:
        """Return the rows that the files say they hold, and their size on disk."""
        rows = [reader.rows for reader in self._readers]
        known = [n for n in rows if n is not None]
        size = sum(Path(reader.path).stat().st_size for reader in self._readers)
        return sum(known) if len(known) == len(rows) else None, size

    def read(self, names: Sequence[str], numbers: Collection[str] = ()) -> dict[str, Column]:
        """Return the named columns of all files, one after the other."""
        parts: list[Part] = []
        pieces: list[dict[str, Column]] = []
        first = 0
        for reader in self._readers:
            self._check(reader, names)
            table = reader.read(names, numbers)
            read, rows = _by_name(table, names), table.num_rows
            del table
            part = _part(reader, first)
            pieces.append(_columns(read, Places((part,), first)))
            parts.append(part)
            first += rows
        if first == 0:
            raise self._no_rows()
        places = Places(tuple(parts))
        return {name: concatenate([piece[name] for piece in pieces], places) for name in names}

    def batches(
        self, names: Sequence[str], numbers: Collection[str] = (), size: int = BATCH_ROWS
    ) -> Iterator[dict[str, Column]]:
        """Yield the named columns, file by file, in batches."""
        first = 0
        for reader in self._readers:
            self._check(reader, names)
            part = _part(reader, first)
            for batch in reader.batches(names, numbers, size):
                if batch.num_rows:
                    yield _columns(_by_name(batch, names), Places((part,), first))
                first += batch.num_rows
        if first == 0:
            raise self._no_rows()

    def _check(self, reader: _Reader, names: Sequence[str]) -> None:
        for name in names:
            if isinstance(reader, JsonFile) and reader.holds(name):
                continue
            if name not in reader.names and _all_numbers(reader.names):
                error = missing_column(name, reader.names, told_path(reader.path))
                error.fix = "the first line looks like data: add a header line with column names"
                raise error
            check_names([name], reader.names, told_path(reader.path))

    def _no_rows(self) -> InputError:
        return InputError(
            "there are no rows, only a header" if self._kind == "csv" else "there are no rows",
            where=told_path(self._title),
            why="nothing can be measured on no data",
            fix="check what wrote the file",
        )


def _part(reader: _Reader, first: int) -> Part:
    return Part(told_path(reader.path), first, getattr(reader, "lines", None))


def _by_name(
    table: pa.Table | pa.RecordBatch, names: Sequence[str]
) -> dict[str, pa.Array | pa.ChunkedArray]:
    return {name: table.column(name) for name in names}


def _columns(read: dict[str, pa.Array | pa.ChunkedArray], places: Places) -> dict[str, Column]:
    """Return columns, and let go of what was read one by one: together they are twice as large."""
    return {name: column_from_arrow(name, read.pop(name), places) for name in list(read)}


def _all_numbers(names: Sequence[str]) -> bool:
    def is_number(name: str) -> bool:
        try:
            float(name)
        except ValueError:
            return False
        return True

    return bool(names) and all(map(is_number, names))


def _check_lengths(columns: Mapping[str, Column]) -> None:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{shown(name)} has {counted(n, 'row')}" for name, n in lengths.items())
        raise InputError(
            "the columns have different lengths",
            where=told,
            why="a row has one value in each column",
            fix="pass columns of the same rows",
        )


def open_table(source: Any) -> Table:
    """Return anything tabular as a table.

    Parameters
    ----------
    source
        The path of a CSV, TSV, JSON Lines, Parquet or Arrow file (text also compressed with gzip,
        bzip2, zstd or lz4), of a folder of such files, or a pattern with ``*``; a list of paths;
        a data frame of pandas, polars, pyarrow or any library that narwhals knows; a dict of
        columns; a list of dicts; a structured numpy array.

    Raises
    ------
    FileMissingError
        There is no such file.
    FileFormatError
        A file is empty, damaged, or not what its suffix says.
    UnsupportedTypeError
        The object is not a table.

    Examples
    --------
    >>> table = open_table({"y": [1, 0], "p": [0.9, 0.2]})
    >>> table.names, table.read(["p"])["p"].values.tolist()
    (['y', 'p'], [0.9, 0.2])
    """
    if isinstance(source, Table):
        return source
    if isinstance(source, (str, os.PathLike)):
        return FileTable(os.fspath(source), find_files(source))
    if isinstance(source, Mapping):
        return _from_mapping(source)
    if isinstance(source, (list, tuple)) and source:
        return _from_list(source)
    if type(source).__module__.partition(".")[0] == "numpy":
        return _from_structured(source)
    return _from_frame(source)


def _from_mapping(source: Mapping[Any, Any]) -> Table:
    columns = list(source.values())
    return MemoryTable("dict", list(source), lambda number: columns[number])


def _from_list(source: Sequence[Any]) -> Table:
    if all(isinstance(item, (str, os.PathLike)) for item in source):
        paths = [path for item in source for path in find_files(item)]
        title = ", ".join(os.fspath(item) for item in source[:3])
        return FileTable(title + (", ..." if len(source) > 3 else ""), paths)
    for row, record in enumerate(source):
        if not isinstance(record, Mapping):
            raise UnsupportedTypeError(
                f"a list that holds an object of type {type(record).__name__} is not a table",
                where=f"row {row}",
                fix="pass a dict of columns, or a list with one dict for each row",
            )
    names = list(dict.fromkeys(key for record in source for key in record))
    return MemoryTable(
        "records", names, lambda number: [record.get(names[number]) for record in source]
    )


def _from_structured(source: Any) -> Table:
    names = source.dtype.names
    if not names:
        raise UnsupportedTypeError(
            f"an array of shape {source.shape} has no column names",
            fix='pass a dict of columns: {"label": y, "score": s}',
        )
    return MemoryTable("numpy", names, lambda number: source[names[number]])


def _from_frame(source: Any) -> Table:
    library = type(source).__module__.partition(".")[0]
    if library == "pandas" and getattr(source, "ndim", 0) == 2:
        return MemoryTable("pandas", list(source.columns), lambda n: source.iloc[:, n])
    if isinstance(source, pa.RecordBatchReader):
        source = source.read_all()
    if isinstance(source, (pa.Table, pa.RecordBatch)):
        return MemoryTable("pyarrow", source.schema.names, source.column)
    return _through_narwhals(source, library)


def _through_narwhals(source: Any, library: str) -> Table:
    import narwhals as nw

    try:
        frame = nw.from_native(source)
    except TypeError:
        table = _through_arrow(source)
        return MemoryTable(library, table.schema.names, table.column)
    if isinstance(frame, nw.LazyFrame):
        return LazyTable(source)
    names = list(frame.collect_schema().names())
    return MemoryTable(library, names, lambda n: frame.get_column(names[n]).to_native())


def _through_arrow(source: Any) -> pa.Table:
    """Return an object that speaks Arrow's C interface as a table."""
    if hasattr(source, "__arrow_c_stream__"):
        try:
            return pa.table(source)
        except pa.ArrowInvalid:
            pass  # A stream of values, not of rows: a series.
    raise UnsupportedTypeError(
        f"an object of type {type(source).__name__} is not a table",
        fix="pass a path, a data frame, or a dict of columns",
    )
