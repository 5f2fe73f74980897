"""A run of the store shown again: its page, its files, what was not kept."""

import csv
import dataclasses
import json

import pytest

import veridical as vd
from tests.rag.report.pages import evaluation, records
from veridical.cli.rag.compare import compare
from veridical.cli.rag.gate import gate
from veridical.cli.rag.report import report
from veridical.errors import ParameterError
from veridical.rag.running.artefacts import Answered, Judged, answered_bytes, judged_bytes
from veridical.store import Store
from veridical.store.drafts import draft
from veridical.store.ledger_batches import BatchLedger, Done

SCORE = {"k": 5, "source_match": "chunk", "judge": True}


def kept(path, name="nightly", texts="full"):
    """Keep the run of ``pages`` as the running does: results, and the artefacts of its calls."""
    found = {}
    for record in records():
        place = f"{record.case.id}/{record.repeat}"
        found[f"answer/{place}"] = answered_bytes(Answered(record.case, record.reply))
        for contract, one in record.verdicts.items():
            found[f"judge/{contract}/{place}"] = judged_bytes(Judged(one))
    settings = {"score": SCORE, "measured": {"store_text": texts}}
    ev = evaluation()
    with Store(path) as store:
        run = store.save(draft(kind="rag", name=name, state="running"))
        ledger = BatchLedger(store.database, run.id)
        ledger.plan(dict.fromkeys(found, "hash"))
        with store.database.writing() as connection:
            claims = ledger.claim_these_in(connection, list(found))
            done = [Done(claim, "answered", found[claim.key]) for claim in claims]
            ledger.record_all_in(connection, done)
        parts = ev.kept()
        parts["settings"] |= settings
        made = draft(document=ev.to_dict(), name=name, **parts)
        store.update(dataclasses.replace(made, id=run.id, created=run.created))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "runs.db"
    kept(path, "first")
    kept(path, "second")
    return str(path)


def test_the_report_of_a_stored_run_is_that_of_its_records(store, tmp_path, capsys):
    files = {name: tmp_path / f"r.{name}" for name in ("report", "csv", "junit")}
    assert report("second", **files, store=store) == 0
    out = capsys.readouterr().out
    assert "Errors, by code" in out
    page = files["report"].read_text(encoding="utf-8")
    assert "Claims: 1 of 2 supported" in page
    assert "<title>second</title>" in page
    with files["csv"].open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 5 * 13
    assert files["junit"].read_bytes().count(b"<testsuite ") == 13


def test_json_is_one_document(store, capsys):
    assert report("first", store=store, json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["evaluation"] == evaluation().to_dict()
    assert {case["id"] for case in document["cases"]} == {"fee", "late", "odd", "attack", "moon"}


@pytest.mark.parametrize(("texts", "said"), [("hashed", "hashes stand"), ("none", "are empty")])
def test_what_was_not_kept_is_said(tmp_path, capsys, texts, said):
    kept(tmp_path / "runs.db", texts=texts)
    report("nightly", report=tmp_path / "r.html", store=str(tmp_path / "runs.db"))
    assert said in capsys.readouterr().out
    assert said in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_runs_compare_with_each_other(store, capsys):
    assert compare("first", "second", store=store) == 0
    out = capsys.readouterr().out
    assert "5 cases in common" in out
    assert "1 lost" in out


def test_the_usual_commands_know_such_runs(store):
    with Store(store) as opened:
        (one, two) = (opened.load(name) for name in ("first", "second"))
    found = vd.compare(one, two, "generation.groundedness")
    assert found.difference.value == 0


def test_a_gate_reads_the_configuration_beside_it(store, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "veridical.yaml").write_text(
        "version: 1\nmetrics: {generation.groundedness: {min: 0.9, max_error_rate: 0.02}}\n",
        encoding="utf-8",
    )
    assert gate("first", store=store, junit=tmp_path / "gate.xml") == 1
    assert "ended in an error" in capsys.readouterr().out
    assert 'failures="1"' in (tmp_path / "gate.xml").read_text(encoding="utf-8")


def test_a_run_without_its_calls_is_not_reported(tmp_path):
    path = str(tmp_path / "runs.db")
    evaluation().save("bare", store=path)
    with pytest.raises(ParameterError, match="did not keep its cases"):
        report("bare", store=path)


def test_another_kind_of_run_is_not_reported(tmp_path):
    path = str(tmp_path / "runs.db")
    ev = vd.evaluate({"y": [1, 0], "p": [0.9, 0.1]}, label="y", score="p")
    ev.save("scores", store=path)
    with pytest.raises(ParameterError, match="no RAG run"):
        report("scores", store=path)


def test_a_run_without_results_is_not_reported_but_gone_on_with(tmp_path):
    path = str(tmp_path / "runs.db")
    settings = {"score": SCORE, "measured": {}}
    with Store(path) as store:
        run = store.save(draft(kind="rag", name="killed", state="running", settings=settings))
    with pytest.raises(ParameterError, match="no results yet") as refused:
        report("killed", store=path)
    assert f"veridical rag resume {run.id}" in refused.value.fix
