"""Columns of every type that labels, scores and groups come in."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import veridical as vd
from tests.engines.conftest import LAZY

SCORES = [0.1, 0.9, 0.4, 0.4, 0.7, 0.2, 0.8, 0.35]
LABELS = [0, 1, 0, 1, 1, 0, 1, 0]
DAYS = [dt.date(2024, 1, 1 + day) for day in LABELS]

TABLES = {
    "text with words for missing": (
        {"y": ["bad", "ok", "NA", "bad", "ok", "", "ok", "bad"]},
        {"positive": "bad", "missing": "drop"},
    ),
    "text that spells numbers": ({"y": [str(label) for label in LABELS]}, {}),
    "several negatives": ({"y": ["a", "b", "c", "a", "b", "c", "a", "b"]}, {"positive": "a"}),
    "minus one and one": ({"y": pa.array([2 * y - 1 for y in LABELS], pa.int8())}, {}),
    "floats, one missing": (
        {"y": [0.0, 1.0, float("nan"), 1.0, None, 0.0, 1.0, 0.0]},
        {"missing": "drop"},
    ),
    "dates as labels": ({"y": DAYS}, {"positive": dt.date(2024, 1, 2)}),
    "decimals": (
        {"y": LABELS, "p": [Decimal(str(score)) for score in SCORES]},
        {},
    ),
    "decimals of many digits": (
        {"y": LABELS, "p": pa.array([Decimal(str(s)) for s in SCORES], pa.decimal128(30, 20))},
        {},
    ),
    "groups of dates": ({"y": LABELS, "g": DAYS}, {"groups": "g"}),
    "groups of booleans": (
        {"y": LABELS, "g": [True, False, None, True, False, True, None, False]},
        {"groups": "g"},
    ),
    "groups of floats": (
        {"y": LABELS, "g": [1.0, 0.5, float("nan"), -0.0, 0.0, None, 10.0, 1.0]},
        {"groups": "g"},
    ),
    "groups of float32": (
        {"y": LABELS, "g": np.array([0.1, 0.2, 0.1, 0.2, 0.3, 0.3, 2, 2], np.float32)},
        {"groups": "g"},
    ),
    "zeros of both signs and infinities": (
        {"y": LABELS, "p": [0.0, -0.0, np.inf, -np.inf, 5.0, -5.0, 0.0, -0.0]},
        {},
    ),
}


# Each takes seconds there: those in which Spark differs from the others.
ON_SPARK = {
    "text with words for missing",
    "floats, one missing",
    "dates as labels",
    "decimals of many digits",
    "groups of floats",
    "zeros of both signs and infinities",
}


@pytest.mark.parametrize(
    ("lazy_backend", "name"),
    [
        (backend, name)
        for backend in LAZY
        for name in TABLES
        if backend != "pyspark" or name in ON_SPARK
    ],
    indirect=["lazy_backend"],
)
def test_results_are_those_of_rows_in_memory(lazy_backend, request, name):
    columns, more = TABLES[name]
    table = pa.table({"p": SCORES, **columns})
    chosen = {"label": "y", "score": "p", "intervals": False, **more}
    engine = "auto" if request.node.callspec.params["lazy_backend"] == "pyspark" else "group_by"
    found = vd.evaluate(lazy_backend(table), **chosen, engine=engine)
    expected = vd.evaluate(table, **chosen)
    assert [(r.metric, r.group, r.value, r.n) for r in found.results] == [
        (r.metric, r.group, r.value, r.n) for r in expected.results
    ]
    assert set(expected.source["notes"]) <= set(found.source["notes"])
    assert found.source["n_skipped"] == expected.source["n_skipped"]
