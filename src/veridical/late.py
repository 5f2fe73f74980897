"""Packages whose names are loaded when they are first used (PEP 562).

A package that imports all its modules makes everyone who wants one of them pay for the others.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["loaded_late"]


def loaded_late(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package.

    Parameters
    ----------
    package
        Its name.
    homes
        The names that each of its modules defines.

    Examples
    --------
    >>> loaded_late("veridical", {"late": ["loaded_late"]})("loaded_late") is loaded_late
    True
    """
    home = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)  # found once, never looked up again
        return value

    return load
