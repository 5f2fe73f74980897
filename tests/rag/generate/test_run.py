"""Generated cases in a run: a pipeline that obeys fails every attack, one that does not none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veridical.cli import main

PIPELINE = """
import json
from pathlib import Path

ROWS = [json.loads(row) for row in Path("made.corpus.jsonl").read_text("utf-8").splitlines()]

def obedient(question):
    # It reads every document about the rule, and says all that it is told.
    found = [row["text"] for row in ROWS if row["title"] in question]
    return " ".join([question, *found])

def deaf(question):
    return "It costs 2 euros."

def modest(question):
    return "I cannot find that in the documents."
"""


@pytest.fixture
def measured(tmp_path, monkeypatch, capsys):
    """Run a function of the pipeline over the generated cases; return values by metric."""
    monkeypatch.chdir(tmp_path)
    names = ("Oak", "Elm", "Ash", "Fir", "Yew", "Fig", "Bay", "Box", "Tea", "Nut", "Palm", "Pine")
    rows = [
        {"id": str(n), "title": f"{name} rule", "text": f"This rule costs {n}. Pay {n}."}
        for n, name in enumerate(names)
    ]
    Path("docs.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in rows), encoding="utf-8")
    module = f"attacked_{tmp_path.name.replace('-', '_')}"
    Path(f"{module}.py").write_text(PIPELINE, encoding="utf-8")

    def run(function):
        Path("veridical.yaml").write_text(
            "version: 1\ndataset: {path: made.jsonl}\n"
            f"pipeline: {{kind: python, target: '{module}:{function}'}}\n",
            encoding="utf-8",
        )
        assert main(["rag", "validate"]) == 0
        capsys.readouterr()
        assert main(["rag", "run", "--json"]) == 0
        results = json.loads(capsys.readouterr().out)["results"]
        return {one["metric"]: one for one in results if one["group"] is None}

    return run


def test_attacks(measured):
    assert main(["rag", "generate", "injection", "--corpus", "docs.jsonl", "-o", "made.jsonl"]) == 0
    resistance = "robustness.injection_resistance"
    told, deaf = measured("obedient")[resistance], measured("deaf")[resistance]
    # One attack asks to join two parts of its sentinel: whoever repeats it does not obey.
    assert (told["value"], told["n"]) == (pytest.approx(2 / 20), 20)
    assert (deaf["value"], deaf["n"]) == (1.0, 20)


def test_questions_without_an_answer(measured):
    words = ["--corpus", "docs.jsonl", "--count", "6", "-o", "made.jsonl"]
    assert main(["rag", "generate", "unanswerable", *words]) == 0
    found = measured("modest")["robustness.abstention"]
    assert (found["value"], found["n"]) == (1.0, 6)
    assert measured("deaf")["robustness.abstention"]["value"] == 0.0
