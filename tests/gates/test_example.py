"""The workflow in ``examples/github-actions``: valid, and its commands do what it says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from veridical.policy import load_policy

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "github-actions"
WORKFLOW = yaml.safe_load((FOLDER / "gate.yml").read_text(encoding="utf-8"))
STEPS = WORKFLOW["jobs"]["gate"]["steps"]
COMMANDS = {step["name"]: step["run"] for step in STEPS if "veridical " in step.get("run", "")}


def test_the_workflow_is_one():
    # YAML 1.1 reads the key ``on`` as true.
    assert set(WORKFLOW) == {"name", True, "permissions", "jobs"}
    assert set(WORKFLOW[True]) == {"push", "pull_request"}
    for step in STEPS:
        assert ("run" in step) != ("uses" in step)
        if "uses" in step:
            assert "@v" in step["uses"]


def test_the_rules_are_a_policy():
    policy = load_policy(FOLDER / "veridical.yaml")
    assert len(policy.rules) == 3
    assert {rule.no_worse_than for rule in policy.rules} == {None, "baseline"}


@pytest.fixture
def job(tmp_path, root):
    """A checkout with scores, and a shell whose ``veridical`` is this one."""
    shutil.copy(FOLDER / "veridical.yaml", tmp_path)
    tool = tmp_path / "bin" / "veridical"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m veridical "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("VERIDICAL_")}
    summary = tmp_path / "summary.md"
    environment = {
        **kept, "PATH": f"{tool.parent}:{kept['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)
    }  # fmt: skip

    def run(step, column):
        source = root / "examples" / "credit" / "hmda_scores.csv"
        text = source.read_text(encoding="utf-8").replace(column, "score", 1)
        (tmp_path / "scores.csv").write_text(text, encoding="utf-8")
        return subprocess.run(
            ["bash", "-e", "-c", COMMANDS[step]],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run, tmp_path


def test_the_commands_run_as_the_job_does(job):
    run, folder = job
    assert len(COMMANDS) == 4
    for step in COMMANDS:
        outcome = run(step, "p_logistic")
        assert outcome.returncode == 0, outcome.stderr
    assert (folder / "gate.xml").is_file()
    assert "✅" in (folder / "summary.md").read_text(encoding="utf-8")
    # Another model, on the same rows, against the baseline that was kept.
    assert run("Measure", "p_boosting").returncode == 0
    outcome = run("Gate", "p_boosting")
    assert outcome.returncode == 0, outcome.stdout
    assert "minus the baseline: 0.0022, 95% interval -0.0019 to 0.0063" in outcome.stdout
