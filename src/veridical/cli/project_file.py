"""Finding and reading the project file: ``veridical.yaml`` or ``[tool.veridical]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from veridical.errors import ConfigurationError

__all__ = ["OF_KERNELS", "ProjectFile", "find_project_file"]

OF_KERNELS: Final = ("VERIDICAL_KERNELS", "VERIDICAL_REQUIRE_KERNELS")
"""Variables that choose kernels, here and when they are built; no option of any command."""

_TABLE = re.compile(r"""tool["']?\s*(?:\.\s*["']?veridical|[\]=])""")
"""What a file with [tool.veridical] has in it, however it is spelt; to read any such file takes
10 ms."""

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
        folder = Path.cwd()
    except OSError:  # it was deleted under our feet
        return None
    for place in (folder, *folder.parents):
        in_yaml, in_toml = _from_yaml(place / _YAML), _from_toml(place / _TOML)
        if in_yaml is not None and in_toml is not None:
            raise ConfigurationError(
                f"there are settings in {_YAML} and in [tool.veridical] of {_TOML}",
                where=str(place),
                why="it would be unclear which of the two counts",
                fix="keep one of them",
            )
        if in_yaml is not None or in_toml is not None:
            return in_yaml or in_toml
    return None


def _from_yaml(path: Path) -> ProjectFile | None:
    if not path.is_file():
        return None
    from veridical import strict_yaml

    text = strict_yaml.read_text(path, "the project file")
    table, _ = strict_yaml.load(text, "the project file", str(path))
    return _checked(path, path.name, {} if table is None else table)


def _from_toml(path: Path) -> ProjectFile | None:
    if not path.is_file():
        return None
    text = _read(path)
    # Most projects say nothing about veridical, and a broken file of theirs is their affair.
    if not _TABLE.search(text):
        return None
    import tomllib

    try:
        tools = tomllib.loads(text).get("tool", {})
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"the project file does not parse: {error}", where=str(path), fix="correct it"
        ) from error
    if "veridical" not in tools:
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


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"the project file cannot be read: {error}", where=str(path), fix="correct or remove it"
        ) from error
