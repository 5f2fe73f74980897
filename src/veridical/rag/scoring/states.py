"""Outcomes that several metrics give, each made in one place."""

from __future__ import annotations

from typing import Final

from veridical.rag.answers import Answer, CaseError
from veridical.rag.cases import Case
from veridical.rag.outcomes import Outcome
from veridical.reasons import SkipReason

__all__ = ["PENDING", "case_failed", "lacks_answer", "lacks_reference", "skipped", "wrong_kind"]

PENDING: Final = Outcome("pending")


def skipped(reason: SkipReason, detail: str = "") -> Outcome:
    """Return a skipped outcome with the sentence of its reason, or a better one."""
    return Outcome("skipped", reason=str(reason), detail=detail or reason.sentence)


def case_failed(error: CaseError) -> Outcome:
    """Return the outcome of a call to the pipeline that failed."""
    return Outcome("case_error", reason=error.code, detail=error.detail)


def wrong_kind(case: Case, wanted: str) -> Outcome:
    """Return the outcome of a metric that another kind of cases has."""
    return skipped(SkipReason.WRONG_CASE_KIND, f"the case is {case.kind}, not {wanted}")


def lacks_answer(answer: Answer) -> Outcome | None:
    """Return the outcome where an answer is empty or white: it is none."""
    return None if answer.text.strip() else skipped(SkipReason.NO_ANSWER)


def lacks_reference(case: Case) -> Outcome | None:
    """Return the outcome where the case says nothing about what is expected."""
    if case.expected_answer is not None and case.expected_answer.strip():
        return None
    return skipped(SkipReason.NO_REFERENCE, "the case has no expected_answer")
