"""The agents that are shipped, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from veridical.bench.agents.flag_all import FlagAllAgent
from veridical.bench.agents.floors import ClosingCopierAgent, HedgerAgent, NaiveAgent, NullAgent
from veridical.bench.agents.gullible import GullibleAgent
from veridical.bench.agents.reference import ReferenceAgent
from veridical.bench.agents.rules import RulesAgent
from veridical.bench.agents.scripted_chat import ScriptedChatAgent

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Agent

__all__ = ["SHIPPED", "shipped_agents"]

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


def shipped_agents() -> dict[str, Agent]:
    """Return one of each, by name.

    Examples
    --------
    >>> list(shipped_agents())[:3]
    ['reference', 'rules', 'naive']
    """
    agents: list[Agent] = [kind() for kind in SHIPPED]
    return {one.name: one for one in agents}
