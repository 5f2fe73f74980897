"""OFX 2, as XML."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from xml.sax.saxutils import escape

from veridical.bench.rendering.numbers import written
from veridical.bench.rendering.statement import CannotCarryError, Row, Statement

__all__ = ["ofx"]

_LONGEST = {"payee": 32, "reference": 32, "memo": 255}


def ofx(statement: Statement) -> bytes:
    """Return the file."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
        *(f"<!-- {_comment(text)} -->" for text in statement.comments),
        (
            "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>"
            f"<DTSERVER>{_day(statement.end)}</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS>"
            "</SIGNONMSGSRSV1>"
        ),
        (
            "<BANKMSGSRSV1><STMTTRNRS><TRNUID>1</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO"
            "</SEVERITY></STATUS>"
        ),
        f"<STMTRS><CURDEF>{statement.currency}</CURDEF>",
        (
            "<BANKACCTFROM><BANKID>400000</BANKID>"
            f"<ACCTID>{statement.account.number}</ACCTID>"
            "<ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>"
        ),
        (
            f"<BANKTRANLIST><DTSTART>{_day(statement.start)}</DTSTART>"
            f"<DTEND>{_day(statement.end)}</DTEND>"
        ),
        *(_transaction(row, statement) for row in statement.rows),
        "</BANKTRANLIST>",
    ]
    if statement.closing is not None:
        lines.append(_balance("LEDGERBAL", statement.closing, statement.end))
    if statement.available is not None:
        lines.append(_balance("AVAILBAL", statement.available, statement.end))
    lines += [
        (
            "<BALLIST><BAL><NAME>OPENING</NAME><DESC>Opening balance</DESC>"
            "<BALTYPE>DOLLAR</BALTYPE>"
            f"<VALUE>{written(statement.opening)}</VALUE><DTASOF>{_day(statement.start)}</DTASOF>"
            "</BAL></BALLIST>"
        ),
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _comment(text: str) -> str:
    if "--" in text or text.endswith("-"):
        raise CannotCarryError("an XML comment holds no double hyphen")
    return text


def _day(day: date) -> str:
    return f"{day:%Y%m%d}"


def _balance(tag: str, amount: Decimal, day: date) -> str:
    return f"<{tag}><BALAMT>{written(amount)}</BALAMT><DTASOF>{_day(day)}</DTASOF></{tag}>"


def _transaction(row: Row, statement: Statement) -> str:
    if row.pending or row.foreign:
        raise CannotCarryError("pending and foreign lines are not written in OFX")
    posted = _day(row.booked)
    if statement.stamps != "date" and row.moment is not None:
        posted = f"{row.moment:%Y%m%d%H%M%S}.000[0:GMT]"
    return (
        f"<STMTTRN><TRNTYPE>{'DEBIT' if row.amount < 0 else 'CREDIT'}</TRNTYPE>"
        f"<DTPOSTED>{posted}</DTPOSTED><DTAVAIL>{_day(row.value_date)}</DTAVAIL>"
        f"<TRNAMT>{written(row.amount)}</TRNAMT><FITID>{row.id}</FITID>"
        f"<REFNUM>{_text(row, 'reference')}</REFNUM><NAME>{_text(row, 'payee')}</NAME>"
        f"<MEMO>{_text(row, 'memo')}</MEMO></STMTTRN>"
    )


def _text(row: Row, place: str) -> str:
    text = row.field(place)
    if len(text) > _LONGEST[place]:
        raise CannotCarryError(f"{place} holds {_LONGEST[place]} characters")
    return escape(text)
