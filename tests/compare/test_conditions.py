"""What may not be compared, what the refusal says, and what opting in records."""

import numpy as np
import pytest

import veridical as vd
from tests.compare.samples import evaluated, two_models
from veridical.errors import MismatchError, ParameterError, UnsupportedTypeError

Y, P, Q = two_models(300, 0.3, seed=1)


def measured(labels=Y, scores=P, *, name="p", label="y", **settings):
    columns = settings.pop("columns", {})
    data = {label: labels, name: scores, **columns}
    return vd.evaluate(data, label=label, score=name, **{"intervals": False, **settings})


def refusal(a, b, metric="binary.roc_auc", **settings) -> str:
    with pytest.raises(MismatchError) as caught:
        vd.compare(a, b, metric, **settings)
    assert caught.value.exit_code == 4
    return str(caught.value)


def flipped():
    return np.where(np.arange(len(Y)) == 0, ~Y, Y)


WEIGHTS = {"w": np.arange(1, len(Y) + 1)}
CLUSTERS = {"c": np.arange(len(Y)) // 3}
OTHER_CLUSTERS = {"c": np.arange(len(Y)) // 5}


@pytest.mark.parametrize(
    ("one", "two", "metric", "condition"),
    [
        ({}, {"labels": flipped()}, "binary.roc_auc", "rows"),
        ({}, {"labels": Y[:-1], "scores": P[:-1]}, "binary.roc_auc", "rows"),
        ({}, {"label": "z"}, "binary.roc_auc", "label"),
        (
            {"labels": np.where(Y, "a", "b"), "positive": "a"},
            {"labels": np.where(Y, "a", "b"), "positive": "b"},
            "binary.roc_auc",
            "positive",
        ),
        ({}, {"weight": "w", "columns": WEIGHTS}, "binary.roc_auc", "weight"),
        ({}, {"cluster": "c", "columns": CLUSTERS}, "binary.roc_auc", "cluster"),
        (
            {"cluster": "c", "columns": CLUSTERS},
            {"cluster": "c", "columns": OTHER_CLUSTERS},
            "binary.roc_auc",
            "cluster",
        ),
        ({"threshold": 0.5}, {"threshold": 0.3}, "binary.recall", "threshold"),
        ({"threshold": 0.5}, {}, "binary.recall", "threshold"),
        (
            {"costs": vd.Costs(fn=10, fp=1)},
            {"costs": vd.Costs(fn=9, fp=1)},
            "cost.best_threshold",
            "costs",
        ),
    ],
)
def test_a_differing_condition_is_refused_by_name(one, two, metric, condition):
    message = refusal(measured(**one), measured(scores_of(two), **two), metric)
    assert f"the two differ in {condition}" in message
    assert "allow=[" in message
    assert condition in message.split("allow=")[1]


def scores_of(settings):
    """Return labels for ``measured`` unless the settings bring their own."""
    return settings.pop("labels", Y)


def test_a_condition_that_the_metric_does_not_read_is_no_obstacle():
    found = vd.compare(measured(threshold=0.5), measured(threshold=0.3), "binary.roc_auc")
    assert found.difference.value == 0


def test_the_positive_label_may_be_named_or_not():
    found = vd.compare(measured(), measured(Y.astype(int), positive=1), "binary.roc_auc")
    assert found.difference.value == 0


def test_cluster_numbers_mean_nothing():
    renumbered = {"c": 1000 - CLUSTERS["c"]}
    found = vd.compare(
        measured(cluster="c", columns=CLUSTERS),
        measured(scores=Q, name="q", cluster="c", columns=renumbered),
        "binary.roc_auc",
    )
    assert found.method == "influence-clusters"


def test_an_allowed_threshold_is_recorded_and_used():
    a, b = measured(threshold=0.5), measured(scores=Q, name="q", threshold=0.3)
    found = vd.compare(a, b, "binary.recall", allow=["threshold"])
    at = found.difference.conditions
    assert tuple(at["allowed"]) == ("threshold",)
    assert "threshold" not in at
    assert at["paired"]
    assert found.difference.value == pytest.approx((P[Y] >= 0.5).mean() - (Q[Y] >= 0.3).mean())


def test_other_rows_are_independent_samples():
    y, p, _ = two_models(500, 0.3, seed=2)
    a = measured(intervals=True)
    b = measured(y, p, name="q", intervals=True)
    found = vd.compare(a, b, "binary.roc_auc", allow=["rows"])
    assert found.method == "square-and-add"
    assert found.p_value is None
    assert not found.difference.conditions["paired"]
    assert "unpaired" in found.difference.notes
    one, two = (ev["binary.roc_auc"].interval for ev in (a, b))
    low = found.difference.value - np.hypot(
        a["roc_auc"].value - one.low, two.high - b["roc_auc"].value
    )
    assert found.difference.interval.low == pytest.approx(low, rel=1e-12)


def test_all_differing_conditions_are_listed_once():
    a = measured(threshold=0.5, costs=vd.Costs(fn=1, fp=1))
    b = measured(threshold=0.4, costs=vd.Costs(fn=2, fp=1))
    message = refusal(a, b, "cost.total")
    assert "threshold" in message
    assert "costs" in message


def test_rows_of_two_files_are_paired_by_their_order(tmp_path):
    for name, scores in (("a", P), ("b", Q)):
        lines = [f"{int(y)},{s!r}" for y, s in zip(Y, scores.tolist(), strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["y,p", *lines]))
    a, b = (
        vd.evaluate(tmp_path / f"{name}.csv", label="y", score="p", intervals=False)
        for name in "ab"
    )
    found = vd.compare(a, b, "binary.roc_auc")
    assert (found.a, found.b) == ("p (a)", "p (b)")
    assert "paired_by_position" in found.difference.notes
    again = vd.compare(a, a, "binary.roc_auc")
    assert "paired_by_position" not in again.difference.notes


def test_bare_scores_are_no_evaluation():
    scores = [0.9, 0.1]
    with pytest.raises(UnsupportedTypeError, match="list is no evaluation"):
        vd.compare(scores, scores, "roc_auc")


def test_several_columns_are_not_one_side():
    ev = evaluated(Y, P, Q, "binary.roc_auc")
    with pytest.raises(ParameterError, match=r"ev\.subject\('p'\)"):
        vd.compare(ev, ev.subject("p"), "binary.roc_auc")


def test_allow_is_a_list():
    with pytest.raises(ParameterError, match="write allow="):
        vd.compare(measured(), measured(), "binary.roc_auc", allow="threshold")


@pytest.mark.parametrize(
    ("word", "near"), [("treshold", "threshold"), ("cost", "costs"), ("row", "rows")]
)
def test_a_condition_that_does_not_exist_cannot_be_allowed(word, near):
    with pytest.raises(ParameterError, match=f"did you mean '{near}'"):
        vd.compare(measured(), measured(Y, Q), "binary.roc_auc", allow=[word])
    with pytest.raises(ParameterError, match=r"known: .*threshold"):
        vd.compare(measured(), measured(Y, Q), "binary.roc_auc", allow=["zzz"])


def test_without_a_metric_all_shared_ones_are_compared():
    a = measured(metrics=["binary.roc_auc", "binary.ks"])
    b = measured(scores=Q, name="q", metrics=["binary.ks", "calibration.ece"])
    found = vd.compare(a, b)
    assert [c.metric for c in found][-1] == "binary.ks"
    assert {c.metric for c in found} <= {r.metric for r in a.values()}
    only = measured(metrics="binary.ks"), measured(metrics="calibration.ece")
    with pytest.raises(ParameterError, match="no metric in common"):
        vd.compare(*only)


def test_groups_are_compared_within_themselves():
    group = {"g": np.where(np.arange(len(Y)) % 2, "odd", "even")}
    ev = evaluated(Y, P, Q, "binary.roc_auc", groups="g", columns=group)
    odd = np.arange(len(Y)) % 2 == 1
    found = vd.compare(
        ev.subject("p").group("g=odd"), ev.subject("q").group("g=odd"), "binary.roc_auc"
    )
    alone = evaluated(Y[odd], P[odd], Q[odd], "binary.roc_auc")
    expected = vd.compare(alone.subject("p"), alone.subject("q"), "binary.roc_auc")
    assert found.difference.interval == expected.difference.interval
    assert found.difference.group == "g=odd"


def test_rows_that_were_not_kept_are_said(tmp_path):
    path = tmp_path / "two.csv"
    lines = [f"{int(y)},{p!r},{q!r}" for y, p, q in zip(Y, P.tolist(), Q.tolist(), strict=True)]
    path.write_text("\n".join(["y,p,q", *lines]))
    one, two = (
        vd.evaluate(path, "binary.roc_auc", label="y", score=name, engine="batches")
        for name in "pq"
    )
    found = vd.compare(one, two, "binary.roc_auc")
    assert found.difference.reason == "unsupported_by_engine"
    assert "in one call" in found.verdict
    apart = vd.compare(one, two, "binary.roc_auc", allow=["rows"])
    assert apart.method == "square-and-add"
    assert not apart.difference.conditions["paired"]


def test_scores_that_are_no_forecasts_skip_calibration():
    ev = evaluated(Y, P, np.log(Q / (1 - Q)), "binary.roc_auc")
    found = vd.compare(ev.subject("p"), ev.subject("q"), "calibration.brier")
    assert found.difference.reason == "not_probabilities"
    assert "'q'" in found.difference.detail
