"""The page about what numbers do not prove speaks of every metric."""

import re

import pytest

import veridical as vd
from tests.docs.pages import ROOT
from veridical.bench.scoring.agent_score import HEADLINE

PAGE = (ROOT / "docs" / "not-proved.md").read_text("utf-8")
SECTIONS = {
    "agreement": "Agreement",
    "binary": "Classification",
    "calibration": "Calibration",
    "cost": "Cost",
    "drift": "Data that move",
    "echo": "Pipelines that retrieve and answer",
    "fairness": "Fairness",
    "generation": "Pipelines that retrieve and answer",
    "retrieval": "Retrieval",
    "robustness": "Pipelines that retrieve and answer",
    "text": "Texts",
}


def named(heading: str) -> set[str]:
    """Return what stands in the first column of the table of a section."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (.*?) \|", section, flags=re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("family", SECTIONS)
def test_every_metric_of_a_family_has_its_row(family):
    names = {
        entry.id.removeprefix(f"{family}.") for entry in vd.catalogue() if entry.family == family
    }
    assert names
    assert names <= named(SECTIONS[family])


def test_no_family_is_left_out():
    families = {entry.family for entry in vd.catalogue()}
    assert families - set(SECTIONS) == {"trec"}
    assert "`trec`" in PAGE


@pytest.mark.parametrize("heading", dict.fromkeys(SECTIONS.values()))
def test_a_row_names_no_metric_that_is_not_there(heading):
    known = {
        entry.id.removeprefix(f"{entry.family}.")
        for entry in vd.catalogue()
        if SECTIONS.get(entry.family) == heading
    }
    assert named(heading) == known


def test_the_four_figures_of_an_agent_have_their_rows():
    assert {name.removeprefix("bench.") for name in HEADLINE} <= named("Agents")
