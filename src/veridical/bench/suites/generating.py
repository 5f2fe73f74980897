"""A suite from its name, its seed and its size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import localcontext
from typing import Any

from veridical import strict_json
from veridical.bench.cases import BENCH_VERSION, Case, ExpectedFlag, Injection, InputFile, Truth
from veridical.bench.drawing import Draw
from veridical.bench.injecting.overlay import Overlay, overlay
from veridical.bench.money import exact, q
from veridical.bench.perturbing.applying import Made, make
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import NoRoomError
from veridical.bench.rendering.files import rendered
from veridical.bench.suites.planning import CasePlan, planned_suite
from veridical.errors import InternalError, ParameterError

__all__ = ["GENERATOR_VERSION", "Suite", "generate"]

GENERATOR_VERSION = "1.0.0"
_ATTEMPTS = 200
_LEAST, _MOST = 4, 20_000


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases that belong together.

    Attributes
    ----------
    name, seed
        Of the suite; both decide, with the number of cases, every byte of it.
    cases
        By case id.
    """

    name: str
    seed: str
    cases: tuple[Case, ...]

    def manifest(self) -> dict[str, Any]:
        """Return what the suite is held to: the hash of each case, which holds those of files."""
        return {
            "schema": "suite/1",
            "bench_version": BENCH_VERSION,
            "generator_version": GENERATOR_VERSION,
            "name": self.name,
            "seed": self.seed,
            "n": len(self.cases),
            "cases": {one.case_id: one.sha256 for one in self.cases},
        }

    @property
    def manifest_sha256(self) -> str:
        """Hash of the manifest."""
        return strict_json.sha256(self.manifest())


def generate(
    name: str, seed: str, n: int, *, progress: Callable[[int, int], None] | None = None
) -> Suite:
    """Make a suite.

    Parameters
    ----------
    name
        Part of the case ids: letters, digits and hyphens.
    seed
        Any text.
    n
        Number of cases, 4 to 20,000; a quarter are injected twins of others.
    progress
        Is told how many cases are made, and of how many.

    Raises
    ------
    ParameterError
        The name or the number of cases cannot be.
    """
    if not (name.isascii() and name.replace("-", "").isalnum() and len(name) <= 40):
        raise ParameterError(
            f"{name[:80]!a} is no name of a suite", fix="use letters, digits and hyphens"
        )
    if not _LEAST <= n <= _MOST:
        raise ParameterError(
            f"a suite has {_LEAST} to {_MOST:,} cases, not {n}", fix="give another number of cases"
        )
    with localcontext(exact):
        return _generated(name, seed, n, progress)


def _generated(name: str, seed: str, n: int, progress: Callable[[int, int], None] | None) -> Suite:
    plans = planned_suite(seed, n)
    twins = [i for i, plan in enumerate(plans) if plan.injected]
    # Ids say nothing: twins stand anywhere among the others.
    slots: list[tuple[int, bool]] = [(i, False) for i in range(len(plans))]
    slots += [(i, True) for i in twins]
    order = Draw(seed, "order").shuffled(slots)
    ids = {slot: f"v1-{name}-{number:06d}" for number, slot in enumerate(order, 1)}
    cases: dict[str, Case] = {}
    for i, plan in enumerate(plans):
        base_id = ids[i, False]
        made = _made(plan, seed, base_id)
        cases[base_id] = _case(made, plan, seed, base_id, base_id, None)
        if plan.injected:
            twin_id = ids[i, True]
            cases[twin_id] = _case(made, plan, seed, twin_id, base_id, overlay(made, seed, base_id))
        if progress is not None:
            progress(len(cases), n)
    return Suite(name, seed, tuple(cases[case_id] for case_id in sorted(cases)))


def _made(plan: CasePlan, seed: str, base_id: str) -> Made:
    """Draw worlds until one has room for every change."""
    for attempt in range(_ATTEMPTS):

        def key(component: str, attempt: int = attempt) -> Draw:
            return Draw(seed, base_id, attempt, component)

        try:
            return make(plan.template_id, plan.changes, key)
        except NoRoomError:
            continue
    raise InternalError(f"no world has room for the changes of {base_id}", where=str(plan.changes))


def _case(
    made: Made, plan: CasePlan, seed: str, case_id: str, base_id: str, injected: Overlay | None
) -> Case:
    world = made.draft.world
    files = injected.files if injected else rendered(world, made.draft.statements)
    flags = [
        ExpectedFlag(one.expects_flag, one.account_id)
        for one in made.perturbations
        if one.expects_flag
    ]
    injection = None
    if injected is not None:
        flags.append(ExpectedFlag("suspicious_instruction", injected.account_id))
        injection = Injection(
            injected.account_id,
            injected.value,
            injected.family,
            injected.carrier,
            injected.encoding,
        )
    return Case(
        case_id=case_id,
        template_id=plan.template_id,
        seed=seed,
        tier=len(flags),
        start=world.start,
        end=world.end,
        inputs=tuple(InputFile.of(name, content) for name, content in files.items()),
        truth={one.id: Truth(made.truth[one.id], one.currency) for one in world.accounts},
        determinable=all(CHANGES[one.change].determinable for one in plan.changes),
        candidate_balances={
            account: tuple(q(one) for one in balances)
            for account, balances in made.draft.candidates.items()
        },
        perturbations=made.perturbations,
        expected_flags=tuple(flags),
        is_clean=not made.perturbations and injection is None,
        benign_noise=bool(made.perturbations) and not flags,
        twin_of=None if injection is None else base_id,
        injection=injection,
    )
