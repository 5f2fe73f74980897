"""Agents: the protocol, and those that are shipped as floors, ceilings and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Agent

__all__ = ["shipped_agents"]


def shipped_agents() -> dict[str, Agent]:
    """Return one of each agent that is shipped, by name.

    Examples
    --------
    >>> list(shipped_agents())[:3]
    ['reference', 'rules', 'naive']
    """
    # The adapters know the protocol, and one agent that is shipped knows an adapter.
    from veridical.bench.agents.shipped import SHIPPED

    agents: list[Agent] = [kind() for kind in SHIPPED]
    return {one.name: one for one in agents}
