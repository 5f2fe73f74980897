"""YAML without surprises: what a person wrote is what is read, and where it stands is known.

No duplicate keys, no aliases, no tags, one document, and only the values that JSON knows.  Numbers
are those of YAML 1.2 (``1e-3`` is a number, ``no`` is text).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import yaml

from veridical.errors import ConfigurationError

__all__ = ["Place", "load", "read_text"]

LARGEST_FILE: Final = 1_000_000
_LONGEST_NUMBER: Final = 400

Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a value."""

_FLOAT = re.compile(r"^[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?$")


class _StrictLoader(yaml.SafeLoader):
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}  # type: ignore[misc]

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        mark: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases are not allowed", problem_mark=mark)
        if getattr(event, "tag", None) is not None:
            raise yaml.MarkedYAMLError(problem="tags are not allowed", problem_mark=mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - the signature of the base class
        seen = set()
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                raise yaml.MarkedYAMLError(problem="a key is text", problem_mark=key.start_mark)
            if key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"{key.value[:80]!r} stands twice", problem_mark=key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


for _tag, _pattern, _first in (
    ("null", re.compile(r"^(?:null|~|)$"), ["n", "~", ""]),
    ("bool", re.compile(r"^(?:true|false)$"), ["t", "f"]),
    (
        "int",
        re.compile(rf"^[-+]?(?:0|[1-9]\d{{0,{_LONGEST_NUMBER}}})$"),
        list("-+0123456789"),
    ),
    ("float", _FLOAT, list("-+.0123456789")),
):
    _StrictLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _pattern, _first)


def read_text(path: Path, noun: str) -> str:
    """Return the text of a small regular file.

    Parameters
    ----------
    path
        The file.
    noun
        What it is called in an error.

    Raises
    ------
    FileNotFoundError
        There is none.
    ConfigurationError
        It is a folder or a device, too large, not to be read, or not UTF-8.
    """
    where = str(path)[:200]
    try:
        if path.exists() and not path.is_file():
            raise ConfigurationError(
                f"{noun} is not a regular file", where=where, fix="give a YAML file"
            )
        if path.stat().st_size > LARGEST_FILE:
            raise ConfigurationError(
                f"{noun} has {path.stat().st_size:,} bytes, more than {LARGEST_FILE:,}",
                where=where,
                fix="give a YAML file of rules or settings",
            )
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{noun} is not UTF-8 text", where=where, fix="save it as UTF-8"
        ) from error
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(
            f"{noun} cannot be read: {getattr(error, 'strerror', None) or error}",
            where=where,
            fix="give a YAML file",
        ) from error


def load(text: str, noun: str, where: str) -> tuple[Any, Mapping[Place, int]]:
    """Return what a YAML text says, and the line on which each value and each key stands.

    Parameters
    ----------
    text
        One document.
    noun, where
        What it is called in an error, and its path.

    Raises
    ------
    ConfigurationError
        It is not YAML of this kind; ``where`` tells the line.
    """
    try:
        loader = _StrictLoader(text)
        node = loader.get_single_node()
        document = loader.construct_document(node) if node else None
        return document, {} if node is None else _lines(node)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise ConfigurationError(
            f"{noun} is not YAML that we read: {problem}",
            where=f"{where}:{mark.line + 1}" if mark else where,
            fix="correct the line",
        ) from error


def _lines(node: Any, place: Place = ()) -> dict[Place, int]:
    lines = {place: node.start_mark.line + 1}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            lines |= _lines(value, (*place, key.value))
            lines[*place, key.value] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            lines |= _lines(value, (*place, index))
    return lines
