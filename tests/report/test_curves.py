"""Curves of data that were not kept: the same counts as of the rows, at fewer thresholds."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import veridical as vd
from veridical.report.assemble import report_payload, subject_points

COSTS = vd.Costs(fn=10, fp=1, review=0.5)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    generator = np.random.default_rng(8)
    scores = np.round(generator.beta(0.5, 4, 3_000), 3)  # with ties, also between the classes
    positive = generator.random(3_000) < scores
    path = tmp_path_factory.mktemp("curves") / "rows.parquet"
    parquet.write_table(pa.table({"y": positive.astype(int), "p": scores}), path)
    return path, positive, scores


def evaluated(path, engine, **options):
    return vd.evaluate(
        path, label="y", score="p", engine=engine, costs=COSTS, intervals=False, **options
    )


@pytest.mark.parametrize("threshold", [None, 0.1237, 0.2, 2.0])
def test_every_point_has_the_counts_of_the_rows(rows, threshold):
    path, positive, scores = rows
    subject = subject_points(evaluated(path, "batches", threshold=threshold), "p")
    for point in subject["points"]:
        flagged = np.zeros(len(scores), dtype=bool)
        if point["threshold"] is not None:
            flagged = scores >= point["threshold"]
        assert point["tp"] == np.count_nonzero(flagged & positive)
        assert point["fp"] == np.count_nonzero(flagged & ~positive)
        wrong = point["fn"] * 10 + point["fp"] + 0.5 * (point["tp"] + point["fp"])
        assert point["cost"] == pytest.approx(wrong, rel=1e-12)
    assert subject["points"][-1]["tp"] + subject["points"][-1]["fp"] == len(scores)


@pytest.mark.parametrize("threshold", [None, 0.1237])
def test_named_thresholds_and_calibration_are_those_of_memory(rows, threshold):
    found, want = (
        subject_points(evaluated(rows[0], engine, threshold=threshold), "p")
        for engine in ("batches", "memory")
    )
    for name in ("named_thresholds", "reliability", "is_probability", "positives", "prevalence"):
        assert found[name] == want[name]


def test_the_report_is_written(rows, tmp_path):
    ev = evaluated(rows[0], "batches")
    text = ev.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "recall at FPR 0.001" in text
    assert report_payload(ev)["subjects"][0]["is_probability"]


def test_scores_that_are_no_forecasts(rows, tmp_path):
    _, positive, scores = rows
    path = tmp_path / "scores.parquet"
    parquet.write_table(pa.table({"y": positive.astype(int), "p": 10 * scores - 5}), path)
    subject = subject_points(evaluated(path, "batches"), "p")
    assert not subject["is_probability"]
    assert subject["reliability"] == []


@pytest.mark.parametrize("grid", ["probability/4", "line/12"])
@pytest.mark.parametrize("threshold", [None, 0.37])
def test_curves_of_bins_go_through_points_of_the_exact_one(rows, grid, threshold, tmp_path):
    path, positive, scores = rows
    at = () if threshold is None else (threshold,)
    summary = vd.summarise(path, label="y", score="p", grid=grid, thresholds=at)
    ev = vd.evaluate(summary)
    subject = subject_points(ev, "p")
    assert len(subject["points"]) > 10
    for point in subject["points"]:
        flagged = scores >= (np.inf if point["threshold"] is None else point["threshold"])
        assert point["tp"] == np.count_nonzero(positive & flagged)
        assert point["fp"] == np.count_nonzero(~positive & flagged)
    in_use = [one["threshold"] for one in subject["named_thresholds"] if one["name"] == "in use"]
    assert in_use == list(at)
    assert subject["is_probability"]
    text = ev.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "certified" in text
    assert "edges of bins" in text


def test_a_threshold_inside_a_bin_is_no_point_of_its_curve(rows):
    summary = vd.summarise(rows[0], label="y", score="p", grid="probability/4")
    subject = subject_points(vd.evaluate(summary, threshold=0.37), "p")
    assert "in use" not in {one["name"] for one in subject["named_thresholds"]}


def test_rows_that_belong_together_have_no_intervals_of_independent_rows():
    rng = np.random.default_rng(3)
    data = {"y": rng.integers(0, 2, 200), "p": rng.random(200), "who": rng.integers(0, 40, 200)}
    for cluster in (None, "who"):
        ev = vd.evaluate(data, "roc_auc", label="y", score="p", cluster=cluster)
        subject = subject_points(ev, "p")
        rates = [point["recall"] for point in subject["points"]]
        rates += [b["event_rate"] for b in subject["reliability"]]
        assert rates
        assert all((rate["low"] is None) == (cluster is not None) for rate in rates)
