"""`veridical rag calibrate` on a judge behind an endpoint: its verdict, its cache, its budget."""

import json
import os
from collections import Counter
from decimal import Decimal

import pytest

from tests.judge.test_calibration import reply as reply_of
from veridical.cli import main
from veridical.judge.calibration.samples import read_samples, shipped_samples
from veridical.judge.serving import Fault, FaultSchedule, MockServer, in_thread, judge_named
from veridical.judge.settings import Price
from veridical.store import Store

CONTRACTS = ("answer_relevance", "refusal")
PRICE = Price(Decimal(10), Decimal(10))


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Work in an empty folder without settings from outside."""
    for name in list(os.environ):
        if name.startswith(("VERIDICAL_", "RAGPROOF_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def samples(place):
    """The samples of two prompts, and a judge that knows their labels."""
    some = [one for one in shipped_samples() if one.contract in CONTRACTS]
    lines = [one.model_dump_json(exclude_none=True) + "\n" for one in some]
    (place / "some.jsonl").write_text("".join(lines), encoding="utf-8")
    assert read_samples(place / "some.jsonl") == some
    most = {
        contract: Counter(one.band for one in some if one.contract == contract).most_common(1)[0][0]
        for contract in CONTRACTS
    }
    write_labels(place / "labels.jsonl", some, lambda one: one.band)
    write_labels(place / "majority.jsonl", some, lambda one: most[one.contract])
    return len(some)


def write_labels(path, samples, said):
    """Write what a judge that says this of each sample replies."""
    lines = []
    for one in samples:
        asked = one.asked()
        reply = reply_of(asked, said(one))
        held = {"contract": asked.contract, "fields": asked.fields, "reply": reply}
        lines.append(json.dumps(held) + "\n")
    path.write_text("".join(lines), encoding="utf-8")


def served(judge, faults="", **more):
    answers, model = judge_named(judge)
    return in_thread(MockServer(answers, FaultSchedule.parse(faults), model=model, **more))


def calibrate(monkeypatch, server, capsys, *words, **settings):
    """Call the command on a server; return its exit code, its document and what it told."""
    given = {"JUDGE_BASE_URL": server.base_url, "JUDGE_MODEL": "asked", **settings}
    for name, value in given.items():
        monkeypatch.setenv(f"VERIDICAL_{name}", value)
    capsys.readouterr()
    code = main(["rag", "calibrate", "--samples", "some.jsonl", "--json", *words])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out else None, out.err


@pytest.mark.parametrize(
    ("judge", "code"),
    [
        ("labels:labels.jsonl", 0),
        ("labels:majority.jsonl", 1),
        ("constant-0", 1),
        ("constant-0.5", 1),
        ("random", 1),
    ],
)
def test_only_who_knows_the_labels_passes(samples, monkeypatch, capsys, judge, code):
    with served(judge) as server:
        found, document, _ = calibrate(monkeypatch, server, capsys)
    assert found == code
    assert [one["passed"] for one in document["prompts"]] == [code == 0] * len(CONTRACTS)
    assert server.ledger.requests == samples


def test_a_file_of_labels_that_lacks_one_says_which(samples, place, capsys):
    (place / "labels.jsonl").write_text("", encoding="utf-8")
    words = ["--judge", "labels:labels.jsonl", "--samples", "some.jsonl"]
    assert main(["rag", "calibrate", *words]) == 64
    told = capsys.readouterr().err
    assert "labels.jsonl has no label for answer_relevance of " in told
    assert "fix: add a line" in told


def test_a_judge_that_cannot_be_understood_disagrees(samples, monkeypatch, capsys):
    with served("labels:labels.jsonl", "prose=1") as server:
        code, document, _ = calibrate(monkeypatch, server, capsys)
    assert code == 1
    assert sum(one["judge_errors"] for one in document["prompts"]) == samples
    assert {one["exact"]["value"] for one in document["prompts"]} == {0.0}
    with Store() as store:
        assert store.verdicts().kept() == []


def test_what_was_asked_once_is_not_asked_again(samples, monkeypatch, capsys):
    with served("labels:labels.jsonl") as server:
        first = calibrate(monkeypatch, server, capsys)
        again = calibrate(monkeypatch, server, capsys)
        assert server.ledger.requests == samples
        assert first[:2] == again[:2]
        assert f"judge: {samples} calls" in first[2]
        assert "judge:" not in again[2]
        twice = calibrate(monkeypatch, server, capsys, "--repeats", "2")
        assert server.ledger.requests == 2 * samples  # another repeat has verdicts of its own
        assert twice[1]["prompts"][0]["self_agreement"]["value"] == 1.0
        calibrate(monkeypatch, server, capsys, "--no-cache")
        assert server.ledger.requests == 3 * samples


@pytest.mark.parametrize("faults", ["", "429=0.1,usage_missing=0.2,cut=0.05"])
def test_a_budget_stops_it_and_what_was_asked_is_kept(samples, monkeypatch, capsys, faults):
    prices = {"JUDGE_INPUT_COST_PER_MTOK": "10", "JUDGE_OUTPUT_COST_PER_MTOK": "10"}
    with served("labels:labels.jsonl", faults, price=PRICE) as server:
        code, document, told = calibrate(monkeypatch, server, capsys, MAX_COST_USD="0.2", **prices)
        assert (code, document) == (2, None)
        assert "the budget is spent" in told
        assert Decimal(0) < server.ledger.cost <= Decimal("0.2")
        with Store() as store:
            kept = sum(one.n for one in store.verdicts().kept())
        assert 0 < kept < samples
        code, _, _ = calibrate(monkeypatch, server, capsys, MAX_COST_USD="50", **prices)
        assert code == 0
        if not faults:
            assert server.ledger.repeated == 0


def test_a_refused_key_is_no_verdict_on_the_judge(samples, monkeypatch, capsys):
    refused = FaultSchedule([Fault("401", rate=1)])
    answers, _ = judge_named("labels:labels.jsonl")
    with in_thread(MockServer(answers, refused)) as server:
        for words in ([], ["--attacks"]):
            code, document, told = calibrate(monkeypatch, server, capsys, *words)
            assert (code, document) == (69, None)
            assert "the judge stopped" in told


def test_the_judge_of_a_configuration(samples, place, monkeypatch, capsys):
    with served("labels:labels.jsonl") as server:
        text = (
            "version: 1\nstore: mine.db\n"
            f"judge: {{base_url: '{server.base_url}', model: labels, max_cost_usd: 9,\n"
            "  price: {input_per_mtok: 1, output_per_mtok: 1}}\n"
        )
        (place / "veridical.yaml").write_text(text, encoding="utf-8")
        words = ["rag", "calibrate", "--samples", "some.jsonl", "--config", "veridical.yaml"]
        assert main(words) == 0
        assert server.ledger.requests == samples
    assert (place / "mine.db").exists()
    assert "every prompt passes" in capsys.readouterr().out


def test_a_budget_without_a_price_is_refused(samples, monkeypatch, capsys):
    with served("random") as server:
        code, _, told = calibrate(monkeypatch, server, capsys, MAX_COST_USD="1")
    assert code == 65
    assert "price" in told
    assert server.ledger.requests == 0


def test_without_a_judge_there_is_nothing_to_calibrate(samples, capsys):
    assert main(["rag", "calibrate", "--samples", "some.jsonl"]) == 64
    assert "no judge is configured" in capsys.readouterr().err
