"""Prices and weights of any size end in a number or in a clear error."""

import math
from decimal import Decimal

import pytest

import veridical as vd
from tests.silence import silence
from veridical.errors import InputError, ParameterError

LABELS = [1, 0] * 20
SCORES = [(7 * row % 40) / 40 for row in range(40)]


@pytest.fixture(autouse=True)
def no_warning():
    """numpy warns where a number overflows."""
    with silence():
        yield


@pytest.mark.parametrize(
    "price",
    [
        *(1e31, 1e308, 1e-31, 5e-324, 10**400, Decimal("1e999999999"), Decimal("1e-999999999")),
        pytest.param(10**5000, id="more digits than Python prints"),
        *(-1, Decimal("-0.01"), math.nan, Decimal("sNaN"), math.inf, True, None, [1], b"x", 1j),
    ],
)
@pytest.mark.parametrize("name", ["fn", "fp", "review"])
def test_a_price_that_cannot_be_added_up(name, price):
    with pytest.raises(ParameterError, match=f"costs.{name} is") as caught:
        vd.Costs(**{"fn": 1, "fp": 1, name: price})
    assert caught.value.fix
    assert len(str(caught.value)) < 500
    assert "Decimal(" not in str(caught.value)


@pytest.mark.parametrize("price", [1e30, 1e-30, 0, Decimal("0.1")])
def test_the_largest_and_the_smallest_price(price):
    """A cost is the price times a count, so a third of the price is a third of the cost."""
    data = {"y": LABELS, "s": SCORES}
    options = {"label": "y", "score": "s", "threshold": 0.5}
    ev = vd.evaluate(data, costs=vd.Costs(fn=price, fp=price), **options)
    one = vd.evaluate(data, costs=vd.Costs(fn=1, fp=1), **options)
    for metric in ("cost.total", "cost.best_threshold", "cost.saving"):
        expected = one[metric].value * float(price)
        assert ev[metric].value == pytest.approx(expected, rel=1e-12)
        interval = ev[metric].interval
        assert interval is None or interval.low <= interval.high


@pytest.mark.parametrize("currency", [5, b"USD", ["USD"]])
def test_a_currency_is_text(currency):
    with pytest.raises(ParameterError, match="currency"):
        vd.Costs(fn=1, fp=1, currency=currency)


@pytest.mark.parametrize("amount", [1e17, 1e300, 1.7e308, 2**62])
@pytest.mark.parametrize("role", ["weight", "price"])
def test_a_column_of_amounts_that_are_too_large_to_add(role, amount):
    data = {"y": LABELS, "s": SCORES, "amount": [1.0] * 7 + [amount] * 33}
    options = {"weight": "amount"} if role == "weight" else {"costs": vd.Costs("amount", 1)}
    if amount == 1e17:  # 33 of them stay below 2**62
        assert vd.evaluate(data, label="y", score="s", intervals=False, **options)
        return
    with pytest.raises(InputError, match=r"too large to be added exactly.*row 7") as caught:
        vd.evaluate(data, label="y", score="s", **options)
    assert caught.value.fix


@pytest.mark.parametrize("metric", ["binary.ks", "binary.partial_auc", "binary.roc_auc"])
def test_a_column_of_prices_is_no_matter_to_a_metric_that_costs_nothing(metric):
    data = {"y": LABELS, "s": SCORES, "amount": [float(row % 7) for row in range(40)]}
    asked = [metric, "cost.best_threshold"]
    costs = vd.Costs(fn="amount", fp=1)
    priced = vd.evaluate(data, asked, label="y", score="s", costs=costs)
    plain = vd.evaluate(data, metric, label="y", score="s")
    assert priced[metric].interval == plain[metric].interval
    assert priced[metric].interval is not None
    alone = vd.evaluate(data, "cost.best_threshold", label="y", score="s", costs=costs)
    assert priced["cost.best_threshold"] == alone["cost.best_threshold"]
