"""The same rows on every engine; one Spark session for all tests."""

import os
import shutil
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

BACKENDS = ["pandas", "polars", "polars-lazy", "pyarrow", "duckdb", "pyspark"]
LAZY = ["polars-lazy", "duckdb", "pyspark"]


def pytest_collection_modifyitems(items):
    """Keep the tests of Spark on one worker, so that there is one session."""
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        # Parameters of other tests may be arrays, which have no truth value.
        on_spark = any(isinstance(p, str) and p == "pyspark" for p in parameters.values())
        if on_spark or "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))


def missing(message: str) -> None:
    """Skip, or fail in CI, where everything is installed."""
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def spark():
    """A local Spark session on two threads."""
    if shutil.which("java") is None:
        missing("needs Java 17: apt-get install openjdk-17-jre-headless")
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        missing("needs Spark: pip install '.[spark]'")
    settings = {
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
    }
    os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers, too, must find veridical
    builder = SparkSession.builder.master("local[2]").appName("veridical-tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyspark's own, about versions of pandas
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def duckdb_connection():
    """A DuckDB in memory."""
    try:
        import duckdb
    except ImportError:
        missing("needs DuckDB: pip install '.[duckdb]'")
    with duckdb.connect() as connection:
        yield connection


def native(backend: str, request: pytest.FixtureRequest) -> Callable[[pa.Table], Any]:
    """Return what turns an Arrow table into a frame of the backend."""
    if backend == "pandas":
        return lambda table: table.to_pandas()
    if backend == "pyarrow":
        return lambda table: table
    if backend == "duckdb":
        return request.getfixturevalue("duckdb_connection").from_arrow
    if backend == "pyspark":
        return request.getfixturevalue("spark").createDataFrame
    import polars as pl

    if backend == "polars":
        return pl.from_arrow
    return lambda table: pl.from_arrow(table).lazy()


@pytest.fixture(params=BACKENDS)
def backend(request):
    """What turns an Arrow table into a frame, for each backend."""
    return native(request.param, request)


@pytest.fixture(params=[name for name in BACKENDS if name != "pyspark"])
def local_backend(request):
    """The backends that start at once, for what need not be tried on all."""
    return native(request.param, request)


@pytest.fixture(params=LAZY)
def lazy_backend(request):
    """What turns an Arrow table into a query that has not run, for each engine."""
    return native(request.param, request)
