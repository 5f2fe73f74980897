"""``veridical validate``: exit codes, what goes where, what is kept."""

import json

import pytest

import veridical as vd
from tests.validation.models import DAY, describe, write_model
from veridical.cli import main


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys):
    def command(*words):
        code = main(["validate", *map(str, words)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


@pytest.mark.parametrize(
    ("rule", "code", "word"),
    [
        ("binary.roc_auc, at_least: 0.6", 0, "met"),
        ("binary.roc_auc, at_least: 1", 1, "not met"),
        ("binary.roc_auc, at_least: 0.97", 3, "undecided"),
    ],
)
def test_the_code_is_the_verdict(tmp_path, run, rule, code, word):
    (tmp_path / "house.yaml").write_text(f"version: 1\nname: house\nrules: [{{metric: {rule}}}]\n")
    file = write_model(tmp_path, policy="house.yaml", champion=None, features=None, groups=None)
    found, out, err = run(file)
    assert (found, err) == (code, "")
    assert f"Overall: {word}. " in out


def test_reports_json_and_runs(tmp_path, run):
    file = write_model(tmp_path)
    store = tmp_path / "runs.db"
    words = ["--report", "r.html", "--docx", "r.docx", "--json", "--date", DAY]
    code, out, err = run(file, *words, "--save", "fraud", "--store", store)
    document = json.loads(out, parse_constant=pytest.fail)
    assert (code, document["schema"], document["verdict"]) == (
        1,
        "veridical.validation/1",
        "not met",
    )
    assert document["date"] == DAY
    assert (tmp_path / "r.html").read_bytes().startswith(b"<!doctype html>")
    assert (tmp_path / "r.docx").read_bytes().startswith(b"PK")
    assert "report: r.html" in err
    kept = vd.load_run("fraud", store=store)
    assert [r.to_dict() for r in kept.evaluation.results] == document["out_of_time"]["results"]
    for name in ("fraud-drift", "fraud-fairness"):
        assert f"saved: {vd.load_run(name, store=store).label}" in err


def test_the_verdict_as_markdown(tmp_path, run):
    (tmp_path / "house.yaml").write_text(
        "version: 1\nname: house\nrules: [{metric: binary.roc_auc, at_least: 1}]\n"
    )
    file = write_model(tmp_path, policy="house.yaml", champion=None, features=None, groups=None)
    code, out, err = run(file, "--markdown", "--date", DAY)
    assert (code, err) == (1, "")
    assert out.startswith("### ")
    assert DAY in out.partition("\n")[0]
    assert "\nOverall: not met. " in out
    lines = out.splitlines()
    assert "| sample | rows | events |" in lines
    (rule,) = [line for line in lines if "binary.roc\\_auc at least 1" in line]
    assert rule.startswith("| not met | ")
    assert rule.count("|") == 7
    assert run(file, "--markdown", "--json")[0] == 64


@pytest.mark.parametrize(
    ("changes", "words", "code", "told"),
    [
        ({"score": "nobody"}, [], 65, "nobody"),
        ({"out_of_time": "nowhere.csv"}, [], 65, "nowhere.csv"),
        ({"positive": "never"}, [], 65, "never"),
        ({"favourable": 3}, [], 65, "model.yaml:"),
        ({}, ["--date", "30.11.2026"], 64, "2026-11-30"),
        ({}, ["--report", "oot.csv"], 64, "would replace a file that is read"),
        ({}, ["--docx", "model.yaml"], 64, "would replace a file that is read"),
        ({}, ["--report", "no/such/folder.html"], 65, "folder"),
        ({}, ["--report", "r.docx", "--docx", "r.docx"], 64, "one file"),
        ({}, ["--tag", "x"], 64, "--save"),
    ],
)
def test_refusals(tmp_path, run, changes, words, code, told):
    write_model(tmp_path)
    found, out, err = run(describe(tmp_path, **changes), *words)
    assert (found, out) == (code, ""), err
    assert told in err


def test_an_absent_extra_is_told_before_the_work(tmp_path, run, monkeypatch):
    monkeypatch.setattr("veridical.validation.word.find_spec", lambda _: None)
    monkeypatch.setattr("veridical.validation.validate_model", pytest.fail)
    code, out, err = run(write_model(tmp_path), "--docx", "r.docx")
    assert out == ""
    assert code != 0
    assert "pip install 'matplotlib>=3.8' 'python-docx>=1.1'" in err
