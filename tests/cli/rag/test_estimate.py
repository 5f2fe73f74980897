"""`veridical rag estimate`: never below what a run reserves and spends, and nobody is asked."""

from __future__ import annotations

import json
import os
import random
import socket
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from veridical.cli import main
from veridical.judge.costs import RunBudget
from veridical.judge.serving import FaultSchedule, MockServer, in_thread, judge_named
from veridical.judge.settings import JudgeSettings
from veridical.rag.configuration import read_configuration
from veridical.rag.estimating import earlier_run, estimate
from veridical.rag.running.runs import begin
from veridical.store import Store

KINDS = ("qa", "qa", "unanswerable", "injection")
PIPELINE = """
def pipeline(question):
    n = int(question.split()[3])
    if n == 5:
        raise ValueError
    chunks = [{"id": f"d{n}", "text": f"Rule {n} costs {n} euros."}]
    text = f"Rule {n} costs {n} euros. [d{n}]" * (400 if n == 6 else 1)
    return {"text": text, "citations": [f"d{n}"] * (n % 2), "retrieved_chunks": chunks}
"""
PRICED = "price: {input_per_mtok: 2.5, output_per_mtok: 10}"


def case(n: int) -> dict:
    """A case of each kind in turn, with an answer for a static pipeline; every third has none."""
    made = {
        "id": f"c{n}",
        "kind": KINDS[n % 4],
        "question": f"What does rule {n} cost?",
        "expected_answer": f"Rule {n} costs {n} euros." if n % 3 else None,
        "adversarial_payload": "MARK" if KINDS[n % 4] == "injection" else None,
    }
    chunks = [{"id": f"d{n}", "text": f"Rule {n} costs {n} euros, not é€𝄞."}]
    answer = {"text": f"It costs {n}. [d{n}]", "citations": [f"d{n}"], "retrieved_chunks": chunks}
    return made | ({"answer": answer} if n % 3 else {})


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Work in a folder with a dataset; return what writes its configuration."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("VERIDICAL_", "RAGPROOF_")):
            monkeypatch.delenv(name)
    usual = JudgeSettings.from_configuration

    def quick(*given):
        found = usual(*given)
        return found and replace(found, retries=2, backoff_s=0.001, longest_wait_s=0.01)

    monkeypatch.setattr(JudgeSettings, "from_configuration", quick)
    lines = "".join(f"{json.dumps(case(n))}\n" for n in range(12))
    (tmp_path / "cases.jsonl").write_text(lines, encoding="utf-8")
    module = f"estimated_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{module}.py").write_text(PIPELINE, encoding="utf-8")
    kinds = {
        "static": "{kind: static}",
        "python": f"{{kind: python, target: '{module}:pipeline', retries: 1}}",
        "http": "{kind: http, target: 'http://127.0.0.1:1/'}",
    }

    def configure(judge="", *, kind="static", more="", url="http://127.0.0.1:1/v1"):
        judged = f"judge: {{base_url: '{url}', model: lexical, {judge}}}\n" if judge else ""
        text = f"version: 1\npipeline: {kinds[kind]}\n{judged}{more}"
        Path("veridical.yaml").write_text(text, encoding="utf-8")
        return read_configuration("veridical.yaml")

    return configure


def run(configuration, faults="", seed=0, *, times=1):
    """Run on a mock judge, the second time from the cache; return what was spent, and the run."""
    answers, model = judge_named("lexical")
    schedule = FaultSchedule.parse(faults, seed=seed)
    with in_thread(MockServer(answers, schedule, model=model)) as server, Store("runs.db") as store:
        judge = configuration.file.judge.model_copy(update={"base_url": server.base_url})
        file = configuration.file.model_copy(update={"judge": judge})
        for _ in range(times):
            closed = begin(replace(configuration, file=file), store, use_cache=times > 1)
        return store.spending(closed.run.id).spent(), closed.run


def test_of_known_answers_the_calls_and_reservations_are_exact(project, monkeypatch):
    configuration = project(PRICED, more="run: {repeats: 2}\n")
    found = estimate(configuration)
    reserved = []
    usual = RunBudget.reserve

    async def watched(self, amount, limit):
        reserved.append(amount)
        return await usual(self, amount, limit)

    monkeypatch.setattr(RunBudget, "reserve", watched)
    spent, _ = run(configuration)
    total = found.total
    assert found.known
    assert spent.calls == total.likely.calls == total.reserved.calls == total.questions > 20
    assert sum(reserved) == total.reserved.cost(found.judge)
    assert spent.settled < total.reserved.cost(found.judge)
    # The mock judge counts as estimates do.
    assert spent.input_tokens == total.likely.input_tokens


@pytest.mark.parametrize(
    ("kind", "judge", "faults"),
    [
        ("static", "max_output_tokens: 50", "html=0.3,cut=0.3,prose=0.3"),
        ("static", "max_output_tokens: 300, reasoning_tokens: 9", "cut=0.5,truncated=0.2"),
        ("python", "max_output_tokens: 99, response_format: none", "usage_missing=0.5,prose=0.5"),
        ("python", "max_output_tokens: 100, temperature: null", ""),
    ],
)
def test_no_run_commits_more_than_the_most(project, kind, judge, faults):
    configuration = project(f"{judge}, {PRICED}", kind=kind, more="run: {repeats: 2, k: 3}\n")
    found = estimate(configuration)
    spent, _ = run(configuration, faults, seed=7)
    total = found.total
    assert 0 < spent.calls <= total.most.calls
    assert spent.committed <= total.most.cost(found.judge)
    assert spent.input_tokens <= total.most.input_tokens
    assert spent.output_tokens <= total.most.output_tokens


BILLED = ("html", "truncated", "502", "no_choices", "usage_missing", "cut", "prose", "nan", "think")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_no_run_commits_more_than_the_most_whatever_happens(project, seed):
    draw = random.Random(seed)
    faults = [f"{kind}={draw.uniform(0, 0.3):.3f}" for kind in draw.sample(BILLED, 3)]
    judge = f"{PRICED}, max_output_tokens: {draw.randint(1, 400)}"
    more = f"run: {{repeats: {draw.randint(1, 3)}, k: {draw.randint(1, 9)}}}\n"
    configuration = project(judge, kind=draw.choice(["static", "python"]), more=more)
    total, judge = (found := estimate(configuration)).total, found.judge
    spent, _ = run(configuration, ",".join(faults), seed)
    assert spent.calls <= total.most.calls
    assert spent.committed <= total.most.cost(judge)


def test_the_most_is_what_the_worst_schedule_takes(project):
    """A reply cut off, two calls lost, no JSON; then its repair fares the same."""
    Path("cases.jsonl").write_text(
        json.dumps({"id": "c", "question": "What is it?", "answer": "It is 2."}), encoding="utf-8"
    )
    configuration = project(PRICED)
    found = estimate(configuration)
    contracts = {name: one.questions for name, one in found.contracts.items()}
    assert contracts == {"answer_relevance": 1, "refusal": 1}
    unlucky = "cut,html,html,prose,cut,html,html,prose"
    # One question after the other.
    faults = ",".join(f"{kind}@{n}" for n, kind in enumerate(f"{unlucky},{unlucky}".split(","), 1))
    spent, _ = run(project(f"{PRICED}, concurrency: 1"), faults)
    most = found.total.most
    assert spent.calls == most.calls == 16
    # Lost calls are charged at their worst, and so are most of these.
    assert most.output_tokens / 3 < spent.output_tokens <= most.output_tokens
    assert spent.committed <= most.cost(found.judge)


def test_nobody_is_asked(project, monkeypatch, capsys):
    def refused(*_):
        pytest.fail("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket.socket, "connect_ex", refused)
    for kind in ("static", "http"):
        project(PRICED, kind=kind)
        assert main(["rag", "estimate"]) == 0
        out = capsys.readouterr().out
        assert "pipeline: its answers" in out if kind == "static" else "48 calls at most" in out
    assert not Path(".veridical").exists()


def test_like_an_earlier_run(project, capsys):
    configuration = project(PRICED, kind="python")
    blind = estimate(configuration)
    spent, earlier = run(configuration)
    with Store("runs.db") as store:
        found = estimate(configuration, earlier_run(store, store.load(earlier.id)))
    assert found.total.questions == blind.total.questions
    assert found.total.most == blind.total.most
    assert found.total.likely.calls == spent.calls < blind.total.likely.calls
    assert found.total.likely.input_tokens == spent.input_tokens
    assert found.total.likely.output_tokens == spent.output_tokens
    assert main(["rag", "estimate", "--like", earlier.id, "--store", "runs.db", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == found.to_dict()
    assert told["estimated"] is True
    assert not any("characters from" in one for one in told["assumptions"])


def test_like_a_run_that_kept_no_texts(project):
    configuration = project(PRICED, kind="python", more="privacy: {store_text: none}\n")
    spent, earlier = run(configuration)
    with Store("runs.db") as store:
        found = earlier_run(store, store.load(earlier.id))
    assert found.replies == {}
    assert sum(sum(one) for one in found.usage.values()) > 0
    # Its usage counts all the same, for every question that may be asked.
    likely = estimate(configuration, found).total.likely
    assert likely.calls > spent.calls
    assert any("in the mean" in one for one in estimate(configuration, found).assumptions)
    assert any("characters from" in one for one in estimate(configuration, found).assumptions)


@pytest.mark.parametrize(("kind", "asked"), [("static", 2), ("python", 3)])
def test_what_is_kept_in_the_cache_is_not_asked(project, capsys, kind, asked):
    """A second run asks nothing; one with a case more what that case needs, at each repeat."""
    # The judge fails on case 6 of the pipeline, and no failure is kept.
    lines = "".join(f"{json.dumps(case(n))}\n" for n in range(12) if n != 6)
    Path("cases.jsonl").write_text(lines, encoding="utf-8")
    answers, model = judge_named("lexical")
    with in_thread(MockServer(answers, model=model)) as server:
        project(PRICED, kind=kind, more="run: {repeats: 2}\n", url=server.base_url)
        like = ["--like", "latest"] if kind == "python" else []
        assert main(["rag", "run"]) == 0
        assert told(capsys, *like)["likely"]["calls"] == 0
        assert told(capsys, *like, "--no-cache")["likely"]["calls"] > 40
        answer = {"text": "It costs 20.", "citations": [], "retrieved_chunks": []}
        new = case(20) | {"answer": answer, "expected_answer": None}
        Path("cases.jsonl").write_text(f"{lines}{json.dumps(new)}\n", encoding="utf-8")
        found, before = told(capsys, *like), server.ledger.requests
        assert main(["rag", "run"]) == 0
        assert server.ledger.requests - before == 2 * asked
    # What the pipeline answers to the new case is assumed, with passages and citations.
    assert found["likely"]["calls"] == 2 * (asked if kind == "static" else 4)
    assert found["cached"] > 40


def told(capsys, *words) -> dict:
    """What `estimate --json` says of all questions."""
    capsys.readouterr()
    assert main(["rag", "estimate", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)["judge"]["total"]


def test_a_run_that_keeps_no_texts_uses_no_cache(project):
    configuration = project(PRICED, more="privacy: {store_text: hashed}\n")
    found = estimate(configuration, cached=lambda _: pytest.fail("looked up"))
    assert found.total.cached == 0


def test_what_came_from_the_cache_tells_no_usage(project):
    configuration = project(PRICED)
    spent, earlier = run(configuration, times=2)
    assert spent.calls == 0
    with Store("runs.db") as store:
        warm = earlier_run(store, store.load(earlier.id))
    assert warm.usage == {}
    # Answers of the dataset are known, and need no other run.
    assert estimate(configuration, warm) == estimate(configuration)


def test_like_a_run_of_something_else(project, capsys):
    project(PRICED)
    Path("data.csv").write_text("y,p\n1,0.9\n0,0.2\n", encoding="utf-8")
    words = ["--label", "y", "--score", "p", "--save", "x", "--store", "runs.db"]
    assert main(["evaluate", "data.csv", *words]) == 0
    assert main(["rag", "estimate", "--like", "x", "--store", "runs.db"]) == 64
    assert "is no RAG run but" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bound", "fits", "below"),
    [
        ("most", "certainly", "unless_repeated"),
        ("reserved", "unless_repeated", "likely"),
        ("likely", "likely", "unlikely"),
    ],
)
def test_whether_it_fits(project, bound, fits, below):
    free = estimate(project(PRICED))
    assert free.fits is None
    cost = getattr(free.total, bound).cost(free.judge)
    for limit, expected in ((cost, fits), (cost - Decimal("0.000001"), below)):
        found = estimate(project(f"{PRICED}, max_cost_usd: {limit}"))
        assert found.fits == expected


def test_answers_that_are_not_known_are_never_sure_to_fit(project):
    found = estimate(project(PRICED, kind="http"))
    limit = found.total.reserved.cost(found.judge)
    assert estimate(project(f"{PRICED}, max_cost_usd: {limit}", kind="http")).fits == "likely"


def test_an_unknown_price_says_so(project, capsys):
    project("concurrency: 2")
    assert main(["rag", "estimate"]) == 0
    assert "price unknown" in capsys.readouterr().out
    assert main(["rag", "estimate", "--json"]) == 0
    total = json.loads(capsys.readouterr().out)["judge"]["total"]
    assert {total[name]["cost"] for name in ("likely", "reserved", "most")} == {None}
    project("max_cost_usd: 1")
    assert main(["rag", "estimate"]) == 65


def test_without_a_judge(project, capsys):
    project()
    assert main(["rag", "estimate"]) == 0
    assert "judge: none is configured" in capsys.readouterr().out
    assert main(["rag", "estimate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judge"] is None


def test_a_prompt_that_is_too_long_is_not_asked(project):
    answer = {"text": "x" * 500_000, "citations": [], "retrieved_chunks": []}
    line = json.dumps({"id": "c", "question": "?", "answer": answer})
    Path("cases.jsonl").write_text(line, encoding="utf-8")
    assert estimate(project(PRICED)).total.questions == 0
