"""The page about a collection of one's own: its commands are run, and its claims checked."""

import json
from pathlib import Path

import pytest
import pytrec_eval

from tests.docs.pages import page
from tests.docs.reading import read

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "rag-your-collection.md"
METRICS = {
    "retrieval.precision@10": "P_10",
    "retrieval.recall@10": "recall_10",
    "retrieval.mrr": "recip_rank",
    "retrieval.ndcg@10": "ndcg_cut_10",
}
SMALL = Path(__file__).parents[2] / "docs" / "given" / "rag-your-collection"


def values_of(document):
    return {
        one["metric"]: (one["value"], one["n"])
        for one in document["results"]
        if one["group"] is None and one["metric"] in METRICS
    }


def check(folder, given):
    """Follow the page, and compare the three ways to the same numbers."""
    reading = read(page(PAGE), folder, given=given, settings={"VERIDICAL_JSON": "true"})
    assert reading.wrong == []
    place = reading.place
    ran, ranked = (json.loads(text[text.index("{\n") :]) for text in reading.printed[-2:])
    mine = values_of(ran)
    assert list(mine) == list(METRICS)
    assert values_of(ranked) == mine
    golden: dict[str, dict[str, int]] = {}
    for line in (place / "qrels.trec").read_text("utf-8").splitlines():
        query, _, document, grade = line.split()
        golden.setdefault(query, {})[document] = int(grade)
    run: dict[str, dict[str, float]] = {}
    for line in (place / "bm25.trec").read_text("utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {})[document] = float(score)
    theirs = pytrec_eval.RelevanceEvaluator(
        golden, {"P.10", "recall.10", "recip_rank", "ndcg_cut.10"}
    )
    found = theirs.evaluate(run)
    answerable = [query for query, grades in golden.items() if max(grades.values()) >= 1]
    for metric, name in METRICS.items():
        # trec_eval leaves out a query for which nothing was found; here it is 0.
        total = sum(found[query][name] for query in answerable if query in found)
        value, n = mine[metric]
        assert n == len(answerable)
        assert value == pytest.approx(total / n, abs=1e-9)
    return mine


def test_the_page_on_a_small_collection(tmp_path):
    mine = check(tmp_path, SMALL)
    # Query 1: slip, wing; 2: plate, heat, or the other way; 3: nothing; 4 expects nothing.
    assert mine["retrieval.recall@10"] == (pytest.approx(2 / 3), 3)
    assert mine["retrieval.mrr"] == (pytest.approx(2 / 3), 3)


@pytest.mark.long
def test_the_page_on_cranfield(tmp_path, shared):
    mine = check(tmp_path, shared / "data" / "cranfield")
    assert {n for _, n in mine.values()} == {225}
    # Another BM25, whose run came with the collection, reaches 0.3346.
    assert mine["retrieval.ndcg@10"][0] == pytest.approx(0.3346, abs=0.01)
