"""The page of the lesson on metrics has its figures and its parts, in their order."""

import re
from pathlib import Path

import pytest

from veridical.lessons.metrics import FIGURE_ALTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lessons" / "metrics.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
PRACTICE = [
    "In one sentence",
    "When you need it",
    "The options",
    "How to choose",
    "What it costs",
    "What breaks",
    "In the wild",
    "Go deeper",
]
FROM_SCRATCH = [
    "1. The confusion matrix",
    "2. ROC-AUC",
    "3. Pricing errors",
    "4. Retrieval",
    "5. Generation overlap",
    "6. Judge calibration",
]
PARTS = [
    "An everyday picture.",
    "A tiny example.",
    "As a diagram.",
    "The formula.",
    "The symbols.",
    "In words.",
    "The numbers.",
    "In plain Python.",
    "Where it is in the code.",
    "Why it matters.",
]
END = ["In twenty seconds", "Self-test", "The papers", "Further reading"]


def test_its_two_levels():
    assert list(SECTIONS) == [
        "Before you begin",
        "Level 1: the practitioner's guide",
        "Level 2: from scratch",
        *FROM_SCRATCH,
        *END,
    ]


def test_the_practitioners_guide():
    guide = SECTIONS["Level 1: the practitioner's guide"]
    assert re.findall(r"^### (.+)$", guide, re.MULTILINE) == PRACTICE


@pytest.mark.parametrize("section", FROM_SCRATCH)
def test_a_section_from_scratch_has_its_ten_parts(section):
    text = SECTIONS[section]
    assert re.findall(r"^\*\*([^*]+\.)\*\*", text, re.MULTILINE) == PARTS
    between = dict(
        zip(PARTS, re.split(r"^\*\*[^*]+\.\*\*", text, flags=re.MULTILINE)[1:], strict=True)
    )
    assert "```mermaid\n" in between["As a diagram."]
    assert "$$" in between["The formula."]
    assert "| symbol | meaning | range |" in between["The symbols."]
    assert "assert " in between["In plain Python."]
    assert "lesson." not in between["In plain Python."]
    assert "`veridical.lessons.metrics." in between["Where it is in the code."]


def test_every_figure_stands_there_and_is_told_in_words():
    shown = re.findall(r"!\[([^]]+)\]\(\.\./figures/(\w+)\.svg\)", TEXT)
    assert [(FIGURE_ALTS[name], name) for _, name in shown] == shown
    assert sorted(name for _, name in shown) == sorted(FIGURE_ALTS)


def test_every_question_of_the_self_test_has_its_answer():
    questions, answers = SECTIONS["Self-test"].split("### Answers")
    numbered = [re.findall(r"^(\d)\. ", part, re.MULTILINE) for part in (questions, answers)]
    assert numbered == [list("123456")] * 2
