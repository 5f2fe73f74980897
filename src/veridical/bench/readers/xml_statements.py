"""OFX 2 and CAMT.053."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import Final
from xml.etree.ElementTree import Element, ParseError, XMLParser

from veridical.bench.readers.shown import Shown, ShownLine, UnreadableError

__all__ = ["read_camt", "read_ofx"]

_OFX_TIME: Final = re.compile(
    r"(\d{8})(\d{6})?(?:\.\d+)?(?:\[([-+]?\d+(?:\.\d+)?)(?::\w+)?\])?\Z", re.ASCII
)


def read_ofx(name: str, text: str) -> Shown:
    """Read an OFX statement of version 2."""
    root = _tree(text)
    shown = Shown(file=name, currency=_said(root, "CURDEF"))
    if (closing := _said(root, "LEDGERBAL/BALAMT")) is not None:
        shown.closing = (_decimal(closing),)
    for balance in root.iter("BAL"):
        if _said(balance, "NAME") == "OPENING":
            shown.opening = (_decimal(_said(balance, "VALUE")),)
    for entry in root.iter("STMTTRN"):
        line = ShownLine(
            line_id=_said(entry, "FITID") or "",
            amounts=(_decimal(_said(entry, "TRNAMT")),),
            payee=_said(entry, "NAME") or "",
            reference=_said(entry, "REFNUM") or "",
            memo=_said(entry, "MEMO") or "",
            currency=_said(entry, "ORIGCURRENCY/CURSYM"),
        )
        _posted(line, _said(entry, "DTPOSTED") or "")
        shown.lines.append(line)
    return shown


def read_camt(name: str, text: str) -> Shown:
    """Read a CAMT.053 statement."""
    root = _tree(text)
    shown = Shown(file=name, currency=_said(root, "Stmt/Acct/Ccy"))
    for balance in root.iter("Bal"):
        code = _said(balance, "Tp/CdOrPrtry/Cd")
        if code == "OPBD":
            shown.opening = (_signed(balance),)
        elif code == "CLBD":
            shown.closing = (_signed(balance),)
    if (count := _said(root, "TxsSummry/TtlNtries/NbOfNtries") or "").isdecimal():
        shown.stated_lines = int(count)
    for entry in root.iter("Ntry"):
        amount = entry.find("Amt")
        line = ShownLine(
            line_id=_said(entry, "AcctSvcrRef") or "",
            amounts=(_signed(entry),),
            payee=_said(entry, "RltdPties//Nm") or "",
            reference=_said(entry, "Refs/EndToEndId") or "",
            memo=_said(entry, "AddtlNtryInf") or "",
            currency=None if amount is None else amount.get("Ccy"),
            pending=(_said(entry, "Sts") or "") == "PDNG",
            reversal=(_said(entry, "RvslInd") or "") == "true",
        )
        if (moment := _said(entry, "BookgDt/DtTm")) is not None:
            line.moment = datetime.fromisoformat(moment)
        elif (day := _said(entry, "BookgDt/Dt")) is not None:
            line.booked = date.fromisoformat(day)
        shown.lines.append(line)
    return shown


def _tree(text: str) -> Element:
    """Return the root with names free of their name space; a file with entities is refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise UnreadableError("a statement declares entities")
    parser = XMLParser()  # noqa: S314 - without entities there is nothing to expand
    try:
        # The declaration may name an encoding; the text has none any more.
        parser.feed(re.sub(r"\A\ufeff?\s*<\?xml[^>]*\?>", "", text))
        root = parser.close()
    except ParseError as error:
        raise UnreadableError("a statement is no XML") from error
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    return root


def _said(element: Element, path: str) -> str | None:
    found = element.find(f".//{path}")
    return None if found is None else (found.text or "").strip()


def _decimal(text: str | None) -> Decimal:
    try:
        return Decimal((text or "").replace(",", "."))
    except InvalidOperation as error:
        raise UnreadableError(f"{(text or '')[:40]!a} is no amount") from error


def _signed(element: Element) -> Decimal:
    amount = element.find("Amt")
    size = _decimal(None if amount is None else amount.text)
    return -size if _said(element, "CdtDbtInd") == "DBIT" else size


def _posted(line: ShownLine, text: str) -> None:
    match = _OFX_TIME.match(text)
    if match is None:
        raise UnreadableError(f"{text[:40]!a} is no date of OFX")
    day = datetime.strptime(match[1], "%Y%m%d").replace(tzinfo=UTC)
    if match[2] is None:
        line.booked = day.date()
        return
    zone = timezone(timedelta(hours=float(match[3]))) if match[3] else None
    line.moment = datetime.strptime(match[1] + match[2], "%Y%m%d%H%M%S").replace(tzinfo=zone)
