"""SWIFT MT940."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Final

from veridical.bench.readers.shown import Shown, ShownLine, UnreadableError

__all__ = ["read_mt940"]

_FIELD: Final = re.compile(r":(\d\d[A-Z]?):")
_BALANCE: Final = re.compile(r"([CD])(\d{6})([A-Z]{3})([0-9]+,[0-9]*)", re.ASCII)
_ENTRY: Final = re.compile(
    r"(\d{6})(\d{4})?(RC|RD|C|D)([A-Z])?([0-9]+,[0-9]*)([A-Z][A-Z0-9]{3})([^/\n]*)(?://([^\n]*))?",
    re.ASCII,
)
_PARTS: Final = re.compile(r"/(REF|NAME|TEXT)/")


def read_mt940(name: str, text: str) -> Shown:
    """Read a statement; several messages follow one another."""
    shown = Shown(file=name)
    for tag, content in _fields(text):
        if tag in {"60F", "60M"}:
            currency, amount = _balance(content)
            shown.currency = shown.currency or currency
            shown.opening = shown.opening or (amount,)
        elif tag in {"62F", "62M"}:
            shown.closing = (_balance(content)[1],)
        elif tag == "61":
            shown.lines.append(_entry(content))
        elif tag == "86" and shown.lines:
            _detail(shown.lines[-1], content)
    return shown


def _fields(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        match = _FIELD.match(line)
        if match is not None:
            found.append((match[1], line[match.end() :]))
        elif found and line not in {"", "-"}:
            tag, content = found[-1]
            found[-1] = (tag, f"{content}\n{line}")
    return found


def _amount(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _balance(content: str) -> tuple[str, Decimal]:
    match = _BALANCE.match(content)
    if match is None:
        raise UnreadableError("a balance of MT940 cannot be read")
    size = _amount(match[4])
    return match[3], -size if match[1] == "D" else size


def _entry(content: str) -> ShownLine:
    match = _ENTRY.match(content)
    if match is None:
        raise UnreadableError("an entry of MT940 cannot be read")
    value = _day(match[1])
    booked = value
    if match[2]:  # month and day; the year is that which is nearest to the value date
        near = (value.year - 1, value.year, value.year + 1)
        days = [_made(year, match[2]) for year in near]
        booked = min((day for day in days if day), key=lambda day: abs((day - value).days))
    size = _amount(match[5])
    return ShownLine(
        line_id=(match[8] or match[7] or "").strip(),
        # A credit that is taken back is a debit, and the other way round.
        amounts=(-size if match[3] in {"D", "RC"} else size,),
        booked=booked,
        reversal=match[3].startswith("R"),
    )


def _detail(line: ShownLine, content: str) -> None:
    whole = content.replace("\n", "")
    pieces = _PARTS.split(whole)
    for tag, value in zip(pieces[1::2], pieces[2::2], strict=True):
        place = {"REF": "reference", "NAME": "payee", "TEXT": "memo"}[tag]
        if not getattr(line, place):
            setattr(line, place, value)
    lines = content.split("\n")
    if lines[0].startswith("/REF/"):  # what is folded comes in full lines, what is added does not
        line.reference = _unfolded(lines)[0].removeprefix("/REF/")


def _unfolded(lines: list[str]) -> list[str]:
    found = [lines[0]]
    for before, one in pairwise(lines):
        if len(before) == 65 and not _PARTS.match(one):
            found[-1] += one
        else:
            found.append(one)
    return found


def _day(text: str) -> date:
    try:
        return date(2000 + int(text[:2]), int(text[2:4]), int(text[4:6]))
    except ValueError as error:
        raise UnreadableError("a date of MT940 cannot be read") from error


def _made(year: int, text: str) -> date | None:
    try:
        return date(year, int(text[:2]), int(text[2:]))
    except ValueError:
        return None
