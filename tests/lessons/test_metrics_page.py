"""The page of the lesson on metrics has the sections that are asked of it, in their order."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lessons" / "metrics.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_its_sections():
    assert re.findall(r"^## (.+)$", TEXT, re.MULTILINE) == [
        "Before you begin",
        "Level 1: the practitioner's guide",
        "Level 2: from scratch",
        "1. The confusion matrix",
        "2. ROC-AUC",
        "3. Pricing errors",
        "4. Retrieval",
        "5. Generation overlap",
        "6. Judge calibration",
        "In twenty seconds",
        "Self-test",
        "The papers",
        "Further reading",
    ]


def test_the_self_test_asks_six_questions():
    questions = TEXT.partition("## Self-test")[2].partition("### Answers")[0]
    assert re.findall(r"^(\d)\. ", questions, re.MULTILINE) == list("123456")
