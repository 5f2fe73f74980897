"""One model watched period by period: what moved, what follows from it, who was told.

Everything that happens is an event of a journal in the run store; state, history and outbox are
what the events add up to, so that they cannot contradict each other.
"""

from veridical.monitor.delivery import Attempt, deliver
from veridical.monitor.monitor import Monitor
from veridical.monitor.rules import MonitorRules, Target, read_rules
from veridical.monitor.states import Observation, Request, State, Status

__all__ = [
    "Attempt",
    "Monitor",
    "MonitorRules",
    "Observation",
    "Request",
    "State",
    "Status",
    "Target",
    "deliver",
    "read_rules",
]
