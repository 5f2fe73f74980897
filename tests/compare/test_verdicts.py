"""What a comparison says, in words and in JSON."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.compare.samples import compared, evaluated, two_models
from veridical.comparison import Comparison
from veridical.results import Interval, Measured, Skipped


def comparison(value, low, high, p=0.01, **fields) -> Comparison:
    interval = None if low is None else Interval(low, high, 0.95, "delong")
    difference = fields.pop("difference", Measured(value, 10, interval=interval))
    return Comparison(
        metric="m.x", a="p", b="q", value_a=value, value_b=0.0, difference=difference, p_value=p,
        **fields,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (comparison(0.1, 0.05, 0.2), "p better (p = 0.0100)"),
        (comparison(-0.1, -0.2, -0.05), "q better (p = 0.0100)"),
        (comparison(0.1, 0.05, 0.2, better="lower"), "q better (p = 0.0100)"),
        (comparison(0.1, 0.05, 0.2, better="target"), "the two differ (p = 0.0100)"),
        (comparison(0.1, 0.05, 0.2, p=1e-9), "p better (p < 0.0001)"),
        (comparison(0.1, -0.05, 0.2, p=0.4), "no difference shown (p = 0.40)"),
        (comparison(0.1, 0.0, 0.2), "no difference shown (p = 0.0100)"),
        (comparison(0.1, 0.05, 0.2, p=0.06), "no difference shown (p = 0.0600)"),
        (
            comparison(0.1, 0.05, 0.2, p=0.02, p_adjusted=0.2, n_tests=10),
            "no difference shown among 10 tests (p = 0.0200, adjusted = 0.20)",
        ),
        (
            comparison(0.1, 0.05, 0.2, p=0.002, p_adjusted=0.02, n_tests=10),
            "p better (p = 0.0020, adjusted = 0.0200)",
        ),
        (comparison(0.1, 0.05, 0.2, p=None), "p better"),
        (comparison(0.1, None, None, p=None), "not tested"),
        (comparison(0.0, None, None, p=None), "no difference"),
        (
            comparison(0.0, None, None, p=None, difference=Skipped("no_rows", detail="p: none")),
            "not compared: p: none",
        ),
    ],
)
def test_the_sentence(found, verdict):
    assert found.verdict == verdict


finite = st.floats(-1, 1)


@given(finite, finite, finite, st.floats(0, 1), st.floats(0, 1))
def test_nobody_is_better_while_zero_is_inside(value, one, two, p, p_adjusted):
    found = comparison(value, min(one, two), max(one, two), p=p, p_adjusted=p_adjusted)
    better = "better" in found.verdict
    assert better == (found.winner is not None)
    if min(one, two) <= 0 <= max(one, two) or max(p, p_adjusted) > 0.05:
        assert not better


METRICS = [
    "binary.roc_auc", "binary.average_precision", "calibration.brier", "binary.recall@fpr=0.05",
    "binary.recall", "binary.f1", "cost.total", "cost.saving",
]  # fmt: skip
SETTINGS = {"threshold": 0.2, "costs": vd.Costs(fn=6, fp=1), "replicates": 200}


@pytest.mark.parametrize("metric", METRICS)
def test_swapping_the_two_changes_the_sign_alone(metric):
    y, p, q = two_models(400, 0.3, seed=1, better=0.6)
    ev = evaluated(y, p, q, metric, **SETTINGS)
    one = vd.compare(ev.subject("p"), ev.subject("q"), metric)
    two = vd.compare(ev.subject("q"), ev.subject("p"), metric)
    assert two.difference.value == -one.difference.value
    assert two.p_value == pytest.approx(one.p_value)
    assert two.difference.interval.low == pytest.approx(-one.difference.interval.high)
    assert two.winner == one.winner


@pytest.mark.parametrize("metric", METRICS)
def test_a_model_is_not_better_than_itself(metric):
    y, p, _ = two_models(200, 0.3, seed=2)
    found = compared(y, p, p.copy(), metric, **SETTINGS)
    assert found.difference.value == 0
    assert found.winner is None


# What a better model saves against a threshold in use depends on that threshold.
@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric != "cost.saving"])
def test_a_much_better_model_is_found(metric):
    y, p, q = two_models(1_500, 0.3, seed=3, better=3)
    found = compared(y, p, q, metric, **{**SETTINGS, "threshold": 0.6})
    assert found.winner == "p"
    assert found.verdict.startswith("p better")


@pytest.mark.parametrize("labels", [np.zeros(20, dtype=bool), np.ones(20, dtype=bool)])
def test_one_class_skips_with_the_reason(labels):
    scores = np.linspace(0.1, 0.9, 20)
    found = compared(labels, scores, scores[::-1].copy(), "binary.roc_auc")
    assert found.difference.reason in {"no_positives", "no_negatives"}
    assert found.value_a is None
    assert found.p_value is None


def test_a_skip_on_one_side_skips_the_difference():
    y = np.arange(40) % 2 == 0
    found = compared(y, np.full(40, 0.9), np.full(40, 0.1), "binary.precision", threshold=0.5)
    assert found.difference.reason == "nothing_flagged"
    assert found.difference.detail.startswith("q: ")
    assert (found.value_a, found.value_b) == (0.5, None)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_rows_end_in_an_answer(n):
    y = np.arange(n) % 2 == 0
    ev = vd.evaluate(
        {"y": y, "p": np.linspace(0.9, 0.1, n), "q": np.linspace(0.2, 0.8, n)},
        label="y",
        score=["p", "q"],
        threshold=0.5,
        costs=vd.Costs(fn=1, fp=1),
        replicates=50,
    )
    json.dumps(ev.to_dict(), allow_nan=False)
    assert all(c.verdict for c in ev.comparisons)


def test_no_rows_skip_every_comparison():
    none = np.zeros(0)
    ev = vd.evaluate({"y": none.astype(bool), "p": none, "q": none}, label="y", score=["p", "q"])
    assert ev.comparisons
    assert all(isinstance(c.difference, Skipped) for c in ev.comparisons)


@pytest.mark.parametrize(("columns", "pairs"), [(2, 1), (3, 3), (4, 6), (5, 4)])
def test_which_columns_are_compared(columns, pairs):
    y, p, _ = two_models(100, 0.3, seed=4)
    names = [f"s{i}" for i in range(columns)]
    data = {"y": y} | {name: np.roll(p, i) for i, name in enumerate(names)}
    ev = vd.evaluate(data, "binary.ks", label="y", score=names, replicates=50)
    found = {(c.a, c.b) for c in ev.comparisons}
    assert len(found) == pairs
    if columns > 4:
        assert {a for a, _ in found} == {"s0"}


def test_without_intervals_nothing_is_compared():
    y, p, q = two_models(100, 0.3, seed=5)
    assert evaluated(y, p, q, "binary.roc_auc").comparisons == ()


def test_the_ece_has_a_difference_and_no_interval():
    y, p, q = two_models(200, 0.3, seed=6)
    found = compared(y, p, q, "calibration.ece")
    assert found.difference.interval is None
    assert found.p_value is None
    assert found.verdict == "not tested"


def test_the_same_seed_gives_the_same_bytes():
    y, p, q = two_models(300, 0.3, seed=7)
    one, two, other = (
        json.dumps(evaluated(y, p, q, intervals=True, seed=seed, replicates=100).to_dict())
        for seed in (1, 1, 2)
    )
    assert one == two != other


def test_the_document_is_strict_json():
    y, p, q = two_models(300, 0.3, seed=8)
    ev = evaluated(y, p, q, intervals=True, replicates=100, threshold=0.2)
    document = json.loads(json.dumps(ev.to_dict(), allow_nan=False))
    entry = document["comparisons"][0]
    assert {
        "metric", "a", "b", "value_a", "value_b", "difference", "p_value", "p_adjusted", "method",
        "verdict",
    } <= set(entry)  # fmt: skip
    assert entry["difference"]["conditions"]["paired"] is True
