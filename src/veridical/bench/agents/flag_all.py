"""``flag_all``: the reference answer under every flag there is; why recall needs false alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.bench.agents.protocol import AgentResult
from veridical.bench.agents.reading import read_all, submission_text
from veridical.bench.agents.reference import answer
from veridical.bench.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView

__all__ = ["FlagAllAgent"]


class FlagAllAgent:
    """Raises all flags, whatever it reads."""

    name = "flag_all"
    version = "1"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Reconcile, and cry wolf."""
        del task
        files = read_all(tools)
        found = answer(files)
        flags = [(kind, "") for kind in VOCABULARY]
        tools.submit(submission_text(files, found.balances, flags, found.confidence))
        return AgentResult()
