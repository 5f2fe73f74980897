"""One metric over many runs: in order, with those left out that may not be compared."""

import numpy as np
import pytest

import veridical as vd
from tests.compare.samples import two_models
from tests.gates.documents import document, result, written
from veridical.comparison.trends import stored_runs, trend
from veridical.errors import MetricNameError, ParameterError

Y, P, Q = two_models(400, 0.3, seed=6, better=1.0)
IDS = [f"u{at}" for at in range(len(Y))]
MIXED = (P + Q) / 2


@pytest.fixture
def store(tmp_path):
    return str(tmp_path / "runs.db")


@pytest.fixture
def saved(store):
    def save(name, scores, *, rows=slice(None), tags=(), metrics="roc_auc", **settings):
        data = {"id": np.array(IDS)[rows], "y": Y[rows], "s": scores[rows]}
        ev = vd.evaluate(data, metrics, label="y", score="s", **{"id": "id", **settings})
        ev.save(name, tags=tags, store=store)
        return ev

    return save


def test_the_last_is_compared_with_the_first_in_pairs(saved, store):
    evs = [saved("nightly", scores) for scores in (Q, MIXED, P)]
    found = trend(stored_runs(metric="roc_auc", last=50, store=store), "roc_auc")
    assert [point.result.value for point in found.points] == [ev["roc_auc"].value for ev in evs]
    assert not found.left_out
    expected = vd.compare(evs[2], evs[0], "roc_auc")
    assert found.change.difference.interval == expected.difference.interval
    assert found.change.p_value == expected.p_value
    assert found.change.winner == found.points[-1].run.id
    assert found.change.difference.value > 0


def test_runs_under_other_conditions_are_left_out_and_listed(saved, store):
    metrics = ["recall"]
    saved("old", Q, metrics=metrics, threshold=0.5)
    saved("other", Q, metrics=metrics, threshold=0.4)
    saved("fewer", Q, metrics=metrics, threshold=0.5, rows=slice(0, 399))
    saved("new", P, metrics=metrics, threshold=0.5)
    found = trend(["old", "other", "fewer", "new"], "recall", store=store)
    assert [point.run.label for point in found.points] == ["old", "new"]
    told = {one.run.label: (one.field, one.value, one.newest) for one in found.left_out}
    assert told["other"] == ("threshold", "0.4", "0.5")
    assert told["fewer"] == ("units", "399 rows", "400, 399 of them the same")
    every = trend(
        ["old", "other", "fewer", "new"], "recall", allow=["units", "threshold"], store=store
    )
    assert len(every.points) == 4
    assert every.allowed == ("threshold", "units")


def test_without_ids_equal_counts_must_do(saved, store):
    for name, rows in (("a", slice(0, 399)), ("b", slice(None)), ("c", slice(None))):
        saved(name, Q, rows=rows, id=None)
    found = trend(["a", "b", "c"], "roc_auc", store=store)
    assert [point.run.label for point in found.points] == ["b", "c"]
    assert found.left_out[0].field == "data"
    assert found.left_out[0].value.startswith("399 rows")
    assert not found.change.difference.conditions["paired"]


def test_rankings_over_time(store):
    golden = {f"q{i}": {"d": 1} for i in range(20)}
    for name, lead in (("a", 0.0), ("b", 1.0)):
        rng = np.random.default_rng(1)
        run = {q: {"d": float(rng.normal() + lead), "e": 0.0} for q in golden}
        vd.evaluate_ranking({"bm25": run}, golden, ["retrieval.mrr"]).save(name, store=store)
    other = {**golden, "q0": {"e": 1}}
    vd.evaluate_ranking({"bm25": run}, other, ["retrieval.mrr"]).save("c", store=store)
    found = trend(["a", "b", "c"], "mrr", store=store)
    assert [one.field for one in found.left_out] == ["golden_sha256", "golden_sha256"]
    found = trend(["a", "b"], "mrr", store=store)
    assert found.change.method == "permutation"
    assert found.change.difference.value >= 0


def test_stored_runs_are_chosen_by_name_tag_metric_and_number(saved, store):
    saved("a", Q)
    saved("b", P, tags=["main"])
    saved("b", MIXED, tags=["main"])
    saved("b", Q, metrics="ks", tags=["main"])

    def chosen(**filters):
        runs = stored_runs(**{"metric": "roc_auc", "last": 50, **filters}, store=store)
        return [run.label for run in runs]

    assert chosen() == ["a", "b", "b"]
    assert chosen(name="b") == chosen(tag="main") == ["b", "b"]
    assert chosen(last=1) == ["b"]
    assert chosen(metric="ks") == ["b"]
    assert chosen(name="c") == []


def test_files_keep_the_order_in_which_they_are_given(tmp_path):
    files = [
        written(tmp_path / f"{name}.json", document(result(value, value - 0.02, value + 0.02)))
        for name, value in (("z", 0.8), ("a", 0.9))
    ]
    found = trend(files, "roc_auc")
    assert [point.result.value for point in found.points] == [0.8, 0.9]
    # Square and add: 0.1 - 0.02 * sqrt(2).
    assert found.change.difference.interval.low == pytest.approx(0.1 - 0.02 * 2**0.5)
    assert found.to_dict()["schema"] == "veridical.trend/1"


def test_what_cannot_be_followed(tmp_path):
    one = written(tmp_path / "one.json", document(result(0.8), result(0.7, subject="q")))
    with pytest.raises(ParameterError, match="there is no run"):
        trend([], "roc_auc")
    with pytest.raises(ParameterError, match="holds 2 subjects"):
        trend([one], "roc_auc")
    with pytest.raises(MetricNameError, match=r"none of the 1 runs measured binary\.ks"):
        trend([one], "ks", subject="p")
    with pytest.raises(MetricNameError, match=r"measured binary\.roc_auc of p of g=a"):
        trend([one], "roc_auc", subject="p", group="g=a")
    with pytest.raises(MetricNameError, match=r"measured binary\.roc_auc of r"):
        trend([one], "roc_auc", subject="r")
    assert "one run alone" in repr(trend([one], "roc_auc", subject="p"))


def test_a_run_without_the_subject_is_no_part_of_the_trend(tmp_path):
    two = document(result(0.8, 0.7, 0.9), result(0.7, 0.6, 0.8, subject="q"))
    files = [written(tmp_path / "a.json", two), written(tmp_path / "b.json", document(result(0.9)))]
    assert [p.run.label for p in trend(files, "roc_auc", subject="q").points] == [str(files[0])]


def test_a_skipped_point_is_no_number(tmp_path):
    files = [
        written(tmp_path / f"{at}.json", document(one))
        for at, one in enumerate([result(0.8, 0.7, 0.9), result(None, conditions={}, observed=[])])
    ]
    found = trend(files, "roc_auc")
    assert not found.change.difference.ok
    text = repr(found)
    assert "skipped" in text
    assert "not compared" in text
