"""Real mortgage and loan decisions: numbers to 1e-12, from the shared and the shipped copy."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import veridical as vd
from veridical import strict_json

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "examples" / "credit"
EXPECTED = {
    "p_logistic": {
        "binary.roc_auc": 0.8218799983251684,
        "binary.average_precision": 0.5383894104695945,
        "calibration.brier": 0.07668265405842101,
    },
    "p_boosting": {
        "binary.roc_auc": 0.7997429133693421,
        "binary.average_precision": 0.5088432744697192,
        "calibration.brier": 0.07886214217839202,
    },
}


@pytest.fixture(params=["shared", "shipped"])
def hmda(request) -> Path:
    if request.param == "shipped":
        return SHIPPED / "hmda_scores.csv"
    return request.getfixturevalue("shared") / "data" / "credit" / "hmda_scores.csv"


def test_hmda_numbers(hmda):
    ev = vd.evaluate(hmda, label="denied", score=list(EXPECTED))
    for subject, numbers in EXPECTED.items():
        for metric, expected in numbers.items():
            result = ev[subject, metric]
            assert result.value == pytest.approx(expected, rel=0, abs=1e-12)
            assert result.value in result.interval
            assert (result.n, result.n_rows) == (2380, 2380)


def test_hmda_classes(hmda):
    ev = vd.evaluate(hmda, "binary.roc_auc", label="denied", score="p_logistic", intervals=False)
    assert ev["binary.roc_auc"].conditions["prevalence"] == pytest.approx(285 / 2380, abs=1e-15)


def test_hmda_equals_columns_read_by_hand(hmda):
    with hmda.open() as file:
        rows = list(csv.DictReader(file))
    labels = np.array([int(row["denied"]) for row in rows])
    scores = np.array([float(row["p_boosting"]) for row in rows])
    ev = vd.evaluate(hmda, label="denied", score="p_boosting", seed=3)
    for metric in ev:
        by_hand = vd.measure(metric, labels, scores, seed=3)
        assert (by_hand.value, by_hand.interval) == (ev[metric].value, ev[metric].interval)


def test_groups_of_hmda_are_the_rows_of_each_value(hmda):
    with hmda.open() as file:
        rows = list(csv.DictReader(file))
    ev = vd.evaluate(
        hmda, ["binary.recall"], label="denied", score="p_logistic", groups="black",
        threshold=0.2, intervals=False,
    )  # fmt: skip
    assert sorted(ev.groups) == ["black=no", "black=yes"]
    for value in ("yes", "no"):
        denied = [r for r in rows if r["black"] == value and r["denied"] == "1"]
        caught = sum(float(r["p_logistic"]) >= 0.2 for r in denied)
        result = ev.group(f"black={value}")["binary.recall"]
        assert (result.value, result.n) == (caught / len(denied), len(denied))


def test_lending_club_classes():
    ev = vd.evaluate(
        SHIPPED / "lending_club_scores.csv", "binary.roc_auc", label="bad", score="p_logistic",
        intervals=False,
    )  # fmt: skip
    result = ev["binary.roc_auc"]
    assert result.n == 9857
    assert result.conditions["prevalence"] == pytest.approx(517 / 9857, abs=1e-15)


def test_the_json_document_has_the_form_of_the_public_page():
    ev = vd.evaluate(
        SHIPPED / "hmda_scores.csv", ["roc_auc", "binary.precision"], label="denied",
        score=["p_logistic", "p_boosting"], groups="black", threshold=0.9999,
    )  # fmt: skip
    document = strict_json.loads(strict_json.dumps(ev.to_dict()))
    assert document["schema"] == "veridical.evaluation/1"
    assert {"source", "results"} <= set(document)
    every = {
        "metric",
        "requested",
        "subject",
        "group",
        "value",
        "n",
        "n_rows",
        "conditions",
        "notes",
    }
    for result in document["results"]:
        assert every <= set(result)
        assert ("skip" in result) is (result["value"] is None)
    first = document["results"][0]
    assert (first["metric"], first["requested"]) == ("binary.roc_auc", "roc_auc")
    assert (first["subject"], first["group"]) == ("p_logistic", None)
    assert set(first["interval"]) == {"low", "high", "level", "method"}
    assert first["interval"]["method"] == "delong-logit"
    beside = next(r for r in document["results"] if r["metric"] == "binary.average_precision")
    assert beside["requested"] is None
    wanted = ("binary.precision", "p_logistic", "black=yes")
    nothing = next(
        r for r in document["results"] if (r["metric"], r["subject"], r["group"]) == wanted
    )
    assert (nothing["value"], nothing["n"], nothing["n_rows"]) == (None, 0, 339)
    assert nothing["skip"]["reason"] == "nothing_flagged"
    assert nothing["skip"]["detail"]
