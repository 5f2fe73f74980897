"""BAI2: records of codes, and counts and totals that must add up."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Final

from veridical.bench.readers.shown import Shown, ShownLine, UnreadableError

__all__ = ["read_bai2"]

_OPENING, _CLOSING = "010", "015"
_WHOLE: Final = frozenset({"JPY", "KRW", "CLP", "VND", "ISK"})


def read_bai2(name: str, text: str) -> Shown:
    """Read a file of one account."""
    try:
        return _read(name, text)
    except (ValueError, IndexError) as error:
        raise UnreadableError("a record of BAI2 cannot be read") from error


def _read(name: str, text: str) -> Shown:
    shown = Shown(file=name)
    day, total, account_records, group_records = date.min, 0, 0, 0
    groups, file_total, group_total, n_records = 0, 0, 0, 0
    records = _records(text)
    for code, fields, n_lines in records:
        n_records += n_lines
        account_records += n_lines
        group_records += n_lines
        if code == "02":
            day, group_records, group_total = _day(fields[3]), n_lines, 0
        elif code == "03":
            account_records, total = n_lines, 0
            shown.currency = fields[1] or shown.currency
            total += _summary(shown, fields)
        elif code == "16":
            line = _entry(fields, day, shown.currency or "")
            total += abs(int(fields[1]))
            shown.lines.append(line)
        elif code == "49":
            _check(shown, "account", fields, total, account_records)
            group_total += total
        elif code == "98":
            _check(shown, "group", [fields[0], fields[-1]], group_total, group_records)
            file_total += group_total
            groups += 1
        elif code == "99":
            _check(shown, "file", [fields[0], fields[-1]], file_total, n_records)
            if int(fields[1]) != groups:
                shown.broken_controls.append("number of groups")
    if not records or records[-1][0] != "99":
        shown.broken_controls.append("no end of file")
    return shown


def _records(text: str) -> list[tuple[str, list[str], int]]:
    """Return code, fields and number of lines of each record; continuations are joined."""
    found: list[tuple[str, list[str], int]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip():
            continue
        code, _, rest = line.partition(",")
        if code == "88" and found:
            before, fields, lines = found[-1]
            if before == "16":  # what goes on is its text
                fields = [*fields[:-1], fields[-1] + rest]
            else:
                fields = [*fields, *_cells(before, rest)]
            found[-1] = (before, fields, lines + 1)
        else:
            found.append((code, _cells(code, rest), 1))
    return found


def _cells(code: str, rest: str) -> list[str]:
    if code == "16":  # its text is the last field, and may hold anything
        return rest.split(",", 5)
    return rest.rstrip().removesuffix("/").split(",")


def _summary(shown: Shown, fields: list[str]) -> int:
    """Take the balances of an account record, and return the sum of all its amounts."""
    total = 0
    for at in range(2, len(fields) - 1, 4):
        code, amount = fields[at], fields[at + 1]
        if not amount:
            continue
        total += int(amount)
        balance = (_money(int(amount), shown.currency or ""),)
        if code == _OPENING and not shown.opening:
            shown.opening = balance
        elif code == _CLOSING:
            shown.closing = balance
    return total


def _entry(fields: list[str], day: date, currency: str) -> ShownLine:
    try:
        kind, amount, _, line_id, reference, text = fields
        size = _money(int(amount), currency)
    except ValueError as error:
        raise UnreadableError("an entry of BAI2 cannot be read") from error
    payee, _, memo = text.partition(" ; ")
    return ShownLine(
        line_id=line_id,
        # Codes from 400 on are debits.
        amounts=(-size if 400 <= int(kind) < 700 else size,),
        payee=payee,
        reference=reference,
        memo=memo,
        booked=day,
    )


def _check(shown: Shown, level: str, fields: list[str], total: int, records: int) -> None:
    if [int(fields[0]), int(fields[1])] != [total, records]:
        shown.broken_controls.append(f"control totals of the {level}")


def _money(units: int, currency: str) -> Decimal:
    return Decimal(units) if currency in _WHOLE else Decimal(units).scaleb(-2)


def _day(text: str) -> date:
    try:
        return date(2000 + int(text[:2]), int(text[2:4]), int(text[4:6]))
    except ValueError as error:
        raise UnreadableError("a date of BAI2 cannot be read") from error
