"""``LazyTable``: a query that has not run yet, of polars, DuckDB, Spark or another engine."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from veridical.errors import InputError, VeridicalError
from veridical.tables._words import check_names
from veridical.tables.column import Column
from veridical.tables.convert import column_from_arrow
from veridical.tables.places import Places
from veridical.tables.table import BATCH_ROWS, Table

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["LazyTable", "Query", "collected", "is_spark", "running"]


@dataclass(frozen=True, slots=True)
class Query:
    """A query whose columns have names of ours: no name from outside ever becomes a part of it.

    Polars reads ``^a.*$`` as a pattern, Spark ``a.b`` as a field, and SQL has quotes.

    Attributes
    ----------
    frame
        Its columns are called ``c0``, ``c1``, ...
    names
        What they were called, in order.
    engine
        Who runs it: ``"polars"``, ``"duckdb"``, ``"pyspark"``, ...

    Examples
    --------
    >>> import polars
    >>> query = Query.of(polars.LazyFrame({"a.b": [1], "c0": [2]}))
    >>> query.names, query.column("c0"), query.engine
    (('a.b', 'c0'), 'c1', 'polars')
    """

    frame: nw.LazyFrame[Any]
    names: tuple[str, ...]
    engine: str

    @classmethod
    def of(cls, source: Any) -> Query:
        """Return a frame of any library that narwhals knows, lazy or not, as a query; or a query.

        Raises
        ------
        TypeError
            It is no such frame.
        """
        import narwhals as nw

        if isinstance(source, Query):
            return source
        if is_spark(source):
            names = tuple(source.columns)
            ours = source.toDF(*_ours(names))  # by position: names may repeat
            return cls(nw.from_native(ours), names, "spark")
        frame = nw.from_native(source).lazy()
        names = tuple(frame.collect_schema().names())
        return cls(
            frame.rename(dict(zip(names, _ours(names), strict=True))),
            names,
            str(frame.implementation.value),
        )

    def column(self, name: str) -> str:
        """Return what a column is called in ``frame``."""
        return f"c{self.names.index(name)}"

    def dtype(self, name: str) -> Any:
        """Return the type of a column, as narwhals names it."""
        return self.frame.collect_schema()[self.column(name)]

    def check(self, names: Sequence[str]) -> None:
        """Raise unless each of the columns is there, once."""
        check_names(names, self.names, f"a {self.engine} table")

    def collected(self, names: Sequence[str]) -> pa.Table:
        """Run the query once for the named columns, which keep our names."""
        return collected(self.frame.select(*map(self.column, names)))


@contextmanager
def running(engine: str) -> Iterator[None]:
    """Turn what goes wrong in somebody's query into an error that says so.

    Parameters
    ----------
    engine
        Who runs it.

    Raises
    ------
    InputError
        The query failed, in the words of its engine.

    Examples
    --------
    >>> with running("duckdb"):
    ...     raise ZeroDivisionError("division by zero")
    Traceback (most recent call last):
        ...
    veridical.errors.InputError: the query failed in duckdb: ZeroDivisionError: division by zero
      why: it runs when its rows are asked for, and not before
      fix: run the query by itself, and correct it
    """
    try:
        yield
    except (VeridicalError, MemoryError):
        raise
    except Exception as error:
        words = " ".join(str(error).split())[:300]
        raise InputError(
            f"the query failed in {engine}: {type(error).__name__}: {words}",
            why="it runs when its rows are asked for, and not before",
            fix="run the query by itself, and correct it",
        ) from error


def collected(frame: nw.LazyFrame[Any]) -> pa.Table:
    """Run a query, and return all its rows.

    Raises
    ------
    InputError
        It failed.
    """
    with running(str(frame.implementation.value)):
        return frame.collect(backend="pyarrow").to_native()


def is_spark(source: Any) -> bool:
    """Whether an object is a Spark data frame, classic or of Spark Connect."""
    return type(source).__module__.startswith("pyspark.sql") and hasattr(source, "mapInArrow")


class LazyTable(Table):
    """A query: run once for a whole read, streamed in batches where its engine can.

    Parameters
    ----------
    source
        A lazy frame of any library that narwhals knows, a DuckDB relation, a Spark data frame.

    Examples
    --------
    >>> import polars
    >>> table = LazyTable(polars.LazyFrame({"y": [1, 0], "p": [0.9, 0.2]}))
    >>> [batch["p"].values.tolist() for batch in table.batches(["p"])]
    [[0.9, 0.2]]
    """

    def __init__(self, source: Any) -> None:
        self.query = Query.of(source)
        self.names = list(self.query.names)

    def describe(self) -> dict[str, Any]:
        """Return whose query it is."""
        return {"kind": self.query.engine}

    def size(self) -> tuple[int | None, int]:
        """Return how many rows the query has, by running it for that alone."""
        import narwhals as nw

        counted = collected(self.query.frame.select(nw.len().alias("n")))
        return int(counted.column("n")[0].as_py()), 0

    def read(self, names: Sequence[str], numbers: Collection[str] = ()) -> dict[str, Column]:
        """Return the named columns, all from one run of the query: two runs may order rows anew."""
        del numbers  # A query has types of its own.
        self.query.check(names)
        return self._columns(self.query.collected(names), names, 0)

    def batches(
        self, names: Sequence[str], numbers: Collection[str] = (), size: int = BATCH_ROWS
    ) -> Iterator[dict[str, Column]]:
        """Yield the named columns in batches, as the engine streams them."""
        del numbers
        self.query.check(names)
        first = 0
        batches = self._streamed(names, size)
        while True:
            # Not around the loop: what its caller does with a batch is no part of the query.
            with running(self.query.engine):
                batch = next(batches, None)
            if batch is None:
                return
            if batch.num_rows:
                yield self._columns(batch, names, first)
            first += batch.num_rows

    def _columns(
        self, table: pa.Table | pa.RecordBatch, names: Sequence[str], first: int
    ) -> dict[str, Column]:
        places = Places(offset=first)
        return {
            name: column_from_arrow(name, table.column(i), places) for i, name in enumerate(names)
        }

    def _streamed(self, names: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        native = self.query.frame.select(*map(self.query.column, names)).to_native()
        if self.query.engine == "duckdb":
            # Called fetch_record_batch before DuckDB 1.4.
            read = getattr(native, "to_arrow_reader", None) or native.fetch_record_batch
            yield from read(size)
        elif self.query.engine == "polars" and hasattr(native, "collect_batches"):
            for frame in native.collect_batches(chunk_size=size, maintain_order=True):
                yield from frame.to_arrow().to_batches()
        else:
            yield from self.query.collected(names).to_batches(size)


def _ours(names: Sequence[str]) -> list[str]:
    return [f"c{number}" for number in range(len(names))]
