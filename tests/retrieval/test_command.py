"""``veridical rank`` on the command line."""

from __future__ import annotations

import json

import pytest

from tests.retrieval.commands import veridical


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.trec").write_text("q1 Q0 x 1 2 A\nq1 Q0 y 2 1 A\nq9 Q0 x 1 1 A\n", "utf-8")
    (tmp_path / "b.json").write_text('{"q1": {"y": 2, "x": 1}, "q2": {"z": 1}}', "utf-8")
    (tmp_path / "q.qrels").write_text("q1 0 x 1\nq2 0 z 1\nq3 0 z 0\n", "utf-8")
    return tmp_path


def test_json(files):
    done = veridical(
        "rank", files / "a.trec", files / "b.json", "--qrels", files / "q.qrels", "--json",
        "--per-query", "-m", "map", "-m", "recall_at_k@1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "veridical.evaluation/1"
    results = {(r["subject"], r["metric"]): r for r in document["results"]}
    assert results["a", "retrieval.map"]["value"] == 0.5
    assert results["b", "retrieval.map"]["value"] == 0.75
    assert results["b", "retrieval.map"]["n_skipped"] == 1
    assert results["a", "retrieval.recall@1"]["requested"] == "recall_at_k@1"
    assert document["source"]["runs"]["a"]["queries_not_in_golden_set"] == ["q9"]
    rows = {(r["subject"], r["metric"], r["query"]): r["value"] for r in document["per_query"]}
    assert rows["b", "retrieval.map", "q1"] == 0.5
    assert rows["b", "retrieval.map", "q3"] is None
    [one] = [c for c in document["comparisons"] if c["metric"] == "retrieval.map"]
    assert one["difference"]["value"] == -0.25
    assert [one["difference"][f"n_{k}"] for k in ("wins", "ties", "losses")] == [1, 0, 1]


def test_the_table_and_the_warnings(files):
    done = veridical("rank", files / "a.trec", "--qrels", files / "q.qrels", "--per-query")
    assert done.returncode == 0
    assert "nDCG@10" in done.stdout
    assert "1 of 3 queries have no relevant document and are left out" in done.stdout
    assert "not in the golden set and are left out: 'q9'" in done.stderr
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--strict"], 4, "without results"),
        (["-m", "nonsense"], 64, "no metric 'nonsense'"),
        (["-m", "binary.recall"], 64, "no metric of a ranking"),
        (["--ties", "random"], 64, "random"),
        (["--json", "--trec"], 64, "both claim stdout"),
        (["--trec", "-m", "retrieval.map"], 64, "no measure of trec_eval"),
    ],
)
def test_refusals(files, words, code, said):
    done = veridical("rank", files / "a.trec", "--qrels", files / "q.qrels", *words)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("metrics", [("map,rel=2", "mrr"), ("mrr", "map,rel=2")])
def test_how_many_queries_are_left_out_is_said_of_the_metrics_that_leave_them_out(files, metrics):
    (files / "grades.qrels").write_text("q1 0 x 2\nq2 0 z 1\nq3 0 z 0\n", "utf-8")
    words = [word for metric in metrics for word in ("-m", metric)]
    done = veridical("rank", files / "b.json", "--qrels", files / "grades.qrels", *words)
    assert "b (MAP, rel 2): 2 of 3 queries have no relevant document" in done.stdout
    assert "b (MRR): 1 of 3 queries have no relevant document" in done.stdout


@pytest.mark.parametrize("metric", ["map", "trec.map"])
def test_repeated_documents_that_are_left_out_are_said(files, metric):
    (files / "t.trec").write_text("q1 Q0 x 1 1 T\nq1 Q0 x 2 0 T\n", "utf-8")
    done = veridical(
        "rank", files / "t.trec", "--qrels", files / "q.qrels", "-m", metric,
        "--duplicates", "keep-first",
    )  # fmt: skip
    assert "t: 1 duplicate row left out" in done.stdout


def test_one_of_a_kind_is_not_called_several(files):
    (files / "t.trec").write_text("q1 Q0 a 1 1 T\nq1 Q0 x 2 1 T\n", "utf-8")
    (files / "one.qrels").write_text("q1 0 x 1\n", "utf-8")
    said = veridical("rank", files / "t.trec", "--qrels", files / "one.qrels", "-m", "map").stdout
    assert "1 query, 1 judgement;" in said
    assert "relevant documents stand in 1 group of equal scores" in said


def test_nothing_could_be_scored(files):
    (files / "none.qrels").write_text("q1 0 x 0\n", "utf-8")
    done = veridical("rank", files / "a.trec", "--qrels", files / "none.qrels", "-m", "map")
    assert done.returncode == 3
    assert "no_relevant" in done.stdout


def test_ties_and_duplicates(files):
    (files / "t.trec").write_text("q1 Q0 a 1 1 T\nq1 Q0 x 2 1 T\nq1 Q0 x 3 0 T\n", "utf-8")
    words = ["rank", files / "t.trec", "--qrels", files / "q.qrels", "-m", "mrr", "--json"]
    assert "stands more than once" in veridical(*words).stderr
    words += ["--duplicates", "keep-first", "--average", "intersection"]
    for ties, value in (("docid_desc", 1.0), ("input", 0.5)):
        done = veridical(*words, "--ties", ties)
        [result] = json.loads(done.stdout)["results"]
        assert result["value"] == value
        assert result["conditions"]["ties_with_relevant"] == 1
        assert result["n_duplicates"] == 1
    refused = veridical(*words, "--ties", "error")
    assert refused.returncode == 65
    assert "'a' and 'x' have the same score" in refused.stderr
