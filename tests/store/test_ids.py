"""``evaluate(..., id=)``: rows by name, no two alike, in the order of their scores."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import veridical as vd
from veridical.errors import InputError, MissingColumnError, ParameterError

DATA = {"id": [11, 12, 13, 14], "y": [1, 0, 1, 0], "p": [0.9, 0.6, 0.4, 0.1]}


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_ids_are_texts_and_change_no_number(frame, file_store):
    with_ids = vd.evaluate(frame(DATA), label="y", score="p", id="id")
    assert with_ids.results == vd.evaluate(DATA, label="y", score="p").results
    assert with_ids.source["sha256"] == vd.evaluate(DATA, label="y", score="p").source["sha256"]
    units = with_ids.save(store=file_store).units
    assert list(units.ids) == ["11", "12", "13", "14"]
    assert units.column("score").tolist() == DATA["p"]


@pytest.mark.parametrize("engine", ["memory", "batches"])
@pytest.mark.parametrize("ids", [[1, 2, 1, 3], ["a", None, None, "b"]])
def test_a_row_that_stands_twice_is_refused(engine, ids, tmp_path):
    path = tmp_path / "rows.csv"
    pd.DataFrame({**DATA, "id": ids}).to_csv(path, index=False)
    with pytest.raises(InputError, match="names more than one row") as caught:
        vd.evaluate(path, label="y", score="p", id="id", engine=engine)
    assert "rows.csv" in caught.value.where


def test_rows_that_are_read_in_batches_are_not_kept(tmp_path, file_store):
    path = tmp_path / "rows.csv"
    pd.DataFrame(DATA).to_csv(path, index=False)
    ev = vd.evaluate(path, label="y", score="p", id="id", engine="batches")
    run = ev.save(store=file_store)
    assert run.units is None
    assert "not held in memory" in run.left_out["units"]
    assert run.refinalised().results == ev.results


def test_columns_that_are_not_there():
    with pytest.raises(MissingColumnError):
        vd.evaluate(DATA, label="y", score="p", id="row")
    with pytest.raises(ParameterError):
        vd.evaluate(vd.summarise(DATA, label="y", score="p"), id="id")


def test_weights_clusters_and_groups_are_kept_by_row(file_store):
    data = {**DATA, "w": [1.0, 2.0, 0.5, 1.0], "c": ["x", "x", "y", "y"], "g": ["n", "s", "s", "n"]}
    ev = vd.evaluate(data, label="y", score="p", id="id", weight="w", cluster="c", groups="g")
    units = ev.save(store=file_store).units
    assert units.column("weight").tolist() == data["w"]
    assert units.column("cluster").tolist() == [0, 0, 1, 1]
    assert units.column("group", "g").tolist() == data["g"]


def test_forecasts_are_kept_as_they_were_used(file_store):
    data = {**DATA, "p": [1 + 1e-12, 0.6, 0.4, -1e-12]}
    ev = vd.evaluate(data, label="y", score="p", id="id")
    kept = ev.save(store=file_store).units.column("score")
    assert kept.tolist() == [1.0, 0.6, 0.4, 0.0]


def test_too_many_rows_are_left_out_and_the_run_says_so(file_store, monkeypatch):
    monkeypatch.setattr("veridical.store.keeping.MOST_UNITS", 3)
    run = vd.evaluate(DATA, label="y", score="p", id="id").save(store=file_store)
    assert run.units is None
    assert run.left_out["units"] == "there are 4 rows, more than 3"


def test_one_model_of_several_can_be_saved(file_store):
    data = {**DATA, "q": [0.2, 0.7, 0.1, 0.3]}
    ev = vd.evaluate(data, label="y", score=["p", "q"], id="id")
    run = ev.subject("q").save(store=file_store)
    assert [column.subject for column in run.units.find("score")] == ["q"]
    assert run["roc_auc"] == ev["q", "roc_auc"]
    assert run.refinalised().results == tuple(r for r in ev.results if r.subject == "q")


def test_a_hundred_thousand_rows_come_back(file_store):
    rng = np.random.default_rng(0)
    n = 100_000
    data = {"id": np.arange(n), "y": rng.random(n) < 0.1, "p": rng.random(n)}
    ev = vd.evaluate(data, ["roc_auc", "brier"], label="y", score="p", id="id", intervals=False)
    run = file_store.load(ev.save(store=file_store).id)
    at = np.array(run.units.ids, dtype=np.int64)
    assert (np.sort(at) == np.arange(n)).all()
    assert (run.units.column("score") == data["p"][at]).all()
    assert (run.units.column("label") == data["y"][at]).all()
    assert run.refinalised().results == ev.results
