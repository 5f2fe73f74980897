"""No engine is imported before its data are there, and a missing one is explained."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pyarrow as pa
import pytest

import veridical as vd
from veridical.engines import spark
from veridical.errors import InputError, MissingExtraError
from veridical.tables import LazyTable

ENGINES = ["dask", "duckdb", "ibis", "narwhals", "polars", "pyspark"]
EVALUATE = """
import json, sys
import veridical as vd
vd.evaluate({"y": [0, 1, 1, 0], "p": [0.1, 0.9, 0.4, 0.3]}, label="y", score="p")
vd.summarise({"y": [0, 1], "p": [0.1, 0.9]}, label="y", score="p")
print(json.dumps(sorted(sys.modules)))
"""


def test_evaluating_rows_in_memory_imports_no_engine():
    run = subprocess.run([sys.executable, "-c", EVALUATE], capture_output=True, check=True)
    assert not set(json.loads(run.stdout)) & set(ENGINES)


def test_pandas_too_old_for_spark_is_explained():
    def old_pandas(*arguments):
        raise ImportError("Pandas >= 2.2.0 must be installed; however, it was not found.")

    frame = SimpleNamespace(to_native=lambda: SimpleNamespace(mapInArrow=old_pandas))
    with pytest.raises(MissingExtraError, match=r"pyspark>=4\.0"):
        spark.from_workers(frame, lambda batches: batches, "n int", lambda answers: answers)


def test_streams_are_read_in_batches(lazy_backend, request):
    if request.node.callspec.params["lazy_backend"] == "pyspark":
        pytest.skip("rows of Spark are not streamed: its workers count them")
    rows = 700_000
    table = pa.table({"y": [0, 1] * (rows // 2), "p": pa.array([0.25, 0.5] * (rows // 2))})
    lazy = LazyTable(lazy_backend(table))
    sizes = [len(batch["p"]) for batch in lazy.batches(["p"], size=100_000)]
    assert sum(sizes) == rows
    assert max(sizes) < 400_000


def test_a_query_that_fails_is_named_with_the_words_of_its_engine():
    import duckdb
    import polars as pl

    failing = {
        "polars": pl.LazyFrame({"y": ["1", "no"], "p": [0.5, 0.6]}).with_columns(
            pl.col("y").cast(pl.Int64)
        ),
        "duckdb": duckdb.sql(
            "select cast(v as int) as y, 0.5 as p from (values ('1'), ('no')) t(v)"
        ),
    }
    for engine, query in failing.items():
        for how in ("memory", "batches", "group_by", "auto"):
            with pytest.raises(InputError, match=f"the query failed in {engine}") as caught:
                vd.evaluate(query, label="y", score="p", engine=how)
            assert "no" in str(caught.value)
            assert caught.value.__cause__ is not None


def test_what_a_batch_is_used_for_is_no_part_of_the_query():
    import polars as pl

    from veridical.tables.lazy_frame import LazyTable

    batches = LazyTable(pl.LazyFrame({"y": [1, 0]})).batches(["y"])
    next(batches)
    with pytest.raises(ZeroDivisionError):
        batches.throw(ZeroDivisionError())
