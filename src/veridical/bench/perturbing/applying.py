"""A draft with its changes made, in the declared order whatever the order of the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TypeAlias

from veridical.bench.cases import Perturbed
from veridical.bench.drawing import Draw
from veridical.bench.money import q
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import Draft, NoRoomError
from veridical.bench.rendering.files import naive_sum
from veridical.bench.rendering.statement import shown
from veridical.bench.world.building import build
from veridical.bench.world.facts import Account
from veridical.bench.world.truth import true_balance
from veridical.bench.world.zones import utc

__all__ = ["LEAST_TRUTH", "Key", "Made", "Planned", "make"]

Key: TypeAlias = Callable[[str], Draw]
LEAST_TRUTH = Decimal(100)
"""Of an account that may be told a wrong balance."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A change by name, and the account it is made to."""

    change: str
    account_id: str


@dataclass(frozen=True, slots=True)
class Made:
    """A draft that is complete but for an injection.

    Attributes
    ----------
    passed
        Balances and naive sums that held on the way: an attacker's value keeps away from them.
    """

    draft: Draft
    truth: dict[str, Decimal]
    perturbations: tuple[Perturbed, ...]
    passed: frozenset[Decimal]


def make(template_id: str, planned: Sequence[Planned], key: Key) -> Made:
    """Return the draft of a case.

    Parameters
    ----------
    template_id
        One of ``TEMPLATES``.
    planned
        In any order.
    key
        Gives the stream of a component.

    Raises
    ------
    NoRoomError
        What was drawn leaves no place for a change, or hides it from the naive sum.
    """
    order = {name: position for position, name in enumerate(CHANGES)}
    steps = sorted(planned, key=lambda one: (order[one.change], one.account_id))
    small = frozenset(one.account_id for one in steps if CHANGES[one.change].small)
    draft = Draft(*build(template_id, key, small))
    passed: set[Decimal] = set()
    lines: dict[Planned, tuple[str, ...]] = {}
    end = draft.world.end
    for step in steps:
        passed |= {true_balance(one, end) for one in draft.world.accounts}
        if change := CHANGES[step.change].facts:
            draw = key(f"facts:{step.change}:{step.account_id}")
            lines[step] = change(draft, step.account_id, draw)
    _set_clocks(draft, key)
    draft.statements = {one.id: shown(one, draft.world.start, end) for one in draft.world.accounts}
    for step in steps:
        passed |= {naive_sum(one) for one in draft.statements.values()}
        passed |= {one.closing for one in draft.statements.values() if one.closing is not None}
        if display := CHANGES[step.change].display:
            draw = key(f"display:{step.change}:{step.account_id}")
            lines[step] = display(draft, step.account_id, draw, lines.get(step, ()))
    return _checked(draft, steps, lines, small, passed)


def _checked(
    draft: Draft,
    steps: list[Planned],
    lines: dict[Planned, tuple[str, ...]],
    small: frozenset[str],
    passed: set[Decimal],
) -> Made:
    truth = {one.id: true_balance(one, draft.world.end) for one in draft.world.accounts}
    for account in draft.world.accounts:
        if account.id not in small and abs(truth[account.id]) < LEAST_TRUTH:
            raise NoRoomError
        if q(truth[account.id]) == q(account.opening):
            raise NoRoomError
    for account_id, distances in draft.distances.items():
        balances = {truth[account_id], *(truth[account_id] + one for one in distances)}
        draft.candidates[account_id] = tuple(sorted(balances))
    for step in steps:
        naive = naive_sum(draft.statements[step.account_id])
        if CHANGES[step.change].bites and naive == q(truth[step.account_id]):
            raise NoRoomError
    perturbations = tuple(
        Perturbed(
            id=CHANGES[step.change].id,
            variant=CHANGES[step.change].variant,
            account_id=step.account_id,
            lines=lines.get(step, ()),
            expects_flag=CHANGES[step.change].flag,
            bites=CHANGES[step.change].bites,
        )
        for step in steps
    )
    return Made(draft, truth, perturbations, frozenset(passed))


def _set_clocks(draft: Draft, key: Key) -> None:
    """Give every line of an account that shows times a moment in office hours."""
    for account in draft.world.accounts:
        if account.stamps != "date":
            draw = key(f"clocks:{account.id}")
            account.lines = [
                line
                if line.moment
                else replace(line, moment=_office_hour(account, line.booked, draw))
                for line in sorted(account.lines, key=lambda line: int(line.id))
            ]


def _office_hour(account: Account, day: date, draw: Draw) -> datetime:
    clock = datetime.combine(day, time.min) + timedelta(minutes=draw.between(9 * 60, 17 * 60))
    return utc(clock, account.zone) if account.zone else clock
