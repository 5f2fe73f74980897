"""Ways to write the same rows down."""

import csv
import gzip
import io
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import feather, parquet


def named(value: object) -> str:
    """Name a test by its value, without the address that differs from process to process."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _csv(table: pa.Table, delimiter: str = ",") -> bytes:
    out = io.BytesIO()
    arrow_csv.write_csv(table, out, arrow_csv.WriteOptions(delimiter=delimiter))
    return out.getvalue()


def _csv_of_windows(table: pa.Table) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(table.column_names)
    writer.writerows(row.values() for row in table.to_pylist())
    return out.getvalue().encode()


def _json_lines(table: pa.Table) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in table.to_pylist()).encode()


def _arrow(table: pa.Table, kind) -> bytes:
    out = io.BytesIO()
    with kind(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def _written(write) -> bytes:
    out = io.BytesIO()
    write(out)
    return out.getvalue()


FILES = {
    "a.csv": _csv,
    "a.tsv": lambda table: _csv(table, "\t"),
    "semicolon.csv": lambda table: _csv(table, ";"),
    "mark.csv": lambda table: b"\xef\xbb\xbf" + _csv(table),
    "utf16.csv": lambda table: _csv(table).decode().encode("utf-16"),
    "crlf.csv": _csv_of_windows,
    "a.csv.gz": lambda table: gzip.compress(_csv(table)),
    "unknown.dat": _csv,
    "a.jsonl": _json_lines,
    "a.ndjson.gz": lambda table: gzip.compress(_json_lines(table)),
    "a.json": lambda table: json.dumps(table.to_pylist()).encode(),
    "a.parquet": lambda table: _written(lambda out: parquet.write_table(table, out)),
    "a.arrow": lambda table: _arrow(table, pa.ipc.new_file),
    "a.arrows": lambda table: _arrow(table, pa.ipc.new_stream),
    "a.feather": lambda table: _written(lambda out: feather.write_feather(table, out)),
}

OBJECTS = {
    "dict of lists": lambda table: table.to_pydict(),
    "dict of arrays": lambda table: {n: table[n].combine_chunks() for n in table.column_names},
    "records": lambda table: table.to_pylist(),
    "pandas": lambda table: table.to_pandas(),
    "pandas nullable": lambda table: table.to_pandas().convert_dtypes(),
    "pandas categories": lambda table: table.to_pandas().astype({"group": "category"}),
    "pandas objects": lambda table: pd.DataFrame(table.to_pydict()).astype(object),
    "polars": pl.from_arrow,
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "polars categories": lambda table: pl.from_arrow(table).with_columns(
        pl.col("group").cast(pl.Categorical)
    ),
    "pyarrow": lambda table: table,
    "pyarrow batch": lambda table: table.combine_chunks().to_batches()[0],
    "pyarrow stream": lambda table: table.to_reader(),
    "pyarrow chunks": lambda table: pa.concat_tables([table.slice(0, 2), table.slice(2)]),
    "pyarrow views": lambda table: table.set_column(
        table.column_names.index("group"), "group", table["group"].cast(pa.string_view())
    ),
    "structured": lambda table: np.array(
        [tuple(row.values()) for row in table.to_pylist()],
        dtype=[(n, "O" if n == "group" else "f8") for n in table.column_names],
    ),
}
