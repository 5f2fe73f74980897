"""Runs of pipelines in what is there for every run: lists, the viewer, trends, documents."""

import json

import pytest
from starlette.testclient import TestClient

from tests.rag.report.pages import evaluation
from tests.report.payloads import HOSTILE
from veridical.cli import main
from veridical.cli.commands import GROUPS
from veridical.store import Store
from veridical.view.application import build

GROUNDED = "generation.groundedness"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    found = tmp_path_factory.mktemp("store") / "runs.db"
    for name in ("monday", "tuesday"):
        evaluation().save(name, store=found)
    return found


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["runs", "list"], 0, "monday"),
        (["runs", "show", "monday"], 0, GROUNDED),
        (["trend", GROUNDED], 0, "tuesday"),
        (["compare", "monday", "tuesday"], 0, "5 cases in common"),
        (["runs", "verify"], 0, ""),
    ],
)
def test_commands(path, capsys, words, code, said):
    assert main([*words, "--store", str(path)]) == code
    assert said in capsys.readouterr().out


def test_a_document_is_known_as_what_it_is(path, tmp_path, capsys):
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file in files:
        file.write_text(json.dumps(evaluation().to_dict()), encoding="utf-8")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"version: 1\nname: house\nrules:\n  - {{metric: {GROUNDED}, at_least: 0.99}}\n",
        encoding="utf-8",
    )
    assert main(["gate", str(files[0]), "--policy", str(policy)]) == 1
    assert main(["compare", *map(str, files), "--json"]) == 0
    assert '"kind": "rag"' in capsys.readouterr().out


def test_pages_of_the_viewer(path):
    with Store(path) as store:
        guarded = build(store, token="token", port=8642)  # noqa: S106 - no secret
        client = TestClient(guarded, base_url="http://127.0.0.1:8642")
        client.get("/?token=token")
        ids = [store.find(name).id for name in ("monday", "tuesday")]
        pages = {
            "run": client.get(f"/runs/{ids[0]}"),
            "units": client.get(f"/runs/{ids[0]}/units"),
            "compare": client.get(f"/compare?a={ids[0]}&b={ids[1]}"),
            "difference": client.get(f"/compare/difference?a={ids[0]}&b={ids[1]}"),
        }
    for name, page in pages.items():
        assert page.status_code == 200, name
        assert HOSTILE not in page.text
    assert "Groundedness" in pages["run"].text
    assert "Groundedness: state" in pages["units"].text
    assert "judge_error: schema" in pages["units"].text


@pytest.mark.parametrize("verb", GROUPS["rag"][1])
def test_every_verb_has_its_help(verb, capsys):
    assert main(["rag", verb, "--help"]) == 0
    assert f"veridical rag {verb}" in capsys.readouterr().out


def test_verbs_of_rag(path, capsys):
    at = ["--store", str(path)]
    assert main(["rag", "compare", "monday", "tuesday", *at]) == 0
    assert "5 cases in common" in capsys.readouterr().out
    assert main(["rag", "report", "monday", *at]) == 64
    assert "did not keep its cases" in capsys.readouterr().err
