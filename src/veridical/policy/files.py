"""From a YAML file to a checked ``Policy``, with errors that name the line.

The YAML is read strictly: no duplicate keys, no aliases, one document, and only the values that
JSON knows.  Numbers are those of YAML 1.2 (``1e-3`` is a number, ``no`` is text).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import yaml
from pydantic import BaseModel, ValidationError

from veridical.errors import ConfigurationError, FileMissingError
from veridical.policy.schema import BandOfValues, Bands, Policy, Prices, Rule

__all__ = ["load_policy", "shipped_policies"]

LARGEST_FILE = 1_000_000
Place: TypeAlias = tuple[str | int, ...]

_FLOAT = re.compile(r"^[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?$")


class _StrictLoader(yaml.SafeLoader):
    """YAML without surprises; ``lines`` maps the place of each value to its line."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}  # type: ignore[misc]

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="aliases are not allowed", problem_mark=mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - the signature of the base class
        seen = set()
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                raise yaml.MarkedYAMLError(problem="a key is text", problem_mark=key.start_mark)
            if key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"{key.value!r} stands twice", problem_mark=key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


for _tag, _pattern, _first in (
    ("null", re.compile(r"^(?:null|~|)$"), ["n", "~", ""]),
    ("bool", re.compile(r"^(?:true|false)$"), ["t", "f"]),
    ("int", re.compile(r"^[-+]?(?:0|[1-9]\d*)$"), list("-+0123456789")),
    ("float", _FLOAT, list("-+.0123456789")),
):
    _StrictLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _pattern, _first)


def shipped_policies() -> dict[str, Path]:
    """Return the policies that come with the package, by name.

    Examples
    --------
    >>> sorted(shipped_policies())
    ['bank', 'metric-standard']
    """
    folder = Path(str(files("veridical") / "policies"))
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def load_policy(source: str | Path | Policy) -> Policy:
    """Return a checked policy.

    Parameters
    ----------
    source
        The name of a shipped policy, a YAML file, or a policy, which is returned as it is.

    Raises
    ------
    FileMissingError
        No such file, and no shipped policy of this name.
    ConfigurationError
        The file is no policy; the message names the line and the nearest legal key.

    Examples
    --------
    >>> load_policy("metric-standard").rules[0].metric
    'binary.average_precision'
    """
    if isinstance(source, Policy):
        return source
    path = shipped_policies().get(str(source)) or Path(source)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise _no_policy(str(source)) from None
    except OSError as error:
        raise ConfigurationError(
            f"the policy cannot be read: {error.strerror}", where=str(path), fix="give a YAML file"
        ) from error
    if len(raw) > LARGEST_FILE:
        raise ConfigurationError(
            f"the policy has {len(raw):,} bytes, more than {LARGEST_FILE:,}",
            where=str(path),
            fix="give a YAML file of rules",
        )
    document, lines = _parsed(raw, path)
    try:
        return Policy.model_validate(document)
    except ValidationError as error:
        raise _configuration_error(error, lines, path) from None


def _no_policy(source: str) -> FileMissingError:
    shipped = list(shipped_policies())
    near = difflib.get_close_matches(source, shipped, n=1)
    fix = f"did you mean {near[0]}?" if near else f"shipped: {', '.join(shipped)}; or give a file"
    return FileMissingError("there is no such policy", where=repr(source[:200]), fix=fix)


def _parsed(raw: bytes, path: Path) -> tuple[Any, Mapping[Place, int]]:
    try:
        loader = _StrictLoader(raw.decode("utf-8"))
        node = loader.get_single_node()
        document = loader.construct_document(node) if node else None
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            "the policy is not UTF-8 text", where=str(path), fix="save it as UTF-8"
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise ConfigurationError(
            f"the policy is not YAML that we read: {problem}", where=place, fix="correct the line"
        ) from error
    if not isinstance(document, dict):
        raise ConfigurationError(
            "a policy is a mapping of keys", where=str(path), fix="begin with version: and name:"
        )
    return document, _lines(node)


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


def _configuration_error(
    error: ValidationError, lines: Mapping[Place, int], path: Path
) -> ConfigurationError:
    """Return the first problem of the file as an error with its line."""
    first, *others = error.errors(include_url=False)
    place: Place = first["loc"]
    known = next(place[:n] for n in range(len(place), -1, -1) if place[:n] in lines)
    at = ".".join(str(part + 1) if isinstance(part, int) else part for part in known)
    message = first["msg"].removeprefix("Value error, ")
    fix = "correct the line"
    if first["type"] == "extra_forbidden":
        message, fix = _unknown_key(place)
    elif first["type"] == "missing":
        message, fix = f"{place[-1]!r} is missing", "add it"
    more = f" (and {len(others)} more)" if others else ""
    where = f"{path}:{lines[known]}" + (f", {at}" if at else "")
    return ConfigurationError(f"the policy does not hold: {message}{more}", where=where, fix=fix)


def _unknown_key(place: Place) -> tuple[str, str]:
    legal = list(_model_at(place[:-1]).model_fields)
    key = str(place[-1])
    near = difflib.get_close_matches(key, legal, n=1)
    fix = f"did you mean {near[0]!r}?" if near else f"the keys here are: {', '.join(legal)}"
    return f"there is no key {key[:80]!r}", fix


def _model_at(place: Place) -> type[BaseModel]:
    kinds: dict[str, type[BaseModel]] = {"rules": Rule, "costs": Prices, "bands": Bands}
    if len(place) > 2:
        return BandOfValues
    return kinds.get(str(place[0]), Policy) if place else Policy
