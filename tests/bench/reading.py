"""Small readers of statements, written from the definitions of the formats for the tests alone."""

import csv
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass
class Read:
    """What a statement says; amounts signed, in the order of the file."""

    currency: str | None = None
    opening: Decimal | None = None
    closing: Decimal | None = None
    available: Decimal | None = None
    count: int | None = None
    ids: list = field(default_factory=list)
    amounts: list = field(default_factory=list)
    running: list = field(default_factory=list)
    pending: list = field(default_factory=list)
    reversed: list = field(default_factory=list)
    texts: list = field(default_factory=list)


def read_csv(text, dialect, decimal="."):
    """Dot-decimal, or comma-decimal with any grouping."""
    names = {
        "plain": ("Id", "Balance"),
        "split": ("Transaction id", "Balance"),
        "signed": ("Bank id", "Running balance"),
        "bare": ("Bank id", "Balance"),
    }
    id_name, balance_name = names[dialect]
    lines = text.lstrip("\ufeff")
    read = Read()
    if dialect != "bare":
        head, lines = lines.split("\n\n", 1)
        separator = {"plain": ",", "split": ";", "signed": ": "}[dialect]
        pairs = (line.partition(separator) for line in head.split("\n"))
        preamble = {key: value.strip('"') for key, _, value in pairs}
        read.currency = preamble["Currency"]
        read.opening = money(preamble["Opening balance"], decimal)
        read.closing = money(preamble.get("Closing balance", ""), decimal)
        read.available = money(preamble.get("Available balance", ""), decimal)
        read.count = int(preamble["Number of entries"])
    delimiter = ";" if dialect == "split" else ","
    for row in csv.DictReader(lines.splitlines(keepends=True), delimiter=delimiter):
        if dialect == "bare" and not row[id_name]:
            value = money(row[balance_name] if balance_name in row else row["Amount"], decimal)
            if row["Narrative"] == "Opening balance":
                read.opening = value
            else:
                assert row["Narrative"] == "Closing balance"
                read.closing = value
            continue
        if dialect == "split":
            debit, credit = money(row["Debit"], decimal), money(row["Credit"], decimal)
            amount = credit if debit is None else -debit
        else:
            amount = money(row["Amount"], decimal)
            if dialect == "signed":
                amount = -amount if row["D/C"] == "D" else amount
        read.ids.append(row[id_name])
        read.amounts.append(amount)
        read.running.append(money(row.get(balance_name) or "", decimal))
        read.pending.append(row.get("Status") == "PENDING")
        read.reversed.append(False)
        read.texts.append("|".join(str(one) for one in row.values()))
    return read


def money(text, decimal="."):
    if not text:
        return None
    negative = any(sign in text for sign in "-\u2212(")
    digits = re.sub(r"[^0-9.,]", "", text)
    group = "," if decimal == "." else "."
    digits = digits.replace(group, "").replace(decimal, ".")
    return -Decimal(digits) if negative else Decimal(digits)


def read_ofx(text):
    root = ET.fromstring(text.split("?>", 2)[2])  # noqa: S314 - made by us
    statement = root.find(".//STMTRS")
    read = Read(currency=statement.findtext("CURDEF"))
    read.closing = Decimal(statement.findtext("LEDGERBAL/BALAMT"))
    read.opening = next(
        Decimal(one.findtext("VALUE"))
        for one in statement.iter("BAL")
        if one.findtext("NAME") == "OPENING"
    )
    for one in statement.iter("STMTTRN"):
        amount = Decimal(one.findtext("TRNAMT"))
        assert (one.findtext("TRNTYPE") == "DEBIT") == (amount < 0)
        _keep(read, one.findtext("FITID"), amount, "|".join(one.itertext()))
    return read


def _keep(read, line_id, amount, text, *, pending=False, reversed_=False):
    read.ids.append(line_id)
    read.amounts.append(amount)
    read.running.append(None)
    read.pending.append(pending)
    read.reversed.append(reversed_)
    read.texts.append(text)


def read_mt940(text):
    read = Read()
    assert text.endswith("\r\n-\r\n")
    fields = re.findall(r"^:(\d\d[A-Z]?):((?:.*\r\n)(?:(?![:-]).*\r\n)*)", text, re.MULTILINE)
    for tag, value in fields:
        body = value.replace("\r\n", "\n").rstrip("\n")
        assert all(len(line) <= 65 for line in body.split("\n"))
        if tag in {"60F", "62F", "64"}:
            side, _, currency, amount = re.fullmatch(r"([CD])(\d{6})([A-Z]{3})(.+)", body).groups()
            balance = Decimal(amount.replace(",", ".")) * (1 if side == "C" else -1)
            read.currency = currency
            place = {"60F": "opening", "62F": "closing", "64": "available"}[tag]
            setattr(read, place, balance)
        elif tag == "61":
            side, amount, line_id = re.fullmatch(
                r"\d{6}\d{4}(R?[CD])(\d+,\d*)NTRFNONREF//(\d+)", body
            ).groups()
            # RC takes a credit back, RD a debit.
            sign = 1 if side in {"C", "RD"} else -1
            amount = sign * Decimal(amount.replace(",", "."))
            _keep(read, line_id, amount, "", reversed_=side.startswith("R"))
        elif tag == "86":
            assert len(body.split("\n")) <= 6
            read.texts[-1] = body
    return read


_NS = "{urn:iso:std:iso:20022:tech:xsd:camt.053.001.02}"


def read_camt053(text):
    statement = ET.fromstring(text.encode()).find(f".//{_NS}Stmt")  # noqa: S314 - made by us

    def path(*tags):
        return "/".join(_NS + tag for tag in tags)

    def signed(element):
        value = Decimal(element.findtext(path("Amt")))
        return value if element.findtext(path("CdtDbtInd")) == "CRDT" else -value

    read = Read(currency=statement.findtext(path("Acct", "Ccy")))
    places = {"OPBD": "opening", "CLBD": "closing", "ITAV": "available"}
    for one in statement.iterfind(path("Bal")):
        setattr(read, places[one.findtext(path("Tp", "CdOrPrtry", "Cd"))], signed(one))
    read.count = int(statement.findtext(path("TxsSummry", "TtlNtries", "NbOfNtries")))
    for one in statement.iterfind(path("Ntry")):
        assert one.find(path("Amt")).get("Ccy") == read.currency
        _keep(
            read,
            one.findtext(path("AcctSvcrRef")),
            signed(one),
            "|".join(one.itertext()),
            pending=one.findtext(path("Sts")) == "PDNG",
            reversed_=one.findtext(path("RvslInd")) == "true",
        )
    return read


def read_bai2(text):  # noqa: C901 - one branch a kind of record
    read = Read()
    records = [line for line in text.split("\n") if line]
    account_total = group_total = file_total = 0
    account_records = group_records = groups = 0
    units = Decimal(100)
    for record in records:
        code = record[:2]
        if code not in {"01", "99"}:
            group_records += 1
        if code in {"03", "16", "49"}:
            account_records += 1
        if code == "02":
            groups, group_records, group_total = groups + 1, 1, 0
        elif code == "03":
            account_records, account_total = 1, 0
            parts = record.rstrip("/").split(",")
            read.currency = parts[2]
            units = Decimal(1) if read.currency == "JPY" else Decimal(100)
            for kind, amount in zip(parts[3::4], parts[4::4], strict=False):
                if kind:
                    account_total += int(amount)
                    place = {"010": "opening", "015": "closing", "045": "available"}[kind]
                    setattr(read, place, Decimal(amount) / units)
        elif code == "16":
            _, kind, amount, funds, line_id, _, text = record.split(",", 6)
            assert funds == "0"
            account_total += int(amount)
            sign = 1 if 100 <= int(kind) < 400 else -1
            _keep(read, line_id, sign * Decimal(amount) / units, record)
        elif code == "49":
            assert record == f"49,{account_total},{account_records}/"
            group_total += account_total
        elif code == "98":
            assert record == f"98,{group_total},1,{group_records}/"
            file_total += group_total
    assert records[-1] == f"99,{file_total},{groups},{len(records)}/"
    return read


def read(statement, content):
    """Return what the file of a printed statement says."""
    text = content.decode()
    if statement.account.format == "csv":
        decimal = "," if "comma" in statement.notation else "."
        return read_csv(text, statement.account.dialect, decimal)
    readers = {"ofx": read_ofx, "mt940": read_mt940, "camt053": read_camt053, "bai2": read_bai2}
    return readers[statement.account.format](text)
