"""Parquet and Arrow files: only the needed columns, without copies where that can be."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import pyarrow as pa

from veridical.errors import FileFormatError
from veridical.tables._words import shown, told_path
from veridical.tables.files import File, open_bytes

__all__ = ["ArrowFile", "ParquetFile"]

BUFFER_BYTES = 1 << 20


@contextmanager
def _explained(path: str, kind: str) -> Iterator[None]:
    """Turn what Arrow says of a damaged file into our error."""
    try:
        yield
    except (pa.ArrowException, OSError, EOFError) as error:
        raise FileFormatError(
            f"the file is cut short or damaged, and cannot be read as {kind}",
            where=told_path(path),
            why=shown(str(error), 200),
            fix="write or copy it again",
        ) from error


class ParquetFile:
    """One Parquet file.

    Parameters
    ----------
    file
        The file.
    """

    def __init__(self, file: File) -> None:
        self.file = file
        self.path = file.path

    @cached_property
    def _open(self) -> Any:
        return self._opened(memory_map=True)

    def _opened(self, *, memory_map: bool = False, **how: Any) -> Any:
        from pyarrow import parquet

        open_bytes(self.path).close()
        with _explained(self.path, "Parquet"):
            name = os.fsencode(self.path)  # which need not be UTF-8
            source = pa.memory_map(name) if memory_map else pa.OSFile(name, "rb")
            return parquet.ParquetFile(source, **how)

    @cached_property
    def names(self) -> list[str]:
        """The columns."""
        return list(self._open.schema_arrow.names)

    @property
    def rows(self) -> int:
        """Rows, as the file's footer counts them."""
        return int(self._open.metadata.num_rows)

    def read(self, names: Sequence[str], numbers: Collection[str]) -> pa.Table:
        """Return the named columns."""
        del numbers  # The file has types of its own.
        with _explained(self.path, "Parquet"):
            return self._open.read(columns=list(names), use_pandas_metadata=False)

    def batches(
        self, names: Sequence[str], numbers: Collection[str], size: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the named columns in batches of ``size`` rows."""
        del numbers
        # Of a mapped file every page that was read would count as memory, to the last.
        buffered = self._opened(buffer_size=BUFFER_BYTES, pre_buffer=False)
        with _explained(self.path, "Parquet"):
            yield from buffered.iter_batches(batch_size=size, columns=list(names))


class ArrowFile:
    """One Arrow file, in the file format (Feather too) or the stream format.

    Parameters
    ----------
    file
        The file.
    """

    def __init__(self, file: File) -> None:
        self.file = file
        self.path = file.path

    @cached_property
    def names(self) -> list[str]:
        """The columns."""
        with _explained(self.path, "Arrow"):
            return list(self._reader(None).schema.names)

    @property
    def rows(self) -> int | None:
        """Rows are not known before they are read."""
        return None

    def read(self, names: Sequence[str], numbers: Collection[str]) -> pa.Table:
        """Return the named columns."""
        return pa.Table.from_batches(self.batches(names, numbers, 0), self._schema(names))

    def batches(
        self, names: Sequence[str], numbers: Collection[str], size: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the named columns in the batches that the file has, cut at ``size`` rows."""
        del numbers
        with _explained(self.path, "Arrow"):
            for batch in self._record_batches(names):
                step = size or max(1, batch.num_rows)
                for start in range(0, batch.num_rows, step):
                    yield batch.slice(start, step).select(list(names))

    def _schema(self, names: Sequence[str]) -> pa.Schema:
        with _explained(self.path, "Arrow"):
            schema = self._reader(None).schema
        return pa.schema([schema.field(self.names.index(name)) for name in names])

    def _record_batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        reader = self._reader([self.names.index(name) for name in names])
        if isinstance(reader, pa.ipc.RecordBatchFileReader):
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)
        else:
            yield from reader

    def _reader(self, fields: list[int] | None) -> Any:
        with open_bytes(self.path) as file:
            in_file_format = file.read(6) == b"ARROW1"
        options = pa.ipc.IpcReadOptions(included_fields=fields)
        source = pa.memory_map(os.fsencode(self.path))
        if in_file_format:
            return pa.ipc.open_file(source, options=options)
        return pa.ipc.open_stream(source, options=options)
