"""``veridical rank`` spelled in the plainest way, understood without the parser.

To load the parser and to bind words with it takes 80 ms, which is more than it takes to rank a
thousand queries.  What is read here is only what can be read in one way: runs first, then options
in full, each once but for metrics, each value a word of its own, and no settings from outside.
``None`` leaves the words to the parser, as it does help, every mistake, and every option that is
not in the tables.  A test holds the two together: whatever is understood here, the parser
understands alike.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.cli.project_file import OF_KERNELS, find_project_file

__all__ = ["understood"]

_VALUES = {"--qrels": "qrels", "--metric": "metric", "-m": "metric"}
_FLAGS = {
    "--json": "json",
    "--markdown": "markdown",
    "--no-intervals": "no_intervals",
    "--per-query": "per_query",
    "--strict": "strict",
    "--trec": "trec",
}
# Other variables are no options either; to ask the parser about them takes time, and no more.


def understood(words: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the options of ``rank_runs`` that the words spell; None where the parser must look.

    Parameters
    ----------
    words
        Those of the command line, without the name of the program.

    Raises
    ------
    ConfigurationError
        As the parser does: a project file is broken.

    Examples
    --------
    >>> understood(["rank", "--help"]) is None
    True
    """
    options = _spelled(words)
    return options if options is not None and not _configured() else None


def _spelled(words: Sequence[str]) -> dict[str, Any] | None:
    if not words or words[0] != "rank":
        return None
    first = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    options: dict[str, Any] = {"run": list(words[1:first])}
    rest = iter(words[first:])
    for word in rest:
        if word in _FLAGS and _FLAGS[word] not in options:
            options[_FLAGS[word]] = True
        elif word in _VALUES:
            name, value = _VALUES[word], next(rest, "")
            if not value or value.startswith("-"):
                return None
            if name == "metric":
                options.setdefault(name, []).append(value)
            elif name not in options:
                options[name] = value
            else:
                return None
        else:
            return None
    return options if all(options["run"]) and options["run"] and "qrels" in options else None


def _configured() -> bool:
    """Whether the environment or a project file may say something about the options."""
    variables = any(name.startswith("VERIDICAL_") and name not in OF_KERNELS for name in os.environ)
    return variables or find_project_file() is not None
