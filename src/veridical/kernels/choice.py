"""Which of the two implementations runs."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from veridical.errors import ConfigurationError, MissingExtraError

__all__ = ["VARIABLE", "backend", "implementation", "loaded_backend"]

VARIABLE: Final = "VERIDICAL_KERNELS"
_TOPICS: Final = (
    "bootstrap",
    "edits",
    "histogram",
    "labels",
    "ngrams",
    "powers",
    "query_sums",
    "ranking",
    "reliability",
    "slots",
    "sorting",
    "subsequences",
    "tokens",
    "trec",
)
_FOLDERS: Final = {"numpy": "plain", "compiled": "compiled"}


def backend() -> str:
    """Return ``"compiled"`` or ``"numpy"``: the implementation in use.

    Raises
    ------
    ConfigurationError
        When the environment variable ``VERIDICAL_KERNELS`` is neither empty, nor one of the two.
    MissingExtraError
        When it asks for compiled kernels and they were not built.

    Examples
    --------
    >>> backend() in ("compiled", "numpy")
    True
    """
    return _resolve(os.environ.get(VARIABLE, ""))


@cache
def implementation(topic: str) -> Any:
    """Return the module that implements a topic: ``"sorting"``, ...

    It is chosen when the first kernel of the topic runs, and stays.

    Raises
    ------
    MissingExtraError
        A compiled kernel is there and does not load: it was built for another machine.
    """
    try:
        return import_module(f"veridical.kernels.{_FOLDERS[backend()]}.{topic}")
    except ImportError as error:
        raise MissingExtraError(
            f"the compiled kernel {topic!r} does not load: {error}",
            where="kernels",
            why="it was built for another machine or another Python",
            fix=f"set {VARIABLE}=numpy, or install veridical again",
        ) from error


def loaded_backend() -> str:
    """Load every kernel, which may fail, and return what ``backend`` does."""
    for topic in _TOPICS:
        implementation(topic)
    return backend()


@lru_cache(maxsize=8)
def _resolve(wanted: str) -> str:
    if wanted not in ("", *_FOLDERS):
        raise ConfigurationError(
            f"{VARIABLE} is {wanted!r}",
            where="environment",
            why="kernels are either numpy or compiled",
            fix=f"unset it, or set it to {' or '.join(_FOLDERS)}",
        )
    if wanted == "numpy":
        return wanted
    missing = _missing_topics()
    if not missing:
        return "compiled"
    if wanted == "compiled":
        raise MissingExtraError(
            f"compiled kernels are missing: {', '.join(missing)}",
            where=f"{VARIABLE}=compiled",
            why="the package was built without a working C compiler",
            fix="install a C compiler, and veridical again with VERIDICAL_REQUIRE_KERNELS=1",
        )
    return "numpy"


def _missing_topics() -> list[str]:
    """Look for all of them, and load none: a command needs one or two."""
    return [one for one in _TOPICS if find_spec(f"veridical.kernels.compiled.{one}") is None]
