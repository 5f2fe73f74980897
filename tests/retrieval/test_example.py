"""The files of examples/search are those that its script writes."""

import runpy
from pathlib import Path

import veridical as vd

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "search"


def test_the_script_writes_the_files_that_are_shipped(tmp_path):
    runpy.run_path(str(FOLDER / "prepare.py"))["main"](tmp_path)
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert set(written) == {"queries.tsv", "qrels.trec", "titles.trec", "texts.trec", "both.trec"}
    for name, text in written.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name


def test_every_query_is_judged_and_both_is_ahead_of_titles():
    queries = (FOLDER / "queries.tsv").read_text(encoding="utf-8").splitlines()
    runs = {name: str(FOLDER / f"{name}.trec") for name in ("titles", "both")}
    ev = vd.evaluate_ranking(runs, str(FOLDER / "qrels.trec"), metrics=["ndcg@10"])
    assert ev["both", "ndcg@10"].n == len(queries) == 45
    assert ev["both", "ndcg@10"].value > ev["titles", "ndcg@10"].value
