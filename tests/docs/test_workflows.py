"""Workflows on pages, which are not run; what commands they call, `test_commands` looks at."""

import re

import pytest
import yaml

from tests.docs.pages import page, pages

WORKFLOWS = {
    f"{one.name} {example.parsed.file}": yaml.safe_load(example.parsed.text)
    for one in map(page, pages())
    for example in one.examples
    if getattr(example.parsed, "tag", None) == "yaml" and "\njobs:" in example.parsed.text
}


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
