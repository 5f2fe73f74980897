"""What the README says beside its blocks: facts, verbs, links, and the words of the demo."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.docs.pages import numbers

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# Numbers that no command prints, and where they come from instead.
FACTS = {"3.11": "pyproject.toml", "1990": "examples/credit/README.md"}


def test_facts_stand_where_they_come_from():
    for number, name in FACTS.items():
        assert number in (ROOT / name).read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"


def test_relative_links_lead_somewhere():
    targets = re.findall(r"\]\(([^)\s]+)\)", README)
    assert len(targets) >= 5
    for target in targets:
        assert "://" not in target, f"{target} needs the network"
        assert (ROOT / target.partition("#")[0]).exists(), target


@pytest.fixture(scope="module")
def demo():
    """The evaluation that `make demo` prints."""
    if shutil.which("make") is None:
        pytest.skip("make is not here")
    dry = subprocess.run(
        ["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.replace("\\\n", " ")
    command = next(line for line in dry.splitlines() if "veridical evaluate" in line)
    words = shlex.split(command)[1:]
    at = words.index("--report")
    assert words[at + 1] == "out/report.html"
    done = subprocess.run(
        [sys.executable, "-m", "veridical", *words[:at], *words[at + 2 :], "--json"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


def demo_words():
    return re.search(r"^define DEMO_WORDS\n(.*?)^endef", MAKEFILE, re.DOTALL | re.MULTILINE)[1]


def results(demo, metric, group=None):
    found = [r for r in demo["results"] if (r["metric"], r["group"]) == (metric, group)]
    assert [r["subject"] for r in found] == ["p_logistic", "p_boosting"]
    return found


def test_the_demo_says_what_one_sees(demo):
    logistic, boosting = results(demo, "binary.roc_auc")
    assert logistic["value"] > boosting["value"]
    shown = {f"{logistic['value']:.2f}", f"{boosting['value']:.2f}", str(logistic["n"])}
    assert numbers(demo_words()) == shown
    verdicts = {one["metric"]: one["verdict"] for one in demo["comparisons"]}
    for metric in ("binary.roc_auc", "cost.best_threshold"):
        assert verdicts[metric].startswith("no difference shown")
    for one in results(demo, "calibration.ece", "black=yes"):
        assert one["value"] > one["conditions"]["calibrated_high"]
