"""What must not change a metric does not; driven by the registry.

A metric is tested here by being registered.  The few that are exempt from a rule are listed with
the reason.
"""

from __future__ import annotations

import numpy as np
import pytest

import veridical as vd
from tests.invariance.measuring import Rows, is_decision, is_ranking, measured, sample
from tests.laws.registry import example, label, score_forms

FORMS = score_forms()
EVERY = pytest.mark.parametrize("form", FORMS, ids=label)
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def same(one, two, *, n_rows: bool = True) -> None:
    """Assert that two results agree in all that is measured, to the bit."""
    assert one.ok == two.ok
    assert one.value == two.value
    assert one.interval == two.interval
    assert one.n == two.n
    assert one.conditions == two.conditions
    if n_rows:
        assert one.n_rows == two.n_rows


@EVERY
def test_every_metric_has_a_value_on_ordinary_rows(form):
    result = measured(example(form), sample())
    assert result.ok, str(result)
    assert result.metric == str(example(form))
    assert 0 < result.n <= result.n_rows == 160


@EVERY
def test_the_order_of_rows(form):
    rows = sample()
    order = np.random.default_rng(1).permutation(len(rows.scores))
    same(measured(example(form), rows.part(order)), measured(example(form), rows))


@EVERY
def test_the_order_of_rows_with_fractional_weights(form):
    rows = sample()
    generator = np.random.default_rng(2)
    rows = rows.but(weight=generator.gamma(2.0, 0.5, len(rows.scores)))
    order = generator.permutation(len(rows.scores))
    one = measured(example(form), rows.part(order), intervals=False)
    assert one.value == measured(example(form), rows, intervals=False).value


@EVERY
def test_the_same_seed_gives_the_same_result_and_the_value_needs_no_seed(form):
    rows = sample()
    one, two = (measured(example(form), rows, seed=5) for _ in range(2))
    same(one, two)
    assert measured(example(form), rows, seed=6).value == one.value
    without = measured(example(form), rows, intervals=False)
    assert (without.value, without.interval) == (one.value, None)


LABELS = {
    "bool": lambda y: y.astype(bool),
    "int8": lambda y: y.astype(np.int8),
    "uint8": lambda y: y.astype(np.uint8),
    "float": lambda y: y.astype(float),
    "minus one": lambda y: 2 * y - 1,
    "list": lambda y: y.tolist(),
    "text numbers": lambda y: [str(value) for value in y],
}


@EVERY
@pytest.mark.parametrize("form_of_labels", LABELS)
def test_the_type_of_labels(form, form_of_labels):
    rows = sample()
    other = rows.but(labels=LABELS[form_of_labels](rows.labels))
    same(measured(example(form), other), measured(example(form), rows))


@EVERY
@pytest.mark.parametrize("pair", [("ok", "fraud"), ("1", "2"), (7, 3), ("a", "<img src=x>")])
def test_the_names_of_the_classes(form, pair):
    rows = sample()
    negative, positive = pair
    named = [positive if y else negative for y in rows.labels]
    one = measured(example(form), rows.but(labels=named), positive=positive)
    same(one, measured(example(form), rows))


EXTENSIVE = {"cost.total", "cost.best_threshold", "cost.saving"}
"""A sum of money over rows: twice the rows cost twice as much."""


@EVERY
def test_all_rows_twice(form):
    rows = sample()
    twice = rows.part(np.tile(np.arange(len(rows.scores)), 2))
    measure = example(form)
    # The top k of twice the rows is the top 2k.
    doubled = measure(k=2 * measure.parameters["k"]) if "k" in measure.parameters else measure
    factor = 2 if f"{measure.family}.{measure.name}" in EXTENSIVE else 1
    one, two = (measured(m, r, intervals=False) for m, r in ((measure, rows), (doubled, twice)))
    assert two.value == pytest.approx(factor * one.value, **CLOSE)
    assert two.n == 2 * one.n


@EVERY
def test_a_whole_number_weight_is_so_many_rows(form):
    rows = sample(n=90)
    weight = np.random.default_rng(3).integers(1, 4, len(rows.scores))
    weighted = measured(example(form), rows.but(weight=weight))
    repeated = measured(example(form), rows.part(np.repeat(np.arange(90), weight)))
    assert weighted.value == repeated.value
    assert weighted.interval == repeated.interval
    assert weighted.n == repeated.n
    assert weighted.conditions.observed == repeated.conditions.observed
    assert (weighted.n_rows, repeated.n_rows) == (90, weight.sum())


@pytest.mark.parametrize("name", ["cost.best_threshold", "cost.total", "cost.saving"])
def test_a_whole_number_weight_is_so_many_rows_with_prices_of_their_own(name):
    rows = sample(n=90)
    generator = np.random.default_rng(3)
    weight, amount = generator.integers(1, 4, 90), generator.integers(1, 500, 90)
    columns = {"y": rows.labels, "s": rows.scores, "amount": amount, "w": weight}
    repeated = {key: np.repeat(column, weight) for key, column in columns.items()}
    settings = {"costs": vd.Costs(fn="amount", fp=5), "threshold": 0.45, "replicates": 200}
    one = vd.evaluate(columns, name, label="y", score="s", weight="w", **settings)[name]
    two = vd.evaluate(repeated, name, label="y", score="s", **settings)[name]
    assert one.value == two.value
    assert one.interval == two.interval


@EVERY
@pytest.mark.parametrize("kind", ["ones", "whole", "fractional"])
def test_rows_of_weight_zero_are_absent(form, kind):
    rows = sample(n=120)
    generator = np.random.default_rng(4)
    weight = {
        "ones": np.ones(120),
        "whole": generator.integers(1, 4, 120).astype(float),
        "fractional": generator.gamma(2.0, 0.5, 120),
    }[kind]
    rows = rows.but(weight=weight)
    padded = Rows(
        np.concatenate([rows.labels[:60], [1, 0, 1], rows.labels[60:]]),
        np.concatenate([rows.scores[:60], [0.001, 0.999, 0.5001], rows.scores[60:]]),
        np.concatenate([weight[:60], [0.0, 0.0, 0.0], weight[60:]]),
    )
    same(measured(example(form), padded), measured(example(form), rows))


@EVERY
def test_all_weights_times_a_constant(form):
    # Weights are relative, but for sums of money, for k, and for what counts rows.
    rows = sample()
    weight = np.random.default_rng(5).gamma(2.0, 0.5, len(rows.scores))
    measure = example(form)
    one = measured(measure, rows.but(weight=weight), intervals=False)
    scaled = measure(k=4 * measure.parameters["k"]) if "k" in measure.parameters else measure
    four = measured(scaled, rows.but(weight=4 * weight), intervals=False)
    factor = 4 if f"{measure.family}.{measure.name}" in EXTENSIVE else 1
    assert four.value == pytest.approx(factor * one.value, rel=1e-9, abs=1e-9)


RISING = {
    "affine": lambda s: 100 * s - 3,
    "exponential": lambda s: np.exp(9 * s),
    "logit": lambda s: np.log(s / (1 - s)),
    "rank": lambda s: np.unique(s, return_inverse=True)[1].astype(float),
    "float32": lambda s: s.astype(np.float32),
}


@pytest.mark.parametrize("form", [f for f in FORMS if is_ranking(f)], ids=label)
@pytest.mark.parametrize("rising", RISING)
def test_a_rising_transformation_of_the_scores(form, rising):
    rows = sample()
    other = rows.but(scores=RISING[rising](rows.scores))
    one, two = measured(example(form), rows), measured(example(form), other)
    assert one.value == two.value
    assert one.interval == two.interval
    assert one.n == two.n


@pytest.mark.parametrize("name", ["cost.best_threshold", "cost.saving"])
@pytest.mark.parametrize("rising", RISING)
def test_the_best_cost_depends_on_the_order_alone(name, rising):
    rows = sample()
    other = rows.but(scores=RISING[rising](rows.scores))
    one, two = (measured(name, r, threshold=None) for r in (rows, other))
    assert (one.value, one.interval) == (two.value, two.interval)


@pytest.mark.parametrize("form", [f for f in FORMS if is_decision(f)], ids=label)
def test_a_decision_depends_on_the_side_of_the_threshold_alone(form):
    rows = sample()
    decided = rows.but(scores=(rows.scores >= 0.45).astype(float))
    one, two = measured(example(form), rows), measured(example(form), decided)
    assert (one.value, one.interval, one.n) == (two.value, two.interval, two.n)


SYMMETRIC = [
    "binary.roc_auc",
    "binary.gini",
    "binary.ks",
    "binary.accuracy",
    "binary.balanced_accuracy",
    "binary.mcc",
    "calibration.brier",
    "calibration.brier_skill",
    "calibration.brier_reliability",
    "calibration.brier_resolution",
    "calibration.brier_uncertainty",
    "calibration.brier_within_variance",
    "calibration.brier_within_covariance",
    "calibration.ece",
    "calibration.mce",
    "calibration.log_loss",
    "calibration.slope",
]


@pytest.mark.parametrize("name", SYMMETRIC)
def test_exchanging_the_classes_and_the_forecasts(name):
    # Multiples of 1/64 lie on no edge of 10 bins but 0.5, and 1 - p is exact.
    rows = sample(levels=32)
    rows = rows.but(scores=np.where(rows.scores == 0.5, 0.515625, rows.scores))
    mirrored = Rows(1 - rows.labels, 1 - rows.scores)
    one = measured(name, rows, threshold=0.45, intervals=False)
    two = measured(name, mirrored, threshold=0.55, intervals=False)
    assert two.value == pytest.approx(one.value, **CLOSE)


def test_the_intercept_changes_its_sign_when_the_classes_are_exchanged():
    rows = sample(levels=32)
    mirrored = Rows(1 - rows.labels, 1 - rows.scores)
    one, two = (measured("calibration.intercept", r) for r in (rows, mirrored))
    assert two.value == pytest.approx(-one.value, **CLOSE)


@pytest.mark.parametrize("name", ["binary.roc_auc", "binary.gini"])
def test_reversing_the_scores_reverses_the_ranking(name):
    rows = sample()
    one, two = (measured(name, r).value for r in (rows, rows.but(scores=-rows.scores)))
    assert two == pytest.approx((1 if name == "binary.roc_auc" else 0) - one, **CLOSE)


@EVERY
def test_a_slice_is_the_rows_of_its_group(form):
    rows = sample(n=240)
    region = np.random.default_rng(7).choice(["north", "south"], 240)
    data = {"y": rows.labels, "s": rows.scores, "region": region}
    settings = {"threshold": 0.45, "costs": vd.Costs(fn=10, fp=2, review=1), "replicates": 200}
    ev = vd.evaluate(data, example(form), label="y", score="s", groups="region", **settings)
    for name in ("north", "south"):
        alone = measured(example(form), rows.part(region == name))
        same(ev.group(f"region={name}")[str(example(form))], alone)


@pytest.mark.parametrize("form", [f for f in FORMS if is_decision(f)], ids=label)
def test_a_denominator_that_is_no_number_of_rows_is_told(form):
    rows = sample()
    weight = np.random.default_rng(9).gamma(2.0, 0.5, len(rows.scores))
    result = measured(example(form), rows.but(weight=weight), intervals=False)
    assert round(result.conditions["weight_sum"]) == result.n
    assert "weight_sum" not in measured(example(form), rows, intervals=False).conditions
