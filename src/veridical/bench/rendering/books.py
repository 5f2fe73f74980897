"""What is not a statement: the master, the ledger, standing orders, last month."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal

from veridical.bench.rendering.delimited import delimited, quoted
from veridical.bench.rendering.numbers import written
from veridical.bench.rendering.statement import Row, Statement
from veridical.bench.world.facts import Account, World

__all__ = ["ledger", "master", "previous_name", "previous_statement", "standing_orders"]


def master(world: World, names: Mapping[str, list[str]], nicknames: Mapping[str, str]) -> bytes:
    """Return ``accounts.json``.

    Parameters
    ----------
    names
        The statements of each account, oldest first.
    nicknames
        Text added to the nickname of an account.
    """
    accounts = [
        {
            "account_id": one.id,
            "nickname": one.nickname + nicknames.get(one.id, ""),
            "account_number": one.number,
            "currency": one.currency,
            "time_zone": one.zone,
            "statements": names[one.id],
            "previous_statement": previous_name(world, one),
        }
        for one in world.accounts
    ]
    data = {
        "period": {"start": world.start.isoformat(), "end": world.end.isoformat()},
        "accounts": accounts,
        "ledger": "ledger.csv",
        "standing_orders": "standing_orders.csv",
    }
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def ledger(world: World, extra: Mapping[str, str]) -> bytes:
    """Return ``ledger.csv``; ``extra`` is text added to the memo of an entry, by its id."""
    lines = ["entry_id,date,account_id,amount,counterparty,reference,memo"]
    for entry in sorted(world.ledger, key=lambda entry: (entry.day, entry.id)):
        memo = quoted(entry.memo + extra.get(entry.id, ""))
        lines.append(
            f"{entry.id},{entry.day.isoformat()},{entry.account_id},{written(entry.amount)},"
            f"{quoted(entry.counterparty)},{entry.reference},{memo}"
        )
    return ("\n".join(lines) + "\n").encode()


def standing_orders(world: World) -> bytes:
    """Return ``standing_orders.csv``."""
    lines = ["order_id,account_id,counterparty,amount,reference"]
    for order in sorted(world.orders, key=lambda order: order.id):
        amount = "" if order.amount is None else written(order.amount)
        lines.append(
            f"{order.id},{order.account_id},{quoted(order.counterparty)},{amount},{order.reference}"
        )
    return ("\n".join(lines) + "\n").encode()


def previous_name(world: World, account: Account) -> str:
    """Return the file name of an account's previous statement."""
    return f"{account.id}_{world.start - timedelta(days=1):%Y-%m}.csv"


def previous_statement(world: World, account: Account) -> bytes:
    """Return the last lines of the month before, up to its closing balance."""
    opening = account.previous_closing - sum((one.amount for one in account.previous), Decimal(0))
    running, rows = opening, []
    for line in account.previous:
        running += line.amount
        rows.append(
            Row(
                id=line.id, booked=line.booked, value_date=line.value_date, moment=None,
                amount=line.amount, payee=line.payee, reference=line.reference, memo=line.memo,
                running=running,
            )
        )  # fmt: skip
    first = account.previous[0].booked
    end = world.start - timedelta(days=1)
    plain = Account(
        id=account.id, nickname="", number=account.number, currency=account.currency,
        zone=account.zone, format="csv", dialect="plain", whole=account.whole,
        opening=opening, previous_closing=opening,
    )  # fmt: skip
    shown = Statement(
        account=plain, start=first, end=end, currency=account.currency, opening=opening,
        rows=rows, closing=account.previous_closing,
    )  # fmt: skip
    text = delimited(shown)
    if account.correction is not None:
        day, amount = account.correction
        text += f"Correction dated {day.isoformat()},{written(amount)}\n".encode()
    return text
