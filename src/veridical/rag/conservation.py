"""What must hold of any ledger of cases, whatever failed: it adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridical.errors import InternalError
from veridical.rag.answers import CaseError
from veridical.rag.outcomes import STATES, OutcomeState
from veridical.rag.record import Attempted
from veridical.results import Result

__all__ = ["check_ledger", "check_result"]

_COUNTED = ("n_skipped", "n_not_applicable", "n_judge_errors", "n_case_errors", "n_pending")


def check_ledger(records: Sequence[Attempted], repeats: int) -> None:
    """Check that every case has every repeat once, and every metric an outcome in each.

    Parameters
    ----------
    records
        All of a run, in any order.
    repeats
        How often each case was asked.

    Raises
    ------
    InternalError
        A record is missing or stands twice, two have other metrics, or a case whose answer failed
        or is not there yet has a value.
    """
    times = Counter((record.case.id, record.repeat) for record in records)
    cases = dict.fromkeys(record.case.id for record in records)
    planned = {(case, repeat) for case in cases for repeat in range(1, repeats + 1)}
    if times.keys() != planned or len(records) != len(planned):
        raise InternalError(
            f"{len(records):,} records stand for {len(cases):,} cases and {repeats:,} repeats"
        )
    metrics = set(records[0].outcomes) if records else set()
    for record in records:
        where = f"case {record.case.id!r}, repeat {record.repeat}"
        if set(record.outcomes) != metrics:
            raise InternalError("a record has other metrics than the first one", where=where)
        forced = _forced(record)
        if forced and any(one.state != forced for one in record.outcomes.values()):
            raise InternalError(f"not every metric of it is {forced}", where=where)


def _forced(record: Attempted) -> OutcomeState | None:
    """Return the state that all metrics of a case are in; None where it depends on the metric."""
    if record.reply is None:
        return "pending"
    return "case_error" if isinstance(record.reply.answer, CaseError) else None


def check_result(result: Result, states: Counter[str]) -> None:
    """Check that the counts of a result are those of its outcomes, and add up to all of them.

    Raises
    ------
    InternalError
        They do not.
    """
    counts = result.counts
    counted = [result.n, *(counts.get(name, 0) for name in _COUNTED)]
    if counted != [states[state] for state in STATES] or sum(counted) != result.n_rows:
        raise InternalError(
            f"the counts of {result.metric} do not add up: {counted} of {result.n_rows}"
        )
    by_reason = sum(n for name, n in counts.items() if name.startswith("n_skipped_"))
    if by_reason != counts.get("n_skipped", 0):
        raise InternalError(f"the reasons of {result.metric} do not add up")
