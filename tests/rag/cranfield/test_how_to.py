"""The page about a collection of one's own: its commands are run, and its claims checked."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import pytrec_eval

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "rag-your-collection.md"
METRICS = {
    "retrieval.precision@10": "P_10",
    "retrieval.recall@10": "recall_10",
    "retrieval.mrr": "recip_rank",
    "retrieval.ndcg@10": "ndcg_cut_10",
}
SMALL = {
    "documents.jsonl": [
        {"id": "wing", "title": "Wings", "text": "The lift of a wing grows with its angle."},
        {"id": "slip", "title": "Slipstreams", "text": "A slipstream changes the lift of wings."},
        {"id": "heat", "title": "Heat", "text": "Slabs conduct heat, and so do plates."},
        {"id": "plate", "title": "Plates", "text": "Plates buckle under heat and load."},
        {"id": "cone", "title": "Cones", "text": "Flow past cones is conical."},
    ],
    "queries.jsonl": [
        {"id": "1", "text": "lift of a wing in a slipstream"},
        {"id": "2", "text": "buckling of plates under heat"},
        {"id": "3", "text": "zeppelins"},
        {"id": "4", "text": "flow past cones"},
    ],
    "qrels.trec": "1 0 wing 2\n1 0 slip 4\n1 0 cone -1\n"
    "2 0 heat 1\n2 0 plate 3\n3 0 cone 1\n4 0 wing 0\n",
}


def blocks():
    """Return the language and the text of each block of the page."""
    return re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def followed(folder):
    """Do what the page says, and return what was printed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("VERIDICAL")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment["VERIDICAL_JSON"] = "true"
    place, printed = folder, []
    for language, text in blocks():
        if language == "python":
            name = re.match(r"# (\w+\.py)\n", text)[1]
            (place / name).write_text(text, encoding="utf-8")
            continue
        done = subprocess.run(
            ["bash", "-ec", f"{text}pwd"],
            check=False,
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        *lines, last = done.stdout.splitlines()
        printed.append("\n".join(lines))
        place = Path(last)
    return place, printed


def values_of(document):
    return {
        one["metric"]: (one["value"], one["n"])
        for one in document["results"]
        if one["group"] is None and one["metric"] in METRICS
    }


def check(folder):
    """Follow the page, and compare the three ways to the same numbers."""
    place, printed = followed(folder)
    ran, ranked = (json.loads(text[text.index("{\n") :]) for text in printed[-2:])
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
    for name, content in SMALL.items():
        lines = content if isinstance(content, str) else "\n".join(map(json.dumps, content))
        (tmp_path / name).write_text(lines, encoding="utf-8")
    mine = check(tmp_path)
    # Query 1: slip, wing; 2: plate, heat, or the other way; 3: nothing; 4 expects nothing.
    assert mine["retrieval.recall@10"] == (pytest.approx(2 / 3), 3)
    assert mine["retrieval.mrr"] == (pytest.approx(2 / 3), 3)


@pytest.mark.long
def test_the_page_on_cranfield(tmp_path, shared):
    folder = shared / "data" / "cranfield"
    for name in ("documents.jsonl", "queries.jsonl", "qrels.trec"):
        shutil.copy(folder / name, tmp_path)
    mine = check(tmp_path)
    assert {n for _, n in mine.values()} == {225}
    # Another BM25, whose run came with the collection, reaches 0.3346.
    assert mine["retrieval.ndcg@10"][0] == pytest.approx(0.3346, abs=0.01)
