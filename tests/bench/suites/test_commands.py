"""``veridical bench gen`` and ``verify-suite``."""

import json

import pytest

from veridical.bench.suites import SUITES, named_suite
from veridical.cli import main


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def command(*words):
        capsys.readouterr()
        code = main(["bench", *words])
        return code, *capsys.readouterr()

    return command


def test_gen_writes_the_dev_suite(run, tmp_path, dev):
    code, out, _ = run("gen", "--output", "made", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["n"] == len(dev.cases) == 60
    assert document["manifest_sha256"] == dev.manifest_sha256
    assert json.loads((tmp_path / "made" / "manifest.json").read_text()) == dev.manifest()


def test_gen_writes_a_suite_of_ones_own(run, tmp_path):
    words = ("gen", "--output", "made", "--suite", "mine", "--suite-seed", "7", "--cases", "8")
    code, out, _ = run(*words)
    assert code == 0
    assert out.startswith("made: 8 cases of mine\n")
    assert len(list((tmp_path / "made").iterdir())) == 9


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--output", "made", "--suite", "no"], 64, "there is no suite"),
        (
            ["--output", "made", "--suite", "../up", "--suite-seed", "1", "--cases", "8"],
            64,
            "no name",
        ),
        (["--output", "made", "--suite-seed", "1"], 64, "a seed and a number of cases"),
        (["--output", "made", "--suite-seed", "1", "--cases", "2"], 64, "4 to 20,000"),
        (["--output", "."], 65, "exists"),
        ([], 64, "--output"),
    ],
)
def test_gen_refuses(run, tmp_path, words, code, said):
    found, _, err = run("gen", *words)
    assert found == code
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_verify_suite_passes(run):
    words = ("verify-suite", "--suite", "few", "--suite-seed", "11", "--cases", "32", "--json")
    code, out, _ = run(*words)
    document = json.loads(out)
    assert [gate["name"] for gate in document["gates"] if gate["failed"]] == []
    assert code == (0 if document["passed"] else 1)
    assert document["passed"] == all(gate["n"] for gate in document["gates"])


def test_verify_suite_fails_where_an_agent_scores_otherwise(run, monkeypatch):
    from veridical.bench.agents import shipped_agents

    agents = shipped_agents()
    monkeypatch.setattr(
        "veridical.bench.agents.shipped_agents", lambda: {**agents, "null": agents["reference"]}
    )
    code, out, _ = run("verify-suite", "--suite", "few", "--suite-seed", "11", "--cases", "16")
    assert code == 1
    assert "FAIL  null: no balance, 16 cases" in out


def test_named_suites_are_what_the_lock_holds(dev):
    assert dev.manifest()["seed"] == SUITES["dev"][0]
    assert len(named_suite("public").cases) == SUITES["public"][1]
