"""Parameters of every kind, checked once, so that a wrong one is named before any work."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

from veridical.errors import ParameterError

__all__ = ["names", "number", "numbers", "several", "text", "truth", "whole"]


def whole(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """Return a whole number in a range, whatever library its type is from.

    Parameters
    ----------
    name
        The parameter, for an error.
    value
        What was given.
    least, most
        The range, both ends included; None for no upper end.

    Raises
    ------
    ParameterError
        It is none: a fraction, a truth value, a text, a number outside the range.

    Examples
    --------
    >>> whole("seed", 7)
    7
    >>> whole("replicates", 0, 1, 1_000_000)
    Traceback (most recent call last):
        ...
    veridical.errors.ParameterError: replicates is a whole number from 1 to 1,000,000, not 0
      fix: correct it
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        span = f"of at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise ParameterError(
            f"{name} is a whole number {span}, not {_shown(value)}", fix="correct it"
        )
    return number


def number(name: str, value: Any) -> float:
    """Return a finite number as a float; a text is none, whatever it spells.

    Raises
    ------
    ParameterError
        It is none.

    Examples
    --------
    >>> number("threshold", 1)
    1.0
    >>> number("threshold", "0.5")
    Traceback (most recent call last):
        ...
    veridical.errors.ParameterError: threshold is a finite number, not '0.5'
      fix: correct it
    """
    try:
        found = math.nan if isinstance(value, (bool, str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise ParameterError(f"{name} is a finite number, not {_shown(value)}", fix="correct it")
    return found


def numbers(name: str, values: Any) -> list[float]:
    """Return several finite numbers.

    Raises
    ------
    ParameterError
        It is no list of them.

    Examples
    --------
    >>> numbers("thresholds", (0.5, 1))
    [0.5, 1.0]
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise ParameterError(
            f"{name} is a list of numbers, not {_shown(values)}", fix=f"write {name}=[0.5]"
        )
    return [number(f"one of {name}", value) for value in values]


def truth(name: str, value: Any) -> bool:
    """Return True or False; neither a number nor a word stands for one.

    Raises
    ------
    ParameterError
        It is something else.

    Examples
    --------
    >>> truth("intervals", False)
    False
    """
    plain = value.item() if getattr(value, "ndim", None) == 0 else value  # numpy has its own
    if not isinstance(plain, bool):
        raise ParameterError(f"{name} is True or False, not {_shown(value)}", fix="correct it")
    return plain


def text(name: str, value: Any) -> str:
    """Return the name of one column.

    Raises
    ------
    ParameterError
        It is no text.

    Examples
    --------
    >>> text("label", "denied")
    'denied'
    """
    if not isinstance(value, str):
        raise ParameterError(
            f"{name} is the name of a column, not {_shown(value)}", fix="give one name as text"
        )
    return value


def names(name: str, value: Any) -> tuple[str, ...]:
    """Return names of columns as a tuple; one name may stand by itself, and None for no name.

    Raises
    ------
    ParameterError
        One of them is no text.

    Examples
    --------
    >>> names("groups", "region"), names("groups", ["region", "segment"])
    (('region',), ('region', 'segment'))
    """
    return () if value is None else tuple(text(name, one) for one in several(value))


def several(value: Any) -> list[Any]:
    """Return what may be given by itself, or as a list, as a list.

    Examples
    --------
    >>> several("recall"), several(("recall", "fpr"))
    (['recall'], ['recall', 'fpr'])
    """
    single = isinstance(value, (str, bytes)) or not isinstance(value, Iterable)
    return [value] if single else list(value)


def _shown(value: Any) -> str:
    """Return what was given, in one short line."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python prints
        text = "an integer of thousands of digits"
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
