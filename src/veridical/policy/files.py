"""From a YAML file to a checked ``Policy``, with errors that name the line."""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from veridical.checked_yaml import load_checked
from veridical.errors import FileMissingError, ParameterError
from veridical.policy.schema import Policy

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
        checked, _ = load_checked(kind, path, "the policy", first_key="version")
    except FileNotFoundError:
        raise _no_policy(str(source)) from None
    return checked


def _no_policy(source: str) -> FileMissingError:
    shipped = list(shipped_policies())
    near = difflib.get_close_matches(source, shipped, n=1)
    fix = f"did you mean {near[0]}?" if near else f"shipped: {', '.join(shipped)}; or give a file"
    return FileMissingError("there is no such policy", where=repr(source[:200]), fix=fix)
