"""Large runs are read in batches and sorted in blocks: with tiny ones nothing changes."""

from __future__ import annotations

from unittest.mock import patch

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.ranking import row_order
from veridical.ranking.columns import ordered
from veridical.tables import listing_columns
from veridical.tables.listings import from_nested, listing_of

QRELS = from_nested({q: {"d1": 1, "d3": 2, "d4": 0} for q in ("q1", "q2", "q3", "q4")}, "qrels")
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3", "q4", "other"]),
        st.sampled_from(["d1", "d2", "d3", "d4", "d5"]),
        st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    ),
    max_size=30,
)


def frame(rows, last="score"):
    schema = {"qid": pl.String, "docid": pl.String, last: pl.Float64}
    return pl.DataFrame(rows, schema, orient="row")


def told(rows, ties, duplicates):
    """Everything that putting a run in order says, or the error."""
    try:
        found = ordered(listing_of(frame(rows), "run"), QRELS, ties, duplicates)
    except InputError as error:
        return str(error)
    ranked = found.ranked
    arrays = [ranked.retrieved, ranked.starts, ranked.rank, ranked.grades]
    tied = found.tied and (found.tied.before.tolist(), found.tied.size.tolist())
    rest = (bytes(found.listed), found.ties_with_relevant, found.duplicates, found.unknown)
    return [[*map(float, one)] for one in arrays], tied, rest, found.own_ids


@given(
    ROWS,
    st.sampled_from(["docid_desc", "input", "average", "error"]),
    st.sampled_from(["error", "keep-first"]),
    st.integers(1, 5),
)
def test_lists_are_sorted_alike_in_blocks_of_any_size(rows, ties, duplicates, size):
    whole = told(rows, ties, duplicates)
    with patch.object(row_order, "_BLOCK_ROWS", size):
        assert told(rows, ties, duplicates) == whole


def content(listing):
    rows = listing.query.tolist(), listing.document.to_pylist(), listing.value.tolist()
    return listing.queries, *rows, listing.ids


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl", "arrow"])
@pytest.mark.parametrize("last", ["score", "rank", "other"])
def test_files_are_the_same_in_batches_of_any_size(tmp_path, monkeypatch, suffix, last):
    rows = [(f"q{7 * at % 5}", f"d{at * at % 11}", float(at % 4)) for at in range(40)]
    path = tmp_path / f"run.{suffix}"
    table = frame(rows, last)
    write = {
        "parquet": lambda: table.write_parquet(path, row_group_size=9),
        "csv": lambda: table.write_csv(path),
        "jsonl": lambda: table.write_ndjson(path),
        "arrow": lambda: table.write_ipc(path, record_batch_size=7),
    }
    write[suffix]()
    expected = content(listing_of(table, "run"))
    assert content(listing_of(str(path), "run")) == expected
    monkeypatch.setattr(listing_columns, "_BATCH_ROWS", 3)
    assert content(listing_of(str(path), "run")) == expected


@pytest.mark.parametrize("row", [7, 9], ids=["among others", "all that its batch has"])
@pytest.mark.parametrize(
    ("column", "bad", "message"),
    [("docid", None, "an id is missing"), ("score", None, "a score is missing")],
)
def test_a_missing_value_of_a_later_batch_is_told_with_its_row(
    tmp_path, monkeypatch, column, bad, message, row
):
    monkeypatch.setattr(listing_columns, "_BATCH_ROWS", 3)
    table = frame([("q1", f"d{at}", 1.0) for at in range(10)])
    table[row, column] = bad
    table.write_parquet(tmp_path / "run.parquet")
    with pytest.raises(InputError, match=message) as caught:
        listing_of(str(tmp_path / "run.parquet"), "run")
    assert f"row {row}" in str(caught.value)


NULL_IN_DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", None, "c"]))


@pytest.mark.parametrize("column", ["query_id", "doc_id"])
@pytest.mark.parametrize(
    "ids",
    [
        ["a", None, "c"],
        pa.array(["a", None, "c"]).dictionary_encode(),
        NULL_IN_DICTIONARY,
        ["a", "", "c"],
    ],
    ids=["texts", "codes", "null in the dictionary", "an empty text"],
)
def test_a_missing_id_is_told_and_is_no_other_id(column, ids):
    run = {"query_id": ["q"] * 3, "doc_id": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]}
    with pytest.raises(InputError, match=f"an id is missing .column '{column}', row 1"):
        listing_of(pa.table({**run, column: ids}), "run")


@pytest.mark.parametrize("column", ["query_id", "doc_id"])
def test_a_null_that_no_row_uses_is_no_id(column):
    run = {"query_id": ["q1", "q1"], "doc_id": ["d1", "d3"], "score": [3.0, 2.0]}
    distinct = list(dict.fromkeys(run[column]))
    codes = pa.array([distinct.index(one) for one in run[column]])
    coded = pa.DictionaryArray.from_arrays(codes, pa.array([*distinct, None]))
    ranked = ordered(listing_of(pa.table({**run, column: coded}), "run"), QRELS).ranked
    assert [*ranked.rank] == [1, 2]


def test_an_empty_cell_of_a_file_is_no_id(tmp_path):
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq1,d1,0.4\nq1,,0.3\n")
    with pytest.raises(InputError, match=r"an id is missing .column 'doc_id', .*run.csv:3"):
        listing_of(str(tmp_path / "run.csv"), "run")


def test_a_dictionary_that_names_a_text_twice_is_one_id_each():
    codes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["q1", "q1", "q2"]))
    golden = {"query_id": codes, "doc_id": ["d1", "d2", "d1"], "relevance": [1, 2, 1]}
    listing = listing_of(pa.table(golden), "qrels")
    assert (listing.queries, listing.query.tolist()) == (("q1", "q2"), [0, 0, 1])


def test_a_table_without_rows_is_told():
    with pytest.raises(InputError, match="there are no rows"):
        listing_of({"query_id": [], "doc_id": [], "score": []}, "run")


def test_a_document_that_stands_twice_in_two_batches_is_told_with_both_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(listing_columns, "_BATCH_ROWS", 3)
    frame([("q1", f"d{at % 7}", float(at)) for at in range(8)]).write_parquet(
        tmp_path / "run.parquet"
    )
    with pytest.raises(InputError, match=r"stands more than once.*rows 0, 7"):
        ordered(listing_of(str(tmp_path / "run.parquet"), "run"), QRELS)
