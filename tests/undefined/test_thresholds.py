"""A threshold that float32 cannot hold stays on its side of every score, in every engine."""

import numpy as np
import polars as pl
import pytest
from pyarrow import parquet

import veridical as vd
from tests.silence import silence

ROWS = 300
PLACES = np.arange(ROWS)
LABELS = PLACES % 3 == 0
SCORES = np.where(PLACES % 7 == 0, np.inf, np.where(PLACES % 7 == 1, -np.inf, PLACES / ROWS - 0.5))
SCORES = np.where(PLACES % 7 == 2, 0.0, SCORES).astype(np.float32)
DATA = {"y": LABELS, "s": SCORES, "t": SCORES[::-1], "c": PLACES // 3}
METRICS = ["recall", "fpr", "accuracy", "cost.total", "cost.saving"]
THRESHOLDS = [1e300, -1e300, 1e-300, -1e-300, 3.5e38, -3.5e38, 1e-46, 5e-324, 0.0, -0.0]


@pytest.fixture(autouse=True)
def no_warning():
    with silence():
        yield


def expected(threshold):
    flagged = SCORES.astype(np.float64) >= threshold
    return flagged[LABELS].mean(), flagged[~LABELS].mean()


def evaluated(data=DATA, threshold=0.5, score="s", **options):
    costs = vd.Costs(fn=3, fp=1)
    columns = {"label": "y", "score": score}
    return vd.evaluate(data, METRICS, threshold=threshold, costs=costs, **columns, **options)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("source", ["memory", "clusters", "file", "batches", "lazy", "summary"])
def test_it_flags_what_is_at_least_as_large(tmp_path, source, threshold):
    frame = pl.DataFrame(DATA)
    if source == "summary":
        data = vd.summarise(DATA, label="y", score="s", thresholds=[threshold])
        ev = vd.evaluate(data, METRICS, threshold=threshold, costs=vd.Costs(fn=3, fp=1))
    elif source == "lazy":
        ev = evaluated(frame.lazy(), threshold)
    elif source == "clusters":
        ev = evaluated(threshold=threshold, cluster="c")
    elif source == "memory":
        ev = evaluated(threshold=threshold)
    else:
        parquet.write_table(frame.to_arrow(), tmp_path / "s.parquet")
        engine = "memory" if source == "file" else "batches"
        ev = evaluated(tmp_path / "s.parquet", threshold, engine=engine)
    assert (ev["recall"].value, ev["fpr"].value) == expected(threshold)


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_it_can_be_shown_and_compared(tmp_path, threshold):
    ev = evaluated(threshold=threshold, score=["s", "t"])
    assert len(ev.comparisons) >= len(METRICS)
    assert ev.report(tmp_path / "r.html").stat().st_size > 0


def test_one_that_ties_in_float32_ties():
    scores = np.array([0.1, 0.3], dtype=np.float32)
    assert vd.measure("recall", [1, 0], scores, threshold=0.1).value == 1
