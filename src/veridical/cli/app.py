"""The parser of the whole command line, made from the tables of commands."""

from __future__ import annotations

import sys
from functools import partial

from cyclopts import App, Parameter

from veridical import __version__
from veridical.cli.commands import COMMANDS, GROUPS, Command
from veridical.cli.configuration import configure
from veridical.cli.exit_words import ALL_CODES, exit_words
from veridical.cli.plain_help import IndentedFormatter
from veridical.cli.whole_numbers import check_whole_numbers

__all__ = ["build_app"]

_EPILOGUE = (
    "Every command takes --debug (a traceback when something fails). Options may stand in "
    "veridical.yaml, in [tool.veridical] of pyproject.toml, or in the environment as "
    "VERIDICAL_SEED and the like; what is on the command line wins."
)


def build_app() -> App:
    """Return the parser; a command is imported when it runs, never to print the list."""
    app = App(
        name="veridical",
        help="Is the model any good, and how do you know?",
        help_epilogue=_epilogue(ALL_CODES),
        version=f"veridical {__version__}",
        # Boxes are for people; a pipe gets plain text.
        help_formatter="default" if sys.stdout.isatty() else IndentedFormatter(),
        # --no-intervals and --json are one word each: no invented opposite.
        default_parameter=Parameter(negative=()),
    )
    app.config = (partial(configure, app), check_whole_numbers)
    groups = {"": app}
    for name, command in COMMANDS.items():
        _add(app, name, command)
    for words, (about, commands) in GROUPS.items():
        within, _, name = words.rpartition(" ")
        group = groups[words] = App(name=name, help=about)
        for verb, command in commands.items():
            _add(group, f"{words} {verb}", command)
        groups[within].command(group)
    return app


def _add(group: App, words: str, command: Command) -> None:
    """Add a command, whose help says what it ends with."""
    name = words.rsplit(maxsplit=1)[-1]
    epilogue = _epilogue(exit_words(words))
    group.command(command.target(words), name=name, help=command.does, help_epilogue=epilogue)


def _epilogue(codes: str) -> str:
    return f"Exit codes: {codes}.\n\n{_EPILOGUE}"
