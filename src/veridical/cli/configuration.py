"""Settings from outside the command line: environment first, then the project file.

``veridical.yaml``, or ``[tool.veridical]`` in ``pyproject.toml``, is looked for in the working
directory and then upwards.  A key at its top is an option of every command that has it; a section
named after a command holds options of that command alone::

    seed: 7
    evaluate:
      label: is_fraud
      score: [p_logistic, p_boosting]

In the environment ``VERIDICAL_SEED`` is an option of every command that has it, and
``VERIDICAL_EVALUATE_SEED`` of one.  A name that stands for nothing is an error, because a setting
that is silently ignored changes what a number means.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cyclopts import App, ArgumentCollection, Token

from veridical.cli.project_file import OF_KERNELS, ProjectFile, find_project_file
from veridical.errors import ConfigurationError
from veridical.judge.settings import DEFAULT_KEY, VARIABLES

__all__ = ["configure"]

_PREFIX = "VERIDICAL_"
# They examine the settings, so they must work with any.
_UNCONFIGURED = (("doctor",), ("rag", "doctor"))
_NOT_OPTIONS = {
    *OF_KERNELS,
    # The judge's own, read where a judge is configured.
    DEFAULT_KEY,
    # A monitor's own: the default of `Target.secret_env`, whose module takes long to import.
    "VERIDICAL_WEBHOOK_SECRET",
    *(name for names in VARIABLES.values() for name in names if name.startswith(_PREFIX)),
}


@dataclass(frozen=True, slots=True)
class _Setting:
    """One value from outside: where it stands, and what it says."""

    place: str
    source: str
    value: Any


def configure(
    root: App, _app: App, commands: tuple[str, ...], arguments: ArgumentCollection
) -> None:
    """Fill in the options that the command line left open; called by the parser.

    Parameters
    ----------
    root
        The whole command line: its options are the settings there are.
    commands
        The command that runs.
    arguments
        Its arguments, as far as the command line gives them.

    Raises
    ------
    ConfigurationError
        A key or variable that is no option, or a value of the wrong kind.
    """
    if commands in _UNCONFIGURED:
        return
    variables = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_PREFIX) and name not in _NOT_OPTIONS
    }
    project = find_project_file()
    if not variables and project is None:
        return
    options = _Options(root)
    found = {} if project is None else _from_project(project, options, commands)
    found |= _from_environment(variables, options, commands)
    for argument in arguments:
        setting = found.get(_key(argument.name))
        if setting is not None and argument.parse and not argument.tokens:
            _append(argument, setting)


class _Options(Mapping[str, set[str]]):
    """The options of every command by its name, found out when they are looked at.

    To find them out takes longer than many a command, and most project files name few.
    """

    def __init__(self, root: App) -> None:
        self._root = root
        self._names = [name for name in root if not name.startswith("-")]
        self._known: dict[str, set[str]] = {}

    def __getitem__(self, name: str) -> set[str]:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._known:
            self._known[name] = _options_of(self._root[name])
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def of_any(self, option: str, commands: tuple[str, ...]) -> bool:
        """Return whether any command has an option; the one that runs is asked first."""
        first = [name for name in commands[:1] if name in self]
        return any(option in self[name] for name in (*first, *self))


def _options_of(command: App) -> set[str]:
    """Return the options of a command; those of a group of commands together."""
    if command.default_command is None:
        return set().union(
            *(_options_of(command[name]) for name in command if not name.startswith("-"))
        )
    return {
        _key(argument.name)
        for argument in command.assemble_argument_collection()
        if argument.name.startswith("-")
    }


def _key(name: str) -> str:
    return name.lstrip("-").replace("-", "_").casefold()


def _from_project(
    project: ProjectFile, options: _Options, commands: tuple[str, ...]
) -> dict[str, _Setting]:
    found: dict[str, _Setting] = {}
    for key, value in project.table.items():
        if _key(key) in options and (value is None or isinstance(value, Mapping)):
            known = options[_key(key)]
            for inner, inner_value in (value or {}).items():
                if _key(inner) not in known:
                    raise _unknown(f"{key}.{inner}", _key(inner), known, project.name)
                if commands and commands[0] == _key(key):
                    place = f"{key}.{inner}"
                    found[_key(inner)] = _Setting(place, project.name, inner_value)
        elif _key(key) in options:
            raise ConfigurationError(
                f"{key!r} is a section of options, not {str(value)[:80]!r}",
                where=project.name,
                fix=f"indent the options of `veridical {_key(key)}` below it",
            )
        elif options.of_any(_key(key), commands):
            found.setdefault(_key(key), _Setting(key, project.name, value))
        else:
            known = set(options).union(*options.values())
            raise _unknown(key, _key(key), known, project.name)
    return found


def _from_environment(
    variables: Mapping[str, str], options: Mapping[str, set[str]], commands: tuple[str, ...]
) -> dict[str, _Setting]:
    """A variable of one command beats one of all commands."""
    if not variables:
        return {}
    known = {option: None for names in options.values() for option in names}
    own = {f"{name}_{option}": name for name, names in options.items() for option in names}
    found: dict[str, _Setting] = {}
    for variable in sorted(variables, key=lambda name: name.removeprefix(_PREFIX).lower() in own):
        key = variable.removeprefix(_PREFIX).lower()
        setting = _Setting(variable, "the environment", variables[variable])
        if key in own:
            if commands and commands[0] == own[key]:
                found[key.removeprefix(f"{own[key]}_")] = setting
        elif key in known:
            found[key] = setting
        else:
            names = [f"{_PREFIX}{name.upper()}" for name in (*known, *own)]
            raise _unknown(variable, variable, [*names, *_NOT_OPTIONS], "the environment")
    return found


def _unknown(shown: str, key: str, known: Iterable[str], source: str) -> ConfigurationError:
    names = sorted(known)
    near = difflib.get_close_matches(key, names, n=1, cutoff=0.6)
    return ConfigurationError(
        f"{shown!r} is no setting",
        where=source,
        why="a setting that is silently ignored changes what a number means",
        fix=f"did you mean {near[0]}?" if near else f"the settings are: {', '.join(names)}",
    )


def _append(argument: Any, setting: _Setting) -> None:
    if isinstance(setting.value, bool) and _may_stand_alone(argument):  # save: true
        if setting.value:
            alone = Token(keyword=setting.place, source=setting.source, implicit_value=[])
            argument.append(alone)
        return
    values = setting.value if isinstance(setting.value, list) else [setting.value]
    for index, value in enumerate(values):
        text = _text(value, setting)
        if argument.is_flag():
            if text.casefold() in {"false", "no", "0", ""}:
                continue
            if text.casefold() not in {"true", "yes", "1"}:
                raise _wrong(setting, "is yes or no")
            argument.append(
                Token(keyword=setting.place, source=setting.source, implicit_value=True)
            )
        else:
            if index and not _takes_many(argument):
                raise _wrong(setting, "takes one value, not a list")
            token = Token(keyword=setting.place, value=text, source=setting.source, index=index)
            argument.append(token)


def _may_stand_alone(argument: Any) -> bool:
    """Whether an option may be given without a value, as ``--save``."""
    least_and_most = argument.parameter.consume_multiple
    return isinstance(least_and_most, tuple) and least_and_most[0] == 0


def _takes_many(argument: Any) -> bool:
    return bool(argument.token_count()[1])


def _text(value: Any, setting: _Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise _wrong(setting, "is one word or number, or a list of them")


def _wrong(setting: _Setting, expectation: str) -> ConfigurationError:
    return ConfigurationError(
        f"{setting.place} {expectation}, not {setting.value!r}",
        where=setting.source,
        fix="correct it",
    )
