"""One report from a model file: what it measures, what it judges, what it leaves out."""

import veridical as vd


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
