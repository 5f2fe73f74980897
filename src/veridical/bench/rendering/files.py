"""All the files of a case, from the facts and what is shown of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from veridical.bench.money import q
from veridical.bench.naive_numbers import naive_number
from veridical.bench.rendering.bai2 import bai2
from veridical.bench.rendering.books import (
    ledger,
    master,
    previous_name,
    previous_statement,
    standing_orders,
)
from veridical.bench.rendering.camt053 import camt053
from veridical.bench.rendering.delimited import delimited, naive_amount
from veridical.bench.rendering.mt940 import mt940
from veridical.bench.rendering.numbers import written
from veridical.bench.rendering.ofx import ofx
from veridical.bench.rendering.statement import Statement
from veridical.bench.world.facts import World

__all__ = ["naive_sum", "rendered"]

_FORMATS: Mapping[str, Callable[[Statement], bytes]] = {
    "csv": delimited,
    "ofx": ofx,
    "mt940": mt940,
    "camt053": camt053,
    "bai2": bai2,
}


def rendered(
    world: World,
    statements: Mapping[str, Statement],
    *,
    nicknames: Mapping[str, str] | None = None,
    memos: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """Return the files by name, sorted.

    Parameters
    ----------
    statements
        By account id.
    nicknames, memos
        Text added to nicknames of accounts, and to memos of ledger entries, by id.

    Raises
    ------
    CannotCarryError
        A format has no place for something that is to be shown.
    """
    files = {
        part.name: _FORMATS[part.account.format](part)
        for one in statements.values()
        for part in one.parts()
    }
    for account in world.accounts:
        files[previous_name(world, account)] = previous_statement(world, account)
    names = {account: [part.name for part in one.parts()] for account, one in statements.items()}
    files["accounts.json"] = master(world, names, nicknames or {})
    files["ledger.csv"] = ledger(world, memos or {})
    files["standing_orders.csv"] = standing_orders(world)
    return dict(sorted(files.items()))


def naive_sum(statement: Statement) -> Decimal:
    """Return opening plus every shown row, each read naively and rounded."""
    if statement.account.format != "csv":
        return q(statement.opening) + sum((q(row.amount) for row in statement.rows), Decimal(0))
    opening = written(statement.opening, statement.notation, whole=statement.account.whole)
    rows = [row for part in statement.parts() for row in part.rows]
    amounts = (q(naive_amount(row, statement)) for row in rows)
    return q(naive_number(opening)) + sum(amounts, Decimal(0))
