"""Fusion: worked by hand, and better than its parts on Cranfield."""

from __future__ import annotations

import pytest

import veridical as vd
from veridical.errors import ParameterError
from veridical.ranking import fuse

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


def test_huge_scores_scale():
    assert fuse([{"q": {"a": 1e308, "b": -1e308}}, B], "combsum")["q"] == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize(
    ("runs", "options", "said"),
    [
        ([A], {}, "two runs"),
        ({"a": A, "b": B}, {}, "a list of runs, not a dict"),
        ("a.trec", {}, "a list of runs, not a str"),
        ([A, B], {"method": "borda"}, "method="),
        ([A, B], {"k": 0}, "above 0"),
        ([{"q": {"a": float("inf"), "b": 1.0}}, B], {"method": "combsum"}, "infinite"),
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
