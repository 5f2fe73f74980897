"""Packages whose names are loaded when they are first used (PEP 562), and numpy alike.

A package that imports all its modules makes everyone who wants one of them pay for the others.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["loaded_late", "np", "numpy_version"]


class _Late(ModuleType):
    """A module that is imported when something in it is asked for."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, value)  # found once, never looked up again
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = _Late("numpy")
    """numpy takes 70 ms, a third of what it takes to rank ten thousand queries from files."""


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


@cache
def numpy_version() -> str:
    """Return the version of numpy, which it keeps in a file of its own: no other is loaded.

    Examples
    --------
    >>> numpy_version() == np.__version__
    True
    """
    home = find_spec("numpy")
    folder = next(iter(home.submodule_search_locations or []), "") if home else ""
    spec = spec_from_file_location("version_of_numpy", f"{folder}/version.py")
    if spec is None or spec.loader is None:
        return str(np.__version__)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.version)
