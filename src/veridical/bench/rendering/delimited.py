"""CSV in four dialects."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from veridical.bench.naive_numbers import naive_number
from veridical.bench.rendering.numbers import written
from veridical.bench.rendering.statement import CannotCarryError, Row, Statement, ordered

__all__ = ["DIALECTS", "Dialect", "delimited", "naive_amount", "quoted"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of writing a table.

    Attributes
    ----------
    day
        Format of a date.
    sides
        ``one`` signed amount, ``two`` columns, or a ``mark`` of D or C.
    columns
        The heading of each column, by what it holds; in order.
    always
        Columns that are there even where every line says the same in them.
    key
        How a line of the preamble joins its two parts; None where there is no preamble.
    """

    delimiter: str
    day: str
    sides: str
    columns: dict[str, str]
    key: str | None
    always: frozenset[str] = frozenset()


DIALECTS: dict[str, Dialect] = {
    "plain": Dialect(
        ",",
        "%Y-%m-%d",
        "one",
        {
            "booked": "Date", "value_date": "Value date", "id": "Id", "payee": "Description",
            "reference": "Reference", "memo": "Details", "status": "Status", "amount": "Amount",
            "currency": "Currency", "rate": "Rate", "running": "Balance",
        },
        ",",
    ),
    "split": Dialect(
        ";",
        "%d.%m.%Y",
        "two",
        {
            "booked": "Booking date", "value_date": "Value date", "id": "Transaction id",
            "payee": "Payee", "reference": "Reference", "memo": "Memo", "status": "Status",
            "debit": "Debit", "credit": "Credit", "currency": "Currency", "rate": "Rate",
            "running": "Balance",
        },
        ";",
    ),
    "signed": Dialect(
        ",",
        "%Y-%m-%d",
        "mark",
        {
            "id": "Bank id", "booked": "Booked", "value_date": "Value", "status": "Status",
            "amount": "Amount", "mark": "D/C", "currency": "Currency", "rate": "Rate",
            "running": "Running balance", "payee": "Name", "reference": "Reference",
            "memo": "Text",
        },
        ": ",
        frozenset({"status", "currency"}),
    ),
    "bare": Dialect(
        ",",
        "%d %b %Y",
        "one",
        {
            "booked": "Date", "payee": "Narrative", "reference": "Reference", "memo": "Details",
            "status": "Status", "amount": "Amount", "currency": "Currency", "rate": "Rate",
            "running": "Balance", "id": "Bank id",
        },
        None,
    ),
}  # fmt: skip
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TEXTS = ("payee", "reference", "memo")


def quoted(text: str) -> str:
    """Return a cell in quotes."""
    return '"' + text.replace('"', '""') + '"'


def _cell(text: str, delimiter: str) -> str:
    return quoted(text) if any(sign in text for sign in (delimiter, '"', "\n", "\r")) else text


def _day(day: date, dialect: Dialect) -> str:
    # The names of months do not depend on a locale here.
    return day.strftime(dialect.day.replace("%b", _MONTHS[day.month - 1]))


def delimited(statement: Statement) -> bytes:
    """Return the file."""
    dialect = DIALECTS[statement.account.dialect]
    lines = _preamble(statement, dialect)
    columns = _columns(statement, dialect)
    headings = [_cell(text, dialect.delimiter) for text in columns.values()]
    # Quoted in any case, so that a text behind it changes nothing else.
    headings[-1] = quoted(list(columns.values())[-1] + statement.heading)
    lines.append(dialect.delimiter.join(headings))
    body = [_line(row, statement, dialect, columns) for row in ordered(statement)]
    if dialect.key is None:
        ends = [
            _balance_line(statement, dialect, columns, name, day, amount)
            for name, day, amount in (
                ("Opening balance", statement.start, statement.opening),
                ("Closing balance", statement.end, statement.closing),
            )
            if amount is not None
        ]
        body = (
            [*ends[1:], *body, ends[0]] if statement.newest_first else [ends[0], *body, *ends[1:]]
        )
    mark = "\ufeff" if statement.byte_order_mark else ""
    return (mark + "\n".join([*lines, *body]) + "\n").encode()


def _preamble(statement: Statement, dialect: Dialect) -> list[str]:
    if dialect.key is None:
        if statement.notes:
            raise CannotCarryError("this dialect has no preamble")
        return []
    pairs = [
        ("Account", statement.account.number),
        ("Currency", statement.currency),
        ("From", statement.start.isoformat()),
        ("To", statement.end.isoformat()),
        ("Opening balance", _money(statement, statement.opening)),
    ]
    if statement.closing is not None:
        pairs.append(("Closing balance", _money(statement, statement.closing)))
    if statement.available is not None:
        pairs.append(("Available balance", _money(statement, statement.available)))
    pairs.append(("Number of entries", str(statement.count)))
    lines = [key + dialect.key + _cell(value, dialect.delimiter) for key, value in pairs]
    lines += ["Note" + dialect.key + quoted(note) for note in statement.notes]
    return [*lines, ""]


def _columns(statement: Statement, dialect: Dialect) -> dict[str, str]:
    left_out = set()
    if not any(row.pending for row in statement.rows):
        left_out.add("status")
    if not any(row.foreign for row in statement.rows):
        left_out |= {"currency", "rate"}
    left_out -= dialect.always
    if not statement.show_running:
        left_out.add("running")
    columns = {key: name for key, name in dialect.columns.items() if key not in left_out}
    if statement.stamps != "date":
        columns["booked"] = "Booked at (UTC)" if statement.stamps == "utc" else "Booked at"
    return columns


def _money(statement: Statement, amount: Decimal, notation: str | None = None) -> str:
    return written(amount, notation or statement.notation, whole=statement.account.whole)


def _booked(row: Row, statement: Statement, dialect: Dialect) -> str:
    if statement.stamps == "date" or row.moment is None:
        return _day(row.booked, dialect)
    return row.moment.isoformat() + ("Z" if statement.stamps == "utc" else "")


def _line(row: Row, statement: Statement, dialect: Dialect, columns: dict[str, str]) -> str:
    unsigned = dialect.sides != "one"
    digits = row.text or _money(
        statement, abs(row.amount) if unsigned else row.amount, row.notation
    )
    cells = {
        "booked": _booked(row, statement, dialect),
        "value_date": _day(row.value_date, dialect),
        "id": row.id,
        "payee": row.field("payee"),
        "reference": row.field("reference"),
        "memo": row.field("memo"),
        "status": "PENDING" if row.pending else "BOOKED",
        "amount": digits,
        "debit": digits if row.amount < 0 else "",
        "credit": "" if row.amount < 0 else digits,
        "mark": "D" if row.amount < 0 else "C",
        "currency": row.foreign.currency if row.foreign else statement.account.currency,
        "rate": _rate(row, statement),
        "running": "" if row.running is None else _money(statement, row.running, row.notation),
    }
    return dialect.delimiter.join(
        quoted(cells[key]) if key in _TEXTS else _cell(cells[key], dialect.delimiter)
        for key in columns
    )


def _rate(row: Row, statement: Statement) -> str:
    if row.foreign is None or row.foreign.rate is None:
        return ""
    one, other = row.foreign.currency, statement.account.currency
    if row.foreign.inverse:
        one, other = other, one
    return f"1 {one} = {row.foreign.rate:f} {other}"


def _balance_line(
    statement: Statement,
    dialect: Dialect,
    columns: dict[str, str],
    name: str,
    day: date,
    amount: Decimal,
) -> str:
    cells = {"booked": _day(day, dialect), "payee": quoted(name)}
    # Without a column of balances the balance stands in that of amounts.
    place = "running" if "running" in columns else "amount"
    cells[place] = _cell(_money(statement, amount), dialect.delimiter)
    return dialect.delimiter.join(cells.get(key, "") for key in columns)


def naive_amount(row: Row, statement: Statement) -> Decimal:
    """Return what a naive reader takes the amount of a row for."""
    dialect = DIALECTS[statement.account.dialect]
    if dialect.sides == "one":
        return naive_number(row.text or _money(statement, row.amount, row.notation))
    size = naive_number(row.text or _money(statement, abs(row.amount), row.notation))
    return -size if row.amount < 0 else size
