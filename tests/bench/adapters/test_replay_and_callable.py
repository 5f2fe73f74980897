"""Recorded lines and functions as agents."""

import json

import pytest

from tests.bench.running.agents import ANSWER, FAST, case
from veridical.bench.adapters.callable import CallableAgent
from veridical.bench.adapters.plugging import agent_of
from veridical.bench.adapters.replay import ReplayAgent
from veridical.bench.agents import shipped_agents
from veridical.bench.cases import BENCH_VERSION
from veridical.bench.prompting import hashes
from veridical.bench.running.one_case import run_case
from veridical.bench.running.suite_run import run_suite
from veridical.bench.trajectories import DuplicateTrialError, read_trajectories
from veridical.errors import (
    ConfigurationError,
    FileFormatError,
    FileMissingError,
    MismatchError,
    ParameterError,
)

LINE = {
    "case_id": "c1",
    "submission_raw": ANSWER,
    "bench_version": BENCH_VERSION,
    "prompt_sha256": hashes()["prompt_sha256"],
}


def written(tmp_path, *lines, name="theirs.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def test_a_line_is_said_again_with_what_it_cost(tmp_path):
    usage = {"prompt_tokens": 5, "completion_tokens": 2}
    path = written(tmp_path, {**LINE, "usage": usage, "shape": "openai_chat", "model": "m"})
    line = run_case(ReplayAgent(path), case(), FAST)
    assert (line.outcome, line.submission_raw) == ("parsed", ANSWER)
    assert (line.usage["input"], line.usage["output"], line.model_returned) == (5, 2, "m")
    assert line.agent["name"] == "theirs"


def test_trials_are_told_apart(tmp_path):
    path = written(tmp_path, {**LINE, "trial": 1, "submission_raw": "?"}, LINE)
    to = tmp_path / "t.jsonl"
    told = run_suite(
        ReplayAgent(path),
        [case()],
        to,
        suite="test",
        limits=FAST.limits,
        run_id="r",
        trials=3,
    )
    assert [line.submission_raw for line in read_trajectories(to).lines] == [ANSWER, "?", None]
    assert told.outcomes == {"infra_error": 1, "parse_failure": 1, "parsed": 1}


def test_usage_that_is_not_told_is_unknown(tmp_path):
    assert run_case(ReplayAgent(written(tmp_path, LINE)), case(), FAST).usage is None


def test_lines_of_another_prompt_or_version_are_refused(tmp_path):
    for other in ({"bench_version": "0.9.0"}, {"prompt_sha256": "00"}):
        with pytest.raises(MismatchError) as caught:
            ReplayAgent(written(tmp_path, LINE, {**LINE, "case_id": "c2", **other}))
        assert caught.value.where.endswith("theirs.jsonl:2")


def test_one_trial_twice_is_refused(tmp_path):
    with pytest.raises(DuplicateTrialError):
        ReplayAgent(written(tmp_path, LINE, {**LINE, "trial": 0}))


@pytest.mark.parametrize(
    "line",
    [
        [],
        {},
        {**LINE, "case_id": 7},
        {**LINE, "trial": "1"},
        {**LINE, "trial": True},
        {**LINE, "surprise": 1},
        {name: value for name, value in LINE.items() if name != "prompt_sha256"},
    ],
)
def test_a_line_of_another_shape_is_refused(tmp_path, line):
    with pytest.raises(FileFormatError):
        ReplayAgent(written(tmp_path, line))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileMissingError):
        ReplayAgent(tmp_path / "none.jsonl")
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(FileFormatError):
        ReplayAgent(tmp_path / "bad.jsonl")


def test_what_the_lines_say_is_the_configuration(tmp_path):
    one = ReplayAgent(written(tmp_path, LINE))
    other = ReplayAgent(written(tmp_path, {**LINE, "submission_raw": "?"}))
    assert one.config != other.config


def test_a_function_is_an_agent(tmp_path, monkeypatch):
    (tmp_path / "bench_mine.py").write_text(
        "from veridical.bench.agents.protocol import AgentResult\n"
        "def run(task, tools):\n"
        f"    tools.submit({ANSWER!r})\n"
        "    return AgentResult(usage={'input_tokens': 7, 'output_tokens': 1},\n"
        "                       shape='anthropic_messages', model='m')\n"
        "def says(task, tools):\n"
        f"    return {ANSWER!r}\n"
    )
    monkeypatch.chdir(tmp_path)
    line = run_case(CallableAgent("bench_mine:run", "mine", "2"), case(), FAST)
    assert (line.outcome, line.usage["input"], line.model_returned) == ("parsed", 7, "m")
    assert (line.agent["name"], line.agent["version"]) == ("mine", "2")
    text = run_case(CallableAgent("bench_mine:says"), case(), FAST)
    assert (text.outcome, text.stop_reason) == ("parsed", "final_text")


@pytest.mark.parametrize("target", ["", "json", "json:", ":f", "no_such_module:f", "json:nope",
                                    "json:__name__"])  # fmt: skip
def test_a_function_that_is_none_is_refused(target):
    with pytest.raises(ConfigurationError):
        CallableAgent(target)


def test_descriptions_of_agents():
    for name in shipped_agents():
        assert agent_of({"kind": "shipped", "name": name}).name == name
    for wrong in ({"kind": "shipped", "name": "oracle"}, {"kind": "magic"}, {}):
        with pytest.raises(ParameterError):
            agent_of(wrong)
