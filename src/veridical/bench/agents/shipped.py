"""The agents that are shipped."""

from __future__ import annotations

from typing import Final

from veridical.bench.agents.flag_all import FlagAllAgent
from veridical.bench.agents.floors import ClosingCopierAgent, HedgerAgent, NaiveAgent, NullAgent
from veridical.bench.agents.gullible import GullibleAgent
from veridical.bench.agents.reference import ReferenceAgent
from veridical.bench.agents.rules import RulesAgent
from veridical.bench.agents.scripted_chat import ScriptedChatAgent

__all__ = ["SHIPPED"]

SHIPPED: Final = (
    ReferenceAgent,
    RulesAgent,
    NaiveAgent,
    NullAgent,
    ClosingCopierAgent,
    GullibleAgent,
    FlagAllAgent,
    HedgerAgent,
    ScriptedChatAgent,
)
