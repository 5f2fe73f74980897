"""What holds for the figures of every lesson: their files are of today, and ask for nothing."""

import tomllib
import xml.etree.ElementTree as ET
from functools import cache
from importlib import metadata

import pytest

from veridical.lessons import LESSONS, lesson_called
from veridical.lessons.figure_style import svg_bytes

FIGURES = [
    pytest.param(lesson, key, id=f"{lesson.name}-{key}")
    for lesson in LESSONS
    for key in lesson.figure_alts
]
EVERY = pytest.mark.parametrize(("lesson", "key"), FIGURES)


@cache
def drawn(name):
    return lesson_called(name).figures()


@pytest.fixture(scope="module")
def pinned(root):
    groups = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    dev = map(str, groups["dependency-groups"]["dev"])
    [version] = [one.removeprefix("matplotlib==") for one in dev if one.startswith("matplotlib==")]
    if metadata.version("matplotlib") != version:
        pytest.skip(f"the files are drawn by matplotlib {version}; another draws other bytes")
    return version


def test_a_file_is_of_one_lesson_and_each_figure_has_its_file(root):
    keys = [key for lesson in LESSONS for key in lesson.figure_alts]
    files = [path.name for path in (root / "docs" / "figures").iterdir()]
    assert sorted(files) == sorted(f"{key}.svg" for key in keys)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_each_figure_is_told_in_words(lesson):
    assert list(drawn(lesson.name)) == list(lesson.figure_alts)
    for told in lesson.figure_alts.values():
        assert len(told.split()) >= 10
        assert told.endswith(".")


@EVERY
@pytest.mark.usefixtures("pinned")
def test_a_file_is_what_is_drawn_today(lesson, key, root):
    file = root / "docs" / "figures" / f"{key}.svg"
    assert file.read_bytes() == svg_bytes(drawn(lesson.name)[key]), "draw them again: make figures"


@EVERY
def test_a_file_asks_for_nothing_and_bears_no_date(lesson, key, root):
    text = (root / "docs" / "figures" / f"{key}.svg").read_text(encoding="utf-8")
    tree = ET.fromstring(text)  # noqa: S314 - our own file
    assert all(
        value.startswith("#")
        for element in tree.iter()
        for name, value in element.attrib.items()
        if name.endswith("href")
    )
    assert "dc:date" not in text
    assert not list(tree.iter("{http://www.w3.org/2000/svg}text"))
    assert "<script" not in text
