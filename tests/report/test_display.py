"""What is printed for a number."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from veridical.report.display import (
    count_text,
    money_text,
    name_text,
    rate_text,
    round_number_above,
    threshold_text,
    value_text,
)


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.0, "0.0000"),
        (1.0, "1.0000"),
        (0.82188, "0.8219"),
        (0.000954654, "0.00095"),
        (0.0000123, "0.000012"),
        (1e-9, "1.0e-09"),
    ],
)
def test_small_rates_keep_two_digits(rate, text):
    assert rate_text(rate) == text


@given(st.floats(1e-12, 1))
def test_a_positive_rate_is_never_printed_as_zero(rate):
    assert math.isclose(float(rate_text(rate)), rate, rel_tol=0.06)


@given(st.floats(allow_nan=False))
def test_a_threshold_is_printed_in_full(threshold):
    text = threshold_text(threshold)
    sign = "\N{MINUS SIGN}" if threshold < 0 else ""
    if math.isinf(threshold):
        assert text == f"{sign}\N{INFINITY}"
    else:
        assert float(text) == threshold


def test_money_and_counts():
    assert money_text(242250.0) == "242,250"
    assert money_text(0.1 + 0.2) == "0.30"
    assert count_text(2.0) == "2"
    assert value_text(1234.5678, rate=False) == "1,234.6"


@given(st.floats(1e-9, 1e12))
def test_the_end_of_an_axis_is_near_and_not_below(x):
    assert x * (1 - 1e-8) <= round_number_above(x) <= 2 * x * (1 + 1e-8)


@given(st.text(st.characters()))
def test_every_printed_name_can_be_written(name):
    name_text(name).encode("utf-8")


def test_a_name_that_no_text_can_hold_is_no_obstacle_to_a_data_frame():
    data = {"y": [1, 0] * 10, "p\ud800": [0.9, 0.1] * 10, "g\udfff": ["a", "b"] * 10}
    ev = vd.evaluate(data, ["roc_auc"], label="y", score="p\ud800", groups="g\udfff")
    for backend in ("pandas", "polars", "pyarrow"):
        assert len(ev.to_frame(backend)) == len(ev.results)
