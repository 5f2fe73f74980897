"""Spark in local mode: exact metrics on the workers, beside MLlib.

    python benchmarks/spark_bench.py [--rows 1e6]

Needs Java.  Times are wall seconds, because the work is done by the Java virtual machine, after a
first run of each side has started everything up.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from files_bench import parquet
from harness import arguments, record
from memory_bench import FN, FP, REVIEW, SHORT, SIX

Answers = dict[str, float]


def veridical(frame: Any) -> Answers:
    """Measure all six metrics, exactly."""
    import veridical as vd

    costs = vd.Costs(fn=FN, fp=FP, review=REVIEW)
    ev = vd.evaluate(frame, SIX, label="y", score="s", costs=costs, intervals=False)
    return {short: ev[name].value for short, name in zip(SHORT, SIX, strict=True)}


def mllib(frame: Any) -> Answers:
    """Ask MLlib's ``BinaryClassificationMetrics`` for its two areas, without binning scores.

    Its precision-recall area is the trapezoid, another number than average precision.
    """
    from pyspark.ml.evaluation import BinaryClassificationEvaluator

    columns = {"rawPredictionCol": "s", "labelCol": "y", "numBins": 0}
    areas = ("areaUnderROC", "areaUnderPR")
    roc, _ = (
        BinaryClassificationEvaluator(metricName=area, **columns).evaluate(frame) for area in areas
    )
    return {"auc": roc}


def timed(side: Callable[[Any], Answers], small: Any, frame: Any) -> tuple[float, Answers]:
    """Return the wall time of a run, after one on a few rows."""
    side(small)
    start = time.perf_counter()
    answers = side(frame)
    return time.perf_counter() - start, answers


def main() -> None:
    """Run the race."""
    asked = arguments("Spark", rows="1e6")
    if not shutil.which("java"):
        print("no Java: the race with Spark is left out", file=sys.stderr)
        return
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers have what this process has
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.memory", "4g")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    rows = []
    for n in asked.rows:
        frame = spark.read.parquet(str(parquet(n))).selectExpr("cast(y AS double) AS y", "s")
        small = frame.limit(1000).cache()
        (theirs, expected), (ours, found) = (timed(s, small, frame) for s in (mllib, veridical))
        np.testing.assert_allclose(found["auc"], expected["auc"], rtol=1e-9)
        rows += [
            (f"{n:,}", "MLlib, two metrics", f"{theirs:.2f}", f"{theirs / ours:.1f}"),
            (f"{n:,}", "veridical, six metrics", f"{ours:.2f}", "1.0"),
        ]
    spark.stop()
    record(
        "10-spark",
        "Spark in local mode, two threads",
        "Wall seconds after start-up, reading the Parquet file included. MLlib gives its two areas "
        "without binning the scores; veridical all six metrics, exactly.",
        ("rows", "", "seconds", "ratio"),
        rows,
    )


if __name__ == "__main__":
    main()
