"""A world from a template: every line explained, all amounts of different size."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

from veridical.bench.drawing import Draw
from veridical.bench.world.facts import Account, LedgerEntry, Line, StandingOrder, World
from veridical.bench.world.people import CUSTOMERS, HOLDERS, ORDERED, SUPPLIERS
from veridical.bench.world.templates import TEMPLATES, AccountPlan

__all__ = ["Numbers", "booked_line", "build", "ordered_line"]

_CENT = Decimal("0.01")
# Some ask for something, as ordinary references do.
_MEMOS = (
    "", "", "", "order", "services", "goods", "monthly account", "thank you",
    "pay by 30th", "call before delivery", "do not combine with other invoices",
)  # fmt: skip


class Numbers:
    """Ids and amounts of a case; none is given twice.

    Parameters
    ----------
    draw
        The stream they come from.
    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._ids = 1_000_000 + draw.below(8_000_000)
        self._entries = 1_000 + draw.below(8_000)
        self._references = 10_000 + draw.below(80_000)
        self._amounts: set[int] = set()

    def line_id(self) -> str:
        """Return a bank's id of a line."""
        self._ids += self._draw.between(3, 97)
        return str(self._ids)

    def entry_id(self) -> str:
        """Return an id of a ledger entry or an order."""
        self._entries += 1
        return f"E{self._entries}"

    def reference(self, prefix: str) -> str:
        """Return a reference."""
        self._references += self._draw.between(1, 9)
        return f"{prefix}-{self._references}"

    def amount(self, draw: Draw, low: int, high: int, *, whole: bool = False) -> Decimal:
        """Return an amount from ``low`` to ``high`` hundredths, unlike any other of the case."""
        while True:
            cents = draw.between(low, high)
            cents = cents // 100 * 100 if whole else cents + (cents % 100 == 0)
            if cents and self.claim(Decimal(cents) * _CENT):
                return Decimal(cents) * _CENT

    def claim(self, amount: Decimal) -> bool:
        """Take an amount for a line; False where its size is in use."""
        cents = int(abs(amount) * 100)
        if cents in self._amounts:
            return False
        self._amounts.add(cents)
        return True


def _month(draw: Draw) -> tuple[date, date]:
    start = date(2026, draw.between(1, 10), 1)
    return start, (start + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def build(
    template_id: str, key: Callable[[str], Draw], small: frozenset[str] = frozenset()
) -> tuple[World, Numbers]:
    """Return the facts of a case, and where further ids and amounts come from.

    Parameters
    ----------
    template_id
        One of ``TEMPLATES``.
    key
        Gives the stream of a component.
    small
        Accounts whose amounts are small whole numbers, because a change needs that.
    """
    template = TEMPLATES[template_id]
    draw = key("world")
    start, end = _month(draw)
    numbers = Numbers(key("numbers"))
    holder = draw.pick(HOLDERS)
    world = World(template_id=template_id, start=start, end=end, accounts=[])
    for position, plan in enumerate(template.accounts, 1):
        account_id = f"A{position}"
        own = key(f"account:{account_id}")
        _account(world, account_id, plan, holder, own, numbers, small=account_id in small)
    return world, numbers


def _account(
    world: World,
    account_id: str,
    plan: AccountPlan,
    holder: str,
    draw: Draw,
    numbers: Numbers,
    *,
    small: bool,
) -> None:
    # Nine hundred at most, and whole: then no figure of the file settles how 1.234 is read.
    low, high = (500, 89_900) if small else plan.size
    whole = plan.whole or small
    bounds = (300, 899) if small else plan.opening
    opening = Decimal(draw.between(*bounds))
    if not whole:
        opening += Decimal(draw.between(1, 99)) * _CENT
    account = Account(
        id=account_id,
        nickname=f"{holder} {draw.pick(('current', 'operating', 'main', 'trading'))}",
        number=str(10_000_000 + draw.below(90_000_000)),
        currency=plan.currency,
        zone=plan.zone,
        format=plan.format,  # type: ignore[arg-type]
        dialect=plan.dialect,
        whole=whole,
        opening=opening,
        previous_closing=opening,
        stamps=plan.stamps,  # type: ignore[arg-type]
    )
    world.accounts.append(account)
    days = (world.end - world.start).days - 3
    n = draw.between(*plan.lines)
    n_ordered = draw.between(2, 4)
    sized: list[tuple[date, bool]] = [
        (world.start + timedelta(days=2 + draw.below(days)), draw.chance(plan.receipts))
        for _ in range(n - n_ordered)
    ]
    for day, receipt in sorted(sized):
        amount = numbers.amount(draw, low, high, whole=whole)
        booked_line(world, account, draw, numbers, day, amount if receipt else -amount)
    for payee, varies in draw.sample(ORDERED, n_ordered):
        amount = -numbers.amount(draw, low, min(high, low * 40), whole=whole)
        day = world.start + timedelta(days=2 + draw.below(18))
        ordered_line(world, account, numbers, day, amount, payee, varies=varies)
    _previous(world, account, draw, numbers, low, high)


def booked_line(
    world: World,
    account: Account,
    draw: Draw,
    numbers: Numbers,
    day: date,
    amount: Decimal,
) -> Line:
    """Add a line and the ledger entry that explains it."""
    payee = draw.pick(CUSTOMERS if amount > 0 else SUPPLIERS)
    reference = numbers.reference("INV" if amount > 0 else draw.pick(("PO", "BILL")))
    line = Line(
        id=numbers.line_id(),
        booked=day,
        value_date=day + timedelta(days=draw.below(2)),
        amount=amount,
        payee=payee,
        reference=reference,
        memo=draw.pick(_MEMOS),
    )
    account.lines.append(line)
    world.ledger.append(
        LedgerEntry(
            id=numbers.entry_id(),
            day=day - timedelta(days=draw.below(3)),
            account_id=account.id,
            amount=amount,
            counterparty=payee,
            reference=reference,
        )
    )
    return line


def ordered_line(
    world: World,
    account: Account,
    numbers: Numbers,
    day: date,
    amount: Decimal,
    payee: str,
    *,
    varies: bool,
) -> Line:
    """Add a line and the standing order that explains it."""
    reference = numbers.reference("SO")
    line = Line(
        id=numbers.line_id(),
        booked=day,
        value_date=day,
        amount=amount,
        payee=payee,
        reference=reference,
        memo="standing order",
    )
    account.lines.append(line)
    world.orders.append(
        StandingOrder(
            id=numbers.entry_id(),
            account_id=account.id,
            counterparty=payee,
            amount=None if varies else amount,
            reference=reference,
        )
    )
    return line


def _previous(
    world: World, account: Account, draw: Draw, numbers: Numbers, low: int, high: int
) -> None:
    for days in sorted((draw.between(1, 12) for _ in range(draw.between(2, 4))), reverse=True):
        amount = numbers.amount(draw, low, high, whole=account.whole)
        day = world.start - timedelta(days=days)
        receipt = draw.chance(50)
        account.previous.append(
            Line(
                id=numbers.line_id(),
                booked=day,
                value_date=day,
                amount=amount if receipt else -amount,
                payee=draw.pick(CUSTOMERS if receipt else SUPPLIERS),
                reference=numbers.reference("INV" if receipt else "PO"),
            )
        )
