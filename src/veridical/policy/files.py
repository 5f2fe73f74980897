"""From a YAML file to a checked ``Policy``, with errors that name the line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from veridical import strict_yaml
from veridical.errors import ConfigurationError, FileMissingError, ParameterError
from veridical.policy.schema import BandOfValues, Bands, Policy, Prices, Rule
from veridical.strict_yaml import Place

__all__ = ["load_policy", "load_policy_of", "shipped_policies"]

P = TypeVar("P", bound=Policy)


def shipped_policies() -> dict[str, Path]:
    """Return the policies that come with the package, by name.

    Examples
    --------
    >>> sorted(shipped_policies())
    ['bank', 'fairness-standard', 'metric-standard']
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
    return load_policy_of(source, Policy)


def load_policy_of(source: str | Path | Policy, kind: type[P]) -> P:
    """Return a checked policy of a kind, such as rules about agents.

    Parameters
    ----------
    source
        As for ``load_policy``.
    kind
        The schema that it is held to.
    """
    if isinstance(source, kind):
        return source
    if not isinstance(source, (str, Path)):
        raise ParameterError(
            f"a policy is a name, a path or a Policy, not {type(source).__name__}",
            fix=f"give a YAML file, or one of {', '.join(shipped_policies())}",
        )
    path = shipped_policies().get(str(source)) or Path(source)
    try:
        text = strict_yaml.read_text(path, "the policy")
    except FileNotFoundError:
        raise _no_policy(str(source)) from None
    document, lines = strict_yaml.load(text, "the policy", str(path))
    if not isinstance(document, dict):
        raise ConfigurationError(
            "a policy is a mapping of keys", where=str(path), fix="begin with version: and name:"
        )
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        raise _configuration_error(error, lines, path) from None


def _no_policy(source: str) -> FileMissingError:
    shipped = list(shipped_policies())
    near = difflib.get_close_matches(source, shipped, n=1)
    fix = f"did you mean {near[0]}?" if near else f"shipped: {', '.join(shipped)}; or give a file"
    return FileMissingError("there is no such policy", where=repr(source[:200]), fix=fix)


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
