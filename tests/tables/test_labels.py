"""Labels say which class is positive, or reading them is an error."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.forms import named
from veridical.errors import LabelError
from veridical.tables import LabelReader, column_from, read_labels


def labels(data, positive=None):
    return read_labels(column_from("y", data), positive).tolist()


YES = [True, False, True]


@pytest.mark.parametrize(
    "data",
    [
        [True, False, True],
        [1, 0, 1],
        [1, -1, 1],
        [1.0, 0.0, 1.0],
        [1.0, -1.0, 1.0],
        ["1", "0", "1"],
        ["1.0", "0.0", "1.0"],
        ["1", "-1", "1"],
        ["true", "false", "true"],
        ["True", "False", "True"],
        np.array([1, 0, 1], dtype=np.uint8),
        np.array([1, -1, 1], dtype=np.int8),
        np.array([1, 0, 1], dtype=np.float32),
        np.array([True, False, True], dtype=object),
        pd.Series([1, 0, 1], dtype="Int64"),
        pd.Categorical([1, 0, 1]),
        pd.Categorical(["1", "0", "1"]),
        pa.array([1, 0, 1]).dictionary_encode(),
        pa.array([1, 0, 1], pa.decimal128(3, 0)),
    ],
    ids=named,
)
def test_labels_that_say_it_themselves(data):
    assert labels(data) == YES


@pytest.mark.parametrize(
    ("data", "positive"),
    [
        ([2, 1, 2], 2),
        ([2, 1, 2], "2"),
        ([2, 1, 2], 2.0),
        ([2, 1, 2], "2.0"),
        ([2, 1, 2], np.int64(2)),
        (["2", "1", "2"], 2),
        (["2.0", "1.0", "2.0"], "2"),
        (["fraud", "ok", "fraud"], "fraud"),
        (["fraud", "ok", "fraud"], np.str_("fraud")),
        ([0, 1, 0], 0),
        ([0, 1, 0], "0"),
        ([0, 1, 0], False),
        ([False, True, False], 0),
        ([False, True, False], "false"),
        ([True, False, True], "1"),
        ([True, False, True], "True"),
        (["True", "False", "True"], "true"),
        (["True", "False", "True"], True),
        ([-1, 1, -1], -1),
        (["yes", "no", "yes"], "yes"),
        (["NA", "EU", "NA"], "NA"),
        ([np.datetime64("2024-01-02"), np.datetime64("2024-01-01")] * 1, "2024-01-02"),
    ],
    ids=named,
)
def test_labels_with_a_positive_named(data, positive):
    assert labels(data, positive) == YES[: len(data)]


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ([1, 2, 1], ["1", "2"]),
        (["ok", "fraud"], ["'fraud'", "'ok'"]),
        (["yes", "no"], ["'no'", "'yes'"]),
        ([0.5, 1.0], ["0.5", "1"]),
        ([-1, 0], ["-1", "0"]),
        ([-1, 0, 1], ["-1", "0", "1"]),
        ([2, 2], ["2"]),
        (["fraud"], ["'fraud'"]),
    ],
    ids=named,
)
def test_a_guess_is_refused_and_the_values_are_named(data, named):
    with pytest.raises(LabelError, match="which class is positive") as caught:
        labels(data)
    assert all(value in caught.value.what for value in named)
    assert "positive=" in caught.value.fix


@pytest.mark.parametrize("data", [[1, 1], [0, 0], [-1, -1], [True], [False], ["1"], ["0", "0"]])
def test_one_class_alone_is_legal(data):
    assert set(labels(data)) == {data[0] in (1, True, "1")}


@pytest.mark.parametrize(
    "data", [[0, 1], ["a", "b"], [False, True], [0.0, 1.0], list("abcdefghijklm")]
)
def test_a_positive_that_does_not_occur(data):
    with pytest.raises(LabelError, match="does not occur") as caught:
        labels(data, "fraud")
    assert caught.value.why.startswith("the labels are ")
    assert str(data[0]).removesuffix(".0") in caught.value.why
    assert len(caught.value.why) < 200


@pytest.mark.parametrize(
    "missing", [None, float("nan"), "NA", "NaN", "", "null"], ids=["None", "nan", *"abcd"]
)
def test_missing_labels_are_counted_and_placed(missing):
    data = ["ok", missing, "fraud", missing, missing, missing]
    with pytest.raises(LabelError, match="4 labels missing") as caught:
        labels(data, "fraud")
    assert caught.value.where == "column 'y', rows 1, 3, 4"


@pytest.mark.parametrize("data", [[0.0, 1.0, np.nan], pd.array([0, 1, None], dtype="Int64")])
def test_missing_numbers_are_missing_labels(data):
    with pytest.raises(LabelError, match="1 label missing"):
        labels(data)


def test_more_than_two_values_is_one_against_the_rest():
    reader = LabelReader("b")
    found, missing = reader.read(column_from("y", ["a", "b", "c", "b"]))
    assert (found.tolist(), missing) == ([False, True, False, True], None)
    assert reader.finish() == ("one_vs_rest",)
    assert reader.classes == {"positive": ["'b'"], "negative": ["'a'", "'c'"]}


def test_two_values_need_no_note():
    reader = LabelReader("b")
    reader.read(column_from("y", ["a", "b", "a"]))
    assert reader.finish() == ()


def test_a_batch_without_positives_is_no_error_but_a_table_without_is():
    reader = LabelReader("fraud")
    reader.read(column_from("y", ["ok", "ok"]))
    reader.read(column_from("y", ["fraud"]))
    reader.finish()
    reader = LabelReader("fraud")
    reader.read(column_from("y", ["ok", "ok"]))
    with pytest.raises(LabelError, match="does not occur"):
        reader.finish()


def test_hostile_labels_are_shown_escaped_and_short():
    with pytest.raises(LabelError) as caught:
        labels(["\x1b[2J\u202e", "x" * 10**6])
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
    assert len(str(caught.value)) < 500


values = st.one_of(
    st.lists(st.integers(-3, 3), min_size=1),
    st.lists(st.sampled_from(["a", "b", "c", "1", "0"]), min_size=1),
    st.lists(st.booleans(), min_size=1),
)


@given(values, st.data())
def test_a_named_positive_is_plain_equality(data, draw):
    positive = draw.draw(st.sampled_from(data))
    assert labels(data, positive) == [value == positive for value in data]


@given(values, st.integers(1, 5))
def test_batches_are_judged_like_the_whole(data, size):
    reader = LabelReader()
    parts = [
        reader.read(column_from("y", data[start : start + size]))[0]
        for start in range(0, len(data), size)
    ]
    if set(data) <= {0, 1} or set(data) <= {-1, 1} or set(data) <= {"0", "1"}:
        assert reader.finish() == ()
        assert np.concatenate(parts).tolist() == labels(data)
    else:
        with pytest.raises(LabelError) as whole:
            labels(data)
        with pytest.raises(LabelError) as batches:
            reader.finish()
        assert batches.value.what == whole.value.what


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["good", "bad"], "--positive bad or --positive good"),
        ([2, 1], "--positive 1 or --positive 2"),
        (["Fully Paid", "Charged Off"], "--positive 'Charged Off' or --positive 'Fully Paid'"),
        (["a\u202eb", "-x"], "--positive VALUE or --positive VALUE"),
    ],
)
def test_no_class_is_guessed_where_labels_do_not_say_it(labels, told):
    with pytest.raises(LabelError) as caught:
        read_labels(column_from("y", labels))
    which = "say with positive= (--positive) which of them a high score stands for"
    assert caught.value.fix == f"{which}: {told}"


def test_of_more_than_two_labels_none_is_suggested():
    with pytest.raises(LabelError) as caught:
        read_labels(column_from("y", [1, 2, 3]))
    assert caught.value.fix.endswith("which of them a high score stands for")
