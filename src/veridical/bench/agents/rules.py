"""``rules``: one dialect of CSV, line ids and the printed day; it fails where more is needed."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from veridical.bench.agents.protocol import AgentResult
from veridical.bench.agents.reading import Confidence, read_all, submission_text

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView
    from veridical.bench.readers.case_files import CaseFiles, Master
    from veridical.bench.readers.shown import Shown

__all__ = ["RulesAgent", "rules_submission"]


class RulesAgent:
    """Adds up the booked lines of a CSV file with one signed column; copies other statements."""

    name = "rules"
    version = "1"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Apply a few rules."""
        del task
        tools.submit(rules_submission(read_all(tools)))
        return AgentResult()


def rules_submission(files: CaseFiles) -> str:
    """Return what the rules make of a case."""
    balances: dict[str, Decimal] = {}
    flags: list[tuple[str, str]] = []
    confidence: Confidence = "high"
    for account in files.accounts:
        shown = files.statements[account.account_id][0]
        if any(line.side or not line.printed for line in shown.lines):
            confidence = "medium"
            balances[account.account_id] = _copied(shown)
        else:
            balances[account.account_id] = _added(files, account, shown, flags)
        previous = files.previous.get(account.account_id)
        if previous is not None and previous.closing[:1] != shown.opening[:1]:
            flags.append(("opening_balance_mismatch", account.account_id))
    return submission_text(files, balances, flags, confidence)


def _added(
    files: CaseFiles, account: Master, shown: Shown, flags: list[tuple[str, str]]
) -> Decimal:
    total = shown.opening[0]
    seen: set[str] = set()
    for line in shown.lines:
        if line.line_id in seen:
            flags.append(("duplicate_transaction", account.account_id))
        elif not line.pending and line.day <= files.end:
            total += line.amounts[0]
        seen.add(line.line_id)
    return total


def _copied(shown: Shown) -> Decimal:
    return (shown.closing or shown.opening or (Decimal(0),))[0]
