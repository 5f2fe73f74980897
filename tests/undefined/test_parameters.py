"""A parameter of the wrong kind is named before any work, whoever takes it."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import veridical as vd
from veridical.errors import ParameterError, VeridicalError

DATA = {"y": [1, 0] * 10, "s": [row / 20 for row in range(20)], "g": ["a", "b"] * 10}
HUGE = pytest.param(10**5000, id="an integer of 5,001 digits")
NO_NUMBERS = [math.nan, math.inf, "0.5", b"1", [0.5], True, {}, 1j, object(), HUGE]
NO_WHOLE = [1.5, "1", b"1", [1], None, True, math.nan, Decimal(1), 1j, -1]
WRONG = [
    *(("threshold", value) for value in NO_NUMBERS),
    *(("level", value) for value in [*NO_NUMBERS[:-1], None, 0, 1, -1, 95, 1 - 1e-16]),
    *(("seed", value) for value in NO_WHOLE),
    *(("replicates", value) for value in [*NO_WHOLE, 0, 10**9]),
    *(("intervals", value) for value in ["no", None, 0, 1, []]),
    *(("costs", value) for value in [5, "bank", {"fn": 1, "fp": 1}, (1, 2)]),
]
NO_NAMES = [5, ["g", None], [5], b"g", 1.5]


def told(call):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.fix
    assert len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_setting_of_the_wrong_kind(name, value):
    assert name in told(lambda: vd.evaluate(DATA, label="y", score="s", **{name: value}))
    assert name in told(lambda: vd.measure("f1", DATA["y"], DATA["s"], **{name: value}))
    summary = vd.summarise(DATA, label="y", score="s")
    assert name in told(lambda: vd.evaluate(summary, **{name: value}))
    accumulator = vd.Accumulator()
    accumulator.update(DATA["y"], DATA["s"])
    assert name in told(lambda: accumulator.result(**{name: value}))


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", None, True])
def test_threads_are_counted(value):
    assert "threads" in told(lambda: vd.evaluate(DATA, label="y", score="s", threads=value))
    assert "threads" in told(lambda: vd.summarise(DATA, label="y", score="s", threads=value))


@pytest.mark.parametrize("role", ["label", "score", "groups", "weight", "cluster"])
@pytest.mark.parametrize("value", NO_NAMES)
def test_a_column_is_named_by_text(role, value):
    roles = {"label": "y", "score": "s", role: value}
    assert role in told(lambda: vd.evaluate(DATA, ["roc_auc"], **roles))
    if role != "cluster":
        assert role in told(lambda: vd.summarise(DATA, **roles))


@pytest.mark.parametrize("option", [{"label": 5}, {"score": None}, {"weight": 5}, {"grid": 5}])
def test_an_accumulator_checks_its_names(option):
    told(lambda: vd.Accumulator(**option))


@pytest.mark.parametrize("option", [{"label": "a", "score": "a"}, {"weight": "score"}])
def test_an_accumulator_needs_different_names(option):
    assert "have the name" in told(lambda: vd.Accumulator(**option))


@pytest.mark.parametrize(
    "option",
    [
        {"probabilities": "yes"},
        *({"thresholds": value} for value in [0.5, "x", ["x"], [math.nan], None, [True]]),
        *({"bins": value} for value in [0, 10_001, 1.5, "x", None]),
    ],
)
def test_what_a_summary_counts(option):
    name = next(iter(option))
    assert name in told(lambda: vd.Accumulator(**option))
    if name != "probabilities":
        assert name in told(lambda: vd.summarise(DATA, label="y", score="s", **option))


def test_as_many_bins_as_a_summary_may_have_can_be_measured():
    summary = vd.summarise(DATA, label="y", score="s", bins=10_000)
    assert vd.evaluate(summary)["ece"].ok


@pytest.mark.parametrize("value", [5, [5], [None], b"roc_auc", 1.5, object()])
def test_a_metric_is_a_name_or_a_measure(value):
    with pytest.raises(VeridicalError, match="a metric is a name"):
        vd.evaluate(DATA, value, label="y", score="s")


def test_arrays_have_no_column_of_prices():
    costs = vd.Costs(fn="amount", fp=1)
    assert "amount" in told(
        lambda: vd.measure("cost.total", DATA["y"], DATA["s"], threshold=0.5, costs=costs)
    )


@pytest.mark.parametrize("half", [0.5, np.float32(0.5), np.array(0.5), Fraction(1, 2)])
def test_numbers_of_any_library_are_numbers(half):
    ev = vd.evaluate(
        DATA,
        ["recall", "ks"],
        label="y",
        score="s",
        threshold=half,
        level=np.float64(0.9),
        seed=np.int64(3),
        replicates=np.uint16(100),
        intervals=np.True_,
        threads=np.int8(1),
    )
    plain = {"threshold": 0.5, "level": 0.9, "seed": 3, "replicates": 100}
    same = vd.evaluate(DATA, ["recall", "ks"], label="y", score="s", **plain)
    assert ev.to_dict() == same.to_dict()
    assert pickle.loads(pickle.dumps(ev.settings)) == ev.settings  # noqa: S301 - made here
    types = (type(getattr(ev.settings, name)) for name in (*plain, "intervals"))
    assert list(types) == [float, float, int, int, bool]


@pytest.fixture(scope="module")
def compared():
    ev = vd.evaluate({**DATA, "t": DATA["s"][::-1]}, label="y", score=["s", "t"])
    return ev.subject("s"), ev.subject("t")


@pytest.mark.parametrize("metric", [5, [5], b"roc_auc", [None], 1.5])
def test_what_is_compared_is_a_metric(compared, metric):
    with pytest.raises(VeridicalError, match="a metric is a name"):
        vd.compare(*compared, metric)


@pytest.mark.parametrize("allow", [5, "threshold", [5], None, b"rows"])
def test_conditions_that_may_differ_are_named(compared, allow):
    assert "allow" in told(lambda: vd.compare(*compared, "roc_auc", allow=allow))


@pytest.mark.parametrize("key", [(), ("s",), ("s", "roc_auc", 1)])
def test_a_key_is_a_metric_or_a_pair(compared, key):
    with pytest.raises(KeyError, match="a key is a metric"):
        compared[0][key]
