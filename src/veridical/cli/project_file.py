"""Finding and reading the project file: ``veridical.yaml`` or ``[tool.veridical]``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from veridical.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["OF_KERNELS", "ProjectFile", "find_project_file"]

OF_KERNELS: Final = ("VERIDICAL_KERNELS", "VERIDICAL_REQUIRE_KERNELS")
"""Variables that choose kernels, here and when they are built; no option of any command."""

_TABLE = re.compile(r"""tool["']?\s*(?:\.\s*["']?veridical|[\]=])|\\[uUx]""")
"""What a file with [tool.veridical] has in it, however it is spelt, be it with characters by their
numbers; to read any such file takes 10 ms."""

_YAML, _TOML = "veridical.yaml", "pyproject.toml"
_OF_RULES = {"version", "name", "source", "description", "level", "rules", "bands", "costs"}
"""Keys of a rule file, which may be called veridical.yaml too; they are no settings."""
_OF_RAG = {"version", "dataset", "pipeline", "run", "judge", "metrics", "privacy"}
"""Keys of what `veridical rag` reads; `store` is a setting of all commands as well."""
_ONLY_RAG = {"dataset", "pipeline", "judge", "metrics", "privacy"}


class ProjectFile(NamedTuple):
    """A project file.

    Attributes
    ----------
    path
        Where it is.
    name
        What it is called in an error.
    table
        Its settings.
    has_rules
        Whether it is a rule file.
    """

    path: Path
    name: str
    table: Mapping[str, Any]
    has_rules: bool = False


def find_project_file() -> ProjectFile | None:
    """Return the project file of the working directory or of the nearest folder above it.

    Raises
    ------
    ConfigurationError
        It does not parse, or one folder has both kinds.
    """
    try:
        folder = os.getcwd()
    except OSError:  # it was deleted under our feet
        return None
    for place in _upwards(folder):
        in_yaml = _from_yaml(os.path.join(place, _YAML))
        in_toml = _from_toml(os.path.join(place, _TOML))
        if in_yaml is not None and in_toml is not None:
            raise ConfigurationError(
                f"there are settings in {_YAML} and in [tool.veridical] of {_TOML}",
                where=place,
                why="it would be unclear which of the two counts",
                fix="keep one of them",
            )
        if in_yaml is not None or in_toml is not None:
            return in_yaml or in_toml
    return None


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _from_yaml(file: str) -> ProjectFile | None:
    if not os.path.isfile(file):
        return None
    from pathlib import Path

    from veridical import strict_yaml

    path = Path(file)
    text = strict_yaml.read_text(path, "the project file")
    table, _ = strict_yaml.load(text, "the project file", file)
    return _checked(path, path.name, {} if table is None else table)


def _from_toml(file: str) -> ProjectFile | None:
    if not os.path.isfile(file):
        return None
    text = _read(file)
    # Most projects say nothing about veridical, and a broken file of theirs is their affair.
    if not _TABLE.search(text):
        return None
    import tomllib
    from pathlib import Path

    path = Path(file)
    try:
        tools = tomllib.loads(text).get("tool", {})
    except (ValueError, RecursionError) as error:
        if "veridical" not in text:
            return None
        raise ConfigurationError(
            f"the project file does not parse: {error}", where=str(path), fix="correct it"
        ) from error
    if not isinstance(tools, Mapping) or "veridical" not in tools:
        return None
    return _checked(path, f"[tool.veridical] of {path.name}", tools["veridical"])


def _checked(path: Path, name: str, table: Any) -> ProjectFile:
    if not isinstance(table, Mapping) or not all(isinstance(key, str) for key in table):
        raise ConfigurationError(
            "the project file is a table of settings by name",
            where=name,
            fix="write lines such as `seed: 7`",
        )
    has_rules = path.name == _YAML and "rules" in table
    others = set(_OF_RULES) if has_rules else set()
    # A version alone is of a configuration of which every section has its defaults.
    of_rag = _ONLY_RAG if has_rules else _ONLY_RAG | {"version"}
    if path.name == _YAML and of_rag & table.keys():
        others |= _OF_RAG
    settings = {k: v for k, v in table.items() if k not in others}
    return ProjectFile(path, name, settings, has_rules)


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8-sig") as opened:
            return opened.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"the project file cannot be read: {error}", where=file, fix="correct or remove it"
        ) from error
