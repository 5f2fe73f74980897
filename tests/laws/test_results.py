"""A result reads back from its JSON, exactly, and no JSON of ours holds a NaN."""

from __future__ import annotations

import copy
import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import strict_json
from veridical.errors import FileFormatError, ParameterError, SkippedError
from veridical.reasons import SkipReason
from veridical.results import Bounds, Conditions, Interval, Measured, Skipped, result_from_dict

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(max_size=12)
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), FINITE, TEXT)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
CONDITIONS = st.builds(
    Conditions, st.dictionaries(TEXT, VALUE, max_size=4), st.dictionaries(TEXT, VALUE, max_size=3)
)


@st.composite
def intervals(draw):
    low, high = sorted([draw(FINITE), draw(FINITE)])
    level = draw(st.floats(0, 1, exclude_min=True, exclude_max=True))
    return Interval(low, high, level, draw(TEXT))


PASSPORT = {
    "conditions": CONDITIONS,
    "notes": st.lists(TEXT, max_size=3).map(tuple),
    "metric": TEXT,
    "requested": st.none() | TEXT,
    "subject": st.none() | TEXT,
    "group": st.none() | TEXT,
    "n_rows": st.none() | st.integers(0, 2**62),
    "counts": st.dictionaries(
        st.sampled_from(["n_skipped", "n_errors", "n_clamped"]), st.integers(0, 99)
    ),
}
MEASURED = st.builds(
    Measured, FINITE, st.integers(0, 2**62), interval=st.none() | intervals(), **PASSPORT
)


@st.composite
def within_bounds(draw):
    """Draw a result that came from a lossy summary."""
    low, value, high = sorted(draw(st.tuples(FINITE, FINITE, FINITE)))
    return Measured(value, 3, bounds=Bounds(low, high))


SKIPPED = st.builds(
    Skipped,
    st.sampled_from(list(SkipReason)),
    st.integers(0, 99),
    detail=TEXT,
    **PASSPORT,
)
RESULT = MEASURED | SKIPPED | within_bounds()


@given(RESULT)
def test_a_result_reads_back_from_its_json(result):
    text = strict_json.dumps(result.to_dict())
    back = result_from_dict(strict_json.loads(text))
    assert back == result
    assert type(back) is type(result)
    assert back.conditions.observed == result.conditions.observed
    assert back.conditions.settings == result.conditions.settings
    assert strict_json.canonical(back.to_dict()) == strict_json.canonical(result.to_dict())


@given(st.dictionaries(TEXT, VALUE, max_size=4), st.dictionaries(TEXT, VALUE, max_size=3))
def test_conditions_are_written_as_they_were_given(settings, observed):
    conditions = Conditions(settings, observed)
    assert conditions.to_dict() == {**settings, **observed}
    assert hash(conditions) == hash(Conditions(settings, observed))
    assert conditions == Conditions(settings, observed)


def test_the_order_of_keys_inside_a_condition_is_nothing():
    one = Conditions({"costs": {"fn": "850", "fp": "25"}})
    two = Conditions({"costs": {"fp": "25", "fn": "850"}})
    assert one == two
    assert hash(one) == hash(two)
    assert one.differences(two) == []
    assert one.differences(Conditions({"costs": {"fn": "850", "fp": "26"}})) == ["costs"]
    assert dict(one["costs"]) == {"fn": "850", "fp": "25"}
    with pytest.raises(TypeError):
        one["costs"]["fn"] = "0"


@given(RESULT)
def test_a_result_survives_pickling_and_copying(result):
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 - our own bytes
    assert copy.deepcopy(result) == result


@given(SKIPPED)
def test_a_skipped_result_never_gives_a_float(result):
    assert (result.ok, result.value, result.interval) == (False, None, None)
    with pytest.raises(SkippedError):
        float(result)
    with pytest.raises((TypeError, SkippedError)):
        result + 1
    assert result.to_dict()["value"] is None
    assert result.to_dict()["skip"]["reason"] == str(result.reason)
    assert result.detail


@given(MEASURED)
def test_a_measured_result_is_its_value(result):
    assert result.ok
    assert float(result) == result.value
    assert math.isfinite(result.value)


@given(CONDITIONS, CONDITIONS)
def test_differences_are_symmetric_and_look_at_settings_only(one, two):
    assert one.differences(two) == two.differences(one)
    assert one.differences(one.found(anything=1)) == [
        name for name in ["anything"] if name in one.settings
    ]
    if one.settings == two.settings:
        assert one.differences(two) == []


@given(st.dictionaries(TEXT, VALUE, max_size=5), st.randoms(use_true_random=False))
def test_the_canonical_form_does_not_depend_on_the_order_of_keys(data, random):
    items = list(data.items())
    random.shuffle(items)
    assert strict_json.canonical(dict(items)) == strict_json.canonical(data)
    assert strict_json.sha256(dict(items)) == strict_json.sha256(data)


@given(VALUE)
def test_strict_json_round_trip(value):
    assert strict_json.loads(strict_json.dumps(value)) == value
    assert strict_json.loads(strict_json.canonical(value)) == value


def test_the_canonical_form_is_fixed():
    # Stored hashes must stay valid: this text and its sha256 (by sha256sum) never change.
    value = {"b": [1, 2.5, None, True], "a": "ü\n", "ä": {"z": -0.0, "y": 1e-7}}
    text = '{"a":"ü\\n","b":[1,2.5,null,true],"ä":{"y":1e-07,"z":-0.0}}'
    assert strict_json.canonical(value) == text.encode()
    assert strict_json.sha256(value) == (
        "116e84caf3c028bdad1813eb5720810e55cfdd16116a45709e9cdcd3a6f3f6dd"
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused_everywhere(number):
    for write in (strict_json.dumps, strict_json.canonical):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write({"value": [number]})
    with pytest.raises(ParameterError):
        Measured(number)
    with pytest.raises(ParameterError):
        Interval(0.0, number, 0.95, "none")
    for conditions in ({"x": number}, {"x": [1, [number]]}, {"x": {"y": number}}):
        with pytest.raises(ParameterError):
            Conditions(conditions)
        with pytest.raises(ParameterError):
            Conditions(observed=conditions)


@pytest.mark.parametrize(
    "text",
    [
        '{"value": NaN}', "[Infinity]", "[-Infinity]", '{"a": 1, "a": 2}', "{", "", "[1,]",
        "[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_not_strict_json_is_refused(text):
    with pytest.raises(FileFormatError):
        strict_json.loads(text)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, 95, math.nan])
def test_an_interval_has_a_level_between_0_and_1(level):
    with pytest.raises(ParameterError):
        Interval(0.0, 1.0, level, "none")


def test_an_interval_is_not_upside_down():
    with pytest.raises(ParameterError):
        Interval(1.0, 0.0, 0.95, "none")


def test_numpy_numbers_are_numbers():
    import numpy as np

    result = Measured(np.float32(0.5), np.int64(3), conditions=Conditions({"k": np.int64(7)}))
    assert json.loads(strict_json.dumps(result.to_dict()))["conditions"] == {"k": 7}
    assert type(result.value) is float
    assert type(result.n) is int
