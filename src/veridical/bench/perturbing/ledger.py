"""Differences between ledger and bank, explained or not."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from veridical.bench.drawing import Draw
from veridical.bench.money import q
from veridical.bench.perturbing.draft import Change, Draft, NoRoomError
from veridical.bench.world.building import ordered_line
from veridical.bench.world.facts import LedgerEntry, Line
from veridical.bench.world.people import CUSTOMERS, SUPPLIERS

__all__ = ["LEDGER"]


def _transposed(draft: Draft, line: Line, draw: Draw, *, whole: bool) -> Decimal:
    """Return the amount with two neighbouring digits swapped; no line has it."""
    units = 1 if whole else 100
    digits = str(int(abs(line.amount) * units))
    options = [
        digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :]
        for i in range(len(digits) - 1)
        if digits[i] != digits[i + 1] and (i or digits[1] != "0")
    ]
    for option in draw.shuffled(options):
        amount = Decimal(option) / units
        if draft.numbers.claim(amount):
            return amount.copy_sign(line.amount)
    raise NoRoomError


def _replaced(draft: Draft, line: Line, *entries: LedgerEntry) -> None:
    draft.world.ledger = [one for one in draft.world.ledger if one.reference != line.reference]
    draft.world.ledger += entries


def _ledger_slip(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    line = draft.take(account_id, draw)
    entry = draft.entries(line.reference)[0]
    whole = draft.world.account(account_id).whole
    _replaced(draft, line, replace(entry, amount=_transposed(draft, line, draw, whole=whole)))
    return (line.id,)


def _corrected_slip(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw)
    entry = draft.entries(line.reference)[0]
    wrong = _transposed(draft, line, draw, whole=account.whole)
    _replaced(draft, line, replace(entry, amount=wrong))
    day = min(entry.day + timedelta(days=draw.between(1, 3)), draft.world.end)
    draft.enter(account, day, -wrong, line.payee, line.reference, "mistyped, taken back")
    draft.enter(account, day, line.amount, line.payee, line.reference, "corrected")
    return (line.id,)


def _net_of_fee(draft: Draft, account_id: str, draw: Draw, *, told: bool) -> tuple[str, ...]:
    line = draft.take(account_id, draw, credit=True)
    entry = draft.entries(line.reference)[0]
    rate = Decimal(draw.pick(("1.4", "1.9", "2.5", "2.9"))) / 100
    fee = q(line.amount * rate / (1 - rate)) + Decimal(draw.pick(("0.10", "0.20", "0.30")))
    whole = draft.world.account(account_id).whole
    if whole:
        fee = Decimal(int(fee) + 1)
    gross = line.amount + fee
    if not draft.numbers.claim(gross):
        raise NoRoomError
    if told and draw.chance(25) and not whole:
        fee += Decimal("0.005")  # what is left ends on half a penny, and the bank rounds it up
    memo = f"gross {gross} less fee {fee}" if told else ""
    _replaced(draft, line, replace(entry, amount=gross, memo=memo))
    return (line.id,)


def _fee_told(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    return _net_of_fee(draft, account_id, draw, told=True)


def _fee_untold(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    return _net_of_fee(draft, account_id, draw, told=False)


def _aggregated(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    return (_batch if draw.chance(50) else _instalments)(draft, account_id, draw)


def _parts(draft: Draft, amount: Decimal, n: int, draw: Draw, *, whole: bool) -> list[Decimal]:
    """Return n amounts that no other line has, with this sum."""
    for _attempt in range(50):
        unit = 100 if whole else 1
        units = int(abs(amount) * 100) // unit
        if units < 4 * n:
            break
        cuts = (
            sorted(draw.sample(range(1, units), n - 1))
            if units < 20_000
            else sorted({draw.between(1, units - 1) for _ in range(n - 1)})
        )
        sizes = [b - a for a, b in zip([0, *cuts], [*cuts, units], strict=True)]
        parts = [Decimal(size * unit) / 100 for size in sizes]
        if len(set(parts)) == n and all(draft.numbers.claim(part) for part in parts):
            return [part.copy_sign(amount) for part in parts]
    raise NoRoomError


def _batch(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw, credit=True)
    entry = draft.entries(line.reference)[0]
    parts = _parts(draft, line.amount, draw.between(2, 12), draw, whole=account.whole)
    _replaced(draft, line)
    for part in parts:
        draft.enter(
            account,
            entry.day,
            part,
            draw.pick(CUSTOMERS),
            draft.numbers.reference("INV"),
            f"batch {line.reference}",
        )
    return (line.id,)


def _instalments(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw)
    parts = _parts(draft, line.amount, draw.between(2, 4), draw, whole=account.whole)
    account.lines.remove(line)
    ids = []
    for number, part in enumerate(parts, 1):
        day = min(line.booked + timedelta(days=number - 1), draft.world.end - timedelta(days=1))
        paid = replace(
            line,
            id=draft.numbers.line_id(),
            booked=day,
            value_date=day,
            amount=part,
            reference=f"{line.reference}/{number}",
            memo=f"part {number} of {len(parts)}",
        )
        ids.append(draft.add(account, paid).id)
    return tuple(ids)


def _cheque(draft: Draft, account_id: str, draw: Draw, age: int) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    entry = draft.enter(
        account,
        draft.world.end - timedelta(days=age),
        -draft.amount(account, draw, 5_000, 90_000),
        draw.pick(SUPPLIERS),
        draft.numbers.reference("CHQ"),
        f"cheque {draw.between(1_000, 9_999):06d}",
    )
    return (entry.id,)


def _stale(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    age = draw.between(181, 183) if draw.chance(40) else draw.between(184, 400)
    return _cheque(draft, account_id, draw, age)


def _recent(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    return _cheque(draft, account_id, draw, draw.pick((20, 21, 45, 179, 180)))


def _unexplained(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    payee = draw.pick(SUPPLIERS)
    day = draft.day(draw)
    line = Line(
        id=draft.numbers.line_id(),
        booked=day,
        value_date=day,
        amount=-draft.amount(account, draw, 2_000, 60_000),
        # A name that is nearly that of a supplier, now and then.
        payee=f"{payee}s" if draw.chance(40) else payee,
        reference=draft.numbers.reference("PAY"),
        memo=draw.pick(("", "services", "as agreed")),
    )
    return (draft.add(account, line).id,)


def _ordered(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    amount = -draft.amount(account, draw, 2_000, 60_000)
    line = ordered_line(
        draft.world,
        account,
        draft.numbers,
        draft.day(draw),
        amount,
        draw.pick(SUPPLIERS),
        varies=False,
    )
    draft.touched.add(line.id)
    return (line.id,)


LEDGER = (
    Change(id="ledger_transposition", facts=_ledger_slip, flag="amount_mismatch"),
    Change(id="ledger_transposition", variant="twin", facts=_corrected_slip),
    Change(id="netted_fee", facts=_fee_told),
    Change(id="netted_fee", variant="b", facts=_fee_untold, flag="amount_mismatch"),
    Change(id="aggregation", facts=_aggregated),
    Change(id="stale_cheque", facts=_stale, flag="stale_item", claims=frozenset({"outstanding"})),
    Change(id="stale_cheque", variant="twin", facts=_recent, claims=frozenset({"outstanding"})),
    Change(id="unexplained_line", facts=_unexplained, flag="unmatched_transaction"),
    Change(id="unexplained_line", variant="twin", facts=_ordered),
)
