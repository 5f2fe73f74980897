"""Statements as CSV, in whatever dialect: the headings say which column is which."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from veridical.bench.readers.numbers import Notation, readings
from veridical.bench.readers.shown import Shown, ShownLine, UnreadableError

__all__ = ["read_table", "table_rows"]

_HEADINGS: Final = {
    "booked": ("date", "booking date", "booked", "booked at", "booked at (utc)"),
    "value_date": ("value date", "value"),
    "id": ("id", "transaction id", "bank id", "line id"),
    "payee": ("description", "payee", "name", "narrative"),
    "reference": ("reference",),
    "memo": ("details", "memo", "text"),
    "status": ("status",),
    "amount": ("amount",),
    "debit": ("debit",),
    "credit": ("credit",),
    "mark": ("d/c",),
    "currency": ("currency",),
    "rate": ("rate",),
    "running": ("balance", "running balance"),
}
_BY_HEADING: Final = {heading: name for name, headings in _HEADINGS.items() for heading in headings}
_LONGEST_FIRST: Final = sorted(_BY_HEADING, key=len, reverse=True)
_FEWEST_HEADINGS: Final = 4
_LONGEST_PREAMBLE: Final = 60
_PREAMBLE: Final = {
    "currency": "currency",
    "opening balance": "opening",
    "closing balance": "closing",
    "number of entries": "count",
}
_CORRECTION: Final = re.compile(r"correction dated \d{4}-\d\d-\d\d\Z", re.IGNORECASE)
_RATE: Final = re.compile(r"1 ([A-Z]{3}) = ([0-9]+(?:\.[0-9]+)?) ([A-Z]{3})\Z", re.ASCII)
_DATES: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%d/%m/%Y", "%Y%m%d")
_OF_PENDING: Final = frozenset({"pending", "pdng", "provisional"})


def table_rows(text: str, delimiter: str = ",") -> list[list[str]]:
    """Return the cells of a CSV file; a mark at its beginning is no cell."""
    csv.field_size_limit(1 << 24)
    return list(
        csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)
    )


def read_table(name: str, text: str) -> Shown:
    """Read a statement.

    Parameters
    ----------
    name
        Of the file.
    text
        Decoded.

    Raises
    ------
    UnreadableError
        No row of headings can be found, or a date or figure cannot be read.
    """
    delimiter, at, columns = _headings(text)
    rows = table_rows(text, delimiter)
    preamble = _preamble(rows[:at], delimiter)
    body = [row for row in rows[at + 1 :] if any(cell.strip() for cell in row)]
    shown = Shown(file=name, currency=preamble.get("currency"))
    corrections = [row for row in body if _CORRECTION.match(row[0].strip())]
    cells = [_named(row, columns) for row in body if row not in corrections]
    notation = Notation.of(_figures(cells, preamble))
    shown.corrections = [readings(row[1], notation)[0] for row in corrections]
    if (count := preamble.get("count", "")).isdecimal():
        shown.stated_lines = int(count)
    for place in ("opening", "closing"):
        if printed := preamble.get(place):
            _print(shown, place, printed, notation)
    for row in cells:
        if row.get("payee", "").lower().startswith(("opening balance", "closing balance")) and (
            not row.get("id")
        ):
            printed = row.get("running") or row.get("amount") or ""
            place = "opening" if row["payee"].lower().startswith("opening") else "closing"
            _print(shown, place, printed, notation)
        else:
            shown.lines.append(_line(row, columns, notation))
    return shown


def _print(shown: Shown, place: str, printed: str, notation: Notation) -> None:
    setattr(shown, place, readings(printed, notation))
    if place == "opening":
        shown.opening_printed = printed


def _headings(text: str) -> tuple[str, int, dict[str, tuple[int, str]]]:
    """Return delimiter, number of the row of headings, and column and heading by meaning."""
    best: tuple[str, int, dict[str, tuple[int, str]]] = ("", 0, {})
    for delimiter in (",", ";", "\t", "|"):
        for at, row in enumerate(table_rows(text, delimiter)[:_LONGEST_PREAMBLE]):
            columns: dict[str, tuple[int, str]] = {}
            for column, cell in enumerate(row):
                heading = _heading(cell)
                if heading is not None:
                    columns.setdefault(_BY_HEADING[heading], (column, heading))
            if len(columns) > len(best[2]):
                best = (delimiter, at, columns)
            if len(columns) >= _FEWEST_HEADINGS:
                break
    if len(best[2]) < _FEWEST_HEADINGS:
        raise UnreadableError("a table has no headings that are known")
    return best


def _heading(cell: str) -> str | None:
    """Return the known heading that a cell is, or begins with."""
    plain = cell.strip().lower()
    if plain in _BY_HEADING:
        return plain
    # What somebody wrote behind a heading does not make it another one.
    return next((one for one in _LONGEST_FIRST if _begins(plain, one)), None)


def _begins(plain: str, heading: str) -> bool:
    return plain.startswith(heading) and not plain[len(heading)].isalnum()


def _preamble(rows: Sequence[Sequence[str]], delimiter: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in rows:
        key, value = (row[0], row[1]) if len(row) > 1 else ("", "")
        joined = delimiter.join(row)
        if ": " in joined and key.strip().lower() not in _PREAMBLE:
            key, _, value = joined.partition(": ")
        if (place := _PREAMBLE.get(key.strip().lower())) is not None:
            found.setdefault(place, value.strip().strip('"'))
    return found


def _named(row: Sequence[str], columns: Mapping[str, tuple[int, str]]) -> dict[str, str]:
    return {name: row[column] if column < len(row) else "" for name, (column, _) in columns.items()}


def _figures(cells: Sequence[Mapping[str, str]], preamble: Mapping[str, str]) -> list[str]:
    places = ("amount", "debit", "credit", "running")
    found = [row[place] for row in cells for place in places if row.get(place)]
    return [*found, *(preamble[place] for place in ("opening", "closing") if place in preamble)]


def _line(
    row: Mapping[str, str],
    columns: Mapping[str, tuple[int, str]],
    notation: Notation,
) -> ShownLine:
    printed, side = _amount(row)
    line = ShownLine(
        line_id=row.get("id", "").strip(),
        amounts=tuple(side * size if side else size for size in readings(printed, notation)),
        printed=printed,
        side=side,
        payee=row.get("payee", ""),
        reference=row.get("reference", ""),
        memo=row.get("memo", ""),
        currency=row.get("currency", "").strip() or None,
        pending=row.get("status", "").strip().lower() in _OF_PENDING,
        running=readings(row["running"], notation) if row.get("running", "").strip() else (),
    )
    if match := _RATE.match(row.get("rate", "").strip()):
        line.rate_from, line.rate, line.rate_to = match[1], Decimal(match[2]), match[3]
    _book(line, row.get("booked", "").strip(), columns.get("booked", (0, ""))[1])
    return line


def _amount(row: Mapping[str, str]) -> tuple[str, int]:
    """Return the figure, and the sign that its column or a mark gives it."""
    debit, credit = row.get("debit", "").strip(), row.get("credit", "").strip()
    if debit or credit:
        return (debit, -1) if debit else (credit, 1)
    mark = row.get("mark", "").strip().upper()
    if mark:
        return row.get("amount", ""), -1 if mark in {"D", "DR", "DBIT"} else 1
    return row.get("amount", ""), 0


def _book(line: ShownLine, text: str, heading: str) -> None:
    if "T" in text:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            raise UnreadableError(f"{text[:40]!a} is no time") from error
        if moment.tzinfo is None and "utc" in heading:
            moment = datetime.fromisoformat(f"{text}+00:00")
        line.moment = moment
        return
    line.booked = _date(text)


def _date(text: str) -> date:
    for form in _DATES:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    raise UnreadableError(f"{text[:40]!a} is no date")
