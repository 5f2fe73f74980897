"""``veridical evaluate``: options in, documents out."""

import json

import pytest

HMDA_SCORES = ["--label", "denied", "--score", "p_logistic", "--score", "p_boosting"]


def results_of(outcome):
    return {(r["subject"], r["group"], r["metric"]): r for r in outcome.document["results"]}


# The values of the specification, from scikit-learn on the same file.
GOLDEN = {
    ("p_logistic", "binary.roc_auc"): 0.8218799983251684,
    ("p_boosting", "binary.roc_auc"): 0.7997429133693421,
    ("p_logistic", "binary.average_precision"): 0.5383894104695945,
    ("p_boosting", "binary.average_precision"): 0.5088432744697192,
    ("p_logistic", "calibration.brier"): 0.07668265405842101,
    ("p_boosting", "calibration.brier"): 0.07886214217839202,
}


def test_real_decisions_give_the_golden_numbers(veridical, hmda):
    outcome = veridical("evaluate", hmda, *HMDA_SCORES, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.document["schema"] == "veridical.evaluation/1"
    found = results_of(outcome)
    for (subject, metric), value in GOLDEN.items():
        result = found[subject, None, metric]
        assert result["value"] == pytest.approx(value, abs=1e-12)
        assert result["n"] == result["n_rows"] == 2380
        assert result["interval"]["low"] < value < result["interval"]["high"]


def test_the_same_words_give_the_same_bytes(veridical, hmda):
    words = ["evaluate", hmda, *HMDA_SCORES, "-m", "f1", "--threshold", 0.3, "--json"]
    one, other_seed = veridical(*words), veridical(*words, "--seed", 1)
    assert veridical(*words).out == one.out
    of_one, of_other = (document["results"][0] for document in (one.document, other_seed.document))
    assert of_one["value"] == of_other["value"]
    assert of_one["interval"] != of_other["interval"]


def test_threads_change_no_number(veridical, hmda):
    words = ["evaluate", hmda, *HMDA_SCORES, "--no-intervals", "--json"]
    assert veridical(*words, "--threads", 2).document == veridical(*words).document
    assert veridical(*words, "--threads", 0).code == 64


def test_groups_are_measured_beside_the_whole(veridical, hmda):
    words = ["evaluate", hmda, "--label", "denied", "--score", "p_logistic", "-m", "gini"]
    found = results_of(veridical(*words, "--group", "black", "--json"))
    rows = {group: result["n_rows"] for (_, group, _), result in found.items()}
    assert rows == {None: 2380, "black=no": 2041, "black=yes": 339}


def test_what_is_skipped_is_null_with_a_reason(veridical, scores):
    words = ["evaluate", scores, "--label", "y", "--score", "p"]
    outcome = veridical(*words, "--threshold", 2, "-m", "precision", "-m", "recall", "--json")
    found = results_of(outcome)
    precision = found["p", None, "binary.precision"]
    assert precision["value"] is None
    assert "interval" not in precision
    assert precision["skip"]["reason"] == "nothing_flagged"
    assert found["p", None, "binary.recall"]["value"] == 0


@pytest.mark.parametrize("form", [(), ("--markdown",)])
def test_a_rule_that_is_skipped_says_why(veridical, scores, tmp_path, form):
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "version: 1\nname: house\nrules:\n  - {metric: precision, at_least: 0.5, note: ours}\n",
        encoding="utf-8",
    )
    words = ["evaluate", scores, "--label", "y", "--score", "p", "-m", "brier", "--policy", policy]
    told = " ".join(veridical(*words, *form).out.replace("\\", "").split())
    apart = "| ours |" if form else "note: ours"
    assert f"a decision threshold and none was given (no_threshold) {apart}" in told


def test_the_column_of_weights_is_named(veridical, tmp_path):
    path = tmp_path / "scores.csv"
    rows = "".join(f"{i % 2},{i / 20},{2.5 if i % 3 else 1}\n" for i in range(20))
    path.write_text(f"y,p,kept for\n{rows}", encoding="utf-8")
    words = ["evaluate", path, "--label", "y", "--score", "p", "-m", "brier"]
    weighted = veridical(*words, "--weight", "kept for")
    assert "label y, score p, n in weights of kept for" in " ".join(weighted.out.split())
    assert "weights of" not in veridical(*words).out


def test_requested_is_the_name_as_asked_for(veridical, scores):
    words = ["evaluate", scores, "--label", "y", "--score", "p", "-m", "PR-AUC", "--json"]
    (result,) = veridical(*words).document["results"]
    assert (result["metric"], result["requested"]) == ("binary.average_precision", "PR-AUC")


def test_prices_are_numbers_or_columns(veridical, tmp_path):
    rows = "y,p,amount,850\n1,0.9,100,1\n0,0.6,7,1\n1,0.4,40,1\n0,0.1,7,1\n"
    (tmp_path / "a.csv").write_text(rows, encoding="utf-8")
    words = ["evaluate", "a.csv", "--label", "y", "--score", "p", "--threshold", "0.5", "--json"]
    words += ["-m", "cost.total", "--no-intervals", "--cost-fp", "2", "--cost-review", "0.5"]
    # One missed (0.4), one false alarm (0.6), two reviewed.
    assert veridical(*words, "--cost-fn", "10").document["results"][0]["value"] == 10 + 2 + 1
    assert veridical(*words, "--cost-fn", "amount").document["results"][0]["value"] == 40 + 2 + 1
    assert veridical(*words, "--cost-fn", "850").document["results"][0]["value"] == 850 + 2 + 1
    named_by_number = veridical(*words, "--cost-fn", "column:850")
    assert named_by_number.document["results"][0]["value"] == 1 + 2 + 1


def test_missing_rows_are_an_error_or_dropped_and_counted(veridical, tmp_path):
    (tmp_path / "a.csv").write_text("y,p\n1,0.9\n0,\n1,0.4\n0,0.1\n", encoding="utf-8")
    words = ["evaluate", "a.csv", "--label", "y", "--score", "p", "--json"]
    refused = veridical(*words)
    assert refused.code == 65
    assert "a.csv:3" in refused.err
    source = veridical(*words, "--missing", "drop").document["source"]
    assert (source["n_read"], source["n_rows"], source["n_skipped"]) == (4, 3, 1)


def test_the_positive_label_may_be_a_word(veridical, tmp_path):
    (tmp_path / "a.csv").write_text("y,p\nbad,0.9\ngood,0.6\nbad,0.4\ngood,0.1\n", encoding="utf-8")
    words = ["evaluate", "a.csv", "--label", "y", "--score", "p", "-m", "gini", "--json"]
    (result,) = veridical(*words, "--positive", "bad").document["results"]
    assert result["value"] == 0.5  # 3 of 4 pairs in order: AUC 0.75, Gini 2 * 0.75 - 1


def test_weights_clusters_bins_and_level_arrive(veridical, scores):
    # Of q: the two customers have the same mean squared error of p, hence no interval.
    words = ["evaluate", scores, "--label", "y", "--score", "q", "--json", "--level", "0.8"]
    words += ["-m", "brier", "-m", "ece", "--bins", "4", "--cluster", "customer"]
    found = results_of(veridical(*words))
    brier = found["q", None, "calibration.brier"]
    assert brier["interval"]["level"] == 0.8
    assert brier["conditions"]["n_clusters"] == 2
    assert found["q", None, "calibration.ece@4"]["conditions"]["bins"] == 4
    weighted = veridical(*words, "--weight", "id")
    assert results_of(weighted)["q", None, "calibration.brier"]["conditions"]["weighted"] is True


def test_no_intervals(veridical, scores):
    words = ["evaluate", scores, "--label", "y", "--score", "p", "--no-intervals", "--json"]
    assert all(r.get("interval") is None for r in veridical(*words).document["results"])


def test_a_row_that_stands_twice_is_refused(veridical, scores):
    words = ["evaluate", scores, "--label", "y", "--score", "p"]
    assert veridical(*words, "--id", "id").code == 0
    refused = veridical(*words, "--id", "customer")
    assert refused.code == 65
    assert "2 such values" in refused.err
    assert "scores.csv:2" in refused.err


def test_the_report_is_one_whole_file(veridical, scores, tmp_path):
    words = ["evaluate", scores, "--label", "y", "--score", "p", "--json"]
    outcome = veridical(*words, "--report", "r.html")
    assert outcome.code == 0
    assert outcome.err == "report: r.html\n"
    assert outcome.document["results"]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    assert "0.7500" in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "scores.csv"]


def test_markdown_is_a_table(veridical, scores):
    words = ["evaluate", scores, "--label", "y", "--score", "p", "--markdown"]
    out = veridical(*words, "-m", "roc_auc").out
    assert "| metric | value | 95% interval | n | conditions |" in out
    assert "| ROC-AUC \\[1\\] | 0.7500 |" in out


def test_accuracy_is_never_first(veridical, scores):
    words = ["evaluate", scores, "--label", "y", "--score", "p", "--threshold", "0.5"]
    out = veridical(*words, "-m", "accuracy", "-m", "f1").out
    assert out.index("F1") < out.index("Accuracy")


def test_every_format_gives_the_same_numbers(veridical, scores, tmp_path):
    import pandas as pd

    frame = pd.read_csv(scores)
    frame.to_parquet(tmp_path / "scores.parquet")
    frame.to_json(tmp_path / "scores.jsonl", orient="records", lines=True)
    documents = []
    for name in ("scores.csv", "scores.parquet", "scores.jsonl"):
        words = ["evaluate", name, "--label", "y", "--score", "p", "--json"]
        documents.append(json.loads(veridical(*words).out))
    assert documents[0]["results"] == documents[1]["results"] == documents[2]["results"]
    assert len({document["source"]["sha256"] for document in documents}) == 1
