"""Lines about midnight at the end of the period."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta

from veridical.bench.drawing import Draw
from veridical.bench.perturbing.draft import Change, Draft
from veridical.bench.world.facts import Account, Line
from veridical.bench.world.people import CUSTOMERS, SUPPLIERS
from veridical.bench.world.zones import utc

__all__ = ["CLOCKS"]


def _at(draft: Draft, account: Account, draw: Draw, clock: datetime, zone: str) -> Line:
    """Add a line that the account's clock shows at this time."""
    credit = draw.chance(50)
    amount = draft.amount(account, draw, 5_000, 90_000)
    line = Line(
        id=draft.numbers.line_id(),
        booked=clock.date(),
        value_date=draft.world.end,
        amount=amount if credit else -amount,
        payee=draw.pick(CUSTOMERS if credit else SUPPLIERS),
        reference=draft.numbers.reference("INV" if credit else "PO"),
        moment=utc(clock, zone) if zone else clock,
    )
    draft.add(account, line)
    draft.enter(account, draft.world.end, line.amount, line.payee, line.reference)
    return line


def _midnight(draft: Draft) -> datetime:
    return datetime.combine(draft.world.end + timedelta(days=1), time.min)


def _about_midnight(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    account.stamps = "utc"
    midnight = _midnight(draft)
    before = midnight - timedelta(minutes=draw.between(1, 55))
    after = midnight + timedelta(minutes=draw.between(0, 55))
    return (
        _at(draft, account, draw, before, account.zone).id,
        _at(draft, account, draw, after, account.zone).id,
    )


def _no_zone(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    account.stamps, account.zone = "bare", ""
    clock = _midnight(draft) + timedelta(minutes=draw.pick((-50, -35, -20, -5, 5, 20, 35, 50)))
    line = _at(draft, account, draw, clock, "")
    # Both sides of the end agree with the files; the hidden one is drawn.
    inside = draw.chance(50)
    booked = draft.world.end if inside else draft.world.end + timedelta(days=1)
    account.lines[-1] = replace(line, booked=booked)
    draft.distances[account_id] = (-line.amount if inside else line.amount,)
    return (line.id,)


CLOCKS = (
    Change(
        id="cutoff_zone",
        facts=_about_midnight,
        bites=True,
        claims=frozenset({"stamps", "tail"}),
        formats=frozenset({"csv", "ofx", "camt053"}),
    ),
    Change(
        id="cutoff_zone",
        variant="b",
        facts=_no_zone,
        flag="cutoff_ambiguity",
        determinable=False,
        claims=frozenset({"stamps", "tail"}),
        formats=frozenset({"csv"}),
    ),
)
