"""Filtering and sorting units, against the plain definition; what is held of runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import ParameterError
from veridical.store import UnitColumn, Units
from veridical.view.recent import Recent
from veridical.view.unit_table import UnitTable

NUMBERS = st.one_of(st.none(), st.sampled_from([-1.5, 0.0, 0.25, 0.25000001, 1e9, -np.inf, np.inf]))
LABEL, VALUE, GROUP, COUNT = (
    UnitColumn("label", "y"),
    UnitColumn("value", "retrieval.ndcg@10", "bm25"),
    UnitColumn("group", "region"),
    UnitColumn("statistic", "tokens", "bm25"),
)


@st.composite
def tables(draw):
    """Units of all types, some without a value, with ids of any script."""
    ids = draw(st.lists(st.text(max_size=4), unique=True, min_size=1, max_size=12))
    n = len(ids)
    values = draw(st.lists(NUMBERS, min_size=n, max_size=n))
    absent = [value is None for value in values]
    numbers = np.ma.masked_array([0.0 if v is None else v for v in values], absent)
    words = np.array(
        draw(st.lists(st.sampled_from(["a", "b", "<b>"]), min_size=n, max_size=n)), object
    )
    columns = {
        LABEL: np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))),
        VALUE: numbers if any(absent) else np.asarray(numbers),
        GROUP: words,
        COUNT: np.array(draw(st.lists(st.integers(-5, 5), min_size=n, max_size=n))),
    }
    units = Units("query", ids, columns)
    return UnitTable(units), values


@given(tables(), st.sampled_from(["id", "0", "1", "2", "3"]), st.booleans())
def test_an_order_is_sorted_and_what_has_no_value_comes_last(made, sort, down):
    table, values = made
    rows = table.order(sort, down=down).tolist()
    assert sorted(rows) == list(range(len(table)))
    if sort == "id":
        keys = [table.units.ids[row] for row in rows]
    elif sort == "1":
        keys = [values[row] for row in rows]
    else:
        keys = [list(table.units.columns.values())[int(sort)][row] for row in rows]
    known = [key for key in keys if key is not None]
    assert keys == known + [None] * (len(keys) - len(known))
    assert known == sorted(known, reverse=down)


@given(tables(), st.booleans())
def test_the_order_of_the_run_is_its_own(made, down):
    table, _ = made
    expected = list(range(len(table)))
    assert table.order("place", down=down).tolist() == (expected[::-1] if down else expected)


@given(
    tables(),
    st.text(max_size=2),
    st.sampled_from([None, "yes", "no", "maybe"]),
    st.sampled_from([None, "a", "<b>", "z"]),
    NUMBERS,
    NUMBERS,
)
def test_filters_keep_what_they_say(made, text, label, word, low, high):
    table, values = made
    asked = {"text": text, "w0": label, "w2": word, "min": low, "max": high, "by": "1"}
    asked = {key: str(value) for key, value in asked.items() if value is not None}
    kept = np.flatnonzero(table.matching(asked)).tolist()
    columns = list(table.units.columns.values())
    expected = [
        row
        for row, unit in enumerate(table.units.ids)
        if text.casefold() in unit.casefold()
        and (label is None or ("yes" if columns[0][row] else "no") == label)
        and (word is None or columns[2][row] == word)
        and values[row] is not None
        and (low is None or values[row] >= low)
        and (high is None or values[row] <= high)
    ]
    assert kept == expected


@given(tables())
def test_cells_are_the_values_or_nothing(made):
    table, values = made
    for row, value in enumerate(values):
        cell = table.cells(row, [1])[0]
        assert cell is None if value is None else float(cell) == pytest.approx(value, rel=1e-5)
        assert table.cells(row, [0]) == ["yes" if table.units.columns[LABEL][row] else "no"]


def test_columns_say_what_they_hold():
    columns = {
        UnitColumn("label", "is_fraud"): np.array([True]),
        UnitColumn("score", "p", "p"): np.array([0.5]),
        UnitColumn("value", "retrieval.ndcg@10", "bm25"): np.array([0.5]),
        UnitColumn("group", "region"): np.array(["n"], object),
        UnitColumn("statistic", "tokens", "bm25"): np.array([3]),
    }
    table = UnitTable(Units("row", ["a"], columns))
    labels = [table.label(at) for at in range(5)]
    assert labels == ["is_fraud is positive", "score", "nDCG@10", "region", "tokens"]
    assert table.numeric() == [1, 2, 4]
    assert table.subjects == ["p", "bm25"]


def test_a_column_of_many_words_offers_no_choice():
    words = np.array([f"word {k}" for k in range(50)], object)
    table = UnitTable(Units("row", [str(k) for k in range(50)], {GROUP: words}))
    assert table.words == {}
    with pytest.raises(ParameterError, match="no column of numbers"):
        table.matching({"by": "0"})


def test_only_the_latest_are_held_and_what_will_change_is_not():
    made = []

    def make(value):
        made.append(value)
        return value

    recent = Recent(2)
    for key in ("a", "b", "a", "c", "a", "b"):
        assert recent.of(key, lambda key=key: make(key)) == key
    assert made == ["a", "b", "c", "b"]
    assert recent.of("d", lambda: make("d"), lasting=False) == "d"
    assert recent.peek("d") is None
    assert recent.peek("b") == "b"
