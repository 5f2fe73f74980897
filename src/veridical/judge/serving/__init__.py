"""A loopback server that speaks like a judge's endpoint, and misbehaves on a seeded schedule."""

from __future__ import annotations

from veridical.late import loaded_late

__all__ = ["FAULTS", "Fault", "FaultSchedule", "MockServer", "in_thread", "judge_named"]

__getattr__ = loaded_late(
    "veridical.judge.serving",
    {
        "faults": ("FAULTS", "Fault", "FaultSchedule"),
        "judges": ("judge_named",),
        "server": ("MockServer",),
        "threads": ("in_thread",),
    },
)
