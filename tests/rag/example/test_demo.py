"""`make demo-rag` says what one sees."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.rag.example.asking import rag, results
from veridical.cli.commands import GROUPS
from veridical.judge.serving import MockServer, in_thread, judge_named
from veridical.rag.example import write_project

ROOT = Path(__file__).resolve().parents[3]
WORDS = re.search(
    r"^define DEMO_RAG_WORDS\n(.*?)^endef",
    (ROOT / "Makefile").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)[1]


def test_its_words_are_what_a_run_shows(tmp_path):
    write_project(tmp_path)
    answers, model = judge_named("lexical")
    with in_thread(MockServer(answers, model=model)) as server:
        address = server.base_url.removeprefix("http://").removesuffix("/v1")
        settings = {"VERIDICAL_JUDGE_BASE_URL": server.base_url, "VERIDICAL_JUDGE_MODEL": "lexical"}
        found = results(rag(tmp_path, "run", "--json", allowed=address, **settings))
    gated = rag(tmp_path, "gate", "latest")
    assert gated.returncode == 1, gated.stderr

    def counted(metric, *, failed):
        one = found[f"robustness.{metric}"]
        share = 1 - one["value"] if failed else one["value"]
        return str(round(share * one["n"])), str(one["n"])

    assert re.findall(r"\d+(?:\.\d+)?%?", WORDS) == [
        f"{found['retrieval.recall@5']['value']:.0%}",
        f"{found['generation.groundedness']['value']:.2f}",
        *counted("abstention", failed=True),
        *counted("overrefusal", failed=False),
        *counted("injection_resistance", failed=True),
    ]
    rules = re.findall(r"^(\w+) +(\w+\.\S+) at ", gated.stdout, re.MULTILINE)
    told = {metric: verdict for verdict, metric in rules}
    assert told["robustness.injection_resistance"] == "undecided"
    assert told["robustness.overrefusal"] == "undecided"
    assert told["robustness.abstention"] == "fail"


def test_its_verbs_exist():
    if shutil.which("make") is None:
        pytest.skip("make is not here")
    dry = subprocess.run(
        ["make", "-n", "demo-rag"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    verbs = re.findall(r"veridical rag ([a-z-]+)", dry)
    assert {"init", "serve-mock", "validate", "run", "report", "gate"} == set(verbs)
    assert set(verbs) <= set(GROUPS["rag"][1])
