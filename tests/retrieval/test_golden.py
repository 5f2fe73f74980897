"""Numbers that others worked out: the golden cases, Cranfield, and cwl-eval's."""

from __future__ import annotations

import json

import pytest

import veridical as vd
from veridical.errors import InputError
from veridical.metrics import find


def measured(metric, run, qrels, **options):
    return vd.measure(f"retrieval.{metric}", run, qrels, intervals=False, **options)


@pytest.fixture(scope="module")
def cases(shared):
    text = (shared / "golden" / "retrieval_text_cases.json").read_text(encoding="utf-8")
    return {c["id"][:6]: c for c in json.loads(text)["cases"] if c["area"] == "retrieval"}


PLAIN = ["ret-01", "ret-02", "ret-04", "ret-10", "ret-16", "ret-18"]


@pytest.mark.parametrize("name", PLAIN)
def test_plain_cases(cases, name):
    given, expected = cases[name]["input"], cases[name]["expected"]
    metrics = {m: v for m, v in expected.items() if isinstance(v, float)}
    assert metrics
    for run in (given["run"], given.get("run_permuted", given["run"])):
        for metric, value in metrics.items():
            assert measured(metric, run, given["qrels"]).value == pytest.approx(value, abs=1e-9)


def test_a_query_missing_from_the_run_scores_0_or_is_left_out(cases):
    given, expected = cases["ret-05"]["input"], cases["ret-05"]["expected"]
    with pytest.warns(UserWarning, match="1 query of the golden set without results: 'q3'"):
        ev = vd.evaluate_ranking(given["run"], given["qrels"], ["mrr", "recall@10"])
    assert ev["mrr"].value == pytest.approx(expected["mean_over_qrels"]["mrr"])
    assert ev["recall@10"].value == pytest.approx(expected["mean_over_qrels"]["recall@10"])
    assert ev["mrr"].n == expected["num_q_qrels"]
    assert ev.source["runs"]["run"]["queries_without_results"] == expected["missing"]
    with pytest.warns(UserWarning, match="without results"):
        mrr = measured("mrr", given["run"], given["qrels"], average="intersection")
    assert (mrr.value, mrr.n) == (expected["mean_over_intersection"]["mrr"], 2)


def test_a_query_without_relevant_documents_is_skipped_by_us_and_0_in_trec_eval(cases):
    given, expected = cases["ret-07"]["input"], cases["ret-07"]["expected"]
    ours = measured("recall@10", given["run"], given["qrels"])
    assert (ours.value, ours.n) == (expected["mean_skip_undefined"]["recall@10"], 1)
    assert ours.counts["n_skipped"] == 1
    theirs = {"recall@10": "trec.recall_10", "map": "trec.map"}
    for metric, value in expected["mean_default_trec_eval"].items():
        assert vd.measure(theirs[metric], given["run"], given["qrels"]).value == value


def test_no_query_has_a_relevant_document():
    skipped = measured("map", {"q": {"a": 1}}, {"q": {"a": 0}})
    assert (skipped.ok, skipped.reason) == (False, "no_relevant")


def test_gains(cases):
    given, expected = cases["ret-09"]["input"], cases["ret-09"]["expected"]
    for name, key in (("ndcg@3", "linear"), ("ndcg@3,gain=exp", "exponential")):
        value = measured(name, given["run"], given["qrels"]).value
        assert value == pytest.approx(expected[f"ndcg@3_{key}"], abs=1e-12)


def frame(rows):
    return {
        "query_id": [r[0] for r in rows],
        "doc_id": [r[1] for r in rows],
        "score": [r[2] for r in rows],
    }


def test_duplicates(cases):
    given, expected = cases["ret-12"]["input"], cases["ret-12"]["expected"]
    run = frame(given["run_rows"])
    with pytest.raises(InputError, match="document 'a' stands more than once") as caught:
        measured("map", run, given["qrels"])
    assert "query 'q1'" in str(caught.value)
    for metric, value in expected["policy_keep_first"].items():
        found = measured(metric, run, given["qrels"], duplicates="keep-first")
        assert found.value == value
        assert found.counts["n_duplicates"] == 1


def test_the_rank_column_is_ignored(cases, tmp_path):
    given = cases["ret-13"]["input"]
    (tmp_path / "a.trec").write_text(given["run_file"], encoding="utf-8")
    assert measured("mrr", tmp_path / "a.trec", given["qrels"]).value == 1.0


def test_relevance_levels(cases):
    given, expected = cases["ret-15"]["input"], cases["ret-15"]["expected"]
    for metric, value in expected.items():
        name = metric if metric.startswith("ndcg") else f"{metric},rel=2"
        assert measured(name, given["run"], given["qrels"]).value == pytest.approx(value, abs=1e-9)


def test_the_worked_example():
    run = {"q": ["d7", "d3", "d9", "d1", "d4"]}
    qrels = {"q": {"d3": 3, "d4": 2, "d8": 1}}
    worked = {"recall@5": 2 / 3, "precision@5": 0.4, "mrr": 0.5, "ndcg@5": 0.559969245456243}
    for metric, value in worked.items():
        assert measured(metric, run, qrels).value == pytest.approx(value, abs=1e-12)


CRANFIELD = {
    "bm25": {"ndcg@10": 0.33460270193065, "map": 0.2626873478096572, "mrr": 0.4987102449831997},
    "tfidf": {"ndcg@10": 0.323005568352429, "map": 0.2566516547712648},
}


def test_cranfield(shared):
    folder = shared / "data" / "cranfield"
    runs = {name: folder / f"{name}.trec.gz" for name in CRANFIELD}
    with pytest.warns(UserWarning, match="queries retrieved a document with the id of the query"):
        ev = vd.evaluate_ranking(runs, folder / "qrels.trec")
    for run, values in CRANFIELD.items():
        for metric, value in values.items():
            result = ev[run, metric]
            assert result.value == pytest.approx(value, abs=1e-9)
            assert result.n == 225
            assert result.value in result.interval
    compared = {one.metric: one for one in ev.comparisons}
    one = compared["retrieval.ndcg@10"]
    difference = one.difference
    assert difference.value == pytest.approx(0.33460270193065 - 0.323005568352429, abs=1e-9)
    assert sum(difference.counts.values()) == 225
    assert difference.interval.low < 0 < difference.interval.high
    assert one.verdict.startswith("no difference shown")
    assert one.n_tests == len(ev.comparisons) == 7


def test_the_t_test_of_cranfield_is_scipys(shared):
    from scipy import stats

    folder = shared / "data" / "cranfield"
    with pytest.warns(UserWarning, match="id of the query"):
        ev = vd.evaluate_ranking(
            [folder / "bm25.trec.gz", folder / "tfidf.trec.gz"], folder / "qrels.trec", ["map"]
        )
    a, b = (ev.query_values("map", name).values for name in ("bm25", "tfidf"))
    theirs = stats.ttest_rel(a, b)
    [one] = ev.comparisons
    assert one.difference.conditions["t_p_value"] == pytest.approx(theirs.pvalue, rel=1e-9)
    permuted = stats.permutation_test(
        (a, b), lambda x, y: (x - y).mean(), permutation_type="samples", n_resamples=5000, rng=1
    )
    assert one.p_value == pytest.approx(permuted.pvalue, abs=0.03)


CWL = {"AP": "map", "P@1": "precision@1", "P@5": "precision@5", "P@10": "precision@10",
       "P@20": "precision@20", "RR": "mrr", "RBP(p=0.9,rel=1)": "rbp,p=0.9"}  # fmt: skip


def test_cwl_eval(shared):
    folder = shared / "data" / "ir_measures"
    expected = json.loads((folder / "cwl.expected.json").read_text(encoding="utf-8"))["expected"]
    # cwl-eval's RBP over ten documents.
    ev = vd.evaluate_ranking(folder / "cwl.run", folder / "cwl.qrels", list(CWL.values()))
    for theirs, by_query in expected.items():
        values = ev.query_values(str(find(f"retrieval.{CWL[theirs]}")))
        for query, value in by_query.items():
            assert values.of(query) == pytest.approx(value, abs=1e-4), (theirs, query)
