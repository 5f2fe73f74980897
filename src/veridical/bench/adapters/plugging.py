"""An agent from its description, the form in which a run remembers it: names, never secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridical.bench.agents import shipped_agents
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Agent

__all__ = ["agent_of"]


def agent_of(description: Mapping[str, Any]) -> Agent:
    """Return an agent.

    Parameters
    ----------
    description
        ``kind`` is ``shipped``, ``callable``, ``command``, ``openai_chat`` or ``replay``; the rest
        are the parameters of that kind.

    Raises
    ------
    ParameterError
        There is no such agent.
    """
    given = dict(description)
    kind = given.pop("kind", None)
    if kind == "shipped":
        return _shipped(given["name"])
    if kind == "callable":
        from veridical.bench.adapters.callable import CallableAgent

        return CallableAgent(**given)
    if kind == "command":
        from veridical.bench.adapters.command import CommandAgent

        return CommandAgent(**given)
    if kind == "openai_chat":
        from veridical.bench.adapters.openai_chat import OpenaiChatAgent

        return OpenaiChatAgent(**given)
    if kind == "replay":
        from veridical.bench.adapters.replay import ReplayAgent

        return ReplayAgent(**given)
    raise ParameterError(
        f"there is no kind of agent {str(kind)[:40]!a}",
        fix="take shipped, callable, command, openai_chat or replay",
    )


def _shipped(name: str) -> Agent:
    agents = shipped_agents()
    if name not in agents:
        raise ParameterError(
            f"no agent of this name is shipped: {name[:60]!a}", fix=f"take {', '.join(agents)}"
        )
    return agents[name]
