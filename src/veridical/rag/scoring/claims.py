"""What a judge said about an answer, claim by claim: the evidence behind a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from veridical.judge.verdicts import Failure, Verdict
from veridical.rag.answers import Answer, Reply
from veridical.rag.cases import Case
from veridical.rag.matching import stands_in
from veridical.rag.scoring.asking import CITED_OUTSIDE
from veridical.rag.scoring.context import Aliased, aliased_citations, aliased_context

__all__ = [
    "QUOTE_NOT_FOUND",
    "Claim",
    "Evidence",
    "JudgedCitation",
    "citations_of",
    "claims_of",
    "evidence",
]

QUOTE_NOT_FOUND = "quote_not_found"
"""Flag of a claim whose quote is in none of the chunks that it names."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an answer.

    Attributes
    ----------
    text, supported
        As the judge put it.
    chunk_ids
        The pipeline's ids of the chunks that it named.
    quote
        What it quoted, or None.
    flags
        ``quote_not_found`` where the quote is in none of these chunks, white space apart.
    """

    text: str
    supported: bool
    chunk_ids: tuple[str, ...] = ()
    quote: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedCitation:
    """One cited chunk: whether it supports what cites it.

    Attributes
    ----------
    chunk_id, supported, reason
        The id; the verdict, False without one; the judge's sentence, or ours.
    flags
        ``cited_outside_retrieved`` where it was not retrieved, ``no_verdict`` where the judge left
        it out.
    """

    chunk_id: str
    supported: bool
    reason: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that was judged of an answer.

    Attributes
    ----------
    claims, citations
        Of groundedness and of citation support; empty where neither was judged.
    reasons
        Contract to verdict and reason in one line, of those that give one of each.
    """

    claims: tuple[Claim, ...] = ()
    citations: tuple[JudgedCitation, ...] = ()
    reasons: Mapping[str, str] | None = None


def evidence(
    case: Case,  # noqa: ARG001 - the three things that a score is made of
    reply: Reply | None,
    verdicts: Mapping[str, Verdict | Failure],
) -> Evidence:
    """Return what was judged of an answer, with the pipeline's own ids.

    Parameters
    ----------
    case, reply, verdicts
        As for ``score``; a contract without a verdict gives no evidence.
    """
    given = {name: one for name, one in verdicts.items() if isinstance(one, Verdict)}
    if reply is None or not isinstance(reply.answer, Answer):
        return Evidence()
    claims = claims_of(given["groundedness"], reply) if "groundedness" in given else ()
    return Evidence(
        claims,
        citations_of(given.get("citation_support"), reply),
        {name: line for name, one in given.items() if (line := _line(one))},
    )


def claims_of(verdict: Verdict, reply: Reply) -> tuple[Claim, ...]:
    """Return the claims of a groundedness verdict."""
    context = reply.context
    passages = aliased_context(context if isinstance(context, tuple) else ())
    return tuple(_claim(claim, passages) for claim in verdict.reply["claims"])


def _claim(claim: Mapping[str, object], passages: Aliased) -> Claim:
    named = [str(alias) for alias in claim.get("chunk_ids") or ()]  # type: ignore[attr-defined]
    quote = claim.get("quote")
    found = not isinstance(quote, str) or any(
        stands_in(quote, passages.texts.get(alias, "")) for alias in named
    )
    return Claim(
        str(claim["claim"]),
        claim["supported"] is True,
        tuple(passages.ids.get(alias, alias) for alias in named),
        quote if isinstance(quote, str) else None,
        () if found else (QUOTE_NOT_FOUND,),
    )


def citations_of(verdict: Verdict | None, reply: Reply) -> tuple[JudgedCitation, ...]:
    """Return each cited id once, with what the judge said of it."""
    answer, context = reply.answer, reply.context
    if not isinstance(answer, Answer) or not isinstance(context, tuple):
        return ()
    passages = aliased_citations(answer.citations, context)
    if verdict is None and passages.texts:
        return ()
    said = {} if verdict is None else {one["id"]: one for one in verdict.reply["citations"]}
    judged = [
        JudgedCitation(id_, said[alias]["supported"] is True, str(said[alias]["reason"]))
        if alias in said
        else JudgedCitation(id_, False, "the judge gave no verdict on it", ("no_verdict",))
        for alias, id_ in passages.ids.items()
    ]
    unseen = [
        JudgedCitation(id_, False, "it was not retrieved", (CITED_OUTSIDE,))
        for id_ in passages.outside
    ]
    return (*judged, *unseen)


def _line(verdict: Verdict) -> str:
    if "reason" not in verdict.reply:
        return ""
    said = verdict.reply.get("verdict", verdict.reply.get("refused"))
    word = {True: "refused", False: "answered"}.get(said, said)
    return f"{word}: {verdict.reply['reason']}"
