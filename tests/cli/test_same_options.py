"""What is the same is called the same, whichever command it belongs to."""

import pytest

from tools.reference.command_pages import commands, is_group
from veridical.cli import main
from veridical.cli.app import build_app


def files():
    """Yield each option that takes a path: its command, its names, what the help says of it."""
    for words, app in commands(build_app()):
        if is_group(app):
            continue
        for one in app.assemble_argument_collection():
            if one.show and "Path" in str(one.hint) and one.name.startswith("-"):
                yield " ".join(words), tuple(one.names), str(one.parameter.help)


def test_a_page_is_written_by_one_option():
    pages = [(command, names) for command, names, said in files() if "self-contained" in said]
    assert {names for _, names in pages} == {("--report",)}
    assert {command for command, _ in pages} >= {
        "evaluate", "validate", "rag report", "bench report", "monitor report",
        "compare", "trend", "gate", "rag compare", "rag gate", "bench compare", "bench gate",
    }  # fmt: skip


def test_a_file_is_written_by_one_option():
    wrote = [(command, names) for command, names, _ in files() if {"--output", "-o"} & {*names}]
    assert {names for _, names in wrote} == {("--output", "-o")}
    assert {command for command, _ in wrote} >= {"summarise", "bench run", "bench gen"}


@pytest.mark.parametrize("other", ["--html", "--out", "--page"])
def test_there_is_no_second_name(other):
    assert not [command for command, names, _ in files() if other in names]


@pytest.mark.parametrize(
    "words", [["evaluate", "a.csv", "-o", "p"], ["monitor", "report", "a", "--output=p"]]
)
def test_who_asks_for_a_file_is_told_how_a_page_is_written(words, capsys):
    assert main(words) == 64
    said = capsys.readouterr().err
    assert "a page is written by --report FILE" in said
    assert "Did you mean" not in said


def test_a_command_without_pages_promises_none(capsys):
    assert main(["runs", "verify", "a", "--output", "p"]) == 64
    assert "--report" not in capsys.readouterr().err
