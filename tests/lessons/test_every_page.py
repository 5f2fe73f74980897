"""The page of each lesson has its parts in their order, and its figures with their words."""

import re
from pathlib import Path

import pytest

from veridical.lessons import LESSONS, lesson_called

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "lessons"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}
INDEX = PAGES.pop("index")
GUIDE = [
    "In one sentence",
    "When you need it",
    "The options",
    "How to choose",
    "What it costs",
    "What breaks",
    "In the wild",
    "Go deeper",
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
EVERY = pytest.mark.parametrize("name", PAGES)


def sections(name):
    return dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGES[name], re.MULTILINE | re.DOTALL))


def test_every_lesson_has_its_page_and_no_page_is_of_none():
    assert set(PAGES) == {lesson.name for lesson in LESSONS}


@EVERY
def test_a_page_is_listed_and_names_its_command(name):
    assert f"]({name}.md)" in INDEX
    assert f"`veridical learn {name}`" in PAGES[name]


@EVERY
def test_two_levels_and_the_end(name):
    headings = list(sections(name))
    level_1, level_2 = "Level 1: the practitioner's guide", "Level 2: from scratch"
    assert headings[:3] == ["Before you begin", level_1, level_2]
    numbered = [one for one in headings if re.match(r"\d\. ", one)]
    assert 2 <= len(numbered) <= 6
    assert [int(one[0]) for one in numbered] == list(range(1, len(numbered) + 1))
    after = headings[headings.index(level_2) + 1 :]
    assert after[: len(numbered) + len(END)] == [*numbered, *END]
    guide = re.findall(r"^### (.+)$", sections(name)[level_1], re.MULTILINE)
    assert guide == GUIDE


@EVERY
def test_a_section_from_scratch_has_its_ten_parts(name):
    for heading, text in sections(name).items():
        if not re.match(r"\d\. ", heading):
            continue
        assert re.findall(r"^\*\*([^*]+\.)\*\*", text, re.MULTILINE) == PARTS, heading
        bodies = re.split(r"^\*\*[^*]+\.\*\*", text, flags=re.MULTILINE)[1:]
        between = dict(zip(PARTS, bodies, strict=True))
        assert "```mermaid\n" in between["As a diagram."]
        assert "$$" in between["The formula."]
        assert "| symbol | meaning | range |" in between["The symbols."]
        assert "assert " in between["In plain Python."]
        assert "lesson." not in between["In plain Python."]  # plain: the lesson is checked by it
        assert f"`veridical.lessons.{name}" in between["Where it is in the code."]


@EVERY
def test_every_figure_stands_there_and_is_told_in_words(name):
    shown = re.findall(r"!\[([^]]+)\]\(\.\./figures/(\w+)\.svg\)", PAGES[name])
    alts = lesson_called(name).figure_alts
    assert [(alts[key], key) for _, key in shown] == shown
    assert sorted(key for _, key in shown) == sorted(alts)


@EVERY
def test_every_question_of_the_self_test_has_its_answer(name):
    questions, answers = sections(name)["Self-test"].split("### Answers")
    numbered = [re.findall(r"^(\d)\. ", part, re.MULTILINE) for part in (questions, answers)]
    assert numbered[0] == numbered[1]
    assert len(numbered[0]) >= 4
