"""How values, rows and names from outside are shown in an error, safely and briefly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from veridical.errors import InputError, MissingColumnError

__all__ = [
    "MISSING_WORDS",
    "NUMBER",
    "check_names",
    "counted",
    "did_you_mean",
    "listed",
    "missing_column",
    "shown",
    "told_path",
]

MISSING_WORDS = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan"}
    | {"NULL", "Null", "null", "NaT"}
)
"""Texts that stand for a missing score, weight or label, as pandas and R write them."""

NUMBER = r"^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))$"
"""What the file readers take for a number, as a regular expression."""

_SHOWN_VALUES = 10
_SHOWN_CHARACTERS = 40


def shown(value: Any, limit: int = _SHOWN_CHARACTERS) -> str:
    r"""Return ``value`` as one short line: escaped, cut at ``limit`` characters, never code.

    Examples
    --------
    >>> shown("a\nb"), shown(1.0), shown(0.25)
    ("'a\\nb'", '1', '0.25')
    """
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, (str, bytes)):
        value = value[: limit + 1]
    try:
        text = repr(value)
    except ValueError:  # int of more digits than Python writes
        text = f"<{type(value).__name__} of too many digits>"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def listed(values: Iterable[Any], most: int = _SHOWN_VALUES) -> str:
    """Return at most ``most`` values, comma-separated, and how many more there are.

    Examples
    --------
    >>> listed(["a", 2, "c"], most=2)
    "'a', 2 and 1 more"
    """
    every = list(values)
    text = ", ".join(shown(value) for value in every[:most])
    return text if len(every) <= most else f"{text} and {len(every) - most} more"


def told_path(path: str) -> str:
    r"""Return a path as it is if it can be printed, else escaped.

    Examples
    --------
    >>> told_path("data/scores.csv"), told_path("a\x1b[2J.csv")
    ('data/scores.csv', "'a\\x1b[2J.csv'")
    """
    return path if path.isprintable() else shown(path, 200)


def counted(n: int, noun: str) -> str:
    """Return the count with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """Return the near names of ``name`` as a question, or an empty string."""
    lower: dict[str, str] = {}
    for known in names:
        lower.setdefault(known.strip().lower(), known)
    import difflib

    near = difflib.get_close_matches(name.strip().lower(), list(lower), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(shown(lower[n]) for n in near)}?" if near else ""


def missing_column(name: str, names: Sequence[str], where: str) -> MissingColumnError:
    """Return the error for a column that is not there, with what is."""
    there = f"the columns are {listed(names, most=20)}" if names else "there are no columns"
    return MissingColumnError(
        f"there is no column {shown(name)}",
        where=where,
        why=there,
        fix=did_you_mean(name, names) or "name one of these columns",
    )


def check_names(needed: Iterable[str], names: Sequence[str], where: str) -> None:
    """Raise unless every needed column is there exactly once."""
    for name in needed:
        count = names.count(name)
        if count == 0:
            raise missing_column(name, names, where)
        if count > 1:
            raise InputError(
                f"the column {shown(name)} occurs {count} times",
                where=where,
                why="it is not clear which of them is meant",
                fix="rename all but one of them",
            )
