"""Drafts: what a model may write, what is left out and why, and what it may cost."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import pytest

from veridical.cli import main
from veridical.judge.endpoint import Endpoint, NoReplyError
from veridical.judge.serving import FaultSchedule, MockServer, in_thread
from veridical.judge.settings import Price
from veridical.rag.dataset import read_dataset
from veridical.rag.generate.draft import LONGEST, draft_prompt

ROWS = [{"id": f"d{n}", "text": f"Rule {n} costs\n{n} euros. Pay it."} for n in range(10)]


def shown(request) -> str:
    """The document that the model is asked about."""
    user = request["messages"][1]["content"]
    mark = re.match(r"Delimiter: (===[0-9a-f]{24})\n", user)[1]
    assert user.count(mark) == 3
    return user.split(f"{mark} document\n")[1].split(f"\n{mark} end")[0]


def written(request) -> str:
    """A model that does as it is told."""
    assert request["messages"][0]["content"] == draft_prompt()
    n = re.search(r"Rule (\d+)", shown(request))[1]
    reply = {"question": f"What costs {n}?", "answer": f"Rule {n}.", "quote": f"costs {n} euros."}
    return json.dumps(reply)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Work in a folder with a corpus; return what configures the model."""
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    (tmp_path / "docs.jsonl").write_text(lines, encoding="utf-8")

    def configure(server, judge="", more=""):
        text = f"judge: {{base_url: '{server.base_url}', model: asked-1, {judge}}}\n{more}"
        (tmp_path / "veridical.yaml").write_text(f"version: 1\n{text}", encoding="utf-8")

    return configure


def draft(*words) -> int:
    """Run the command and return its exit code."""
    return main(["rag", "generate", "draft", "--corpus", "docs.jsonl", "-o", "made.jsonl", *words])


def test_drafts_are_cases_of_their_documents(project, tmp_path, capsys):
    with in_thread(MockServer(written, model="served-1")) as server:
        project(server)
        assert draft("--count", "4", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["n"], told["left_out"], told["usage"]["calls"]) == (4, {}, 4)
    cases = read_dataset(tmp_path / "made.jsonl").cases
    assert [one.id for one in cases] == [f"draft-000{n}" for n in range(1, 5)]
    for case in cases:
        [source] = case.expected_sources
        assert (case.kind, case.expected_answer) == ("qa", f"Rule {source[1:]}.")
        about = case.metadata["generated"]
        assert about["draft"] is True
        assert about["model"] == "served-1"


def test_faults_change_no_byte(project, tmp_path):
    made = []
    for faults in ("", "429=0.2,html=0.2,500=0.2,reset=0.2"):
        schedule = FaultSchedule.parse(faults, seed=5, finally_succeeds=True)
        with in_thread(MockServer(written, schedule)) as server:
            project(server)
            assert draft("--force") == 0
        made.append((tmp_path / "made.jsonl").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("no idea", "no_object"),
        ('{"question": "?", "answer": "!", "quote": "Rule 1", "score": 1}', "schema"),
        ('{"question": "?", "answer": "!", "quote": "somewhere else"}', "not_quoted"),
        ('{"question": null, "answer": null, "quote": null}', "nothing_to_ask"),
        ('{"question": "?", "answer": " ", "quote": "Rule"}', "nothing_to_ask"),
    ],
)
def test_a_reply_that_is_no_case(project, tmp_path, capsys, reply, why):
    with in_thread(MockServer(lambda _request: reply)) as server:
        project(server)
        assert draft("--count", "2", "--json") == 3
    assert set(json.loads(capsys.readouterr().out)["left_out"].values()) == {why}
    assert not (tmp_path / "made.jsonl").exists()


def test_a_document_that_is_too_long_is_left_out_whole(project, tmp_path, capsys):
    with (tmp_path / "docs.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "long", "text": "Rule 99. " + "x" * LONGEST}) + "\n")
    with in_thread(MockServer(written)) as server:
        project(server)
        assert draft("--json") == 0
        assert server.ledger.requests == 10
    assert json.loads(capsys.readouterr().out)["left_out"] == {"long": "too_long"}


def test_a_budget_holds_and_what_was_made_is_kept(project, tmp_path, capsys):
    price = Price(Decimal(100), Decimal(100))
    with in_thread(MockServer(written, price=price)) as server:
        judge = "price: {input_per_mtok: 100, output_per_mtok: 100}, max_output_tokens: 100, "
        project(server, judge + "max_cost_usd: 0.3, concurrency: 4")
        assert draft() == 2
        charged = server.ledger.cost
    out = capsys.readouterr()
    cases = read_dataset(tmp_path / "made.jsonl").cases
    assert 0 < len(cases) < 10
    assert f"without a draft: {10 - len(cases)}, budget" in out.err
    assert 0 < charged <= Decimal("0.3")


def test_a_budget_without_a_price_asks_nobody(project, tmp_path):
    with in_thread(MockServer(written)) as server:
        project(server, "max_cost_usd: 1")
        assert draft() == 65
        assert server.ledger.requests == 0
    assert not (tmp_path / "made.jsonl").exists()


def test_a_refusal_ends_it_at_once(project, tmp_path, capsys):
    schedule = FaultSchedule.parse("401=1", seed=0)
    with in_thread(MockServer(written, schedule)) as server:
        project(server, "concurrency: 2")
        assert draft() == 69
        assert server.ledger.requests <= 2
    err = capsys.readouterr().err
    assert "cause: the endpoint refuses us: HTTP 401" in err
    assert not (tmp_path / "made.jsonl").exists()


def test_what_is_redacted_is_not_sent(project, tmp_path):
    seen = []

    def model(request):
        seen.append(shown(request))
        return written(request)

    with in_thread(MockServer(model)) as server:
        project(server, more="privacy: {redact: ['regex:Pay it']}\n")
        assert draft("--count", "3") == 0
    assert len(seen) == 3
    assert not any("Pay it" in one for one in seen)
    assert b"Pay it" not in (tmp_path / "made.jsonl").read_bytes()


def test_no_model_and_options_of_others(project, monkeypatch, capsys):
    for name in ("VERIDICAL_JUDGE_BASE_URL", "VERIDICAL_JUDGE_MODEL", "RAGPROOF_JUDGE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert draft() == 65
    assert "no model is configured" in capsys.readouterr().err
    assert draft("--placement", "question") == 64
    assert draft("--cases", "docs.jsonl") == 64


def test_an_endpoint_that_never_comes_through_is_a_service(project, monkeypatch, capsys):
    async def refused(_self, _messages, _bill):
        raise NoReplyError("http_404", "HTTP 404: no such model")

    monkeypatch.setattr(Endpoint, "reply", refused)
    with in_thread(MockServer(written)) as server:
        project(server)
        assert draft("--count", "2") == 69
    out = capsys.readouterr()
    assert "without a draft: 2, http_404: d" in out.err
    assert "cause: HTTP 404: no such model" in out.err
    assert out.out == "no case was made, and nothing is written\n"
