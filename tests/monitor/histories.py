"""Monitors with a history, for tests: everything that can happen to a request happens."""

from __future__ import annotations

import numpy as np

from tests.report.payloads import HOSTILE
from veridical.monitor import Monitor, deliver, read_rules
from veridical.monitor.targets import DeliveryError

SHIFTS = (0.0, 0.1, 0.42, 0.1, 0.7, 0.9, 1.0, 0.9, 0.1, 0.1, 0.8, 0.9)
"""Of the column that moves, period by period; the second period has 40 rows."""


def table(shift, n=1_000, seed=0):
    rng = np.random.default_rng(seed)
    return {
        "score": rng.normal(shift, 1.0, n).round(3),
        HOSTILE: rng.choice(["a", HOSTILE, "c"], n, p=[0.5, 0.3, 0.2]),
    }


def period(at):
    return f"{2025 + at // 12}-{at % 12 + 1:02d}"


def unreachable(*_):
    raise DeliveryError(f"HTTP 500: {HOSTILE}")


def eventful(store, name="fraud"):
    """An alert, a request that is given up and revived, its answer, and another that is lost."""
    monitor = Monitor(store, name)
    rules = {"approval": "person", "attempts": 2, "backoff_s": 0.001}
    monitor.start(table(0.0, 4_000, 99), read_rules(rules), actor="anna")
    for at, shift in enumerate(SHIFTS):
        rows = 40 if at == 1 else 1_000
        monitor.observe(table(shift, rows, at + 1), period(at), actor="scheduler")
        if at == 5:
            monitor.approve(actor="anna")
            list(deliver(monitor, wait=True, sending=unreachable))
        if at == 6:
            monitor.revive(actor="bert")
            list(deliver(monitor, wait=True, sending=lambda *_: "HTTP 202"))
        if at == 7:
            monitor.answer("acked", actor="coordinator", reason=HOSTILE)
    monitor.approve(actor="anna")
    list(deliver(monitor, wait=True, sending=unreachable))
    return monitor
