"""The help of every command says what it ends with."""

import importlib
import inspect
import re

import pytest

from tools.reference.command_pages import commands, is_group
from veridical import exit_codes
from veridical.cli.app import build_app
from veridical.cli.commands import all_commands
from veridical.cli.exit_words import ALL_CODES, exit_words

COMMANDS = [" ".join(words) for words, app in commands(build_app()) if not is_group(app)]
# Whoever does the work of several commands returns the code of each.
BEHIND = {
    "rank": ["veridical.cli.ranking"],
    "rag run": ["veridical.cli.rag.running"],
    "rag resume": ["veridical.cli.rag.running"],
    "rag rescore": ["veridical.cli.rag.running"],
    "bench run": ["veridical.cli.bench.running"],
    "bench resume": ["veridical.cli.bench.running"],
}
# A verdict knows its code, and so does the error of a budget that is spent.
ELSEWHERE = {
    "gate": {"1", "3"},
    "rag gate": {"1", "3"},
    "bench gate": {"1", "3"},
    "rag calibrate": {"2"},
}
OF_ONE = {"FAILED": "1", "DAMAGED": "1", "BUDGET": "2", "UNDECIDED": "3"}


def codes(text):
    """Return the codes that a sentence names."""
    return set(re.findall(r"(?:^|[,;] )(\d+) ", text))


@pytest.mark.parametrize(
    "command", ["evaluate", "monitor observe", "bench prices check", "runs list"]
)
def test_help_tells_them(veridical, command):
    told = " ".join(veridical(*command.split(), "--help").out.split())
    assert f"Exit codes: {exit_words(command)}." in told


def test_every_command_has_the_words_in_its_help():
    for words, app in commands(build_app()):
        said = ALL_CODES if is_group(app) else exit_words(" ".join(words))
        found = app.help_epilogue or build_app().help_epilogue
        assert found.startswith(f"Exit codes: {said}.")


def test_the_parser_has_the_commands_of_the_tables_and_no_more():
    assert list(all_commands()) == COMMANDS


def test_words_of_no_command():
    with pytest.raises(KeyError):
        exit_words("no such command")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_returns_is_told_and_no_more(command):
    app = build_app()
    for word in command.split():
        app = app[word]
    function = app.default_command
    texts = [inspect.getsource(function)]
    if "runs" not in command:
        texts.append(inspect.getsource(inspect.getmodule(function)))
    texts += [inspect.getsource(importlib.import_module(name)) for name in BEHIND.get(command, ())]
    returned = {
        code for name, code in OF_ONE.items() if any(re.search(rf"\b{name}\b", t) for t in texts)
    }
    told = codes(exit_words(command)) & {*OF_ONE.values()}
    assert told == returned | ELSEWHERE.get(command, set())


def test_all_codes_are_named():
    known = {str(getattr(exit_codes, name)) for name in exit_codes.__all__}
    assert codes(ALL_CODES) == known
