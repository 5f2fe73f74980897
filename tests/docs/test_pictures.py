"""The pictures of the README: there, small, self-contained, and what the command prints today."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
IMAGES = ROOT / "docs" / "images"
PICTURES = re.findall(r"!\[([^]]*)\]\(([^)]+)\)", README)
LARGEST = 100_000


def test_every_picture_is_shown_and_every_shown_one_exists():
    shown = {ROOT / path for _, path in PICTURES}
    assert shown == set(IMAGES.iterdir())


@pytest.mark.parametrize(("words", "path"), PICTURES)
def test_a_picture_is_small_and_told_in_words(words, path):
    assert len(words.split()) >= 8
    assert 1_000 < (ROOT / path).stat().st_size < LARGEST


@pytest.mark.parametrize("name", ["report.png", "rag.png"])
def test_a_photograph_is_a_png_of_the_whole_width(name):
    header = (IMAGES / name).read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", header[16:])
    assert width == 1280
    assert 600 < height < 1400


def test_the_terminal_fetches_nothing_and_runs_nothing():
    text = (IMAGES / "terminal.svg").read_text(encoding="utf-8")
    tree = ET.fromstring(text)  # noqa: S314 - our own file
    names = {element.tag.partition("}")[2] for element in tree.iter()}
    assert names == {"svg", "style", "rect", "text", "tspan"}
    assert "url(" not in text
    assert "@" not in text.replace("@media (prefers-color-scheme: dark)", "")
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]


def test_the_terminal_is_what_the_command_prints_today():
    pytest.importorskip("pty", reason="a terminal is drawn where there are terminals")
    from tools import pictures

    now = pictures.terminal_svg(pictures.TERMINAL, pictures.on_a_terminal(pictures.TERMINAL))
    drawn = (IMAGES / "terminal.svg").read_text(encoding="utf-8")
    assert before_versions(drawn) == before_versions(now), "run `make pictures`"


def before_versions(svg: str) -> list[str]:
    """Return the rows in words, without the last ones, which name versions."""
    rows = [
        " ".join(re.findall(r">([^<]+)</tspan>", line))
        for line in svg.splitlines()
        if line.startswith("<text ")
    ]
    (last,) = (number for number, row in enumerate(rows) if row.startswith("data sha256"))
    assert last > 20
    return rows[:last]
