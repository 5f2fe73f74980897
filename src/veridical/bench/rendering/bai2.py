"""BAI2: one group a day, amounts in the smallest unit, counts and control totals at each level."""

from __future__ import annotations

from datetime import date

from veridical.bench.rendering.statement import CannotCarryError, Row, Statement, minor_units

__all__ = ["bai2"]


def bai2(statement: Statement) -> bytes:
    """Return the file."""
    if statement.comments or statement.notes:
        raise CannotCarryError("BAI2 has no comments")
    days = sorted({row.booked for row in statement.rows} | {statement.start, statement.end})
    lines = [f"01,400000,CUSTOMER,{statement.end:%y%m%d},2359,1,,,2/"]
    total = 0
    for day in days:
        group, amount = _group(statement, day, first=day == days[0], last=day == days[-1])
        lines += group
        total += amount
    lines.append(f"99,{total},{len(days)},{len(lines) + 1}/")
    return ("\n".join(lines) + "\n").encode("ascii")


def _group(statement: Statement, day: date, *, first: bool, last: bool) -> tuple[list[str], int]:
    currency = statement.currency
    summary = []
    if first:
        summary.append(("010", minor_units(statement.opening, currency)))
    if last and statement.closing is not None:
        summary.append(("015", minor_units(statement.closing, currency)))
    if last and statement.available is not None:
        summary.append(("045", minor_units(statement.available, currency)))
    balances = "".join(f",{code},{amount},," for code, amount in summary) or ",,,,"
    account = [f"03,{statement.account.number},{currency}{balances}/"]
    rows = [row for row in statement.rows if row.booked == day]
    account += [_record(row, currency) for row in rows]
    total = sum(amount for _, amount in summary)
    total += sum(abs(minor_units(row.amount, currency)) for row in rows)
    account.append(f"49,{total},{len(account) + 1}/")
    head = f"02,CUSTOMER,400000,1,{day:%y%m%d},2359,{currency},2/"
    return [head, *account, f"98,{total},1,{len(account) + 2}/"], total


def _record(row: Row, currency: str) -> str:
    if row.pending or row.foreign:
        raise CannotCarryError("pending and foreign lines are not written in BAI2")
    code = "475" if row.amount < 0 else "175"
    amount = abs(minor_units(row.amount, currency))
    reference = row.field("reference")
    if "," in reference or "/" in reference.replace(row.reference, ""):
        raise CannotCarryError("a reference of BAI2 holds no delimiter")
    text = f"{row.field('payee')} ; {row.field('memo')}"
    if not (reference + text).isascii() or "\n" in text:
        raise CannotCarryError("BAI2 is ASCII, one record a line")
    return f"16,{code},{amount},0,{row.id},{reference},{text}"
