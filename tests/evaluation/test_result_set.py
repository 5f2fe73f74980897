"""Finding one's way in an evaluation: keys, parts, data frames and figures."""

import numpy as np
import polars as pl
import pytest

import veridical as vd
from veridical.errors import MetricNameError, MissingExtraError
from veridical.metrics import find

Y = np.array([1, 0, 1, 0, 1, 0, 0, 0])
DATA = {
    "y": Y,
    "p": [0.9, 0.6, 0.4, 0.1, 0.8, 0.3, 0.2, 0.5],
    "q": [0.7, 0.8, 0.5, 0.2, 0.6, 0.1, 0.3, 0.4],
    "region": ["n", "n", "s", "s", "n", "n", "s", "s"],
}
METRICS = ["PR-AUC", "binary.recall@fpr=0.25", "calibration.ece@5", "precision"]


@pytest.fixture(scope="module")
def one():
    return vd.evaluate(DATA, METRICS, label="y", score="p", groups="region", threshold=0.5)


@pytest.fixture(scope="module")
def two():
    return vd.evaluate(DATA, METRICS, label="y", score=["p", "q"], threshold=0.5)


@pytest.mark.parametrize(
    ("key", "metric"),
    [
        ("binary.average_precision", "binary.average_precision"),
        ("PR-AUC", "binary.average_precision"),
        ("ap", "binary.average_precision"),
        (find("ap"), "binary.average_precision"),
        ("recall@fpr=25%", "binary.recall@fpr=0.25"),
        ("ece", "calibration.ece@5"),
        (("p", "precision"), "binary.precision"),
    ],
)
def test_a_result_is_found_by_any_of_its_names(one, key, metric):
    assert one[key].metric == metric
    assert one[key].group is None
    assert key in one


@pytest.mark.parametrize("key", ["gini", "no such metric", ("q", "precision"), "ece@10", 7])
def test_what_was_not_measured_is_not_there(one, key):
    assert key not in one


def test_the_error_lists_what_was_measured(one):
    with pytest.raises(MetricNameError, match=r"gini was not measured\n.*binary.precision"):
        one["gini"]


def test_keys_are_names_for_one_score_and_pairs_for_several(one, two):
    assert next(iter(one)) == "binary.average_precision"
    assert dict(one.items())["binary.precision"] is one["precision"]
    assert set(two) == {(name, metric) for name in "pq" for metric in one}
    assert len(two) == 2 * len(one)
    with pytest.raises(MetricNameError, match="2 score columns"):
        two["precision"]


def test_a_part_is_what_would_have_been_measured_alone(two):
    alone = vd.evaluate(DATA, METRICS, label="y", score="q", threshold=0.5)
    assert two.subject("q").results == alone.results
    assert list(two.subject("q")) == list(alone)


def test_a_group_is_keyed_like_the_whole(one):
    assert one.groups == ["region=n", "region=s"]
    south = one.group("region=s")
    assert list(south) == list(one)
    assert south["precision"].n_rows == 4
    for unknown in (lambda: one.group("region=w"), lambda: one.subject("q")):
        with pytest.raises(MetricNameError, match="known: "):
            unknown()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_one_row_a_result(one, backend):
    frame = pl.DataFrame(one.to_frame(backend))
    assert frame.height == len(one.results)
    for row, result in zip(frame.iter_rows(named=True), one.results, strict=True):
        named = (row["metric"], row["subject"], row["group"])
        assert named == (result.metric, result.subject, result.group)
        assert row["value"] == result.value
        assert (row["n"], row["n_rows"]) == (result.n, result.n_rows)
        ends = (None, None) if not result.interval else (result.interval.low, result.interval.high)
        assert (row["low"], row["high"]) == ends
        assert row["skip"] == (None if result.ok else str(result.reason))


@pytest.fixture(scope="module")
def ranking():
    qrels = {"q1": {"d1": 1}, "q2": {"d9": 0}}
    runs = {
        "a": {"q1": ["d1"], "q2": ["d1"]},
        "b\ud800": {"q1": ["d2", "d1"], "q2": ["d9"]},
    }
    return vd.evaluate_ranking(runs, qrels, ["mrr"], intervals=False)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_of_queries_has_one_row_a_run_and_query(ranking, backend):
    frame = pl.DataFrame(ranking.per_query_frame(backend))
    found = {(row["subject"], row["query"]): row["value"] for row in frame.iter_rows(named=True)}
    # No file can hold the name of the second; q2 has no relevant document, and so no value.
    second = "b\N{REPLACEMENT CHARACTER}"
    assert found == {
        ("a", "q1"): 1.0, ("a", "q2"): None, (second, "q1"): 0.5, (second, "q2"): None,
    }  # fmt: skip
    assert set(frame["metric"]) == {"retrieval.mrr"}


def test_queries_are_a_data_frame_of_pandas_by_default(ranking):
    assert ranking.per_query.equals(ranking.per_query_frame("pandas"))


def test_a_library_that_is_not_installed_is_named(one, ranking):
    for frame in (one.to_frame, ranking.per_query_frame):
        with pytest.raises(MissingExtraError, match="pip install modin"):
            frame("modin")


def test_figures_show_every_score_column(two):
    ax = two.plot.roc()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert {"p", "q"} <= set(labels)
    assert two.plot.pr(ax) is ax
