"""`veridical rag run` and its sisters as a user calls them: files in, a run out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest

from veridical.cli import main
from veridical.judge.serving import FaultSchedule, MockServer, in_thread, judge_named
from veridical.judge.settings import Price
from veridical.store import Store
from veridical.store.drafts import draft

CASES = [
    {
        "id": f"c{n}",
        "question": f"What does rule {n} cost?",
        "expected_answer": f"Rule {n} costs {n} euros.",
        "expected_source_ids": [f"d{n}"],
    }
    for n in range(12)
]
PIPELINE = """
def pipeline(question):
    n = int(question.split()[3])
    if n == 7:
        raise ValueError("secret-key")
    return {
        "text": f"Rule {n} costs {n} euros. [d{n}]",
        "citations": [f"d{n}"],
        "retrieved_chunks": [{"id": f"d{n}", "text": f"Rule {n} costs {n} euros."}],
    }
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a folder with a dataset and a pipeline, and work in it."""
    lines = [json.dumps(case) + "\n" for case in CASES]
    (tmp_path / "cases.jsonl").write_text("".join(lines), encoding="utf-8")
    module = f"pipeline_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{module}.py").write_text(PIPELINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("VERIDICAL_JUDGE", "RAGPROOF_")):
            monkeypatch.delenv(name)

    def configure(more: str = "", target: str | None = None) -> None:
        target = target or f"{{kind: python, target: '{module}:pipeline', retries: 0}}"
        text = f"version: 1\npipeline: {target}\n{more}"
        (tmp_path / "veridical.yaml").write_text(text, encoding="utf-8")

    configure()
    return configure


def results_of(capsys) -> dict[str, dict]:
    document = json.loads(capsys.readouterr().out)
    return {one["metric"]: one for one in document["results"] if one["group"] is None}


def call(*words: str) -> int:
    """Run a command and return its exit code."""
    try:
        return int(main(["rag", *words]) or 0)
    except SystemExit as ended:
        return int(ended.code or 0)


def test_without_a_judge(project, capsys):
    assert call("run", "--json") == 0
    found = results_of(capsys)
    recall = found["retrieval.recall@5"]
    assert (recall["value"], recall["n"], recall["n_case_errors"]) == (1.0, 11, 1)
    assert found["generation.citation_validity"]["value"] == 1.0
    skip = found["generation.groundedness"]["skip"]
    assert skip["reason"] == "no_judge"


def test_validate_asks_nobody(project, capsys):
    assert call("validate") == 0
    out = capsys.readouterr().out
    assert "12 cases: 12 qa" in out
    assert not Path(".veridical").exists()


def test_the_message_of_an_exception_is_not_kept(project, capsys):
    assert call("run", "--name", "first") == 0
    out = capsys.readouterr()
    assert "secret-key" not in out.out + out.err
    kept = b"".join(file.read_bytes() for file in Path(".veridical").iterdir())
    assert b"secret-key" not in kept


def served(judge: str = "lexical", faults: str = "", **more):
    answers, model = judge_named(judge)
    schedule = FaultSchedule.parse(faults, seed=3, finally_succeeds=True)
    return MockServer(answers, schedule, model=model, **more)


def test_cold_warm_and_faulty_runs_have_the_same_summary(project, capsys):
    with in_thread(served(faults="429=0.1,html=0.1,500=0.1")) as server:
        project(f"judge: {{base_url: '{server.base_url}', model: lexical}}\n")
        documents = []
        for words in (["run", "--no-cache"], ["run"], ["run"]):
            assert call(*words, "--json") == 0
            documents.append(capsys.readouterr().out)
        assert documents[0] == documents[1] == documents[2]
        found = {r["metric"]: r for r in json.loads(documents[0])["results"] if not r["group"]}
        assert found["generation.groundedness"]["n"] == 11


def test_a_budget_stops_the_run_and_a_larger_one_goes_on(project, capsys):
    price = Price(Decimal(100), Decimal(100))
    with in_thread(served(price=price)) as server:
        judge = (
            f"judge: {{base_url: '{server.base_url}', model: lexical, max_output_tokens: 100,\n"
            "  price: {input_per_mtok: 100, output_per_mtok: 100}, max_cost_usd: %s}\n"
        )
        project(judge % 0.5)
        assert call("run", "--name", "paid") == 2
        out = capsys.readouterr()
        assert "aborted:budget" in out.err
        project(judge % 1000)
        assert call("resume", "paid", "--json") == 0
        resumed = capsys.readouterr().out
        assert call("run", "--json") == 0
        assert capsys.readouterr().out == resumed


def test_another_dataset_is_no_resume(project, capsys):
    assert call("run", "--name", "first") == 0
    assert call("resume", "first") == 4
    assert "is finished" in capsys.readouterr().err


def test_rescored_under_another_k(project, capsys):
    assert call("run", "--name", "first") == 0
    project("run: {k: 1}\n")
    capsys.readouterr()
    assert call("rescore", "first", "--json") == 0
    assert results_of(capsys)["retrieval.recall@1"]["value"] == 1.0


def test_killed_and_resumed(project, capsys, tmp_path):
    """A run that is killed goes on, and ends as one that was not."""
    slow = "{kind: command, target: ['%s', 'answer.py'], concurrency: 2, retries: 0}"
    (tmp_path / "answer.py").write_text(
        "import json, sys, time\n"
        "case = json.load(sys.stdin)\n"
        "time.sleep(0.05)\n"
        "print(json.dumps({'text': case['question'], 'retrieved_chunks': []}))\n",
        encoding="utf-8",
    )
    project(target=slow % sys.executable)
    process = subprocess.Popen(
        [sys.executable, "-m", "veridical", "rag", "run", "--name", "killed"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not settled(tmp_path):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert call("resume", "killed", "--json") in {0, 4}  # 4: it was quicker than the signal
    if resumed := capsys.readouterr().out:
        assert call("run", "--json") == 0
        assert capsys.readouterr().out == resumed


def settled(folder) -> bool:
    """Return whether a run has begun to settle calls."""
    where = folder / ".veridical" / "veridical.db"
    if not where.exists():
        return False
    try:
        with Store(where) as store:
            return store.ledger(store.load("killed").id).counts()["done"] > 0
    except Exception:  # noqa: BLE001 - it is just being made
        return False


def test_validate_tells_each_problem_on_a_line_of_its_own(project, capsys):
    lines = ['{"id": "a", "question": ""}', '{"id": "b", "ques\\n  fix: none": 1}', "{bad"]
    Path("cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert call("validate") == 65
    first, *told, fix = capsys.readouterr().err.replace(f"{Path.cwd()}/", "").splitlines()
    assert first == "veridical: error: the dataset has 3 problems:"
    assert [line.split(": ")[0] for line in told] == [
        "  cases.jsonl:1:13",
        "  cases.jsonl:2:13",
        "  cases.jsonl:3:2",
    ]
    assert fix == "  fix: correct these lines"


def test_where_no_price_is_known_none_is_told(project, capsys):
    with in_thread(served()) as server:
        judge = f"judge: {{base_url: '{server.base_url}', model: lexical"
        project(f"{judge}}}\n")
        assert call("run", "--name", "free") == 0
        told = capsys.readouterr().err
        assert "(free), finished" in told
        assert "calls, price unknown" in told
        assert "spent" not in told
        project(f"{judge}, price: {{input_per_mtok: 1, output_per_mtok: 2}}}}\n")
        assert call("run", "--no-cache") == 0
        assert " USD spent" in capsys.readouterr().err


def test_the_latest_to_resume_is_the_newest_that_is_not_finished(project, capsys):
    project()
    assert main(["rag", "run", "--name", "whole"]) == 0
    capsys.readouterr()
    assert main(["rag", "resume", "latest"]) == 4
    assert "the run is finished" in capsys.readouterr().err
    with Store(create=False) as store:
        store.save(draft(kind="rag", name="waits", state="running"))
    assert main(["rag", "resume", "latest"]) != 0
    assert "waits" in capsys.readouterr().err
