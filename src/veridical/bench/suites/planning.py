"""What happens in which case: shares, templates, changes, and who gets an injected twin."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from veridical.bench.drawing import Draw
from veridical.bench.perturbing.applying import Planned
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import Change
from veridical.bench.world.templates import TEMPLATES, Template

__all__ = ["CasePlan", "planned_suite"]

_FLAGGED = tuple(one for one in CHANGES.values() if one.flag)
_BENIGN = tuple(one for one in CHANGES.values() if not one.flag)


@dataclass(frozen=True, slots=True)
class CasePlan:
    """What a case without an injection is made of.

    Attributes
    ----------
    kind
        ``clean``, ``benign``, ``single`` or ``stacked``.
    injected
        Whether it gets a twin with an injection.
    """

    kind: str
    template_id: str
    changes: tuple[Planned, ...]
    injected: bool


def planned_suite(seed: str, n: int) -> list[CasePlan]:
    """Return the plans of a suite of ``n`` cases, a quarter of which are injected twins.

    A third of all cases without an injection so have a twin with one.
    """
    n_injected = n // 4
    n_base = n - n_injected
    draw = Draw(seed, "plan")
    n_stacked = round(n_base * 0.15)
    n_quiet = round(n_base * 0.40)
    # A little more than a third of the quiet cases are changed, and yet call for no flag.
    n_benign = round(n_quiet * 0.4)
    kinds = (
        ["clean"] * (n_quiet - n_benign)
        + ["benign"] * n_benign
        + ["stacked"] * n_stacked
        + ["single"] * (n_base - n_quiet - n_stacked)
    )
    chooser = _Chooser(draw)
    bodies = [(kind, *chooser.body(kind)) for kind in draw.shuffled(kinds)]
    # Small accounts have balances that an attacker's value could not keep away from.
    possible = [
        i for i, (_, _, made) in enumerate(bodies) if not any(CHANGES[p.change].small for p in made)
    ]
    chosen = set(draw.sample(possible, n_injected))
    return [
        CasePlan(kind, template.id, made, injected=i in chosen)
        for i, (kind, template, made) in enumerate(bodies)
    ]


class _Chooser:
    """Draws bodies of cases, each template and each change as often as the others."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._used: Counter[str] = Counter()
        self._rounds: dict[str, list[Change]] = {"flagged": [], "benign": []}

    def _next(self, of: str) -> Change:
        if not self._rounds[of]:
            self._rounds[of] = self._draw.shuffled(_FLAGGED if of == "flagged" else _BENIGN)
        return self._rounds[of].pop()

    def _template(self, change: Change | None) -> Template:
        fitting = [
            one
            for one in self._draw.shuffled(tuple(TEMPLATES.values()))
            if change is None or any(change.fits(plan) for plan in one.accounts)
        ]
        chosen = min(fitting, key=lambda one: self._used[one.id])
        self._used[chosen.id] += 1
        return chosen

    def body(self, kind: str) -> tuple[Template, tuple[Planned, ...]]:
        """Return a template and the changes of a case of this kind."""
        if kind == "clean":
            return self._template(None), ()
        first = self._next("benign" if kind == "benign" else "flagged")
        template = self._template(first)
        made = [self._placed(first, template, [])]
        depth = self._draw.between(2, 4) if kind == "stacked" else 1
        for _attempt in range(60):
            if len(made) >= depth:
                break
            change = self._draw.pick(_FLAGGED if self._draw.chance(70) else _BENIGN)
            if placed := self._placed(change, template, [one for one in made if one]):
                made.append(placed)
        return template, tuple(one for one in made if one)

    def _placed(self, change: Change, template: Template, others: list[Planned]) -> Planned | None:
        """Return the change at an account where it goes together with the others."""
        flags = {CHANGES[one.change].flag for one in others} - {None}
        if change.flag in flags or any(CHANGES[one.change].id == change.id for one in others):
            return None
        accounts = [
            f"A{position}"
            for position, plan in enumerate(template.accounts, 1)
            if change.fits(plan) and not self._claimed(change, f"A{position}", others)
        ]
        return Planned(change.name, self._draw.pick(accounts)) if accounts else None

    @staticmethod
    def _claimed(change: Change, account_id: str, others: list[Planned]) -> bool:
        claimed = frozenset[str]().union(
            *(CHANGES[one.change].claims for one in others if one.account_id == account_id)
        )
        return bool(change.claims & claimed)
