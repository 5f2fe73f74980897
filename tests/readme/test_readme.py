"""Everything that the README shows is what a reader gets."""

import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.readme.document import Printed, blocks, misquoted, run_all, said, unsupported

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# Numbers that no command prints, and where they come from instead.
FACTS = {"3.11": "pyproject.toml", "1990": "examples/credit/README.md"}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What all blocks print, in a folder that holds what a clone holds of use to them."""
    if shutil.which("bash") is None:
        pytest.skip("the blocks of the README are run by bash, which is not here")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    # Once, whichever process comes first: a block serves a judge on the port that the README names.
    with (shared / "readme.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = shared / "readme.json"
        if not kept.exists():
            folder = tmp_path_factory.mktemp("clone")
            shutil.copytree(ROOT / "examples" / "credit", folder / "examples" / "credit")
            kept.write_text(json.dumps(asdict(run_all(README, folder))), encoding="utf-8")
        return Printed(**json.loads(kept.read_text(encoding="utf-8")))


def test_the_blocks_are_found():
    languages = [block.language for block in blocks(README) if block.language]
    assert {"python", "sh", "text"} == set(languages)
    assert sum(block.runs for block in blocks(README)) >= 5


def test_what_is_shown_is_what_is_printed(printed):
    assert misquoted(README, printed) == []


def test_every_number_in_prose_is_printed_by_a_command_of_its_section(printed):
    assert unsupported(README, printed, set(FACTS)) == set()


def test_a_wrong_number_would_be_found(printed):
    wrong = README.replace("0.001498", "0.001499")
    assert misquoted(wrong, printed)
    assert unsupported(wrong, printed, set(FACTS)) == {"0.001499"}


def test_a_line_left_out_without_dots_would_be_found(printed):
    wrong = README.replace("...\nbinary.roc_auc at least", "binary.roc_auc at least")
    assert wrong != README
    assert misquoted(wrong, printed)


def test_facts_stand_where_they_come_from():
    for number, name in FACTS.items():
        assert number in (ROOT / name).read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"


def test_every_verb_of_make_exists():
    code = " ".join(re.findall(r"```.*?```|`[^`]*`", README, flags=re.DOTALL))
    mentioned = set(re.findall(r"\bmake ([a-z-]+)", code))
    assert {"demo", "test"} <= mentioned
    assert mentioned <= set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, flags=re.MULTILINE))
    assert "VENV ?= .venv\n" in MAKEFILE


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
    numbers = {f"{logistic['value']:.2f}", f"{boosting['value']:.2f}", f"{logistic['n']:,}"}
    assert said(demo_words()) == numbers
    verdicts = {one["metric"]: one["verdict"] for one in demo["comparisons"]}
    for metric in ("binary.roc_auc", "cost.best_threshold"):
        assert verdicts[metric].startswith("no difference shown")
    for one in results(demo, "calibration.ece", "black=yes"):
        assert one["value"] > one["conditions"]["calibrated_high"]
