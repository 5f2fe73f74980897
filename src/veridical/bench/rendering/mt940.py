"""SWIFT MT940: ASCII of a small alphabet, lines of 65 characters."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from veridical.bench.rendering.numbers import written
from veridical.bench.rendering.statement import CannotCarryError, Row, Statement

__all__ = ["mt940"]

# What SWIFT calls its x character set, apart from the ends of lines.
_ALPHABET = re.compile(r"[A-Za-z0-9/\-?:().,'+ ]*\Z")
_WIDTH, _MOST_LINES = 65, 6


def mt940(statement: Statement) -> bytes:
    """Return the file."""
    if statement.comments or statement.notes:
        raise CannotCarryError("MT940 has no comments")
    if statement.closing is None:
        raise CannotCarryError("an MT940 message ends with its closing balance")
    currency = statement.currency
    lines = [
        ":20:STMT" + f"{statement.start:%y%m}",
        ":25:400000/" + statement.account.number,
        ":28C:1/1",
        ":60F:" + _balance(statement.opening, statement.start, currency),
    ]
    for row in statement.rows:
        lines += [_entry(row), *_details(row)]
    lines.append(":62F:" + _balance(statement.closing, statement.end, currency))
    if statement.available is not None:
        lines.append(":64:" + _balance(statement.available, statement.end, currency))
    return ("\r\n".join([*lines, "-"]) + "\r\n").encode("ascii")


def _amount(amount: Decimal) -> str:
    return written(abs(amount), "comma")


def _balance(amount: Decimal, day: date, currency: str) -> str:
    return f"{'D' if amount < 0 else 'C'}{day:%y%m%d}{currency}{_amount(amount)}"


def _entry(row: Row) -> str:
    if row.pending or row.foreign:
        raise CannotCarryError("pending and foreign lines are not written in MT940")
    side = "D" if row.amount < 0 else "C"
    if row.reversal:  # RC takes a credit back, and so is a debit
        side = "RC" if row.amount < 0 else "RD"
    return (
        f":61:{row.value_date:%y%m%d}{row.booked:%m%d}{side}{_amount(row.amount)}"
        f"NTRFNONREF//{row.id}"
    )


def _details(row: Row) -> list[str]:
    lines: list[str] = []
    for tag, place in (("REF", "reference"), ("NAME", "payee"), ("TEXT", "memo")):
        lines += _folded(f"/{tag}/{getattr(row, place)}")
        if added := row.extra.get(place, ""):
            # On lines of its own: what stands above them is not folded anew.
            lines += _folded(added.strip())
    if len(lines) > _MOST_LINES:
        raise CannotCarryError(f"field 86 holds {_MOST_LINES} lines of {_WIDTH} characters")
    return [":86:" + lines[0], *lines[1:]]


def _folded(text: str) -> list[str]:
    if not _ALPHABET.match(text):
        raise CannotCarryError("the text is outside SWIFT's x character set")
    pieces = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    if any(piece.startswith((":", "-")) for piece in pieces[1:]):
        raise CannotCarryError("a line would begin like a tag")
    return pieces
