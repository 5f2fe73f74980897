"""Programs for the command adapter, and what they are run with."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench.running.agents import FAST, case
from veridical.bench.adapters.command import CommandAgent
from veridical.bench.cases import Case, Limits
from veridical.bench.running.one_case import Conditions, run_case
from veridical.bench.trajectories import Trajectory

HEAD = """
import json, os, sys
asked = json.load(sys.stdin)
def answer(notes="", **more):
    print(json.dumps({
        "accounts": [{"account_id": "A1", "closing_balance": "1250.00", "currency": "GBP"}],
        "flags": [], "confidence": "high", "notes": json.dumps(notes), **more,
    }))
"""


def program(tmp_path: Path, body: str) -> list[str]:
    """Write a program, and return the words that start it."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + body)
    return [sys.executable, str(path)]


def ran(
    tmp_path: Path, body: str, *, of: Case | None = None, seconds: float = 20.0, **options: object
) -> Trajectory:
    """Return what a program does with a case."""
    agent = CommandAgent(program(tmp_path, body), **options)
    conditions = Conditions(FAST.run_id, FAST.suite, Limits(seconds=seconds))
    return run_case(agent, of or case(a_dot_csv=b"one"), conditions)
