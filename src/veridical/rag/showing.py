"""From the records of a run to what reports show of each case, and which cases come first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean

from veridical.judge.verdicts import Failure, Verdict
from veridical.rag.answers import Answer, CaseError, Chunk
from veridical.rag.matching import SourceMatch, matched_ids
from veridical.rag.outcomes import Outcome
from veridical.rag.record import Attempted
from veridical.rag.scoring import METRICS, Claim, JudgedCitation, evidence
from veridical.report.rag_case import (
    ShownCase,
    ShownChunk,
    ShownClaim,
    ShownOutcome,
    ShownReply,
)

__all__ = ["badness", "shown_case", "worst_first"]


def worst_first(
    records: Iterable[Attempted], source_match: SourceMatch = "chunk"
) -> list[ShownCase]:
    """Return every case as it is shown, the worst first, equal ones in the order of the dataset.

    Parameters
    ----------
    records
        All of a run, in the order of the dataset.
    source_match
        What a hit is.
    """
    shown = [shown_case(record, source_match) for record in records]
    return sorted(shown, key=lambda case: -case.badness)


def badness(outcomes: Mapping[str, Outcome]) -> float:
    """Return how bad a case is: the mean shortfall of what is scored, an error being 1.

    Examples
    --------
    >>> from veridical.rag.outcomes import Outcome
    >>> badness({"generation.groundedness": Outcome("scored", 0.25)})
    0.75
    >>> badness({"robustness.overrefusal": Outcome("scored", 0.0)})
    0.0
    """
    shortfalls = []
    for metric, one in outcomes.items():
        # Where fewer than k sources are expected no ranking has a precision of 1.
        if metric.startswith("retrieval.precision") and one.state == "scored":
            continue
        if one.value is not None:
            known = METRICS.get(metric.partition("@")[0])
            is_lower_better = known is not None and known.better == "lower"
            shortfalls.append(one.value if is_lower_better else 1.0 - one.value)
        elif one.state in {"judge_error", "case_error"}:
            shortfalls.append(1.0)
    return fmean(shortfalls) if shortfalls else 0.0


def shown_case(record: Attempted, source_match: SourceMatch = "chunk") -> ShownCase:
    """Return what a report shows of one case and repeat.

    Parameters
    ----------
    record, source_match
        As for ``worst_first``.
    """
    case, reply = record.case, record.reply
    answer = None if reply is None else reply.answer
    context = None if reply is None else reply.context
    found = evidence(case, reply, record.verdicts)
    cited = frozenset(answer.citations if isinstance(answer, Answer) else ())
    return ShownCase(
        id=case.id,
        repeat=record.repeat,
        kind=case.kind,
        question=case.question,
        language=case.language or "",
        tags=case.tags,
        expected_answer=case.expected_answer,
        payload=case.adversarial_payload,
        expected_sources=tuple(case.expected_sources),
        answer=answer.text if isinstance(answer, Answer) else None,
        failure=_told(answer) if isinstance(answer, CaseError) else None,
        chunks=_chunks(context, case.expected_sources, cited, source_match)
        if isinstance(context, tuple)
        else None,
        retrieval_failure=_told(context) if isinstance(context, CaseError) else "",
        claims=tuple(map(_claim, found.claims)),
        citations=tuple(map(_citation, found.citations)),
        reasons=dict(found.reasons or {}),
        replies=tuple(_reply(name, one) for name, one in record.verdicts.items()),
        outcomes=tuple(
            ShownOutcome(metric, one.state, one.value, one.reason, one.detail, one.flags)
            for metric, one in record.outcomes.items()
        ),
        badness=badness(record.outcomes),
    )


def _told(error: CaseError | Failure) -> str:
    return f"{error.code}: {error.detail}" if error.detail else error.code


def _chunks(
    chunks: Sequence[Chunk],
    expected: Mapping[str, float],
    cited: Collection[str],
    source_match: SourceMatch,
) -> tuple[ShownChunk, ...]:
    return tuple(
        ShownChunk(
            rank=rank,
            id=chunk.id,
            text=chunk.text,
            document=str(chunk.metadata.get("document_id") or ""),
            score=chunk.score,
            hit=expected.get(matched_ids([chunk], source_match)[0], 0) > 0,
            cited=chunk.id in cited,
        )
        for rank, chunk in enumerate(chunks, 1)
    )


def _claim(one: Claim) -> ShownClaim:
    return ShownClaim(one.text, one.supported, one.chunk_ids, one.quote or "", one.flags)


def _citation(one: JudgedCitation) -> ShownClaim:
    return ShownClaim(one.chunk_id, one.supported, (), one.reason, one.flags)


def _reply(contract: str, given: Verdict | Failure) -> ShownReply:
    if isinstance(given, Verdict):
        return ShownReply(contract, given.model or "", (given.raw,) if given.raw else ())
    return ShownReply(contract, "", given.raw, _told(given))
