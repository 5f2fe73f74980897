"""One report from a model file: what it measures, what it judges, what it leaves out."""

import pyarrow.compute as pc
import pytest
from pyarrow import csv

import veridical as vd
from tests.validation.models import DAY, describe, payments
from veridical.errors import LabelError
from veridical.validation import measuring
from veridical.validation.contents import document_of
from veridical.validation.page import page_of
from veridical.validation.word import word_of


def test_numbers_are_those_of_the_verbs(validation):
    described = validation.description
    ev = vd.evaluate(
        described.out_of_time,
        label="is_fraud",
        score=["score", "old"],
        threshold=validation.threshold,
        costs=vd.Costs(fn=850, fp=25, review=5, currency="USD"),
        groups=["channel"],
    )
    assert {(r.subject, r.group, r.metric): r for r in ev.results}.items() <= {
        (r.subject, r.group, r.metric): r for r in validation.out_of_time.results
    }.items()
    assert validation.out_of_time.comparisons == ev.comparisons
    drift = vd.evaluate_drift(
        described.development,
        described.out_of_time,
        columns=["score", "is_fraud", "amount", "channel"],
        categorical=["is_fraud"],
    )
    assert validation.drift.results == drift.results
    fairness = vd.evaluate_fairness(
        described.out_of_time,
        groups="channel",
        favourable=0,
        score="score",
        threshold=validation.threshold,
        label="is_fraud",
    )
    assert validation.fairness.results == fairness.results


def test_the_threshold_is_the_cheapest_of_the_development_sample(validation):
    ev = vd.evaluate(
        validation.description.development,
        "cost.best_threshold",
        label="is_fraud",
        score="score",
        costs=vd.Costs(fn=850, fp=25, review=5),
    )
    assert validation.threshold == ev["cost.best_threshold"].conditions["threshold"]


def times(table, name, factor):
    at = table.schema.get_field_index(name)
    return table.set_column(at, name, pc.multiply(table[name], factor))


def of_class(table, label):
    return table.filter(pc.equal(table["is_fraud"], label))


def in_words(table):
    words = ["bad" if label else "good" for label in table["is_fraud"].to_pylist()]
    return table.set_column(table.schema.get_field_index("is_fraud"), "is_fraud", [words])


def validated(folder, development, out_of_time, **changes):
    csv.write_csv(development, folder / "dev.csv")
    csv.write_csv(out_of_time, folder / "oot.csv")
    validation = vd.validate_model(describe(folder, **changes), date=DAY)
    document = document_of(validation)
    assert page_of(document)
    assert word_of(document, validation.date)
    return validation


HALF = payments().num_rows // 2
EARLIER, LATER = payments().slice(0, HALF), payments().slice(HALF)


@pytest.mark.parametrize(
    ("development", "out_of_time"),
    [
        pytest.param(EARLIER, of_class(LATER, 0), id="no event later"),
        pytest.param(EARLIER, of_class(LATER, 1), id="events alone later"),
        pytest.param(of_class(EARLIER, 0), LATER, id="no event before"),
        pytest.param(EARLIER, LATER.slice(0, 1), id="one row"),
    ],
)
def test_samples_of_one_class_are_written_up_and_never_pass(tmp_path, development, out_of_time):
    validation = validated(tmp_path, development, out_of_time)
    assert validation.verdict != "met"
    assert any("0 rows of the rarer class" in remark for remark in validation.limits.remarks)
    assert validation.limits.skipped


@pytest.mark.parametrize("both", [True, False])
def test_points_are_no_forecasts_beside_a_champion_that_forecasts(tmp_path, both):
    before = times(EARLIER, "score", 700.0) if both else EARLIER
    validation = validated(tmp_path, before, times(LATER, "score", 700.0))
    assert not validation.are_forecasts
    assert any("are no forecasts" in told for told in validation.limits.absent)
    reasons = {(one.metric, str(one.reason)) for one in validation.limits.skipped}
    assert ("calibration.ece", "not_probabilities") in reasons


def test_labels_in_words(tmp_path):
    plain = validated(tmp_path, EARLIER, LATER)
    words = validated(
        tmp_path, in_words(EARLIER), in_words(LATER), positive="bad", favourable_label="good"
    )
    values = [[r.value for r in one.fairness.results] for one in (plain, words)]
    assert values[0] == values[1]
    with pytest.raises(LabelError, match="favourable_label"):
        validated(tmp_path, in_words(EARLIER), in_words(LATER), positive="bad")


def test_a_price_may_be_a_column(tmp_path):
    validation = validated(tmp_path, EARLIER, LATER, costs={"fn": "amount", "fp": 25, "review": 5})
    costs = vd.Costs(fn="amount", fp=25, review=5)
    settings = {"label": "is_fraud", "score": "score", "threshold": validation.threshold}
    ev = vd.evaluate(validation.description.out_of_time, "cost.total", costs=costs, **settings)
    assert validation.out_of_time["score", "cost.total"].value == ev["cost.total"].value


@pytest.mark.parametrize("engine", ["batches", "histogram"])
def test_samples_that_are_counted_and_not_held(tmp_path, monkeypatch, engine):
    plain = validated(tmp_path, EARLIER, LATER, groups=None)

    def counted(*data, **settings):
        return vd.evaluate(*data, **settings | ({"engine": engine} if "groups" in settings else {}))

    monkeypatch.setattr(measuring, "evaluate", counted)
    validation = validated(tmp_path, EARLIER, LATER, groups=None)
    assert validation.out_of_time.source["engine"] == engine
    for metric in ("binary.recall", "calibration.brier"):
        values = [one.out_of_time["score", metric].value for one in (plain, validation)]
        assert values[0] == pytest.approx(values[1], abs=1e-9)
