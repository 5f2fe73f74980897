"""A page for each command, from the parser: nothing is written here that it does not know."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from tools.reference.markdown import anchor, bullets, fence, paragraphs, plain, table

if TYPE_CHECKING:
    from cyclopts import App, Argument

__all__ = ["Example", "command_pages", "commands", "exit_codes"]

_VALUES = {"str": "TEXT", "int": "N", "float": "X", "Decimal": "X", "Path": "FILE", "bool": ""}


class Example(NamedTuple):
    """A command line that a page shows, and that is run wherever that page is tested."""

    command: str
    page: str
    title: str


def commands(app: App, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], App]]:
    """Yield every command with its words, ``("bench", "score")``; a group before its own."""
    for name in app:
        if not name.startswith("-"):
            yield (*words, name), app[name]
            yield from commands(app[name], (*words, name))


def is_group(app: App) -> bool:
    """Return whether it only holds other commands."""
    return app.default_command is None


def command_pages(app: App, shown: Mapping[tuple[str, ...], Example]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each page: an index, and one page a command or group of them.

    Parameters
    ----------
    app
        The parser.
    shown
        An example of each command that has one.
    """
    every = list(commands(app))
    yield "index.md", _index(app, every)
    for name, members in groupby(every, key=lambda one: one[0][0]):
        parts = [part for words, one in members for part in _command(words, one, shown.get(words))]
        yield f"{name}.md", "\n\n".join(parts) + "\n"


def _index(app: App, every: Iterable[tuple[tuple[str, ...], App]]) -> str:
    parts = ["# Commands", plain(app.help), *paragraphs(_epilogue(app)[-1])]
    listed = [(words, one) for words, one in every if not is_group(one)]
    parts += [
        bullets(
            f"[`{' '.join(words)}`]({_address(words)}): {plain(one.help)}" for words, one in listed
        )
    ]
    parts += ["## Exit codes", "stdout is the result, stderr is the talk."]
    parts += [
        table(("Code", "Meaning"), ((f"`{code}`", plain(text)) for code, text in exit_codes()))
    ]
    return "\n\n".join(parts) + "\n"


def _address(words: tuple[str, ...]) -> str:
    heading = f"veridical {' '.join(words)}"
    return f"{words[0]}.md" + (f"#{anchor(heading)}" if words[1:] else "")


def exit_codes() -> list[tuple[int, str]]:
    """Return the codes and what each means, from where the command line documents them."""
    import veridical.cli

    rows = re.findall(r"^(\d+) +(.+)$", veridical.cli.__doc__ or "", re.MULTILINE)
    return [(int(code), text) for code, text in rows]


def _command(words: tuple[str, ...], app: App, example: Example | None) -> Iterator[str]:
    yield f"{'#' * len(words)} `veridical {' '.join(words)}`"
    yield from paragraphs(app.help)
    if is_group(app):
        return
    # What the help of a terminal has no room for: exit codes, who is asked and who is not.
    yield from paragraphs(
        "\n\n".join(inspect.cleandoc(app.default_command.__doc__ or "").split("\n\n")[1:])
    )
    codes = _epilogue(app)[0].partition(";")[0]
    yield f"{plain(codes)}; [all of them](index.md#exit-codes)."
    arguments = [one for one in app.assemble_argument_collection() if one.show]
    yield fence(" ".join(["veridical", *words, *_usage(arguments)]), "text")
    groups: dict[str, list[str]] = {}
    for one in sorted(arguments, key=_group):
        groups.setdefault(_group(one)[1], []).append(_described(one))
    for name, described in groups.items():
        yield f"{plain(name)}:"
        yield bullets(described)
    if example:
        yield f"For example, from [{plain(example.title)}]({example.page}):"
        yield fence(example.command, "sh")


def _epilogue(app: App) -> list[str]:
    """Return what stands at the end of the help: the exit codes, and what every command takes."""
    return (app.help_epilogue or "").split("\n\n")


def _usage(arguments: Iterable[Argument]) -> Iterator[str]:
    options = False
    for one in sorted(arguments, key=_is_option):
        name = _named(one) + ("..." if _repeats(one) and not _is_option(one) else "")
        if one.required or not _is_option(one):
            yield name if one.required else f"[{name}]"
        else:
            options = True
    yield from ["[OPTIONS]"] * options


def _is_option(one: Argument) -> bool:
    return one.field_info.kind is inspect.Parameter.KEYWORD_ONLY


def _names(one: Argument) -> list[str]:
    """Return what it is called; an argument that may be named has its place's name first."""
    place = [] if _is_option(one) else [one.positives[0].lstrip("-").upper()]
    return list(dict.fromkeys([*place, *one.positives]))


def _repeats(one: Argument) -> bool:
    return str(one.hint).startswith(("list", "tuple"))


def _named(one: Argument) -> str:
    """Return ``--level X``: its first name, and what follows it."""
    return f"{_names(one)[0]} {_value(one) if _is_option(one) else ''}".strip()


def _value(one: Argument) -> str:
    """Return what follows the name of an option, empty for a flag."""
    if choices := one.get_choices():
        return "|".join(choices)
    words = re.findall(r"\w+", str(one.hint).replace("<class", ""))
    return next(_VALUES[word] for word in words if word in _VALUES)


def _group(one: Argument) -> tuple[int, str]:
    group = one.parameter.group[0]
    # Those that come with the parser, and stand first, have no number.
    return group.sort_key if isinstance(group.sort_key, int) else 0, group.name


def _described(one: Argument) -> str:
    names = ", ".join(f"`{name}`" for name in _names(one))
    if (value := _value(one)) and (_is_option(one) or one.get_choices()):
        names += f" `{value}`"
    default = one.field_info.default
    marks = ["required"] * (one.required and _is_option(one)) + ["optional"] * (
        not one.required and not _is_option(one)
    )
    if not (one.required or default is None or default is False or default == ""):
        marks += [f"default `{default}`"]
    end = f" ({', '.join(marks)})" if marks else ""
    return f"{names}: {plain(one.parameter.help or '')}{end}"
