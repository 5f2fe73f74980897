"""Workflows on pages are not run: each command in them is one that there is, with its options."""

import re
import shlex

import pytest
import yaml

from tests.docs.pages import page, pages
from veridical.cli import main

WORKFLOWS = {
    f"{one.name} {example.parsed.file}": yaml.safe_load(example.parsed.text)
    for one in map(page, pages())
    for example in one.examples
    if getattr(example.parsed, "tag", None) == "yaml" and "\njobs:" in example.parsed.text
}
COMMANDS = sorted(
    {
        command
        for workflow in WORKFLOWS.values()
        for job in workflow["jobs"].values()
        for step in job["steps"]
        for command in re.findall(
            r"^\s*(veridical .*)$", step.get("run", "").replace("\\\n", " "), flags=re.MULTILINE
        )
    }
)


def test_there_is_a_workflow_for_each_trade():
    trades = {name.split()[0] for name in WORKFLOWS if name.startswith("docs/tutorials/")}
    assert len(trades) == 5


@pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=WORKFLOWS)
def test_a_workflow_installs_what_it_calls_and_ends_with_what_decides(workflow):
    # YAML 1.1 reads the key `on` as a truth value; GitHub does not.
    assert set(workflow) >= {"name", "jobs"}
    for job in workflow["jobs"].values():
        runs = [step["run"] for step in job["steps"] if "run" in step]
        assert runs[0].startswith("pip install ")
        assert re.search(r"veridical (rag |bench )?(gate|validate) ", runs[-1])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_its_options(command, capsys):
    words = shlex.split(command)[1:]
    verb = words[:2] if words[0] in {"rag", "bench"} else words[:1]
    assert main([*verb, "--help"]) == 0
    told = capsys.readouterr().out
    for word in words[len(verb) :]:
        if word.startswith("-"):
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", told), word
