"""Scores, probabilities, weights and prices."""

from datetime import timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.tables.forms import named
from veridical.errors import InputError, ScoreError
from veridical.tables import (
    check_probabilities,
    column_from,
    read_costs,
    read_scores,
    read_weights,
)


def scores(data, positive=None):
    return read_scores(column_from("p", data), positive)


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        ([0.5, 1.0], np.float64),
        ([0, 1], np.float64),
        ([True, False], np.float64),
        (np.array([0.5, 1], dtype=np.float32), np.float32),
        (np.array([0.5, 1], dtype=np.float16), np.float32),
        (np.array([0.5, 1], dtype=">f8"), np.float64),
        (np.array([1, 2], dtype=np.uint8), np.float64),
        (pa.array([0.5, 1.0], pa.float16()), np.float32),
        (["0.5", "1"], np.float64),
        ([Decimal("0.5"), Decimal(1)], np.float64),
        (pd.Series([0.5, 1], dtype="Float32"), np.float32),
        (np.ma.masked_array([0.5, 1.0]), np.float64),
        (np.array([[0.5], [1.0]]), np.float64),
        (range(2), np.float64),
    ],
    ids=named,
)
def test_the_type_of_scores(data, dtype):
    found = scores(data)
    assert found.dtype == dtype
    assert found.tolist() == [float(v) for v in np.asarray(data, dtype=object).ravel()]


def test_an_array_is_not_copied():
    data = np.array([0.25, 0.5])
    assert np.shares_memory(scores(data), data)


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_scores_written_as_text_come_back(values):
    assert scores([repr(value) for value in values]).tolist() == values


@given(st.lists(st.decimals(-1000, 1000, places=17), min_size=1))
def test_decimals_are_rounded_once(values):
    assert scores(values).tolist() == [float(value) for value in values]


@pytest.mark.parametrize(
    "data",
    [
        [0.5, None, 0.25, None],
        [0.5, float("nan"), 0.25, float("nan")],
        ["0.5", "NaN", "0.25", "NA"],
        ["0.5", None, "0.25", ""],
        np.ma.masked_array([0.5, 1, 0.25, 1], mask=[0, 1, 0, 1]),
        pd.Series([0.5, None, 0.25, None], dtype="Float64"),
    ],
    ids=named,
)
def test_missing_scores_are_counted_by_class_and_placed(data):
    with pytest.raises(ScoreError, match="2 scores missing: 1 of positives, 1 of neg") as caught:
        scores(data, np.array([True, True, False, False]))
    assert caught.value.where == "column 'p', rows 1, 3"


def test_infinities_rank():
    assert scores([float("inf"), -float("inf")]).tolist() == [float("inf"), -float("inf")]


@pytest.mark.parametrize("text", ["high", "0,5", "1_000", "0x10", "12%", "--1", "1e", "\u0661"])
def test_a_text_that_is_not_a_number(text):
    with pytest.raises(ScoreError, match="not a number") as caught:
        scores(["0.5", text, "x" * 1000])
    assert repr(text) in caught.value.what
    assert caught.value.where == "column 'p', rows 1, 2"
    assert len(caught.value.what) < 200


@pytest.mark.parametrize("whole", [2**53 + 1, 2**63 - 1, -(2**53) - 1, 2**64 - 1])
def test_an_integer_that_would_be_rounded_is_refused(whole):
    dtype = np.uint64 if whole > 2**63 else np.int64
    with pytest.raises(ScoreError, match=r"beyond 2\*\*53") as caught:
        scores(np.array([1, whole], dtype=dtype))
    assert str(whole) in caught.value.what


@pytest.mark.parametrize("whole", [2**53, 2**62, -(2**63), 2**63])
def test_a_large_integer_that_float64_holds_is_legal(whole):
    dtype = np.uint64 if whole >= 2**63 else np.int64
    assert scores(np.array([1, whole], dtype=dtype)).tolist() == [1.0, float(whole)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.zeros((3, 2)), r"p\[:, 1\]"),
        (np.zeros((3, 4)), "one column at a time"),
        ([[1], [2, 3]], "one value a row"),
        ([0.5, "x"], "mixed types"),
        ([True, 0.5, "x"], "mixed types"),
        ([1j], "cannot be read|unusable"),
        ({0.1, 0.2}, "no order"),
        (5, "not a column"),
        ("0.5", "not a column"),
        ((x for x in [0.5]), "list"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "not a number"),
    ],
    ids=named,
)
def test_what_is_not_a_column_of_scores(data, words):
    with pytest.raises((InputError, TypeError), match=words):
        scores(data)


# The tolerance of the specification: 1e-9 outside is rounding, more is not a probability.
def test_forecasts_just_outside_are_clamped_and_counted():
    given_scores = np.array([-1e-9, -5e-324, 0.0, 0.5, 1.0, 1.0000000000000002, 1 + 1e-9])
    clamped, n = check_probabilities(given_scores)
    assert clamped.tolist() == [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0]
    assert n == 4
    assert given_scores[0] == -1e-9


def test_forecasts_inside_are_returned_as_they_are():
    inside = np.array([0.0, 0.5, 1.0], dtype=np.float32)
    assert check_probabilities(inside) == (inside, 0) or check_probabilities(inside)[0] is inside


@pytest.mark.parametrize("bad", [1 + 2e-9, -2e-9, 7.0, float("inf"), -float("inf")])
def test_forecasts_further_outside_are_refused(bad):
    column = column_from("p", [0.5, bad, 0.25, bad, bad, bad])
    with pytest.raises(ScoreError, match=r"4 scores outside \[0, 1\]") as caught:
        check_probabilities(read_scores(column), column)
    assert caught.value.where == "column 'p', rows 1, 3, 4"


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_no_rows_are_no_error(dtype):
    assert len(check_probabilities(np.zeros(0, dtype))[0]) == 0
    assert len(read_weights(column_from("w", np.zeros(0, dtype)))) == 0


@pytest.mark.parametrize(
    ("data", "words", "where"),
    [
        ([1, -1, 2], "weight is negative: -1", "row 1"),
        ([1, None, 2], "1 weight missing", "row 1"),
        ([1, float("nan"), 2], "1 weight missing", "row 1"),
        ([1, float("inf"), 2], "weight is infinite", "row 1"),
        ([1, 1e-20, 2], "too small to count: 1e-20", "row 1"),
        (["1", "x", "2"], "not a number", "row 1"),
    ],
    ids=named,
)
def test_weights_that_cannot_be_used(data, words, where):
    with pytest.raises(InputError, match=words) as caught:
        read_weights(column_from("w", data))
    assert caught.value.where == f"column 'w', {where}"


def test_weights_that_can():
    weights = read_weights(column_from("w", np.array([0, 1, 2.0**-52, 1e9], dtype=np.float32)))
    assert weights.dtype == np.float64
    assert weights.tolist() == [0.0, 1.0, 2.0**-52, 1e9]


@pytest.mark.parametrize("bad", [-1, None, float("inf")])
def test_prices_that_cannot_be_used(bad):
    with pytest.raises(InputError, match="price"):
        read_costs(column_from("amount", [10, bad]))
    assert read_costs(column_from("amount", [10, 0])).tolist() == [10.0, 0.0]


@pytest.mark.parametrize(
    "durations",
    [
        np.array([1, 2], "m8[s]"),
        [timedelta(1), timedelta(2)],
        pa.array([1, 2], pa.duration("ms")),
    ],
)
@pytest.mark.parametrize("role", ["label", "score", "weight", "groups"])
def test_a_duration_has_no_number_of_its_own(durations, role):
    """Its numbers depend on a unit that nobody named."""
    data = {"y": [1, 0], "s": [0.2, 0.1], "d": durations}
    with pytest.raises(TypeError, match="depend on the unit"):
        vd.evaluate(data, ["roc_auc"], **{"label": "y", "score": "s", role: "d"})
