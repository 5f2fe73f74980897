"""Which questions a judge has to answer before a case can be scored, and why not the others."""

from __future__ import annotations

from veridical.judge.verdicts import Contract, Question
from veridical.rag.answers import Answer, CaseError, Reply
from veridical.rag.cases import Case
from veridical.rag.outcomes import Outcome
from veridical.rag.scoring.context import aliased_citations, aliased_context, known_context
from veridical.rag.scoring.settings import ScoreSettings
from veridical.rag.scoring.states import (
    case_failed,
    lacks_answer,
    lacks_reference,
    skipped,
    wrong_kind,
)
from veridical.reasons import SkipReason

__all__ = ["CITED_OUTSIDE", "questions"]

CITED_OUTSIDE = "cited_outside_retrieved"
"""Flag of an answer that cites what was not retrieved."""

_CONTRACTS: tuple[Contract, ...] = (
    "groundedness",
    "citation_support",
    "answer_relevance",
    "completeness",
    "refusal",
)


def questions(
    case: Case, reply: Reply, settings: ScoreSettings
) -> dict[Contract, Question | Outcome]:
    """Return for each contract its question, or the outcome that makes asking needless.

    Parameters
    ----------
    case, reply
        What was asked, and what came back.
    settings
        Without a judge every contract is skipped ``no_judge``.

    Examples
    --------
    >>> asked = questions(
    ...     Case(id="q1", question="How much?"), Reply(Answer("2 euros")), ScoreSettings(judge=True)
    ... )
    >>> asked["answer_relevance"].fields
    {'question': 'How much?', 'answer': '2 euros'}
    >>> asked["groundedness"].reason
    'no_retrieval'
    """
    answer = reply.answer
    if isinstance(answer, CaseError):
        return dict.fromkeys(_CONTRACTS, case_failed(answer))
    if not settings.judge:
        return dict.fromkeys(_CONTRACTS, skipped(SkipReason.NO_JUDGE))
    if (empty := lacks_answer(answer)) is not None:
        return {**dict.fromkeys(_CONTRACTS, empty), "refusal": _of_kind(case) or empty}
    fields = {"question": case.question, "answer": answer.text}
    return {
        "groundedness": _groundedness(reply, fields),
        "citation_support": _citation_support(answer, reply, fields),
        "answer_relevance": Question("answer_relevance", fields),
        "completeness": lacks_reference(case)
        or Question("completeness", {**fields, "expected": case.expected_answer or ""}),
        "refusal": _of_kind(case) or Question("refusal", fields),
    }


def _groundedness(reply: Reply, fields: dict[str, str]) -> Question | Outcome:
    context = known_context(reply)
    if isinstance(context, Outcome):
        return context
    if not any(chunk.text.strip() for chunk in context):
        return skipped(SkipReason.NO_CONTEXT)
    passages = aliased_context(context)
    fields = {**fields, "answer": passages.rewritten(fields["answer"])}
    return Question("groundedness", fields, passages.texts)


def _citation_support(answer: Answer, reply: Reply, fields: dict[str, str]) -> Question | Outcome:
    if not answer.citations:
        return skipped(SkipReason.NO_CITATION)
    context = known_context(reply)
    if isinstance(context, Outcome):
        return context
    passages = aliased_citations(answer.citations, context)
    if not passages.texts:
        return Outcome("scored", 0.0, flags=(CITED_OUTSIDE,))
    fields = {**fields, "answer": passages.rewritten(fields["answer"])}
    return Question("citation_support", fields, passages.texts)


def _of_kind(case: Case) -> Outcome | None:
    """Return the outcome of abstention and overrefusal on a case that neither is about."""
    return wrong_kind(case, "qa or unanswerable") if case.kind == "injection" else None
