"""One case of a RAG run as a report shows it: plain values, whoever measured them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["ShownCase", "ShownChunk", "ShownClaim", "ShownOutcome", "ShownReply"]


@dataclass(frozen=True, slots=True)
class ShownChunk:
    """A retrieved passage.

    Attributes
    ----------
    rank, id, text
        Its place in the adapter's order, from 1; its id and text.
    document
        The document it is of, where it says so.
    score
        The adapter's, or None.
    hit, cited
        Whether the case expects it, and whether the answer cites it.
    """

    rank: int
    id: str
    text: str
    document: str = ""
    score: float | None = None
    hit: bool = False
    cited: bool = False


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim of an answer, or a citation in it, and what the judge said.

    Attributes
    ----------
    text
        The claim; of a citation the id of the chunk.
    supported
        The verdict.
    chunks
        Ids of the chunks that the judge named.
    said
        The quote, or the judge's reason.
    flags
        ``quote_not_found``, ``cited_outside_retrieved``, ``no_verdict``.
    """

    text: str
    supported: bool
    chunks: tuple[str, ...] = ()
    said: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """What became of a metric: state, value, reason, one sentence, flags."""

    metric: str
    state: str
    value: float | None = None
    reason: str = ""
    detail: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownReply:
    """What the judge replied to one contract, as it came.

    Attributes
    ----------
    contract, model
        What was asked; the model that was served, "" where it is not known.
    raw
        The texts; several where a reply was repaired.
    failure
        Code and sentence where there is no verdict, else "".
    """

    contract: str
    model: str
    raw: tuple[str, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCase:
    """One case and repeat.

    Attributes
    ----------
    id, repeat, kind, language, tags, question, expected_answer, payload, expected_sources
        As the case has them; sources in order.
    answer, failure
        The answer, or code and sentence of the failed call; both None while it is pending.
    chunks
        What was retrieved; None where that is not exposed.
    retrieval_failure
        Code and sentence where retrieving alone failed.
    claims, citations, reasons, replies
        The evidence: of groundedness, of citation support, of the other contracts, and raw.
    outcomes
        Of every metric.
    badness
        0 for a case in which everything scored is perfect, 1 for one with an error or in which
        everything is as bad as can be.
    """

    id: str
    repeat: int
    kind: str
    question: str
    language: str = ""
    tags: tuple[str, ...] = ()
    expected_answer: str | None = None
    payload: str | None = None
    expected_sources: tuple[str, ...] = ()
    answer: str | None = None
    failure: str | None = None
    chunks: tuple[ShownChunk, ...] | None = None
    retrieval_failure: str = ""
    claims: tuple[ShownClaim, ...] = ()
    citations: tuple[ShownClaim, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    replies: tuple[ShownReply, ...] = ()
    outcomes: tuple[ShownOutcome, ...] = ()
    badness: float = 0.0

    @property
    def errors(self) -> tuple[ShownOutcome, ...]:
        """Outcomes that are errors."""
        return tuple(one for one in self.outcomes if one.state.endswith("_error"))

    @property
    def flags(self) -> tuple[str, ...]:
        """Every flag of it that warns, once; that it gives grades is no warning."""
        judged = (*self.claims, *self.citations)
        every = [*(one.flags for one in self.outcomes), *(one.flags for one in judged)]
        found = dict.fromkeys(flag for flags in every for flag in flags)
        return tuple(flag for flag in found if flag != "graded")
