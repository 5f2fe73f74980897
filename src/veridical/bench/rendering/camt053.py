"""ISO 20022 camt.053.001.02."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from xml.sax.saxutils import escape

from veridical.bench.rendering.numbers import written
from veridical.bench.rendering.statement import CannotCarryError, Row, Statement

__all__ = ["camt053"]

_LONGEST = {"payee": 140, "reference": 35, "memo": 500}


def camt053(statement: Statement) -> bytes:
    """Return the file."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        *(f"<!-- {_comment(text)} -->" for text in statement.comments),
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>',
        (
            f"<GrpHdr><MsgId>M{statement.start:%Y%m}</MsgId>"
            f"<CreDtTm>{statement.end.isoformat()}T23:59:59Z</CreDtTm></GrpHdr>"
        ),
        (
            f"<Stmt><Id>S{statement.start:%Y%m}</Id>"
            f"<CreDtTm>{statement.end.isoformat()}T23:59:59Z</CreDtTm>"
        ),
        (
            f"<FrToDt><FrDtTm>{statement.start.isoformat()}T00:00:00</FrDtTm>"
            f"<ToDtTm>{statement.end.isoformat()}T23:59:59</ToDtTm></FrToDt>"
        ),
        (
            f"<Acct><Id><Othr><Id>{statement.account.number}</Id></Othr></Id>"
            f"<Ccy>{statement.currency}</Ccy></Acct>"
        ),
        _balance("OPBD", statement.opening, statement.start, statement.currency),
    ]
    for code, amount in (("CLBD", statement.closing), ("ITAV", statement.available)):
        if amount is not None:
            lines.append(_balance(code, amount, statement.end, statement.currency))
    lines.append(
        f"<TxsSummry><TtlNtries><NbOfNtries>{statement.count}</NbOfNtries></TtlNtries></TxsSummry>"
    )
    lines += [_entry(row, statement) for row in statement.rows]
    lines.append("</Stmt></BkToCstmrStmt></Document>")
    return ("\n".join(lines) + "\n").encode()


def _comment(text: str) -> str:
    if "--" in text or text.endswith("-"):
        raise CannotCarryError("an XML comment holds no double hyphen")
    return text


def _side(amount: Decimal) -> str:
    return f"<CdtDbtInd>{'DBIT' if amount < 0 else 'CRDT'}</CdtDbtInd>"


def _money(amount: Decimal, currency: str) -> str:
    return f'<Amt Ccy="{currency}">{written(abs(amount))}</Amt>'


def _balance(code: str, amount: Decimal, day: date, currency: str) -> str:
    return (
        f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{_money(amount, currency)}"
        f"{_side(amount)}<Dt><Dt>{day.isoformat()}</Dt></Dt></Bal>"
    )


def _entry(row: Row, statement: Statement) -> str:
    if row.foreign:
        raise CannotCarryError("foreign lines are not written in camt.053")
    booked = f"<Dt>{row.booked.isoformat()}</Dt>"
    if statement.stamps != "date" and row.moment is not None:
        booked = f"<DtTm>{row.moment.isoformat()}Z</DtTm>"
    party = "Dbtr" if row.amount > 0 else "Cdtr"
    return (
        f"<Ntry>{_money(row.amount, statement.currency)}{_side(row.amount)}"
        + ("<RvslInd>true</RvslInd>" if row.reversal else "")
        + f"<Sts>{'PDNG' if row.pending else 'BOOK'}</Sts><BookgDt>{booked}</BookgDt>"
        f"<ValDt><Dt>{row.value_date.isoformat()}</Dt></ValDt>"
        f"<AcctSvcrRef>{row.id}</AcctSvcrRef><BkTxCd><Prtry><Cd>TRF</Cd></Prtry></BkTxCd>"
        "<NtryDtls><TxDtls>"
        f"<Refs><EndToEndId>{_own(row.reference, 'reference')}</EndToEndId></Refs>"
        f"<RltdPties><{party}><Nm>{_text(row, 'payee')}</Nm></{party}></RltdPties>"
        + _remittance(row)
        + f"</TxDtls></NtryDtls><AddtlNtryInf>{_text(row, 'memo')}</AddtlNtryInf></Ntry>"
    )


def _remittance(row: Row) -> str:
    text = row.field("reference")
    if len(text) > 140:
        raise CannotCarryError("remittance information holds 140 characters")
    return f"<RmtInf><Ustrd>{escape(text)}</Ustrd></RmtInf>"


def _own(text: str, place: str) -> str:
    if len(text) > _LONGEST[place]:
        raise CannotCarryError(f"{place} holds {_LONGEST[place]} characters")
    return escape(text)


def _text(row: Row, place: str) -> str:
    return _own(row.field(place), place)
