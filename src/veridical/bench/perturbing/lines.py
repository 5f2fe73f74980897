"""Lines shown twice, lost, with the wrong sign; and what only looks like it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from veridical.bench.drawing import Draw
from veridical.bench.perturbing.draft import Change, Draft, NoRoomError
from veridical.bench.world.people import SUPPLIERS

__all__ = ["LINES"]


def _shown_twice(draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]) -> tuple[str, ...]:
    line = draft.take(account_id, draw)
    rows = draft.statements[account_id].rows
    at = next(i for i, row in enumerate(rows) if row.id == line.id)
    for _copy in range(1 + draw.chance(25)):
        padded = draw.chance(30)
        copy = replace(rows[at], id=f"00{line.id}" if padded else line.id, extra={})
        rows.insert(min(at + draw.between(1, 8), len(rows)), copy)
    return (line.id,)


def _paid_twice(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw)
    again = replace(
        line, id=draft.numbers.line_id(), reference=draft.numbers.reference(line.reference[:2])
    )
    draft.add(account, again)
    draft.explain(account, again)
    return line.id, again.id


def _overlapping(draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    if len(statement.rows) < 12:
        raise NoRoomError
    first = draw.between(4, len(statement.rows) - 7)
    statement.overlap = first, first + draw.between(1, 3)
    return tuple(row.id for row in statement.rows[slice(*statement.overlap)])


def _to_be_lost(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    """Choose one line, or two: of equal amount now and then."""
    if draw.chance(25):
        return _paid_twice(draft, account_id, draw)
    return tuple(draft.take(account_id, draw).id for _ in range(1 + draw.chance(30)))


def _lost(draft: Draft, account_id: str, _: Draw, lines: tuple[str, ...]) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    # The last booked row stays: a balance that jumps is printed behind the gap.
    if [row.id for row in statement.rows if row.running is not None][-1] in lines:
        raise NoRoomError
    statement.rows = [row for row in statement.rows if row.id not in lines]
    return lines


def _outstanding(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    amount = -draft.amount(account, draw, 5_000, 90_000)
    day = draft.world.end - timedelta(days=draw.between(2, 12))
    number = draw.between(1_000, 9_999)
    entry = draft.enter(
        account,
        day,
        amount,
        draw.pick(SUPPLIERS),
        draft.numbers.reference("CHQ"),
        f"cheque {number:06d}",
    )
    return (entry.id,)


def _wrong_sign(draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]) -> tuple[str, ...]:
    line = draft.take(account_id, draw, credit=False)
    row = draft.row(account_id, line.id)
    row.amount = -row.amount
    return (line.id,)


def _reversal(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw)
    back = min(line.booked + timedelta(days=draw.between(1, 3)), draft.world.end)
    reversed_ = replace(
        line,
        id=draft.numbers.line_id(),
        booked=back,
        value_date=back,
        amount=-line.amount,
        reference=draft.numbers.reference("REV"),
        memo=f"bank entry {line.reference} taken back",
        reversal=True,
    )
    draft.add(account, reversed_)
    draft.explain(account, reversed_, f"bank took {line.reference} back")
    return line.id, reversed_.id


LINES = (
    Change(
        id="duplicate_line",
        display=_shown_twice,
        flag="duplicate_transaction",
        bites=True,
    ),
    Change(
        id="duplicate_line",
        variant="exports",
        display=_overlapping,
        flag="duplicate_transaction",
        bites=True,
        claims=frozenset({"balance", "order", "tail"}),
        formats=frozenset({"csv"}),
    ),
    Change(id="duplicate_line", variant="twin", facts=_paid_twice),
    Change(
        id="dropped_line",
        facts=_to_be_lost,
        display=_lost,
        flag="missing_transaction",
        bites=True,
        claims=frozenset({"balance"}),
    ),
    Change(
        id="dropped_line",
        variant="twin",
        facts=_outstanding,
        claims=frozenset({"outstanding"}),
    ),
    Change(
        id="sign_flip",
        display=_wrong_sign,
        flag="sign_error",
        bites=True,
        claims=frozenset({"balance"}),
    ),
    Change(
        id="sign_flip",
        variant="twin",
        facts=_reversal,
        formats=frozenset({"mt940", "camt053"}),
    ),
)
