"""What is said of a file that was written: the same words on the same stream, in every command.

A file beside a result is told on stderr, `what: file`.  A file that is the result itself is told on
stdout, `file: what it holds`.
"""

import inspect
import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.test_same_options import files
from veridical.cli.app import build_app

WORDS = {
    "--report": "report",
    "--docx": "docx",
    "--csv": "csv",
    "--junit": "junit",
    "--freeze": "reference",
    "merge -o": "summary",
    "bench score -o": "scores",
}
"""What stands before the name of the file, by the option that asks for it."""
BEHIND = {
    "rank": "veridical.cli.ranking",
    "rag gate": "veridical.cli.gate",
    "bench gate": "veridical.cli.gate",
}
"""Where a file is written by another module than that of the command."""
TO_SCORE = ["--label", "y", "--score", "p"]
CASES = ["--suite", "mine", "--suite-seed", "7", "--cases", "8"]


def written_beside():
    """Yield each option that writes a file beside a result, with its command."""
    for command, names, said in files():
        if said.startswith("Write "):
            yield command, f"{command} -o" if "-o" in names else names[-1]


@pytest.mark.parametrize(("command", "option"), [*written_beside()])
def test_every_such_option_says_so(command, option):
    function = build_app()
    for word in command.split():
        function = function[word]
    module = inspect.getmodule(function.default_command)
    source = inspect.getsource(import_module(BEHIND.get(command, module.__name__)))
    assert re.search(rf'talk\(f"{WORDS[option]}: \{{', source)


def test_options_are_found():
    found = [*written_beside()]
    assert {option for _, option in found} == {*WORDS}
    assert ("gate", "--junit") in found


def rules_of(metric):
    rules = f"version: 1\nname: house\nrules: [{{metric: {metric}, at_least: 0.5}}]\n"
    Path("rules.yaml").write_text(rules, encoding="utf-8")


@pytest.fixture
def stated(veridical, scores):
    """A document of results, and rules for it."""
    del scores
    document = veridical("evaluate", "scores.csv", *TO_SCORE, "--json").document
    Path("a.json").write_text(json.dumps(document), encoding="utf-8")
    rules_of("roc_auc")


def test_beside_a_result(veridical, stated):
    told = veridical("evaluate", "scores.csv", *TO_SCORE, "--report", "r.html")
    assert told.err == "report: r.html\n"
    told = veridical(
        "drift", "scores.csv", "scores.csv", "--freeze", "x.reference", "--report", "d"
    )
    assert told.err == "reference: x.reference\nreport: d\n"
    told = veridical("gate", "a.json", "--policy", "rules.yaml", "--junit", "g.xml")
    assert told.err == "junit: g.xml\n"
    told = veridical("gate", "a.json", "--policy", "rules.yaml", "--report", "g.html")
    assert told.err == "report: g.html\n"
    told = veridical("compare", "a.json", "a.json", "--report", "c.html")
    assert told.err == "report: c.html\n"
    told = veridical("trend", "roc_auc", "a.json", "--report", "t.html")
    assert told.err == "report: t.html\n"
    veridical("summarise", "scores.csv", *TO_SCORE, "-o", "a.summary")
    told = veridical("merge", "a.summary", "-o", "all.summary")
    assert told.err == "summary: all.summary\n"
    told = veridical("merge", "a.summary", "--report", "m.html")
    assert told.err == "report: m.html\n"


def test_beside_the_scores_of_an_agent(veridical):
    veridical("bench", "run", "--agent", "naive", *CASES, "-o", "naive.jsonl")
    told = veridical("bench", "report", "naive.jsonl", "--report", "r.html")
    assert told.err == "report: r.html\n"
    told = veridical("bench", "compare", "naive.jsonl", "naive.jsonl", "--report", "c.html")
    assert told.err == "report: c.html\n"
    told = veridical("bench", "score", "naive.jsonl", "-o", "s.json")
    assert told.err == "scores: s.json\n"
    rules_of("bench.exact_match")
    words = ["--policy", "rules.yaml", "--junit", "g.xml", "--report", "g.html"]
    told = veridical("bench", "gate", "naive.jsonl", *words)
    assert told.err == "report: g.html\njunit: g.xml\n"


def test_beside_a_pipeline(veridical, monkeypatch):
    veridical("rag", "init", "mine")
    monkeypatch.chdir("mine")
    assert veridical("rag", "run").code == 0
    told = veridical("rag", "report", "--report", "r.html", "--csv", "c.csv", "--junit", "j.xml")
    assert told.err == "report: r.html\ncsv: c.csv\njunit: j.xml\n"
    told = veridical("rag", "compare", "latest", "latest", "--report", "c.html")
    assert told.err == "report: c.html\n"
    told = veridical("rag", "gate", "latest", "--report", "g.html")
    assert told.err == "report: g.html\n"


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "a.json", "b.json"],
        ["trend", "roc_auc", "b.json", "a.json"],
        ["gate", "b.json", "--policy", "a.json"],
        ["gate", "a.json", "--policy", "rules.yaml"],
        ["rag", "compare", "a.json", "b.json"],
        ["rag", "gate", "a.json"],
        ["bench", "compare", "a.json", "b.json"],
        ["bench", "gate", "a.json", "--policy", "rules.yaml"],
        ["bench", "report", "a.json"],
        ["rag", "gate", "latest", "--config", "a.json"],
    ],
)
def test_a_page_replaces_nothing_that_is_read(veridical, stated, words):
    before = Path("a.json").read_bytes()
    told = veridical(*words, "--report", "./a.json")
    assert (told.code, told.out) == (64, "")
    assert "would replace a file that is read" in told.err
    assert Path("a.json").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "scores.csv", *TO_SCORE],
        ["compare", "first", "first"],
        ["trend", "roc_auc"],
        ["gate", "first", "--policy", "rules.yaml"],
        ["rag", "report"],
    ],
)
def test_a_page_replaces_no_runs(veridical, stated, words):
    veridical("evaluate", "scores.csv", *TO_SCORE, "--save", "first", "--store", "kept.db")
    before = Path("kept.db").read_bytes()
    told = veridical(*words, "--store", "kept.db", "--report", "./kept.db")
    assert (told.code, told.out) == (64, "")
    assert "would replace a file that is read" in told.err
    assert Path("kept.db").read_bytes() == before


def test_the_project_file_is_a_policy_and_is_not_replaced(veridical, stated):
    Path("rules.yaml").rename("veridical.yaml")
    before = Path("veridical.yaml").read_bytes()
    told = veridical("gate", "a.json", "--report", "veridical.yaml")
    assert told.code == 64
    assert Path("veridical.yaml").read_bytes() == before


def test_two_files_are_two(veridical, stated):
    words = ["gate", "a.json", "--policy", "rules.yaml"]
    told = veridical(*words, "--report", "g", "--junit", "./g")
    assert told.code == 64
    assert "two of the files to write are one file" in told.err
    assert not Path("g").exists()


def test_a_file_that_is_the_result(veridical, scores, tmp_path):
    del scores
    told = veridical("summarise", "scores.csv", *TO_SCORE, "-o", "a.summary")
    assert (told.out.partition("\n")[0], told.err) == ("a.summary: 4 rows, 2 positive", "")
    veridical("evaluate", "scores.csv", *TO_SCORE, "--save", "first")
    told = veridical("runs", "export", "-o", "runs.export")
    assert (told.out.startswith("runs.export: 1 run, "), told.err) == (True, "")
    told = veridical("bench", "gen", *CASES, "-o", "made")
    assert (told.out.partition("\n")[0], told.err) == ("made: 8 cases of mine", "")
    told = veridical("bench", "run", "--agent", "naive", *CASES, "-o", "naive.jsonl")
    assert (told.out.startswith("naive.jsonl: 8 trials: "), told.err) == (True, "")
    (tmp_path / "corpus").mkdir()
    for n in range(12):
        text = f"# Rule {n}\n\nRule {n} costs {n} euros.\n"
        (tmp_path / "corpus" / f"rule-{n}.md").write_text(text, encoding="utf-8")
    words = ["--corpus", "corpus", "-o", "made.jsonl", "--count", "2"]
    told = veridical("rag", "generate", "unanswerable", *words)
    said = [
        "made.jsonl: 2 cases",
        "made.corpus: 10 documents, for the pipeline to answer them from",
    ]
    assert (told.out.splitlines(), told.err) == (said, "")
