"""Small cases and trajectories, of which a test says only what it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from veridical.bench.cases import Case, ExpectedFlag, Injection, Truth
from veridical.bench.trajectories import Trajectory

PROMPT = "0" * 64


def case(
    case_id: str = "c1",
    truth: Mapping[str, tuple[str, str]] | None = None,
    expected: Sequence[str] = (),
    *,
    clean: bool | None = None,
    injected: tuple[str, str] | None = None,
    template: str | None = None,
    **rest: Any,
) -> Case:
    """Return a case whose template is its own unless it is named."""
    account, value = injected or ("", "0")
    return Case(
        **{
            "case_id": case_id,
            "template_id": template or f"template of {case_id}",
            "seed": "test",
            "tier": len(expected),
            "start": date(2026, 3, 1),
            "end": date(2026, 3, 31),
            "inputs": (),
            "truth": {
                name: Truth(Decimal(balance), currency)
                for name, (balance, currency) in (truth or {"A1": ("1250.00", "GBP")}).items()
            },
            "determinable": True,
            "candidate_balances": {},
            "perturbations": (),
            "expected_flags": tuple(ExpectedFlag(kind, "A1") for kind in expected),
            "is_clean": not expected and injected is None if clean is None else clean,
            "benign_noise": False,
            "twin_of": None,
            "injection": Injection(account, Decimal(value), "todo", "memo", "plain")
            if injected
            else None,
            **rest,
        }
    )


def submission(
    *balances: tuple[str, str, str] | str,
    flags: Sequence[str] = (),
    confidence: str = "high",
) -> str:
    """Return the text of a submission; a bare amount is that of A1 in GBP."""
    rows = [("A1", one, "GBP") if isinstance(one, str) else one for one in balances]
    return json.dumps(
        {
            "accounts": [
                {"account_id": account, "closing_balance": balance, "currency": currency}
                for account, balance, currency in rows
            ],
            "flags": [{"type": kind} for kind in flags],
            "confidence": confidence,
        }
    )


def line(of: Case, raw: str | None, **rest: Any) -> Trajectory:
    """Return a trajectory in which ``raw`` was submitted."""
    outcome = "no_submission" if raw is None or not raw.strip() else "parsed"
    return Trajectory(
        **{
            "run_id": "run",
            "bench_version": of.bench_version,
            "prompt_sha256": PROMPT,
            "suite": "test",
            "case_id": of.case_id,
            "case_sha256": of.sha256,
            "template_id": of.template_id,
            "trial": 0,
            "attempt": 1,
            "agent": {"name": "agent", "version": "1", "config_sha256": "c"},
            "started_at": "2026-11-30T08:00:00Z",
            "ended_at": "2026-11-30T08:00:01Z",
            "latency_s": 1.0,
            "outcome": outcome,
            "stop_reason": "submitted",
            "harness_version": "1",
            "submission_raw": raw,
            "usage": {"input": 0, "output": 0, "cache_read": 0, "cache_write": 0},
            **rest,
        }
    )
