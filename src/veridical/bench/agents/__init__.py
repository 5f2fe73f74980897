"""Agents: the protocol, and those that are shipped as floors, ceilings and examples."""

from veridical.bench.agents.shipped import SHIPPED, shipped_agents

__all__ = ["SHIPPED", "shipped_agents"]
