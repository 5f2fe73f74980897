"""Balances that do not follow, and files that end too early."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from itertools import combinations

from veridical.bench.drawing import Draw
from veridical.bench.perturbing.draft import Change, Draft, NoRoomError
from veridical.bench.world.facts import Foreign, Line
from veridical.bench.world.people import SUPPLIERS
from veridical.bench.world.truth import true_balance

__all__ = ["BALANCES", "no_balances"]

_CSV = frozenset({"csv"})


def _restated(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    amount = draft.amount(account, draw, 1_000, 40_000)
    account.opening += amount if draw.chance(50) else -amount
    return ()


def _restated_and_told(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    _restated(draft, account_id, draw)
    account.correction = (draft.world.start, account.opening - account.previous_closing)
    return ()


def _adding_up_wrong(
    draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]
) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    amount = draft.amount(statement.account, draw, 500, 30_000)
    # Twice a line would look like a wrong sign.
    if any(abs(row.amount) * 2 == amount for row in statement.rows):
        raise NoRoomError
    amount = amount if draw.chance(50) else -amount
    rows = [row for row in statement.rows if row.running is not None]
    first = draw.between(2, len(rows) - 3)
    last = len(rows)
    if statement.account.format == "csv" and draw.chance(25):
        last = draw.between(first + 2, len(rows))
    for row in rows[first:last]:
        row.running = (row.running or Decimal(0)) + amount
    if last == len(rows) and statement.closing is not None:
        statement.closing += amount
    return (rows[first].id,)


def _newest_first(draft: Draft, account_id: str, _: Draw, __: tuple[str, ...]) -> tuple[str, ...]:
    draft.statements[account_id].newest_first = True
    return ()


def _an_open_item(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    """Enter one more item that the missing tail may have held, or not."""
    account = draft.world.account(account_id)
    entry = draft.enter(
        account,
        draft.world.end - timedelta(days=draw.between(1, 2)),
        -draft.amount(account, draw, 5_000, 90_000),
        draw.pick(SUPPLIERS),
        draft.numbers.reference("PO"),
    )
    return (entry.id,)


def _tail_lost(
    draft: Draft, account_id: str, draw: Draw, entries: tuple[str, ...]
) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    n = draw.between(1, 4)
    tail = statement.rows[-n:]
    free = {line.id for line in draft.free_lines(account_id)}
    if len(statement.rows) < n + 8 or any(row.id not in free for row in tail):
        raise NoRoomError
    open_item = next(one for one in draft.world.ledger if one.id == entries[0])
    statement.rows = statement.rows[:-n]
    statement.lost, statement.closing, statement.available = n, None, None
    draft.touched.update(row.id for row in tail)
    truth = true_balance(statement.account, draft.world.end)
    shown = truth - sum((row.amount for row in tail), Decimal(0))
    possible = [row.amount for row in tail] + [open_item.amount]
    balances = {shown + sum(chosen, Decimal(0)) for chosen in combinations(possible, n)}
    draft.candidates[account_id] = tuple(sorted(balances))
    return tuple(row.id for row in tail)


def _no_rate(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    currency = draw.pick([one for one in ("USD", "EUR", "GBP") if one != account.currency])
    amount = -draft.amount(account, draw, 5_000, 90_000)
    day = draft.day(draw)
    rates = [Decimal(draw.between(7_000, 13_000)) / 10_000 for _ in range(2)]
    if abs(rates[0] - rates[1]) < Decimal("0.01"):
        raise NoRoomError
    line = Line(
        id=draft.numbers.line_id(),
        booked=day,
        value_date=day,
        amount=amount * rates[0],
        payee="Overseas card purchases",
        reference=draft.numbers.reference("SO"),
        memo="card",
        foreign=Foreign(currency, amount, None),
    )
    draft.add(account, line)
    draft.vary(account, line)
    # A later change of the facts moves both balances alike: the other one is kept as a distance.
    draft.distances[account_id] = (amount * rates[1] - line.amount,)
    return (line.id,)


def no_balances(draft: Draft, account_id: str, _: Draw, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Print no balance that would settle the amount in question."""
    statement = draft.statements[account_id]
    statement.show_running, statement.closing, statement.available = False, None, None
    return lines


def _quiet_end(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    until = draft.world.end - timedelta(days=draw.between(8, 11))
    late = [line for line in account.lines if line.booked > until]
    if any(line.id in draft.touched for line in late) or len(account.lines) - len(late) < 8:
        raise NoRoomError
    gone = {line.reference for line in late}
    account.lines = [line for line in account.lines if line.booked <= until]
    draft.world.ledger = [one for one in draft.world.ledger if one.reference not in gone]
    draft.world.orders = [one for one in draft.world.orders if one.reference not in gone]
    return ()


BALANCES = (
    # First of all: it takes lines away that others could have taken.
    Change(
        id="truncated_export", variant="twin", facts=_quiet_end,
        formats=frozenset({"csv", "camt053"}), preamble=True, claims=frozenset({"tail"}),
    ),
    Change(
        id="restated_opening", facts=_restated, flag="opening_balance_mismatch",
        claims=frozenset({"opening"}),
    ),
    Change(
        id="restated_opening", variant="twin", facts=_restated_and_told,
        claims=frozenset({"opening"}),
    ),
    Change(
        id="truncated_export", facts=_an_open_item, display=_tail_lost, flag="incomplete_data",
        determinable=False, formats=frozenset({"csv", "camt053"}), preamble=True,
        claims=frozenset({"balance", "tail", "outstanding"}),
    ),
    Change(
        id="truncated_export", variant="b", facts=_no_rate, display=no_balances,
        flag="incomplete_data", determinable=False, formats=_CSV, whole=False,
        claims=frozenset({"balance", "currency", "notation", "order", "tail"}),
    ),
    Change(
        id="bank_arithmetic", display=_adding_up_wrong, flag="balance_discontinuity",
        claims=frozenset({"balance"}),
    ),
    Change(
        id="bank_arithmetic", variant="twin", display=_newest_first, formats=_CSV,
        claims=frozenset({"order"}),
    ),
)  # fmt: skip
