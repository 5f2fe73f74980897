"""Currencies, notations, texts and fractions."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal

from veridical.bench.drawing import Draw
from veridical.bench.money import q
from veridical.bench.perturbing.balances import no_balances
from veridical.bench.perturbing.draft import Change, Draft, NoRoomError
from veridical.bench.rendering.numbers import NOTATIONS, SIGN_NOTATIONS
from veridical.bench.world.facts import Account, Foreign, Line
from veridical.bench.world.people import CUSTOMERS, SUPPLIERS

__all__ = ["FIGURES"]

_CSV = frozenset({"csv"})
# An inverse quote must end when the amount is divided by it.
_INVERSE = ("1.25", "1.28", "1.6", "0.8", "0.64")


def _foreign(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    currency = draw.pick([one for one in ("USD", "EUR", "GBP") if one != account.currency])
    ids = []
    for _ in range(draw.between(1, 2)):
        inverse = draw.chance(40)
        decimals = draw.pick((4, 5))
        rate = (
            Decimal(draw.pick(_INVERSE))
            if inverse
            else Decimal(draw.between(6 * 10 ** (decimals - 1), 14 * 10 ** (decimals - 1))).scaleb(
                -decimals
            )
        )
        credit = draw.chance(50)
        amount = draft.amount(account, draw, 5_000, 90_000)
        amount = amount if credit else -amount
        booked = amount / rate if inverse else amount * rate
        if abs(q(booked)) == abs(amount) or not draft.numbers.claim(booked):
            raise NoRoomError
        day = draft.day(draw)
        line = Line(
            id=draft.numbers.line_id(),
            booked=day,
            value_date=day,
            amount=booked,
            payee=draw.pick(CUSTOMERS if credit else SUPPLIERS),
            reference=draft.numbers.reference("INV" if credit else "PO"),
            foreign=Foreign(currency, amount, rate, inverse),
        )
        draft.add(account, line)
        draft.enter(account, day, q(booked), line.payee, line.reference)
        ids.append(line.id)
    if draw.chance(40):
        ids.append(_booked_abroad(draft, account, currency, draw).id)
    return tuple(ids)


def _booked_abroad(draft: Draft, account: Account, currency: str, draw: Draw) -> Line:
    """Add a line that the bank has booked in the account's currency, and whose memo tells both."""
    day = draft.day(draw)
    amount = -draft.amount(account, draw, 5_000, 90_000)
    rate = Decimal(draw.between(6_000, 14_000)) / 10_000
    abroad = f"{abs(q(amount / rate))} {currency} at 1 {currency} = {rate} {account.currency}"
    line = Line(
        id=draft.numbers.line_id(),
        booked=day,
        value_date=day,
        amount=amount,
        payee=draw.pick(SUPPLIERS),
        reference=draft.numbers.reference("PO"),
        memo=abroad,
    )
    draft.explain(account, line)
    return draft.add(account, line)


def _other_currency(
    draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]
) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    others = [one for one in ("USD", "EUR", "GBP", "CHF") if one != statement.currency]
    statement.currency = draw.pick(others)
    return ()


def _notation(draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    signed = statement.account.dialect in {"plain", "bare"}
    options = [
        name for name in NOTATIONS if name != "dot" and (signed or name not in SIGN_NOTATIONS)
    ]
    statement.notation = draw.pick(options)
    if draw.chance(30):  # some rows as everywhere else
        for row in statement.rows:
            row.notation = "dot" if draw.chance(30) else None
    return ()


def _two_readings(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    account = draft.world.account(account_id)
    digits = draw.between(1_101, 9_899)
    digits += digits % 10 == 0  # a trailing zero would not be printed
    readings = [Decimal(digits), Decimal(digits) / 1_000]
    sign = 1 if draw.chance(50) else -1
    hidden = draw.below(2)
    day = draft.day(draw)
    line = Line(
        id=draft.numbers.line_id(),
        booked=day,
        value_date=day,
        amount=sign * readings[hidden],
        payee="Metered supply" if sign < 0 else "Metered sales",
        reference=draft.numbers.reference("SO"),
        memo="as metered",
    )
    draft.add(account, line)
    draft.vary(account, line)
    draft.distances[account_id] = (sign * readings[1 - hidden] - line.amount,)
    return (line.id,)


def _shown_so(draft: Draft, account_id: str, draw: Draw, lines: tuple[str, ...]) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    no_balances(draft, account_id, draw, lines)
    row = draft.row(account_id, lines[0])
    digits = f"{abs(row.amount):f}".replace(".", "")
    sign = "-" if row.amount < 0 and statement.account.dialect in {"plain", "bare"} else ""
    row.text = f"{sign}{digits[0]}{draw.pick('.,')}{digits[1:]}"
    return lines


def _texts(draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]) -> tuple[str, ...]:
    statement = draft.statements[account_id]
    account = statement.account
    kinds = ["cut"]
    if account.format in {"csv", "ofx", "camt053"}:
        kinds += ["mojibake"]
    if account.format == "csv":
        kinds += ["mark", "newline"]
    ids = []
    for kind in draw.sample(kinds, draw.between(1, len(kinds))):
        if kind == "mark":
            statement.byte_order_mark = True
            continue
        line = draft.take(account_id, draw)
        row = draft.row(account_id, line.id)
        ids.append(line.id)
        if kind == "cut":
            name = f"{row.payee} Trading and Supply Company of the Northern Counties Limited"
            row.payee = name[: draw.pick((18, 32 if account.format == "ofx" else 35))]
            row.memo = ("as agreed, for goods and services of the month " * 4)[
                : 140 if account.format != "mt940" else 65
            ].strip()
        elif kind == "mojibake":
            row.payee = f"{row.payee} Köln-Süd".encode().decode("latin-1")
        else:
            row.memo = f"{row.memo}\nsecond line".lstrip()
    return tuple(ids)


def _fractions(draft: Draft, account_id: str, draw: Draw) -> tuple[str, ...]:
    """Add accruals of four decimals whose sum ends on half a penny."""
    account = draft.world.account(account_id)
    for _attempt in range(50):
        parts = [Decimal(draw.between(1_001, 89_999)) / 10_000 for _ in range(draw.between(3, 6))]
        rest = (Decimal("0.0050") - sum(parts, Decimal(0))) % Decimal("0.01")
        parts.append(Decimal(draw.between(10, 900)) / 100 + rest)
        total = sum(parts, Decimal(0))
        by_line = sum((q(part) for part in parts), Decimal(0))
        # Wrong by whichever rule somebody rounds the lines, or the sum half to even.
        if by_line not in {q(total), total.quantize(Decimal("0.01"), ROUND_HALF_EVEN)}:
            break
    else:
        raise NoRoomError
    if not all(draft.numbers.claim(part) for part in parts):
        raise NoRoomError
    sign = 1 if draw.chance(50) else -1
    reference = draft.numbers.reference("SO")
    ids = []
    for part in parts:
        day = draft.day(draw)
        line = Line(
            id=draft.numbers.line_id(),
            booked=day,
            value_date=day,
            amount=sign * part,
            payee="Interest accrual",
            reference=reference,
            memo="accrued daily",
        )
        ids.append(draft.add(account, line).id)
    draft.vary(account, replace(line, reference=reference))
    return tuple(ids)


def _ordinary_requests(
    draft: Draft, account_id: str, draw: Draw, _: tuple[str, ...]
) -> tuple[str, ...]:
    texts = draw.shuffled(
        (
            "PLEASE PAY BY 30TH", "call before payment", "please confirm receipt by email",
            "do not pay twice", "urgent: quote this number when you reply",
        )
    )  # fmt: skip
    ids = []
    for text in texts[: draw.between(1, 3)]:
        line = draft.take(account_id, draw)
        # MT940 knows no colon at the start, and few signs besides letters.
        draft.row(account_id, line.id).memo = text
        ids.append(line.id)
    return tuple(ids)


FIGURES = (
    Change(
        id="currency", facts=_foreign, bites=True, formats=_CSV, whole=False,
        claims=frozenset({"currency"}),
    ),
    Change(
        id="currency", variant="b", display=_other_currency, flag="currency_conflict",
        preamble=True, claims=frozenset({"currency"}),
    ),
    Change(
        id="number_format", display=_notation, bites=True, formats=_CSV, whole=False,
        claims=frozenset({"notation"}),
    ),
    Change(
        id="number_format", variant="b", facts=_two_readings, display=_shown_so,
        flag="ambiguous_amount", determinable=False, formats=_CSV, whole=False, small=True,
        claims=frozenset({"notation", "balance", "currency", "order", "tail", "opening"}),
    ),
    Change(id="text_and_precision", variant="text", display=_texts, claims=frozenset({"text"})),
    Change(
        id="text_and_precision", variant="precision", facts=_fractions, bites=True, whole=False,
        formats=frozenset({"csv", "ofx", "camt053"}), claims=frozenset({"notation"}),
    ),
    Change(id="injection", variant="twin", display=_ordinary_requests),
)  # fmt: skip
