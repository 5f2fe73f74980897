"""Counted in bins, and the rows of those bins alone read again that leave too much open."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veridical as vd
from veridical.engines import batches
from veridical.errors import InputError, MismatchError, ParameterError
from veridical.evaluation import reading
from veridical.portable import rereading

METRICS = [
    "roc_auc", "gini", "average_precision", "ks", "partial_auc@fpr=0.1", "recall@fpr=0.01",
    "recall@precision=0.5", "precision@recall=0.5", "precision_top@20", "cost.best_threshold",
    "cost.saving", "recall", "f1", "brier", "ece", "log_loss",
]  # fmt: skip
SETTINGS = {"label": "y", "score": "p", "threshold": 0.3, "costs": vd.Costs(fn=20, fp=1)}


def rows(n=3_000, seed=1, ties=None):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 4, n)
    p = p if ties is None else p.round(ties)
    return {"y": (rng.random(n) < p).astype(int), "p": p, "g": rng.choice(["a", "b"], n)}


def written(result):
    document = result.to_dict()
    for name in ("summary", "threshold_low", "threshold_high"):
        document["conditions"].pop(name, None)
    document.pop("observed")
    interval = document.get("interval")
    if interval and interval["method"].startswith("bootstrap"):
        document["interval"] = interval["method"]
    return document


@pytest.mark.parametrize("ties", [None, 3, 1])
@pytest.mark.parametrize("groups", [(), ("g",)])
def test_zero_asks_for_the_digits_of_every_score(ties, groups):
    data = rows(ties=ties)
    exact = vd.evaluate(data, METRICS, **SETTINGS, groups=groups)
    ev = vd.evaluate(data, METRICS, **SETTINGS, groups=groups, engine="histogram", bounds_within=0)
    assert [r.metric for r in ev.results] == [r.metric for r in exact.results]
    for one, two in zip(ev.results, exact.results, strict=True):
        assert written(one) == written(two), one.metric
    assert ev.source["sha256"] == exact.source["sha256"]
    assert ev.source["engine"] == "histogram"
    assert ("read again" in ev["roc_auc"].conditions["summary"]) == (ties is None)


@settings(max_examples=settings.default.max_examples // 4)
@given(st.data())
def test_bounds_are_as_narrow_as_asked_and_hold_the_exact_value(data):
    n = data.draw(st.integers(2, 60))
    heavy = st.sampled_from([0.0, 0.1, 0.1 + 1e-9, 0.5, 0.5 + 1e-12, 0.9, 1.0])
    scores = data.draw(st.lists(heavy | st.floats(0, 1), min_size=n, max_size=n))
    labels = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    within = data.draw(st.sampled_from([0.0, 1e-3, 0.05, 0.5]))
    table = {"y": labels, "p": scores}
    options = {**SETTINGS, "intervals": False}
    exact = vd.evaluate(table, METRICS, **options)
    ev = vd.evaluate(table, METRICS, **options, engine="histogram", bounds_within=within)
    for one, two in zip(ev.results, exact.results, strict=True):
        assert one.ok == two.ok, one.metric
        if one.bounds is None:
            assert one.value == two.value, one.metric
        else:
            assert one.bounds.width <= within, one.metric
            assert two.value in one.bounds, one.metric


@pytest.fixture
def read(monkeypatch):
    """Tell how many rows the second pass kept."""
    kept = []
    inside = rereading._inside

    def counted(*arguments):
        table = inside(*arguments)
        kept.append(table.rows)
        return table

    monkeypatch.setattr(rereading, "_inside", counted)
    return kept


def test_only_rows_of_open_bins_are_kept(read, tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(rows(20_000)), path)
    options = {"label": "y", "score": "p", "engine": "histogram"}
    ev = vd.evaluate(path, ["recall@fpr=0.001"], **options, bounds_within=0)
    assert ev["recall@fpr=0.001"].bounds is None
    few = sum(read)
    assert 0 < few < 400

    read.clear()
    vd.evaluate(path, ["recall@fpr=0.001"], **options)
    assert read == []  # nothing was asked

    read.clear()
    wide = vd.evaluate(path, ["average_precision"], **options)["average_precision"].bounds.width
    ev = vd.evaluate(path, ["average_precision"], **options, bounds_within=wide / 2)
    assert wide / 4 < ev["average_precision"].bounds.width <= wide / 2
    # The bins that leave most open are few.
    assert sum(read) < 20_000 / 2


def test_bounds_that_are_narrow_enough_cost_no_second_pass(read):
    seen = set()
    ev = vd.evaluate(
        rows(), ["roc_auc"], label="y", score="p", engine="histogram", bounds_within=0.1,
        progress=lambda name, _: seen.add(name),
    )  # fmt: skip
    assert ev["roc_auc"].bounds.width <= 0.1
    assert not read
    assert seen == {"counting"}


def test_positives_that_do_not_fit_are_counted_in_bins(monkeypatch, tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(rows()), path)
    monkeypatch.setattr(batches, "MOST_POSITIVES", 20)
    monkeypatch.setattr(reading, "BATCHES_FROM_ROWS", 100)
    exact = vd.evaluate(rows(), label="y", score="p")
    ev = vd.evaluate(path, label="y", score="p")
    assert ev.source["engine"] == "histogram"
    assert exact["roc_auc"].value in ev["roc_auc"].bounds
    assert ev["brier"].value == exact["brier"].value
    settled = vd.evaluate(path, label="y", score="p", bounds_within=0)
    assert settled["average_precision"].value == exact["average_precision"].value
    with pytest.raises(InputError, match='histogram"'):
        vd.evaluate(path, label="y", score="p", engine="batches")


def test_more_scores_than_fit_are_refused(monkeypatch):
    monkeypatch.setattr(rereading, "MOST_SCORES", 50)
    with pytest.raises(InputError, match="more than 50 distinct scores"):
        vd.evaluate(rows(), label="y", score="p", engine="histogram", bounds_within=0)


def test_a_file_that_changes_is_refused(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(rows()), path)

    def change(name, _):
        if name == "counting":
            pq.write_table(pa.table(rows(seed=2)), path)

    with pytest.raises(MismatchError, match="second pass"):
        vd.evaluate(
            path, label="y", score="p", engine="histogram", bounds_within=0, progress=change
        )


def test_a_summary_has_no_rows_to_read_again():
    summary = vd.summarise(rows(), label="y", score="p")
    ev = vd.evaluate(summary, bounds_within=0)
    assert "bounds_wider_than_asked" in ev["roc_auc"].notes
    assert "bounds_wider_than_asked" not in ev["brier"].notes
    assert "bounds_wider_than_asked" not in vd.evaluate(summary, bounds_within=0.1)["roc_auc"].notes


def test_scores_of_any_range_and_notes_on_rows():
    data = rows()
    data = {**data, "p": data["p"] * 10 - 3, "y": np.where(data["y"], "bad", "ok")}
    data["y"][:5] = "other"
    options = {"label": "y", "score": "p", "positive": "bad"}
    ev = vd.evaluate(data, ["roc_auc"], **options, engine="histogram", bounds_within=0)
    exact = vd.evaluate(data, ["roc_auc"], **options)
    assert ev["roc_auc"].value == exact["roc_auc"].value
    assert ev.source["notes"] == exact.source["notes"] != []


@pytest.mark.parametrize("within", [-1, float("nan"), "0.1"])
def test_how_narrow_is_a_number(within):
    with pytest.raises(ParameterError, match="bounds_within"):
        vd.evaluate(rows(), label="y", score="p", bounds_within=within)


def test_weights_need_rows_in_memory():
    data = {**rows(), "w": np.ones(3_000)}
    with pytest.raises(ParameterError, match="memory"):
        vd.evaluate(data, label="y", score="p", weight="w", engine="histogram")
