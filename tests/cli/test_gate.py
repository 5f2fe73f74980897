"""``veridical gate`` and ``compare``: exit codes, files, and the forms of output."""

import json
import subprocess
import sys

import pytest
from lxml import etree

RULES = """version: 1
name: house
rules:
  - {metric: roc_auc, at_least: AUC, min_n: 300}
"""


@pytest.fixture
def run(veridical, hmda, tmp_path):
    """Write what ``evaluate --json`` prints for a score column, and return the file."""

    def write(score="p_logistic", *words):
        path = tmp_path / f"{score}.json"
        outcome = veridical(
            "evaluate",
            hmda,
            "--label",
            "denied",
            "--score",
            score,
            "-m",
            "roc_auc",
            "--json",
            *words,
        )
        path.write_text(outcome.out, encoding="utf-8")
        return path

    return write


@pytest.fixture
def rules(tmp_path):
    def write(auc, name="rules.yaml"):
        path = tmp_path / name
        path.write_text(RULES.replace("AUC", str(auc)), encoding="utf-8")
        return path

    return write


# ROC-AUC is 0.8219, its interval 0.7905 to 0.8495.
@pytest.mark.parametrize(
    ("auc", "code", "verdict"), [(0.75, 0, "pass"), (0.9, 1, "fail"), (0.8, 3, "undecided")]
)
def test_the_exit_code_is_the_verdict(veridical, run, rules, auc, code, verdict):
    file = run()
    outcome = veridical("gate", file, "--policy", rules(auc))
    assert outcome.code == code
    assert outcome.out.startswith(f"{verdict}: policy house 1 (")
    assert outcome.err == ""
    document = veridical("gate", file, "--policy", rules(auc), "--json").document
    assert document["schema"] == "veridical.gate/1"
    assert (document["verdict"], document["exit_code"]) == (verdict, code)


def test_a_project_file_with_rules_is_the_policy(veridical, run, rules):
    file = run()
    assert veridical("gate", file).code == 64
    rules(0.75, "veridical.yaml")
    outcome = veridical("gate", file)
    assert (outcome.code, outcome.err) == (0, "")
    # It holds no settings, and does not disturb the other commands.
    assert veridical("metrics", "recall").code == 0


def test_junit_is_written_whatever_the_verdict(veridical, run, rules, tmp_path):
    target = tmp_path / "gate.xml"
    assert veridical("gate", run(), "--policy", rules(0.9), "--junit", target).code == 1
    assert etree.parse(target).getroot().get("failures") == "1"
    assert veridical("gate", run(), "--policy", rules(0.9), "--junit", tmp_path).code == 65


def test_github_gets_annotations_and_a_summary(veridical, run, rules, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    outcome = veridical("gate", run(), "--policy", rules(0.9), "--github", "--json")
    assert outcome.code == 1
    assert outcome.err.startswith(
        "::error title=veridical gate%3A fail::p_logistic: binary.roc_auc"
    )
    assert outcome.document["verdict"] == "fail"
    assert summary.read_text(encoding="utf-8").startswith("### ")


def test_markdown_and_json_are_one_or_the_other(veridical, run, rules):
    file = run()
    assert veridical("gate", file, "--policy", rules(0.75), "--markdown").out.startswith("### ")
    assert veridical("gate", file, "--policy", rules(0.75), "--markdown", "--json").code == 64
    assert veridical("compare", file, file, "--markdown", "--json").code == 64


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["absent.json", "--policy", "bank"], 65),
        (["scores.csv", "--policy", "bank"], 65),
        (["RUN", "--policy", "absent.yaml"], 65),
        (["RUN", "--policy", "bank", "--subject", "q"], 64),
        (["RUN", "--policy", "bank", "--baseline", "RUN"], 64),
        (["nightly", "--policy", "bank"], 65),
    ],
)
def test_what_cannot_be_judged(veridical, run, scores, words, code):
    del scores
    file = run()
    outcome = veridical("gate", *(file if word == "RUN" else word for word in words))
    assert outcome.code == code
    assert "fix:" in outcome.err
    assert "Traceback" not in outcome.err


def test_runs_on_other_data_are_refused_and_may_be_allowed(veridical, run):
    a, b = run("p_logistic"), run("p_boosting")
    words = ("compare", a, b, "--subject", "p_logistic", "--against", "p_boosting")
    refused = veridical(*words)
    assert refused.code == 4
    assert "the two differ in data: sha256" in refused.err
    assert "--allow data" in refused.err
    outcome = veridical(*words, "--allow", "data")
    assert outcome.code == 0
    assert "compared as independent samples" in " ".join(outcome.out.split())
    document = veridical(*words, "--allow", "data", "--json").document
    assert document["schema"] == "veridical.comparison/1"
    assert document["allowed"][0]["field"] == "data"
    assert {one["method"] for one in document["comparisons"]} == {"square-and-add"}


def test_two_columns_of_one_document_are_one_data_set(veridical, hmda, tmp_path):
    path = tmp_path / "both.json"
    words = ("--label", "denied", "--score", "p_logistic", "--score", "p_boosting", "--json")
    path.write_text(veridical("evaluate", hmda, *words).out, encoding="utf-8")
    words = ("--subject", "p_logistic", "--against", "p_boosting", "-m", "roc_auc")
    outcome = veridical("compare", path, path, *words)
    assert outcome.code == 0
    assert "are found with 80% power" in " ".join(outcome.out.split())


def test_runs_with_nothing_in_common(veridical, run, tmp_path):
    document = json.loads(run().read_text(encoding="utf-8"))
    for result in document["results"]:
        result["metric"] = "binary.ks"
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**document, "results": document["results"][:1]}), encoding="utf-8")
    outcome = veridical("compare", run(), other)
    assert outcome.code == 64
    assert "no metric in common" in outcome.err


def test_nothing_to_compare_is_undecided(veridical, hmda, tmp_path):
    path = tmp_path / "skipped.json"
    words = ("--label", "denied", "--score", "p_logistic", "-m", "recall", "--json")
    path.write_text(veridical("evaluate", hmda, *words).out, encoding="utf-8")
    outcome = veridical("compare", path, path, "-m", "recall")
    assert outcome.code == 3
    assert "not compared" in outcome.out


def test_a_trend_over_files(veridical, run):
    a, b = run("p_logistic"), run("p_boosting")
    outcome = veridical("trend", "roc_auc", a, b)
    assert outcome.code == 0
    assert "last − first: -0.0221" in outcome.out
    document = veridical("trend", "roc_auc", a, b, "--json").document
    assert document["schema"] == "veridical.trend/1"
    assert [point["result"]["subject"] for point in document["points"]] == [
        "p_logistic", "p_boosting",
    ]  # fmt: skip
    assert veridical("trend", "roc_auc", a, "--name", "x").code == 64
    assert veridical("trend", "roc_auc", "--last", "0").code == 64
    assert veridical("trend", "roc_auc").code == 65


def test_a_document_may_come_through_a_pipe(run, rules):
    words = [sys.executable, "-m", "veridical", "gate", "/dev/stdin", "--policy", str(rules(0.75))]
    done = subprocess.run(words, input=run().read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"pass: ")


def test_a_folder_is_no_run(veridical, tmp_path):
    outcome = veridical("gate", tmp_path, "--policy", "bank")
    assert outcome.code == 65
    folder = tmp_path / "x.json"
    folder.mkdir()
    outcome = veridical("gate", folder, "--policy", "bank")
    assert outcome.code == 65
    assert "cannot be read" in outcome.err
