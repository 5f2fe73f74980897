"""`veridical bench run`, `resume` and `prompt`: exit codes, files, and what is said."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench.adapters.chat_server import serving, status
from veridical.bench.agents import shipped_agents
from veridical.bench.agents.scripted_chat import scripted_reply
from veridical.bench.cases import BENCH_VERSION
from veridical.bench.prompting import hashes, prompt_template
from veridical.bench.trajectories import read_trajectories
from veridical.cli import main

ROOT = Path(__file__).parents[3]
FEW = ["--suite", "few", "--suite-seed", "s", "--cases", "8"]


def run(*words: str) -> int:
    return main(["bench", *words])


def test_the_prompt(capsys):
    assert run("prompt") == 0
    assert capsys.readouterr().out == prompt_template() + "\n"
    assert run("prompt", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "veridical.bench_prompt/1"
    assert hashes().items() <= document.items()


def test_every_shipped_agent_runs(tmp_path, capsys):
    for name in shipped_agents():
        path = tmp_path / f"{name}.jsonl"
        assert run("run", "--agent", name, "--output", str(path), *FEW, "--json") == 0
        told = json.loads(capsys.readouterr().out)
        assert told["outcomes"] == {"parsed": 8}
        lines = read_trajectories(path).lines
        assert {line.agent["name"] for line in lines} == {name}
        assert {line.run_id for line in lines} == {told["run_id"]}


@pytest.mark.parametrize("gone", [".jsonl", ".run.json"])
def test_half_of_a_run_is_named_by_its_file(tmp_path, capsys, gone):
    words = ["run", "--agent", "naive", "--output", str(tmp_path / "naive.jsonl"), *FEW]
    assert run(*words) == 0
    (tmp_path / f"naive{gone}").unlink()
    (left,) = tmp_path.iterdir()
    capsys.readouterr()
    assert run(*words) == 65
    assert f"already ({left})" in capsys.readouterr().err
    left.unlink()
    assert run(*words) == 0


def test_a_run_that_ended_has_nothing_to_go_on_with(tmp_path, capsys):
    path = tmp_path / "naive.jsonl"
    run("run", "--agent", "naive", "--output", str(path), *FEW, "--trials", "2")
    assert "16 trials: 16 parsed" in capsys.readouterr().out
    before = path.read_bytes()
    assert run("resume", str(path)) == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 64),
        (["--agent", "naive", "--function", "a:b"], 64),
        (["--agent", "oracle"], 64),
        (["--agent", "naive", "--isolation", "wishes"], 64),
        (["--agent", "naive", "--suite", "nope"], 64),
        (["--agent", "naive", "--suite", "nope", "--cases", "8"], 64),
        (["--agent", "naive", "--trials", "0"], 64),
        (["--function", "no_such_module:f"], 65),
        (["--command", "no-such-program-anywhere"], 65),
        (["--command", "unbalanced 'quote"], 64),
        (["--replay", "no-such-file.jsonl"], 65),
        (["--model", "m", "--base-url", "ftp://x"], 65),
        (["--model", "m", "--base-url", "http://127.0.0.1:9", "--key-env", "NOT_SET_AT_ALL"], 65),
    ],
)
def test_what_is_asked_wrongly_leaves_no_run_behind(tmp_path, words, code, capsys):
    path = tmp_path / "t.jsonl"
    assert run("run", "--output", str(path), *words) == code
    assert "Traceback" not in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_run_is_not_written_over(tmp_path, capsys):
    path = tmp_path / "t.jsonl"
    run("run", "--agent", "null", "--output", str(path), *FEW)
    before = path.read_bytes()
    assert run("run", "--agent", "naive", "--output", str(path), *FEW) == 65
    assert "bench resume" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_resuming_what_is_no_run(tmp_path):
    assert run("resume", str(tmp_path / "none.jsonl")) == 65


def test_a_suite_that_is_another_one_by_now_is_refused(tmp_path):
    path = tmp_path / "t.jsonl"
    run("run", "--agent", "null", "--output", str(path), *FEW)
    plan = tmp_path / "t.run.json"
    document = json.loads(plan.read_text())
    plan.write_text(json.dumps({**document, "manifest_sha256": "0" * 64}))
    assert run("resume", str(path)) == 4


def test_a_command_as_an_agent(tmp_path, capsys):
    program = tmp_path / "mine.py"
    program.write_text(
        "import json, sys\n"
        "json.load(sys.stdin)\n"
        'print(json.dumps({"accounts": [], "flags": [], "confidence": "low"}))\n'
    )
    path = tmp_path / "t.jsonl"
    words = ["--command", f"{sys.executable} {program}", "--name", "mine", "--workers", "2"]
    assert run("run", *words, "--output", str(path), *FEW) == 0
    lines = read_trajectories(path).lines
    assert {(line.agent["name"], line.outcome) for line in lines} == {("mine", "parsed")}
    assert all(line.isolation for line in lines)


def test_a_replay_that_lacks_lines_is_not_sent_to_resume(tmp_path, capsys):
    lines, out = tmp_path / "lines.jsonl", tmp_path / "replayed.jsonl"
    told = {"bench_version": BENCH_VERSION, "prompt_sha256": hashes()["prompt_sha256"]}
    one = {"case_id": "v1-dev-000001", "submission_raw": "{}", **told}
    lines.write_text(json.dumps(one) + "\n")
    assert run("run", "--replay", str(lines), "--output", str(out)) == 69
    error = capsys.readouterr().err
    assert "not_recorded" in error
    assert "add the lines that are missing" in error
    assert "resume" not in error


def test_an_endpoint_that_is_down_and_comes_back(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    down = True

    def replied(asked):
        return status(404) if down else (200, {}, scripted_reply(asked["messages"]))

    path = tmp_path / "t.jsonl"
    with serving(replied) as endpoint:
        model = ["--model", "m", "--base-url", endpoint.url, "--key-env", "MY_KEY"]
        assert run("run", *model, "--output", str(path), *FEW) == 69
        captured = capsys.readouterr()
        assert "8 infra_error" in captured.out
        assert f"veridical bench resume {path}" in captured.err
        down = False
        assert run("resume", str(path), "--workers", "3") == 0
    lines = read_trajectories(path).lines
    assert sorted(line.attempt for line in lines) == [1] * 8 + [2] * 8
    written = path.read_text() + (tmp_path / "t.run.json").read_text()
    assert "sk-very-secret" not in written
    assert "MY_KEY" in written


def test_what_an_agent_prints_is_no_result(tmp_path, monkeypatch, capsys):
    (tmp_path / "loud_agent.py").write_text(
        "print('loaded')\ndef run(task, tools):\n    print('asked')\n    return '?'\n"
    )
    monkeypatch.chdir(tmp_path)
    assert run("run", "--function", "loud_agent:run", "--output", "t.jsonl", *FEW, "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["outcomes"] == {"parse_failure": 8}
    assert captured.err.count("asked") == 8
    assert "loaded" in captured.err


def test_sampling_reaches_the_endpoint_and_the_lines(tmp_path, capsys):
    path = tmp_path / "t.jsonl"
    asked = {"temperature": 0.5, "top_p": 0.9, "max_tokens": 100, "seed": 7}
    words = ["--temperature", "0.5", "--top-p", "0.9", "--max-tokens", "100", "--model-seed", "7"]
    with serving(lambda sent: (200, {}, scripted_reply(sent["messages"]))) as endpoint:
        model = ["--model", "m", "--base-url", endpoint.url, "--provider", "p", *words]
        assert run("run", *model, "--output", str(path), *FEW) == 0
    assert asked.items() <= endpoint.asked[0].items()
    line = read_trajectories(path).lines[0]
    assert (line.sampling, line.provider, line.model_requested) == (asked, "p", "m")


def test_ctrl_c_says_how_to_go_on(tmp_path):
    path = tmp_path / "t.jsonl"
    words = ["run", "--function", "tests.bench.running.slow_agent:run", "--output", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "veridical", "bench", *words, "--suite", "s", "--suite-seed", "s",
         "--cases", "60"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    give_up = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") >= 2):
        assert process.poll() is None
        assert time.monotonic() < give_up
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"veridical bench resume {path}" in err
    assert read_trajectories(path).torn_bytes == 0
