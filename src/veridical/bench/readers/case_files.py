"""The files of a case as a whole: master, statements, last month, ledger, standing orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Final

from veridical import strict_json
from veridical.bench.readers.bai2 import read_bai2
from veridical.bench.readers.mt940 import read_mt940
from veridical.bench.readers.shown import Shown, UnreadableError
from veridical.bench.readers.tables import read_table, table_rows
from veridical.bench.readers.xml_statements import read_camt, read_ofx

__all__ = ["CaseFiles", "Item", "Master", "read_case", "read_statement"]

_GROSS: Final = re.compile(r"gross ([0-9]+(?:\.[0-9]+)?) less fee ([0-9]+(?:\.[0-9]+)?)", re.ASCII)
_BATCH: Final = re.compile(r"\bbatch ([A-Z]+-[0-9]+)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Master:
    """What ``accounts.json`` says of an account; ``zone`` is empty where nobody knows it."""

    account_id: str
    currency: str
    zone: str
    statements: tuple[str, ...]
    previous: str | None


@dataclass(slots=True, kw_only=True)
class Item:
    """What the ledger expects of the bank under one reference.

    Attributes
    ----------
    reference
        That of a bank line; of a batch, the bank's.
    amount
        What the bank should show: the sum of the entries, net of a fee that they state.
    day
        Of the oldest entry.
    """

    account_id: str
    reference: str
    amount: Decimal
    day: date


@dataclass(slots=True, kw_only=True)
class CaseFiles:
    """All that is known of a case.

    Attributes
    ----------
    statements, previous
        By account id.
    items
        By account id and reference.
    orders
        Pairs of account id and reference.
    texts
        Every file as text, by name.
    """

    start: date
    end: date
    accounts: list[Master]
    statements: dict[str, list[Shown]] = field(default_factory=dict)
    previous: dict[str, Shown] = field(default_factory=dict)
    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    orders: set[tuple[str, str]] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)


def read_statement(name: str, text: str) -> Shown:
    """Read a statement of whatever format; its content says which it is.

    Raises
    ------
    UnreadableError
        It is none of those that are known.
    """
    head = text.lstrip("\ufeff \r\n")[:4000]
    if "<OFX>" in head:
        return read_ofx(name, text)
    if "camt.053" in head:
        return read_camt(name, text)
    if head.startswith(":20:") or "\n:20:" in head:
        return read_mt940(name, text)
    if head.startswith("01,") and "/" in head:
        return read_bai2(name, text)
    return read_table(name, text)


def read_case(texts: Mapping[str, str]) -> CaseFiles:
    """Read the files of a case.

    Parameters
    ----------
    texts
        By name; ``accounts.json`` names the others.

    Raises
    ------
    UnreadableError
        One of them cannot be read.
    """
    try:
        master = strict_json.loads(texts["accounts.json"])
        files = CaseFiles(
            start=date.fromisoformat(master["period"]["start"]),
            end=date.fromisoformat(master["period"]["end"]),
            accounts=[_master(one) for one in master["accounts"]],
            texts=dict(texts),
        )
        for account in files.accounts:
            files.statements[account.account_id] = [
                read_statement(name, texts[name]) for name in account.statements
            ]
            if account.previous is not None:
                previous = read_table(account.previous, texts[account.previous])
                files.previous[account.account_id] = previous
        _read_ledger(files, texts[master["ledger"]])
        for row in _records(texts[master["standing_orders"]]):
            files.orders.add((row["account_id"], row["reference"]))
    except UnreadableError:
        raise
    except (KeyError, TypeError, ValueError, ArithmeticError, IndexError) as error:
        raise UnreadableError(f"the case cannot be read: {type(error).__name__}") from error
    return files


def _master(one: Mapping[str, Any]) -> Master:
    return Master(
        account_id=one["account_id"],
        currency=one["currency"],
        zone=one.get("time_zone") or "",
        statements=tuple(one["statements"]),
        previous=one.get("previous_statement"),
    )


def _records(text: str) -> list[dict[str, str]]:
    rows = table_rows(text)
    headings = [cell.strip() for cell in rows[0]]
    # What somebody wrote behind the last heading does not make it another one.
    known = ("memo", "reference")
    headings[-1] = next((one for one in known if headings[-1].startswith(one)), headings[-1])
    return [dict(zip(headings, row, strict=False)) for row in rows[1:] if row]


def _read_ledger(files: CaseFiles, text: str) -> None:
    for row in _records(text):
        amount, memo = Decimal(row["amount"]), row["memo"]
        if match := _GROSS.search(memo):
            net = Decimal(match[1]) - Decimal(match[2])
            amount = net.copy_sign(amount) if abs(amount) == Decimal(match[1]) else amount
        batch = _BATCH.search(memo)
        reference = batch[1] if batch else row["reference"]
        key, day = (row["account_id"], reference), date.fromisoformat(row["date"])
        item = files.items.get(key)
        if item is None:
            files.items[key] = Item(account_id=key[0], reference=reference, amount=amount, day=day)
        else:
            item.amount += amount
            item.day = min(item.day, day)
