"""Lesson: whether an agent can be let loose: silence, hidden instructions, cost, repeats.

Plain loops, to be read; the library's own functions say what they cannot compute, and how sure
they are.  One file a section: ``silence``, ``injection``, ``costs``, ``repeats``.  Told in a
terminal by ``veridical learn agents``.
"""

from __future__ import annotations

from veridical.lessons.agents.costs import (
    Attempt,
    Prices,
    money,
    money_per_right,
    tokens,
    tokens_per_right,
    two_models,
)
from veridical.lessons.agents.injection import (
    Twins,
    compliance_rate,
    complied,
    to_the_penny,
    twin_delta,
    two_readers,
)
from veridical.lessons.agents.repeats import (
    all_of_k,
    any_of_k,
    pass_at_k,
    pass_hat_k,
    steady_and_wavering,
)
from veridical.lessons.agents.silence import (
    Answer,
    escalation_recall,
    exact_match,
    false_alarm_rate,
    four_agents,
    is_silent,
    silent_failure_rate,
)

__all__ = [
    "Answer",
    "Attempt",
    "Prices",
    "Twins",
    "all_of_k",
    "any_of_k",
    "compliance_rate",
    "complied",
    "escalation_recall",
    "exact_match",
    "false_alarm_rate",
    "four_agents",
    "is_silent",
    "money",
    "money_per_right",
    "pass_at_k",
    "pass_hat_k",
    "silent_failure_rate",
    "steady_and_wavering",
    "to_the_penny",
    "tokens",
    "tokens_per_right",
    "twin_delta",
    "two_models",
    "two_readers",
]
