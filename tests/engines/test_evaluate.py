"""``evaluate`` gives the same digits wherever the rows are."""

import numpy as np
import pyarrow as pa
import pytest

import veridical as vd
from veridical.engines.survey import survey
from veridical.errors import (
    InputError,
    LabelError,
    MissingColumnError,
    ParameterError,
    ScoreError,
)
from veridical.evaluation import reading
from veridical.tables import Roles

# A column name, to Spark a field, to polars a pattern, to SQL the end of a name.
HOSTILE = {
    "label": "^y.*$",
    "score": "p.q`\"'; DROP TABLE t; --",
    "groups": "SELECT * /*",
}
# Quantiles of a bootstrap; and each engine says for itself in which summary it counted.
LEFT_OUT = {"threshold_low", "threshold_high", "degenerate_replicates", "summary"}


def rows(n=2_000, seed=5):
    rng = np.random.default_rng(seed)
    scores = rng.beta(0.6, 6, n).round(3)  # rounded, so that many tie
    labels = (rng.random(n) < scores).astype(np.int64)
    names = rng.choice(["north", "south", "", "(missing)"], n)
    return labels, scores, names


def written(evaluation):
    """Return every result as JSON, without what is drawn at random from scores or slots.

    Resampling slots has the distribution of resampling scores, and other draws.
    """
    results = []
    for result in evaluation.results:
        document = result.to_dict()
        conditions = document["conditions"]
        document["conditions"] = {k: v for k, v in conditions.items() if k not in LEFT_OUT}
        document["observed"] = [name for name in document["observed"] if name not in LEFT_OUT]
        interval = document.get("interval")
        if interval and interval["method"].startswith("bootstrap"):
            document["interval"] = interval["method"]
        results.append(document)
    return results


def engines_of(lazy_backend_name):
    return ["auto"] if lazy_backend_name == "pyspark" else ["batches", "group_by"]


def test_every_default_metric_and_every_slice(lazy_backend, request):
    labels, scores, names = rows()
    table = pa.table(dict(zip(HOSTILE.values(), (labels, scores, names), strict=True)))
    settings = {"threshold": 0.2, "costs": vd.Costs(fn=20, fp=1, review=0.1)}
    expected = vd.evaluate(table, **HOSTILE, **settings)
    for engine in engines_of(request.node.callspec.params["lazy_backend"]):
        found = vd.evaluate(lazy_backend(table), **HOSTILE, **settings, engine=engine)
        assert written(found) == written(expected)
        assert found.groups == expected.groups
        assert (found.source["n_rows"], found.source["n_positive"]) == (2_000, labels.sum())
        assert found.source["engine"] != "memory"


def test_several_scores_of_several_types(lazy_backend, request):
    labels, scores, _ = rows(600)
    columns = {
        "y": labels == 1,
        "narrow": scores.astype(np.float32),
        "odds": np.log(scores + 0.01),
        "rank": (scores * 100).astype(np.int32),
    }
    chosen = {"label": "y", "score": ["narrow", "odds", "rank"], "intervals": False}
    expected = vd.evaluate(pa.table(columns), **chosen)
    for engine in engines_of(request.node.callspec.params["lazy_backend"]):
        found = vd.evaluate(lazy_backend(pa.table(columns)), **chosen, engine=engine)
        assert written(found) == written(expected)


def test_missing_rows_are_dropped_and_counted(lazy_backend, request):
    labels, scores, names = rows(500)
    table = pa.table(
        {
            "y": pa.array(np.where(labels == 1, "bad", "ok"), mask=np.arange(500) % 17 == 2),
            "p": pa.array(np.where(np.arange(500) % 19 == 3, np.nan, scores)),
            "g": pa.array(names, mask=np.arange(500) % 5 == 1),
        }
    )
    chosen = {
        "label": "y", "score": "p", "groups": "g", "positive": "bad", "missing": "drop",
        "intervals": False,
    }  # fmt: skip
    expected = vd.evaluate(table, **chosen)
    for engine in engines_of(request.node.callspec.params["lazy_backend"]):
        found = vd.evaluate(lazy_backend(table), **chosen, engine=engine)
        assert written(found) == written(expected)
        assert found.source["n_skipped"] == expected.source["n_skipped"] > 0


BAD = {
    "no such column": ({"y": [0, 1], "q": [0.1, 0.2]}, {}, MissingColumnError, "'p'"),
    "text for scores": ({"y": [0, 1], "p": ["a", "b"]}, {}, ScoreError, "not"),
    "missing label": ({"y": [0, None, 1], "p": [0.1, 0.2, 0.3]}, {}, LabelError, "1 label missing"),
    "missing scores": (
        {"y": [0, 1, 1], "p": [0.1, float("nan"), None]},
        {},
        ScoreError,
        "2 scores missing: 2 of positives, 0 of negatives",
    ),
    "three labels": ({"y": [0, 1, 2], "p": [0.1, 0.2, 0.3]}, {}, LabelError, "0, 1, 2"),
    "absent positive": ({"y": [0, 1], "p": [0.1, 0.2]}, {"positive": 7}, LabelError, "occur"),
    "beyond 2**53": ({"y": [0, 1], "p": [2**53 + 1, 5]}, {}, ScoreError, "1 integer"),
    "rows needed": (
        {"y": [0, 1], "p": [0.1, 0.2], "w": [1.0, 2.0]},
        {"weight": "w"},
        ParameterError,
        "rows in memory",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_data_are_refused_as_in_memory(lazy_backend, request, name):
    columns, more, kind, words = BAD[name]
    chosen = {"label": "y", "score": "p", **more}
    if kind is not ParameterError:
        with pytest.raises(kind):
            vd.evaluate(pa.table(columns), **chosen)
    name = request.node.callspec.params["lazy_backend"]
    for engine in ["auto"] if name == "pyspark" else ["group_by"]:
        with pytest.raises(kind, match=words) as caught:
            vd.evaluate(lazy_backend(pa.table(columns)), **chosen, engine=engine)
        # A row of a query has no number, and none is made up.
        assert "row 0" not in str(caught.value)
        assert "row 1" not in str(caught.value)


def test_forecasts_are_needed_for_calibration(lazy_backend):
    table = pa.table({"y": [0, 1, 1, 0], "p": [0.1, 1.2, 0.4, 0.3]})
    with pytest.raises(ScoreError, match="outside"):
        vd.evaluate(lazy_backend(table), "calibration.ece", label="y", score="p")


def test_no_rows_and_one_class(lazy_backend):
    nothing = pa.table({"y": pa.array([], pa.int64()), "p": pa.array([], pa.float64())})
    one_class = pa.table({"y": [0, 0, 0], "p": [0.1, 0.2, 0.2]})
    for table in (nothing, one_class):
        expected = vd.evaluate(table, label="y", score="p")
        assert written(vd.evaluate(lazy_backend(table), label="y", score="p")) == written(expected)


def test_a_thousand_and_one_groups_are_refused(lazy_backend):
    table = pa.table({"y": [0, 1] * 501, "p": [0.5] * 1002, "g": np.arange(1002)})
    with pytest.raises(InputError, match="distinct values"):
        vd.evaluate(lazy_backend(table), label="y", score="p", groups="g")


def test_more_labels_than_can_be_listed_are_refused():
    table = pa.table({"y": np.arange(1001), "p": np.arange(1001) / 1001})
    with pytest.raises(LabelError, match="1,000 distinct labels"):
        survey(table, Roles("y", ("p",)))


@pytest.mark.parametrize(("most_positives", "engine"), [(10**6, "batches"), (10, "group_by")])
def test_large_queries_are_streamed_or_grouped(monkeypatch, most_positives, engine):
    import polars as pl

    monkeypatch.setattr(reading, "BATCHES_FROM_ROWS", 100)
    monkeypatch.setattr(reading, "MOST_POSITIVES", most_positives)
    labels, scores, _ = rows(500)
    query = pl.LazyFrame({"y": labels, "p": scores})
    found = vd.evaluate(query, label="y", score="p")
    expected = vd.evaluate({"y": labels, "p": scores}, label="y", score="p")
    assert found.source["engine"] == {"batches": "batches", "group_by": "polars"}[engine]
    assert written(found) == written(expected)


def test_every_ranking_says_in_which_summary_it_was_counted():
    labels, scores, _ = rows(30_000)
    data = pa.table({"y": labels, "p": scores})
    metrics = ["roc_auc", "recall", "ece_equal_mass", "brier"]
    for engine, size, kind in (
        ("memory", 30_000, "slots"),
        ("memory", 2_000, "score table"),
        ("batches", 2_000, "slots"),
    ):
        options = {"label": "y", "score": "p", "threshold": 0.2, "engine": engine}
        ev = vd.evaluate(data.slice(0, size), metrics, **options)
        assert [ev[name].conditions.observed.get("summary") for name in metrics] == [
            kind, kind, "score table" if engine == "memory" else None, None,
        ]  # fmt: skip
        # It is nothing that was chosen, so it forbids no comparison.
        assert "summary" not in ev["roc_auc"].conditions.settings


@pytest.mark.parametrize("engine", ["spark", "group_by"])
def test_an_engine_for_other_data_is_refused(engine):
    with pytest.raises(ParameterError, match=engine):
        vd.evaluate({"y": [0, 1], "p": [0.1, 0.9]}, label="y", score="p", engine=engine)
