"""The page about agents: what it does not run is played, and its options exist."""

import json
import re
import shlex
import sys
import types
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.bench.running.agents import FAST
from veridical.bench.adapters.callable import CallableAgent
from veridical.bench.adapters.command import CommandAgent
from veridical.bench.adapters.replay import ReplayAgent
from veridical.bench.agents.rules import rules_submission
from veridical.bench.prompting import hashes
from veridical.bench.readers.case_files import read_case
from veridical.bench.running.decoding import decoded
from veridical.bench.running.one_case import run_case
from veridical.cli import main

PAGE = Path(__file__).parents[3] / "docs/how-to/bench-agents.md"


def blocks(language: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def written(tmp_path: Path, name: str) -> Path:
    block = next(one for one in blocks("python") if one.startswith(f"# {name}"))
    path = tmp_path / name
    path.write_text(block)
    return path


class Reply(SimpleNamespace):
    def model_dump(self):
        return vars(self)


def client_of(case, replies):
    """Return a client that lists, reads what the master names, and submits."""

    def create(**asked):
        replies.append(asked)
        files = {one.name: decoded(one.content) for one in case.inputs}
        script = [
            [("list_files", {})],
            [("read_file", {"name": name}) for name in files],
            [("submit", json.loads(rules_submission(read_case(files))))],
        ]
        calls = script[len(replies) - 1]
        return SimpleNamespace(
            usage=Reply(input_tokens=7, output_tokens=2, cache_read_input_tokens=1),
            content=[
                SimpleNamespace(type="tool_use", id=f"t{at}", name=name, input=given)
                for at, (name, given) in enumerate(calls)
            ],
        )

    return SimpleNamespace(messages=SimpleNamespace(create=create))


def test_the_loop_around_an_sdk(tmp_path, monkeypatch, dev):
    replies: list = []
    of = dev.cases[0]
    module = types.ModuleType("anthropic")
    module.Anthropic = lambda: client_of(of, replies)
    monkeypatch.setitem(sys.modules, "anthropic", module)
    written(tmp_path, "claude_agent.py")
    monkeypatch.chdir(tmp_path)
    line = run_case(CallableAgent("claude_agent:run"), of, FAST)
    assert (line.outcome, line.stop_reason) == ("parsed", "submitted")
    assert (line.usage["input"], line.usage["cache_read"]) == (21, 3)
    first = replies[0]
    assert {one["name"] for one in first["tools"]} == {"list_files", "read_file", "submit"}
    assert all(one["input_schema"]["type"] == "object" for one in first["tools"])
    # What was said last stands in the same list: the results of reading are the fifth message.
    read = json.loads(replies[2]["messages"][4]["content"][0]["content"])
    assert read["characters"] == len(decoded(of.inputs[0].content))


def test_the_program(tmp_path, dev):
    path = written(tmp_path, "opening.py")
    line = run_case(CommandAgent([sys.executable, str(path)]), dev.cases[0], FAST)
    assert line.parsed


def test_the_line_of_a_replay(tmp_path, dev):
    (block,) = blocks("json")
    line = json.loads(block)
    assert line["case_id"] == dev.cases[0].case_id
    line["prompt_sha256"] = hashes()["prompt_sha256"]
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(line))
    assert run_case(ReplayAgent(path), dev.cases[0], FAST).usage["input"] == 2006


@pytest.mark.parametrize("command", [
    line for block in blocks("sh") for line in block.splitlines()
])  # fmt: skip
def test_every_option_on_the_page_exists(command, capsys):
    words = shlex.split(command)
    assert words[0] == "veridical"
    assert main([*words[1:3], "--help"]) == 0
    shown = capsys.readouterr().out
    for word in words[3:]:
        if word.startswith("--"):
            assert word in shown
