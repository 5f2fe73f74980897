"""Small agents for tests of the harness."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from veridical.bench.agents.protocol import AgentResult
from veridical.bench.cases import Case, InputFile, Limits, Truth
from veridical.bench.running.one_case import Conditions

FAST = Conditions("run", "test", Limits(seconds=20.0))
ANSWER = json.dumps(
    {
        "accounts": [{"account_id": "A1", "closing_balance": "1250.00", "currency": "GBP"}],
        "flags": [],
        "confidence": "high",
    }
)


class Scripted:
    """An agent that does what a function does."""

    name = "scripted"
    version = "1"

    def __init__(self, work: Callable, **attributes: object) -> None:
        self._work = work
        for name, value in attributes.items():
            setattr(self, name, value)

    def run(self, task, tools):
        return self._work(task, tools) or AgentResult()


def case(case_id: str = "c1", **files: bytes) -> Case:
    """Return a case with these files."""
    given = {name.replace("_dot_", "."): content for name, content in files.items()}
    return Case(
        case_id=case_id,
        template_id="t",
        seed="the-secret-seed",
        tier=0,
        start=date(2026, 3, 1),
        end=date(2026, 3, 31),
        inputs=tuple(InputFile.of(name, content) for name, content in given.items()),
        truth={"A1": Truth(Decimal("1250.00"), "GBP")},
        determinable=True,
        candidate_balances={},
        perturbations=(),
        expected_flags=(),
        is_clean=True,
        benign_noise=False,
        twin_of=None,
        injection=None,
    )
