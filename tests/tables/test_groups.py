"""Groups and clusters."""

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.tables import column_from, read_clusters, read_groups


def named(data):
    groups = read_groups(column_from("g", data))
    return [groups.names[code] for code in groups.codes]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (["b", "a"], ["b", "a"]),
        (["007", "7"], ["007", "7"]),
        ([10, 9], ["10", "9"]),
        ([2.0, 2.5], ["2", "2.5"]),
        ([0.0, -0.0], ["0", "0"]),
        (np.array([0.1], dtype=np.float32), ["0.1"]),
        ([True, False], ["True", "False"]),
        ([dt.date(2024, 1, 2)], ["2024-01-02"]),
        (pd.Categorical(["b", "a"], categories=["a", "b", "c"]), ["b", "a"]),
        ([b"x"], ["x"]),
        ([2**63 - 1], [str(2**63 - 1)]),
        ([], []),
    ],
    ids=repr,
)
def test_the_names_of_groups(data, names):
    assert named(data) == names


@pytest.mark.parametrize("missing", [None, float("nan"), ""], ids=["None", "nan", "empty"])
def test_missing_is_a_group_of_its_own_and_the_last(missing):
    groups = read_groups(column_from("g", ["b", missing, "a", missing]))
    assert groups.names == ["a", "b", "(missing)"]
    assert groups.codes.tolist() == [1, 2, 0, 2]


def test_negative_zero_is_no_group_of_its_own():
    assert read_groups(column_from("g", [0.0, -0.0])).names == ["0"]


def test_missing_numbers():
    assert named([1.0, None, 2.0]) == ["1", "(missing)", "2"]
    assert named([None, None]) == ["(missing)", "(missing)"]


def test_a_group_that_is_really_called_missing():
    assert named(["(missing)", None, "'(missing)'"]) == [
        "'(missing)'", "(missing)", "''(missing)''",
    ]  # fmt: skip


def test_numbers_are_in_numeric_order():
    assert read_groups(column_from("g", [10, 9, -1, 100])).names == ["-1", "9", "10", "100"]


values = st.lists(
    st.none() | st.text(st.sampled_from("ab'()misng "), max_size=12) | st.just("(missing)"),
    min_size=1,
)


@given(values)
def test_no_two_values_share_a_name(data):
    filled = [value or None for value in data]
    assert len(set(named(data))) == len(set(filled))
    assert [n == "(missing)" for n in named(data)] == [v is None for v in filled]


@given(values, st.data())
def test_kept_rows_are_the_groups_of_these_rows(data, draw):
    keep = np.array(draw.draw(st.lists(st.booleans(), min_size=len(data), max_size=len(data))))
    kept = read_groups(column_from("g", data)).kept(keep)
    alone = read_groups(column_from("g", pa.array(data, pa.string()).filter(pa.array(keep))))
    assert kept.names == alone.names
    assert kept.codes.tolist() == alone.codes.tolist()


def test_a_million_groups():
    ids = np.arange(10**6)[::-1]
    groups = read_groups(column_from("g", ids))
    assert len(groups.names) == 10**6
    assert groups.codes[0] == 10**6 - 1


def test_clusters_are_codes():
    assert read_clusters(column_from("c", ["x", "y", "x"])).tolist() == [0, 1, 0]


def test_a_missing_cluster_is_an_error():
    with pytest.raises(InputError, match="1 cluster missing") as caught:
        read_clusters(column_from("c", ["x", None, "x"]))
    assert caught.value.where == "column 'c', row 1"
