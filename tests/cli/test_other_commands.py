"""``metrics``, ``example`` and ``doctor``."""

import csv
import re
from importlib import metadata

import numpy as np
import pytest

import veridical as vd
from veridical.kernels import choice
from veridical.metrics import every_measure


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_metric_is_listed_and_explained(veridical):
    listing = veridical("metrics").out
    document = veridical("metrics", "--json").document
    assert document["schema"] == "veridical.metrics/1"
    forms = [form.id for measure in every_measure() for form in measure.forms.values()]
    assert [entry["metric"] for entry in document["metrics"]] == forms
    for entry in document["metrics"]:
        assert f"  {entry['metric']} " in listing
        assert entry["definition"]
        assert entry["formula"], entry["metric"]
        assert entry["undefined"], entry["metric"]
        words = entry["interval"] or "none at all"
        assert " " in words, entry["metric"]
        assert "`" not in words, entry["metric"]


@pytest.mark.parametrize("name", ["roc_auc", "auc", "binary.roc_auc"])
def test_a_metric_answers_to_its_aliases(veridical, name):
    out = veridical("metrics", name).out
    assert out.startswith("binary.roc_auc\n")
    for word in ("Formula", "When it is undefined", "References", "better", "aliases"):
        assert word in out
    assert "binary.average_precision" in out  # never reported alone


def test_one_form_of_a_metric(veridical):
    document = veridical("metrics", "recall@fpr=0.001", "--json").document
    (entry,) = document["metrics"]
    assert entry["metric"] == "binary.recall@fpr="
    assert entry["bounds"] == [0, 1]
    fpr = next(p for p in entry["parameters"] if p["name"] == "fpr")
    assert fpr == {
        "name": "fpr",
        "domain": "a number from 0 to 1",
        "required": True,
        "default": None,
    }


def test_the_fraud_example_is_seeded_and_says_that_it_is_synthetic(veridical, tmp_path):
    outcome = veridical("example", "fraud", "--rows", "20000", "--seed", "3", "-o", "a.csv")
    assert (outcome.code, outcome.out) == (0, "a.csv\n")
    assert "SYNTHETIC" in outcome.err
    veridical("example", "fraud", "--rows", "20000", "--seed", "3", "-o", "b.csv")
    veridical("example", "fraud", "--rows", "20000", "--seed", "4", "-o", "c.csv")
    first, second, third = ((tmp_path / f"{name}.csv").read_bytes() for name in "abc")
    assert first == second != third
    rows = read(tmp_path / "a.csv")
    assert len(rows) == len({row["transaction_id"] for row in rows}) == 20_000
    assert sum(row["is_fraud"] == "1" for row in rows) == 30
    assert all(float(row["amount"]) > 0 and 0 < float(row["score"]) < 1 for row in rows)


def test_the_fraud_example_can_be_evaluated_in_both_formats(veridical):
    found = {}
    for name in ("f.csv", "f.parquet"):
        assert veridical("example", "fraud", "--rows", "20000", "-o", name).code == 0
        words = ["evaluate", name, "--label", "is_fraud", "--score", "score", "--no-intervals"]
        document = veridical(
            *words, "--group", "channel", "--cost-fn", "amount", "--cost-fp", "25", "--json"
        ).document
        found[name] = document["results"]
    assert found["f.csv"] == found["f.parquet"]


def test_the_made_up_scores_are_calibrated():
    from veridical.examples import fraud

    data = fraud(500_000, seed=0)
    forecast = data["score"].sum()
    # The forecasts are Bayes' rule, so their sum estimates the number of frauds.
    error = np.sqrt((data["score"] * (1 - data["score"])).sum())
    assert abs(forecast - data["is_fraud"].sum()) < 4 * error
    slope = vd.measure("calibration.slope", data["is_fraud"], data["score"], intervals=False)
    assert abs(slope.value - 1) < 0.1


def test_an_example_replaces_no_file_that_was_not_named(veridical, tmp_path):
    (tmp_path / "fraud.csv").write_text("mine")
    outcome = veridical("example", "fraud", "--rows", "20000")
    assert outcome.code == 64
    assert "-o fraud.csv" in outcome.err
    assert (tmp_path / "fraud.csv").read_text() == "mine"
    assert veridical("example", "fraud", "--rows", "20000", "-o", "fraud.csv").code == 0
    assert (tmp_path / "fraud.csv").read_text() != "mine"


def test_examples_without_a_name_are_listed(veridical):
    assert veridical("example").out.startswith("fraud: ")


def test_doctor_says_what_is_there(veridical):
    document = veridical("doctor", "--json").document
    assert document["kernels"] in {"compiled", "numpy"}
    assert document["packages"]["numpy"] == np.__version__
    assert document["problems"] == []
    assert "Everything that is needed is there." in veridical("doctor").out


def test_doctor_reports_kernels_that_cannot_be_used(veridical, monkeypatch):
    monkeypatch.setenv("VERIDICAL_KERNELS", "abacus")
    outcome = veridical("doctor")
    assert outcome.code == 65
    assert (
        "problem: VERIDICAL_KERNELS is 'abacus' (environment)\n"
        "  fix: unset it, or set it to numpy or compiled\n"
    ) in outcome.out


def test_doctor_says_how_to_get_what_is_missing(veridical, monkeypatch):
    versions = metadata.version

    def without_scipy(name):
        if name == "scipy":
            raise metadata.PackageNotFoundError(name)
        return versions(name)

    monkeypatch.setattr(metadata, "version", without_scipy)
    outcome = veridical("doctor", "--json")
    assert outcome.code == 65
    (found,) = outcome.document["problems"]
    assert found["problem"] == "scipy is not installed"
    assert re.fullmatch(r"pip install 'scipy[<>=.,\d]*'", found["fix"])


def test_doctor_names_kernels_of_another_machine(veridical, monkeypatch):
    def broken():
        raise ImportError("wrong ELF class\nand more")

    monkeypatch.setattr(choice, "loaded_backend", broken)
    outcome = veridical("doctor")
    assert outcome.code == 65
    assert outcome.out.endswith("problem: wrong ELF class\n  fix: install veridical again\n")
