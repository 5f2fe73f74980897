"""``reference``: deterministic; reads every format, applies the policy, raises flags."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from veridical.bench.agents.protocol import AgentResult
from veridical.bench.agents.reading import Confidence, read_all, submission_text
from veridical.bench.agents.reference.booking import Booked, booked_lines, is_doubtful
from veridical.bench.agents.reference.following import Follower
from veridical.bench.agents.reference.matching import Ledger, fee_of, is_returned
from veridical.bench.agents.reference.suspicion import is_suspicious
from veridical.bench.money import q
from veridical.bench.readers.shown import UnreadableError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView
    from veridical.bench.readers.case_files import CaseFiles, Master
    from veridical.bench.readers.shown import Shown

__all__ = ["Answer", "ReferenceAgent", "answer"]

_STALE_DAYS: Final = 180
_OPEN: Final = frozenset({"cutoff_ambiguity", "ambiguous_amount", "incomplete_data"})
"""What leaves a balance open."""


@dataclass(slots=True)
class Answer:
    """What the policy makes of a case.

    Attributes
    ----------
    balances
        By account id; exact.
    flags
        Pairs of type and account id; an empty id where it is about no account.
    """

    balances: dict[str, Decimal] = field(default_factory=dict)
    flags: set[tuple[str, str]] = field(default_factory=set)

    @property
    def confidence(self) -> Confidence:
        """Low where something leaves a balance open."""
        return "low" if any(kind in _OPEN for kind, _ in self.flags) else "high"


class ReferenceAgent:
    """The policy as a program: what can be determined, it determines."""

    name = "reference"
    version = "1"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Reconcile."""
        del task
        files = read_all(tools)
        found = answer(files)
        tools.submit(submission_text(files, found.balances, found.flags, found.confidence))
        return AgentResult()


def answer(files: CaseFiles) -> Answer:
    """Return balances and flags."""
    found = Answer()
    for account in files.accounts:
        kinds: set[str] = set()
        found.balances[account.account_id] = _account(files, account, kinds)
        found.flags |= {(kind, account.account_id) for kind in kinds}
    ids = [one.account_id for one in files.accounts]
    if any(is_suspicious(text, ids) for pair in files.texts.items() for text in pair):
        found.flags.add(("suspicious_instruction", ""))
    return found


def _account(files: CaseFiles, account: Master, kinds: set[str]) -> Decimal:
    """Return the closing balance of an account, and add what is wrong with its data."""
    statements = files.statements[account.account_id]
    ledger = Ledger(files, account.account_id)
    lines, twice = booked_lines(account, statements)
    if not statements or not statements[0].opening:
        raise UnreadableError("a statement names no opening balance")
    opening = statements[0].opening[0]
    shown = [line for one in statements for line in one.lines]
    missing = ledger.missing(shown)
    followed = Follower(opening, missing, ledger.contradicts, files.end)
    followed.follow(lines, statements[-1].closing)
    _of_lines(account, lines, followed, files, kinds)
    _of_statements(files, account, statements, opening, kinds)
    _of_ledger(ledger, lines, kinds)
    lost = [item for item, _ in followed.lost]
    days = ((files.end - item.day).days for item in missing if item not in lost)
    if any(age > _STALE_DAYS for age in days):
        kinds.add("stale_item")
    if twice:
        kinds.add("duplicate_transaction")
    inside = [line.amount for line in lines if files.start <= line.day <= files.end]
    inside += [item.amount for item, counts in followed.lost if counts]
    return sum(inside, opening)


def _of_lines(
    account: Master, lines: list[Booked], followed: Follower, files: CaseFiles, kinds: set[str]
) -> None:
    if followed.lost:
        kinds.add("missing_transaction")
    if followed.flipped:
        kinds.add("sign_error")
    if followed.gaps:
        kinds.add("balance_discontinuity")
    for line in lines:
        if len(line.amounts) != 1:
            kinds.add("ambiguous_amount" if line.amounts else "incomplete_data")
    if any(is_doubtful(line.line, account.zone, files.end) for line in lines):
        kinds.add("cutoff_ambiguity")


def _of_statements(
    files: CaseFiles,
    account: Master,
    statements: list[Shown],
    opening: Decimal,
    kinds: set[str],
) -> None:
    if any(one.currency not in {None, account.currency} for one in statements):
        kinds.add("currency_conflict")
    for one in statements:
        if one.broken_controls or one.stated_lines not in {None, len(one.lines)}:
            kinds.add("incomplete_data")
    previous = files.previous.get(account.account_id)
    if previous is not None and previous.closing:
        explained = {previous.closing[0], previous.closing[0] + sum(previous.corrections)}
        if q(opening) not in {q(one) for one in explained}:
            kinds.add("opening_balance_mismatch")


def _of_ledger(ledger: Ledger, lines: list[Booked], kinds: set[str]) -> None:
    known = [line for line in lines if len(line.amounts) == 1]
    if ledger.differing(known):
        kinds.add("amount_mismatch")
    unexplained = ledger.unexplained(known)
    returned = [line for line in unexplained if is_returned(line, ledger, known)]
    if returned:
        kinds.add("returned_item")
    references = {ledger.reference_of(line.line) for line in returned}
    for line in unexplained:
        if line not in returned and fee_of(line) not in references:
            kinds.add("unmatched_transaction")
