"""A package that says in which order to read it names every file that it has."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
MARK = "In the order to read them:"


def maps() -> dict[str, tuple[Path, str]]:
    """Return the folder and the docstring of every package with a map."""
    found = {}
    for path in sorted(SOURCE.rglob("__init__.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if MARK in text:
            found[path.parent.name] = path.parent, text
    return found


def test_there_is_a_map():
    assert "comparison" in maps()


@pytest.mark.parametrize("name", maps())
def test_a_map_names_every_file(name):
    folder, text = maps()[name]
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert {stem for stem in files if f"``{stem}``" not in text} == set()
