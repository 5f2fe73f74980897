"""An interval over fewer than thirty units says so, whatever the units are."""

import numpy as np
import pytest

import veridical as vd
from veridical.metrics import find
from veridical.metrics.case_means import mean_over_cases, over_cases
from veridical.metrics.unit_intervals import Question
from veridical.notes import sentence
from veridical.summaries.case_outcomes import CaseOutcomes

FEW = "few_units"


def rows(n):
    rng = np.random.default_rng(3)
    labels = np.arange(n) % 3 == 0
    return {"y": labels, "a": labels + rng.normal(size=n), "b": labels + rng.normal(size=n)}


def scores(n):
    ev = vd.evaluate(rows(n), ["roc_auc", "ap"], label="y", score="a")
    return ev["roc_auc"].notes


def compared_scores(n):
    ev = vd.evaluate(rows(n), "roc_auc", label="y", score=["a", "b"])
    return ev.comparisons[0].difference.notes


def golden(n):
    return {f"q{at}": {"d1": 1} for at in range(n)}


def run(n, first=2):
    return {f"q{at}": {"d1": 1.0, "d2": float(at % first)} for at in range(n)}


def queries(n):
    return vd.evaluate_ranking(run(n), golden(n), "mrr")["mrr"].notes


def queries_again(n, tmp_path):
    ev = vd.evaluate_ranking(run(n), golden(n), "mrr")
    return ev.save(store=tmp_path / "runs.db").refinalised()["mrr"].notes


def compared_queries(n):
    ev = vd.evaluate_ranking({"a": run(n), "b": run(n, 3)}, golden(n), "mrr")
    return ev.comparisons[0].difference.notes


def texts(metric):
    def of(n):
        said = ["a b c d e"] * (n // 2) + ["a b c x y"] * (n - n // 2)
        return vd.evaluate_text(said, ["a b c d e"] * n, metric)[metric].notes

    return of


def items(n):
    data = {"x": ["y", "n"] * n, "z": ["y", "n", "n"] * n}
    data = {name: column[:n] for name, column in data.items()}
    return vd.evaluate_agreement(data, raters=["x", "z"])["cohens_kappa"].notes


def cases(repeats):
    def of(n):
        scored = [
            (f"c{at}", again, "scored", (at % 5) / 5, "")
            for at in range(n)
            for again in range(repeats)
        ]
        outcomes = CaseOutcomes.of(scored)
        measure = find("generation.groundedness")
        question = Question(measure.definition, measure.arguments(), outcomes)
        return over_cases(mean_over_cases(outcomes), question).said(None)

    return of


@pytest.mark.parametrize(
    "noted",
    [
        scores,
        compared_scores,
        queries,
        compared_queries,
        texts("rouge_l"),
        texts("chrf"),
        items,
        cases(1),
        cases(3),
    ],
)
def test_thirty_units_are_enough_and_twenty_nine_are_few(noted):
    assert FEW in noted(29)
    assert FEW not in noted(30)


def test_a_ranking_that_is_computed_again_says_it_too(tmp_path):
    assert FEW in queries_again(29, tmp_path)
    assert FEW not in queries_again(30, tmp_path)


def test_intervals_that_hold_on_few_units_are_not_called_rough():
    ev = vd.evaluate(rows(20), "recall", label="y", score="a", threshold=0.5)
    assert ev["recall"].interval.method == "wilson"
    assert FEW not in ev["recall"].notes


def test_labels_are_few_where_the_judged_are_many():
    data = {"judge": ["y", "n"] * 50, "truth": ["y", "n", "n", "n"] * 5 + [None] * 80}
    ev = vd.evaluate_agreement(
        data, ["rogan_gladen_rate", "judged_rate"], raters=["judge", "truth"], rate="y"
    )
    corrected = ev["rogan_gladen_rate"]
    assert corrected.n == ev["judged_rate"].n == 100
    assert FEW in corrected.notes
    assert FEW not in ev["judged_rate"].notes


def test_weighted_rows_are_not_called_clusters():
    data = {**rows(20), "w": [0.5, 1.5] * 10}
    notes = vd.evaluate(data, "roc_auc", label="y", score="a", weight="w")["roc_auc"].notes
    assert FEW in notes
    assert "few_clusters" not in notes


def test_where_there_is_no_interval_it_is_not_called_rough():
    few = vd.evaluate_ranking(golden(2), golden(2), "mrr")["mrr"]
    assert few.interval is None
    assert FEW not in few.notes


def test_every_report_of_two_queries_says_it(tmp_path):
    ev = vd.evaluate_ranking(run(2), golden(2), "mrr")
    said = sentence(FEW)
    page = ev.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert said in page
    assert said in " ".join(repr(ev).split())
    assert ev.to_dict()["results"][0]["notes"] == [FEW]
