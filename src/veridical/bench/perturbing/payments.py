"""Payments that are not yet there, and such as came back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from veridical.bench.drawing import Draw
from veridical.bench.perturbing.draft import Change, Draft
from veridical.bench.world.facts import Line
from veridical.bench.world.people import CUSTOMERS, SUPPLIERS

__all__ = ["PAYMENTS"]


def _pending(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    ids = []
    for _ in range(draw.between(1, 3)):
        credit = draw.chance(50)
        day = draft.world.end - timedelta(days=draw.below(2))
        amount = draft.amount(account, draw, 3_000, 90_000)
        line = Line(
            id=draft.numbers.line_id(),
            booked=day,
            value_date=day,
            amount=amount if credit else -amount,
            payee=draw.pick(CUSTOMERS if credit else SUPPLIERS),
            reference=draft.numbers.reference("INV" if credit else "PO"),
            memo="not yet booked",
            pending=True,
        )
        ids.append(draft.add(account, line).id)
        draft.explain(account, line)
    if draw.chance(40):  # one that was booked later, and shows both times
        booked = draft.take(account_id, draw)
        earlier = replace(
            booked,
            id=draft.numbers.line_id(),
            booked=booked.booked - timedelta(days=1),
            pending=True,
        )
        ids.append(draft.add(account, earlier).id)
    return tuple(ids)


def _returned(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw, credit=True)
    day = min(line.booked + timedelta(days=draw.between(1, 6)), draft.world.end - timedelta(days=1))
    reference = draft.numbers.reference("RTN")
    why = draw.pick(("returned unpaid", "charged back", "rejected by payer's bank"))
    # Partly, now and then; all of it otherwise.
    amount = draft.amount(account, draw, 300, 1_400) if draw.chance(20) else line.amount
    amount = min(amount, line.amount)
    back = replace(
        line,
        id=draft.numbers.line_id(),
        booked=day,
        value_date=day,
        amount=-amount,
        reference=reference,
        memo=f"{why}: {line.reference}",
    )
    fee = replace(
        back,
        id=draft.numbers.line_id(),
        amount=-draft.amount(account, draw, 400, 1_500),
        payee="Returned item fee",
        memo=f"fee for {reference}",
    )
    return line.id, draft.add(account, back).id, draft.add(account, fee).id


def _refund(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    line = draft.take(account_id, draw, credit=True)
    day = min(line.booked + timedelta(days=draw.between(1, 6)), draft.world.end - timedelta(days=1))
    part = Decimal(int(line.amount) // 2 or 1) if draw.chance(50) else line.amount
    refund = replace(
        line,
        id=draft.numbers.line_id(),
        booked=day,
        value_date=day,
        amount=-part,
        reference=draft.numbers.reference("REF"),
        memo="refund to customer",
    )
    draft.add(account, refund)
    draft.explain(account, refund, f"our refund of {line.reference}")
    return line.id, refund.id


PAYMENTS = (
    Change(
        id="pending_lines",
        facts=_pending,
        bites=True,
        claims=frozenset({"tail"}),
        formats=frozenset({"csv", "camt053"}),
        preamble=True,
    ),
    Change(id="returned_item", facts=_returned, flag="returned_item"),
    Change(id="returned_item", variant="twin", facts=_refund),
)
