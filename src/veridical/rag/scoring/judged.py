"""From a verdict to a score: computed by us, never read from prose."""

from __future__ import annotations

from veridical.judge.verdicts import Verdict
from veridical.rag.answers import Reply
from veridical.rag.outcomes import Outcome
from veridical.rag.scoring.claims import citations_of, claims_of
from veridical.reasons import SkipReason

__all__ = ["judged"]

_WORDS = {
    "relevant": 1.0,
    "partial": 0.5,
    "irrelevant": 0.0,
    "complete": 1.0,
    "missing": 0.0,
}


def judged(verdict: Verdict, reply: Reply) -> Outcome:
    """Return the outcome that a verdict stands for.

    Examples
    --------
    >>> from veridical.rag.answers import Answer
    >>> said = Verdict("answer_relevance", {"verdict": "partial", "reason": "half of it"}, "")
    >>> judged(said, Reply(Answer("2 euros"))).value
    0.5
    """
    if verdict.contract == "groundedness":
        return _groundedness(verdict, reply)
    if verdict.contract == "citation_support":
        return _citation_support(verdict, reply)
    if verdict.contract == "refusal":
        return Outcome("scored", float(verdict.reply["refused"] is True))
    return Outcome("scored", _WORDS[verdict.reply["verdict"]])


def _groundedness(verdict: Verdict, reply: Reply) -> Outcome:
    """Return supported claims / all claims; an answer without a claim is out of the mean."""
    claims = claims_of(verdict, reply)
    if not claims:
        reason = SkipReason.NO_CLAIMS
        return Outcome("not_applicable", reason=str(reason), detail=reason.sentence)
    flags = tuple(dict.fromkeys(flag for claim in claims for flag in claim.flags))
    return Outcome("scored", sum(claim.supported for claim in claims) / len(claims), flags=flags)


def _citation_support(verdict: Verdict, reply: Reply) -> Outcome:
    """Return supported / cited ids; what was not retrieved, or not judged, is unsupported."""
    cited = citations_of(verdict, reply)
    flags = tuple(dict.fromkeys(flag for one in cited for flag in one.flags))
    return Outcome("scored", sum(one.supported for one in cited) / len(cited), flags=flags)
