"""Figures in any usual notation, and what a file's other figures say about the doubtful ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, Self

from veridical.bench.readers.shown import UnreadableError

__all__ = ["Notation", "readings"]

_DIGITS: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*\Z", re.ASCII)
_SPACES: Final = re.compile(r"[\s\u00a0\u202f'\u2019]")
_MINUS: Final = "-\u2212\u2013"

Role = Literal["decimal", "group"]


@dataclass(frozen=True, slots=True)
class Notation:
    """What the clear figures of a file show about its separators.

    Attributes
    ----------
    roles
        Pairs of a separator and a role that some figure leaves no doubt about.
    """

    roles: frozenset[tuple[str, Role]] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Return what these figures show."""
        return cls(frozenset(role for text in texts for role in _roles(_split(text)[1])))


def readings(text: str, notation: Notation) -> tuple[Decimal, ...]:
    """Return every amount that a figure may stand for, the likeliest first.

    Parameters
    ----------
    text
        Digits, perhaps grouped, with one of many signs: ``-``, U+2212, a trailing minus, or
        parentheses.
    notation
        Of the file that it stands in.

    Raises
    ------
    UnreadableError
        It is no figure.

    Examples
    --------
    >>> readings("(1.234,50)", Notation())
    (Decimal('-1234.50'),)
    >>> readings("1.234", Notation()), readings("1.234", Notation.of(["7.50"]))
    ((Decimal('1.234'), Decimal('1234')), (Decimal('1.234'),))
    """
    negative, digits = _split(text)
    if not _DIGITS.match(digits):
        raise UnreadableError(f"{text[:40]!a} is no figure")
    sizes = _sizes(digits, notation)
    return tuple(-size if negative else size for size in sizes)


def _split(text: str) -> tuple[bool, str]:
    """Return whether a figure is negative, and its digits with their separators."""
    plain = _SPACES.sub("", text.strip())
    negative = False
    if plain.startswith("(") and plain.endswith(")"):
        negative, plain = True, plain[1:-1]
    if plain[:1] in _MINUS and plain:
        negative, plain = not negative, plain[1:]
    elif plain[-1:] in _MINUS and plain:
        negative, plain = not negative, plain[:-1]
    return negative, plain.removeprefix("+")


def _roles(digits: str) -> list[tuple[str, Role]]:
    """Return what the separators of a figure are beyond doubt; nothing where they may be both."""
    if not _DIGITS.match(digits):
        return []
    separators = [sign for sign in digits if sign in ".,"]
    if not separators:
        return []
    last = separators[-1]
    if len(set(separators)) == 2:
        return [(last, "decimal"), (separators[0], "group")]
    if len(separators) > 1:
        return [(last, "group")]
    before, after = digits.split(last)
    if len(after) != 3 or len(before) > 3 or before.startswith("0"):
        return [(last, "decimal")]
    return []


def _sizes(digits: str, notation: Notation) -> tuple[Decimal, ...]:
    separators = {sign for sign in digits if sign in ".,"}
    if not separators:
        return (Decimal(digits),)
    roles = dict(_roles(digits))
    if roles:
        return (_value(digits, roles),)
    (sign,) = separators
    known = {role for separator, role in notation.roles if separator == sign}
    both: list[Role] = ["decimal", "group"]
    possible = [role for role in both if role in known] if len(known) == 1 else both
    return tuple(_value(digits, {sign: role}) for role in possible)


def _value(digits: str, roles: dict[str, Role]) -> Decimal:
    for sign, role in roles.items():
        digits = digits.replace(sign, "" if role == "group" else "_")
    return Decimal(digits.replace("_", "."))
