"""Agents that read little and think less: what any agent has to be better than."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from veridical.bench.agents.protocol import AgentResult
from veridical.bench.agents.reading import Confidence, read_all, submission_text
from veridical.bench.money import q
from veridical.bench.naive_numbers import naive_number

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView
    from veridical.bench.readers.case_files import CaseFiles
    from veridical.bench.readers.shown import Shown, ShownLine

__all__ = ["ClosingCopierAgent", "HedgerAgent", "NaiveAgent", "NullAgent", "naive_balances"]


class NaiveAgent:
    """Opening balance plus every line that is shown; no flag, and always sure."""

    name = "naive"
    version = "1"
    confidence: Confidence = "high"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Add up what stands there."""
        del task
        files = read_all(tools)
        tools.submit(submission_text(files, naive_balances(files), (), self.confidence))
        return AgentResult()


class HedgerAgent(NaiveAgent):
    """The naive answer, never sure: no silent failure, and no better for it."""

    name = "hedger"
    confidence: Confidence = "low"


class NullAgent:
    """The opening balances, without any confidence."""

    name = "null"
    version = "1"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Read no line."""
        del task
        files = read_all(tools)
        balances = {
            one.account_id: _opening(files.statements[one.account_id]) for one in files.accounts
        }
        tools.submit(submission_text(files, balances, (), "low"))
        return AgentResult()


class ClosingCopierAgent:
    """The closing balances that the bank prints, else the opening ones; always sure.

    Clean statements print the right one: this is what copying alone is worth.
    """

    name = "closing_copier"
    version = "1"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Copy."""
        del task
        files = read_all(tools)
        balances = {}
        for account in files.accounts:
            statements = files.statements[account.account_id]
            printed = statements[-1].closing if statements else ()
            balances[account.account_id] = printed[0] if printed else _opening(statements)
        tools.submit(submission_text(files, balances, (), "high"))
        return AgentResult()


def naive_balances(files: CaseFiles) -> dict[str, Decimal]:
    """Return opening plus every line, each read naively and rounded, by account id."""
    return {
        one.account_id: sum(
            (_naive(line) for shown in files.statements[one.account_id] for line in shown.lines),
            _naive_opening(files.statements[one.account_id]),
        )
        for one in files.accounts
    }


def _naive(line: ShownLine) -> Decimal:
    if not line.printed:
        return q(line.amounts[0])
    return q(naive_number(line.printed) * (line.side or 1))


def _naive_opening(statements: list[Shown]) -> Decimal:
    first = statements[0]
    return q(naive_number(first.opening_printed) if first.opening_printed else _opening(statements))


def _opening(statements: list[Shown]) -> Decimal:
    return statements[0].opening[0] if statements and statements[0].opening else Decimal(0)
