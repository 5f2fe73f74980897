"""Fusion: worked by hand, and better than its parts on Cranfield."""

from __future__ import annotations

import json
from itertools import permutations
from unittest.mock import patch

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.retrieval import plain_fusion
from tests.retrieval.commands import veridical
from veridical.errors import InputError, ParameterError
from veridical.ranking import fuse, row_order

A = {"q1": {"a": 9.0, "b": 4.0, "c": 4.0}, "q2": {"x": 1.0}}
B = {"q1": {"b": 0.9, "d": 0.1}}


def test_reciprocal_ranks():
    # In A, b and c tie, and c stands first by its id.
    fused = fuse([A, B], "rrf", k=60)
    expected = {"a": 1 / 61, "c": 1 / 62, "b": 1 / 63 + 1 / 61, "d": 1 / 62}
    assert fused["q1"] == pytest.approx(expected)
    assert fused["q2"] == pytest.approx({"x": 1 / 61})


def test_sums_of_scaled_scores():
    assert fuse([A, B], "combsum")["q1"] == {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}
    assert fuse([A, B], "combmnz")["q1"] == {"a": 1.0, "b": 2.0, "c": 0.0, "d": 0.0}
    assert fuse([A, B], "combsum")["q2"] == {"x": 1.0}


def test_equal_sums_are_equal_in_any_order_of_the_runs():
    places = [{1: "A", 7: "B"}, {2: "A", 1: "B"}, {7: "A", 2: "B"}]
    runs = [{"q": {of.get(r, f"x{r}"): -float(r) for r in range(1, 9)}} for of in places]
    for order in permutations(runs):
        fused = fuse(order)["q"]
        assert fused["A"] == fused["B"] == fuse(runs)["q"]["A"]


def test_runs_by_name_are_named_in_the_passport(tmp_path):
    assert fuse({"a": A, "b": B}) == fuse([A, B])
    assert fuse({"a": A, "b": B}, "combsum").fusion["runs"] == ["a", "b"]
    assert "runs" not in fuse([A, B]).fusion
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, content in zip(paths, (A, B), strict=True):
        path.write_text(json.dumps(content))
    assert fuse(paths).fusion["runs"] == ["a", "b"]


def test_a_name_may_be_empty():
    runs = {"": {"q": {"a": 2.0, "b": 1.0}}, "run": {"q": {"b": 2.0, "a": 1.0}}}
    ev = vd.evaluate_ranking(runs, {"q": {"a": 1}}, ["mrr"], intervals=False)
    assert [(one.subject, one.value) for one in ev.results] == [("", 1.0), ("run", 0.5)]


def test_equal_scores_of_a_fused_run_are_refused_with_its_name():
    runs = {"a": {"q": {"x": 2.0, "y": 1.0}}, "b": {"q": {"y": 2.0, "x": 1.0}}}
    runs["both"] = fuse(runs)
    with pytest.raises(InputError, match=r"the same score .'both': query 'q'"):
        vd.evaluate_ranking(runs, {"q": {"x": 1}}, ["mrr"], ties="error")


NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1, 2.5, 5e-324, 1e308, -1e308]),
    st.floats(allow_nan=False, allow_infinity=False),
)
IDS = st.sampled_from(["a", "b", "c", "d", "é", "zz", "日本", "B", "10", "9"])
RUNS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(IDS, NUMBERS))


@given(
    st.lists(RUNS, min_size=2, max_size=4),
    st.sampled_from(["rrf", "combsum", "combmnz"]),
    st.sampled_from([1, 3, 1 << 20]),
)
def test_columns_are_fused_as_documents_are_one_by_one(runs, method, size):
    with patch.object(row_order, "_BLOCK_ROWS", size):
        found = fuse(runs, method)
    expected = plain_fusion.fused(runs, method)
    assert found == expected
    assert list(found) == list(expected)
    for documents in found.values():
        ranked = [(score, document) for document, score in documents.items()]
        assert ranked == sorted(ranked, reverse=True)


TWICE = {"query_id": ["q"] * 4, "doc_id": ["a", "b", "a", "c"], "score": [1.0, 2.0, 3.0, 0.5]}


@pytest.mark.parametrize("method", ["rrf", "combsum", "combmnz"])
def test_of_a_document_that_stands_twice_the_best_rank_counts_if_asked(method):
    once = {"q": {"a": 3.0, "b": 2.0, "c": 0.5}}
    assert fuse([TWICE, B], method, duplicates="keep-first") == fuse([once, B], method)
    with pytest.raises(InputError, match=r"stands more than once .'x': rows 0, 2, query"):
        fuse({"x": TWICE, "b": B}, method)


def test_an_infinite_score_is_told_with_its_place_and_has_a_rank():
    runs = {"b": B, "far": {"q": {"a": 1.0, "b": float("inf")}}}
    with pytest.raises(InputError, match=r"infinite.*'far': query 'q', document 'b'"):
        fuse(runs, "combsum")
    assert list(fuse(runs)["q"]) == ["b", "a"]


def test_a_run_that_cannot_be_read_is_named():
    with pytest.raises(InputError, match="'dense'"):
        fuse({"bm25": A, "dense": {"q": {None: 1.0}}})


ROWS = [("q1", "a", 9.0), ("q1", "b", 4.0), ("q1", "c", 4.0), ("q2", "x", 1.0)]
COLUMNS = dict(
    zip(["query_id", "doc_id", "score"], map(list, zip(*ROWS, strict=True)), strict=True)
)
FORMS = {
    "records": [dict(zip(COLUMNS, row, strict=True)) for row in ROWS],
    "columns": COLUMNS,
    "arrays": {name: np.array(column) for name, column in COLUMNS.items()},
    "series": {name: pd.Series(column) for name, column in COLUMNS.items()},
    "frame": pd.DataFrame(COLUMNS),
    "arrow": pa.table(COLUMNS),
    "structured": pd.DataFrame(COLUMNS).astype({"score": float}).to_records(index=False),
}


@pytest.mark.parametrize("other", FORMS)
@pytest.mark.parametrize("form", FORMS)
def test_runs_by_name_take_every_form(form, other):
    named = {"one": FORMS[form], "two": FORMS[other]}
    assert fuse(named) == fuse([A, A])
    ev = vd.evaluate_ranking(named, {"q1": {"b": 1}, "q2": {"x": 1}}, ["mrr"], intervals=False)
    assert ev.subjects == ("one", "two")
    assert [one.value for one in ev.results] == [(1 / 3 + 1) / 2] * 2


def test_huge_scores_scale():
    assert fuse([{"q": {"a": 5e-324, "b": 0.0}}, B], "combsum")["q"] == {"a": 1.0, "b": 0.0}
    assert fuse([{"q": {"a": 1e308, "b": -1e308}}, B], "combsum")["q"] == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize(
    ("runs", "options", "said"),
    [
        ([A], {}, "two runs"),
        (A, {}, "two runs, not 1"),
        ({"only": A}, {}, "two runs, not 1"),
        ({}, {}, "two runs, not 0"),
        ([], {}, "two runs, not 0"),
        ("a.trec", {}, "two runs, not 1"),
        ([A, B], {"method": "borda"}, "method="),
        ([A, B], {"k": 0}, "above 0"),
        ([A, B], {"k": float("nan")}, "above 0"),
        ([A, B], {"k": float("inf")}, "above 0"),
        ([A, B], {"k": 10**400}, "above 0"),
        ([A, B], {"k": True}, "above 0"),
        ([A, B], {"k": "60"}, "above 0"),
        (None, {}, "two runs, not 1"),
        (pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]}), {}, "two runs, not 1"),
    ],
)
def test_refusals(runs, options, said):
    with pytest.raises(ParameterError, match=said):
        fuse(runs, **options)


def test_a_fused_run_is_evaluated_beside_its_parts(shared):
    folder = shared / "data" / "cranfield"
    runs = {name: folder / f"{name}.trec.gz" for name in ("bm25", "tfidf")}
    fused = fuse(runs.values())
    with pytest.warns(UserWarning, match="id of the query"):
        ev = vd.evaluate_ranking(
            {**runs, "fused": fused}, folder / "qrels.trec", ["recall@100"], intervals=False
        )
    parts = [ev[name, "recall@100"].value for name in runs]
    assert ev["fused", "recall@100"].value > max(parts)


def test_the_command_measures_the_fusion_beside_its_parts(tmp_path):
    golden = {"q1": {"b": 1}, "q2": {"x": 1}}
    for name, content in {"a": A, "rrf": B, "qrels": golden}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    words = [tmp_path / "a.json", tmp_path / "rrf.json", "--qrels", tmp_path / "qrels.json"]
    done = veridical("rank", *words, "-m", "mrr", "--fuse", "rrf", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    values = {one["subject"]: one["value"] for one in told["results"]}
    by_hand = vd.evaluate_ranking(fuse([A, B]), golden, ["mrr"]).results[0].value
    assert values == {"a": (1 / 3 + 1) / 2, "rrf": 1 / 2, "rrf (2)": by_hand}
    passport = {"method": "rrf", "n_runs": 2, "runs": ["a", "rrf"], "k": 60}
    assert told["source"]["runs"]["rrf (2)"]["fusion"] == passport


def test_the_command_needs_two_runs_to_fuse(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(A))
    words = [tmp_path / "a.json", "--qrels", tmp_path / "a.json", "--fuse", "rrf"]
    done = veridical("rank", *words)
    assert done.returncode != 0
    assert "fusion needs two runs, not 1" in done.stderr
