"""`veridical rag doctor`: every problem in its place with one thing to do, and nobody asked."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from veridical.cli import main
from veridical.judge.serving import FaultSchedule, MockServer, in_thread, judge_named
from veridical.store import Store

PIPELINE = """
from pathlib import Path

def pipeline(question):
    Path("asked").touch()
    chunks = [{"id": "d1", "text": "It costs 2 euros."}]
    return {"text": "It is 2 euros. [d1]", "citations": ["d1"], "retrieved_chunks": chunks}

def broken(question):
    raise ValueError("hunter2")

def alone(question):
    return "It is 2 euros."
"""
CASES = [
    {"id": "a", "question": "What is it?", "expected_source_ids": ["d1"], "expected_answer": "2"},
    {"id": "b", "question": "And who?", "kind": "unanswerable"},
    {"id": "c", "question": "Say MARK.", "kind": "injection", "adversarial_payload": "MARK"},
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Work in a folder with a project; return what writes its configuration."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("VERIDICAL_", "RAGPROOF_")):
            monkeypatch.delenv(name)
    module = f"looked_at_{tmp_path.name.replace('-', '_')}"
    Path(f"{module}.py").write_text(PIPELINE, encoding="utf-8")
    Path("cases.jsonl").write_text("".join(f"{json.dumps(c)}\n" for c in CASES), encoding="utf-8")

    def configure(more="", target="pipeline"):
        pipeline = f"pipeline: {{kind: python, target: '{module}:{target}', retries: 0}}\n"
        Path("veridical.yaml").write_text(f"version: 1\n{pipeline}{more}", encoding="utf-8")

    configure()
    return configure


@pytest.fixture
def look(capsys):
    """Run the command; return its exit code and its checks by name."""

    def looked(*words):
        code = main(["rag", "doctor", "--json", *words])
        found = json.loads(capsys.readouterr().out)
        assert found["schema"] == "veridical.rag_doctor/1"
        checks = {one["name"]: one for one in found["checks"]}
        for one in checks.values():
            assert (one["state"] == "problem") == (one["problem"] is not None)
            assert one["problem"] is None or one["fix"]
        return code, checks

    return looked


def problems(checks) -> list[str]:
    """The names of what is wrong."""
    return [name for name, one in checks.items() if one["state"] == "problem"]


def test_a_project_that_is_ready(project, look, monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection"))
    project("judge: {base_url: 'https://judge.example/v1', model: judge-1}\n")
    before = sorted(Path().iterdir())
    code, checks = look()
    assert (code, problems(checks)) == (0, [])
    assert list(checks) == ["configuration", "dataset", "pipeline", "store", "judge", "metrics"]
    assert "3 cases: 1 injection, 1 qa, 1 unanswerable" in checks["dataset"]["told"]
    # Nobody was asked, and no store was made; Python may have compiled the pipeline.
    assert [one for one in sorted(Path().iterdir()) if one.name != "__pycache__"] == before


def test_what_metrics_have_cases_for(project, look):
    _, checks = look()
    told = checks["metrics"]["told"]
    assert "retrieval.recall@5: 1 of 3 cases; 2 no_expected_sources" in told
    assert "generation.groundedness: 0 of 3 cases; 3 no_judge" in told
    assert "robustness.abstention: 1 of 3 cases; 2 wrong_case_kind" in told
    assert "echo.exact_match: 1 of 3 cases; 2 no_reference" in told
    assert told[0] == "as far as the cases tell; answers may leave out more"


def test_of_answers_in_the_dataset_metrics_are_known(look, project):
    answers = [{"text": "2 [x]", "citations": ["x"], "retrieved_chunks": []}, {"text": ""}]
    rows = [case | {"answer": one} for case, one in zip(CASES, answers, strict=False)]
    Path("cases.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in rows), encoding="utf-8")
    Path("veridical.yaml").write_text("version: 1\npipeline: {kind: static}\n", encoding="utf-8")
    code, checks = look()
    told = checks["metrics"]["told"]
    assert code == 0
    assert told[0].startswith("retrieval.precision@5: 1 of 2 cases")
    assert "generation.citation_validity: 1 of 2 cases; 1 no_answer" in told
    assert checks["pipeline"]["told"] == [
        "kind static: answers of 2 of 2 cases stand in the dataset"
    ]


def test_no_pipeline_and_no_answers(project, look):
    Path("veridical.yaml").write_text("version: 1\n", encoding="utf-8")
    code, checks = look("--ask")
    assert (code, problems(checks)) == (65, ["pipeline"])


@pytest.mark.parametrize(
    "content", ["version: 2\n", "version: 1\nrun: {K: 3}\n", "version: [\n", "\t", "- 1\n"]
)
def test_a_configuration_that_does_not_hold(project, look, content):
    Path("veridical.yaml").write_text(content, encoding="utf-8")
    code, checks = look()
    assert (code, problems(checks)) == (65, ["configuration"])
    assert {one["state"] for one in list(checks.values())[1:]} == {"untried"}


def test_no_configuration(project, look):
    Path("veridical.yaml").unlink()
    code, checks = look()
    assert (code, problems(checks)) == (65, ["configuration"])


def test_problems_do_not_hide_each_other(project, look):
    Path("cases.jsonl").write_text('{"id": "a"}\n', encoding="utf-8")
    project(
        "judge: {base_url: 'https://judge.example/v1', model: judge-1, max_cost_usd: 1}\n"
        "store: no/such/folder.db\n",
        target="missing",
    )
    code, checks = look()
    assert code == 65
    assert problems(checks) == ["dataset", "pipeline", "store", "judge"]
    assert checks["metrics"]["state"] == "untried"
    assert "cases.jsonl:1:1" in checks["dataset"]["problem"]
    assert "price" in checks["judge"]["problem"]


def test_a_key_that_is_not_set_and_one_that_is(project, look, monkeypatch, capsys):
    project("judge: {base_url: 'https://judge.example/v1', model: judge-1, api_key_env: OUR_KEY}\n")
    code, checks = look()
    assert (code, problems(checks)) == (65, ["judge"])
    assert "'OUR_KEY'" in checks["judge"]["problem"]
    monkeypatch.setenv("OUR_KEY", "sk-correct-horse-battery")
    assert main(["rag", "doctor"]) == 0
    assert "correct-horse" not in "".join(capsys.readouterr())


def test_a_library_that_is_not_installed_is_a_service(project, look, monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    project("judge: {base_url: 'https://judge.example/v1', model: judge-1}\n")
    code, checks = look()
    assert (code, problems(checks)) == (69, ["judge"])
    assert "pip install" in checks["judge"]["fix"]


def test_bounds_that_no_case_can_meet(project, look):
    project("metrics: {generation.groundedness: {min: 0.9}}\n")
    code, checks = look()
    assert (code, problems(checks)) == (65, ["metrics"])
    assert checks["metrics"]["problem"].endswith("no case can have a value: no_judge")


def test_a_redaction_that_takes_out_a_marker(project, look):
    project("privacy: {redact: ['regex:MA.K']}\n")
    _, checks = look()
    assert problems(checks) == ["metrics"]
    assert "recognised by" in checks["metrics"]["problem"]


def test_stores(project, look, tmp_path):
    with Store(tmp_path / "there.db"):
        pass
    assert look("--store", "there.db")[0] == 0
    Path("text.db").write_text("this is no database, and long enough to be seen", encoding="utf-8")
    for wrong in ("text.db", str(tmp_path), "no/such.db"):
        code, checks = look("--store", wrong)
        assert (code, problems(checks)) == (65, ["store"])


def test_one_case_is_asked_where_that_was_said(project, look):
    assert look()[0] == 0
    assert not Path("asked").exists()
    code, checks = look("--ask")
    assert code == 0
    assert Path("asked").exists()
    assert checks["pipeline"]["told"][1:] == [
        "answered case 'a' in 19 characters",
        "1 passages retrieved, 1 cited",
    ]
    project(target="alone")
    assert "exposes no retrieval" in look("--ask")[1]["pipeline"]["told"][-1]


def test_a_pipeline_that_fails_is_a_service(project, look):
    project(target="broken")
    assert look()[0] == 0
    code, checks = look("--ask")
    assert (code, problems(checks)) == (69, ["pipeline"])
    assert "exception: the pipeline raised ValueError" in checks["pipeline"]["problem"]
    assert "hunter2" not in json.dumps(checks)


@pytest.mark.parametrize(
    ("faults", "more", "code", "requests"),
    [("", "", 0, 1), ("401=1", "", 69, 1), ("", ", max_cost_usd: 0.000001", 69, 0)],
)
def test_the_judge_is_asked_one_question(project, look, faults, more, code, requests):
    answers, model = judge_named("lexical")
    with in_thread(MockServer(answers, FaultSchedule.parse(faults), model=model)) as server:
        price = "price: {input_per_mtok: 1, output_per_mtok: 1}"
        project(f"judge: {{base_url: '{server.base_url}', model: lexical, {price}{more}}}\n")
        assert look()[0] == 0
        assert server.ledger.requests == 0
        found, checks = look("--ask")
        assert server.ledger.requests == requests
    assert (found, problems(checks)) == (code, ["judge"] if code else [])
    if not code:
        assert checks["judge"]["told"][-1].startswith("keeps its contract (1 calls, ")


def test_both_kinds_of_problems_are_one_of_data(project, look):
    project("store: no/such/folder.db\n", target="broken")
    assert look("--ask")[0] == 65


def test_as_text(project, capsys):
    Path("cases.jsonl").write_text(
        json.dumps({"id": "\x1b[2J", "question": "?"}) + "\n", encoding="utf-8"
    )
    project("store: no/such/folder.db\n")
    assert main(["rag", "doctor", "--ask"]) == 65
    out = capsys.readouterr().out
    assert "ok       configuration  veridical.yaml\n" in out
    assert "problem  store          problem: no store can be made in no/such\n" in out
    assert "                        fix: make the folder" in out
    assert "\x1b" not in out


def test_a_retrieval_that_fails(project, look):
    with next(Path().glob("looked_at_*.py")).open("a", encoding="utf-8") as file:
        file.write("\ndef retrieve(question):\n    return [{'text': 'without an id'}]\n")
    project(target="alone")
    code, checks = look("--ask")
    assert (code, problems(checks)) == (69, ["pipeline"])
    assert checks["pipeline"]["problem"].startswith("retrieve() failed: bad_reply: chunk 1 has no")


def test_a_module_that_exits_is_a_problem(project, look):
    next(Path().glob("looked_at_*.py")).write_text("raise SystemExit(0)\n", encoding="utf-8")
    code, checks = look()
    assert (code, problems(checks)) == (65, ["pipeline"])
    assert "SystemExit" in checks["pipeline"]["problem"]


@pytest.mark.parametrize("words", [["doctor", "--ask", "--json"], ["run", "--json"]])
def test_what_a_pipeline_prints_is_no_result(project, capsys, words):
    with next(Path().glob("looked_at_*.py")).open("a", encoding="utf-8") as file:
        file.write("\nprint('loaded')\ndef loud(question):\n    print('asked')\n    return '2'\n")
    project(target="loud")
    assert main(["rag", *words]) == 0
    out = capsys.readouterr()
    json.loads(out.out)
    assert "loaded\n" in out.err
    assert "asked\n" in out.err


def test_every_problem_has_its_fix_below_it(project, capsys):
    judge = "judge: {base_url: 'https://judge.example/v1', model: m, max_cost_usd: 1}"
    project(f"dataset: {{path: absent.jsonl}}\n{judge}\n")
    assert main(["rag", "doctor"]) == 65
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    at = [n for n, line in enumerate(lines) if "problem: " in line]
    assert len(at) >= 2
    assert all(lines[n + 1].startswith("fix: ") for n in at)
