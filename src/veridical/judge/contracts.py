"""The contracts of a judge: closed schemas, one a question.

A verdict is what a judge says about things that we name; every score is computed from it by us.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from veridical.judge.verdicts import Contract, Question

__all__ = [
    "CONTRACTS",
    "FIELDS",
    "MODELS",
    "WITH_PASSAGES",
    "AnswerRelevance",
    "Citation",
    "CitationSupport",
    "Claim",
    "Completeness",
    "Groundedness",
    "Refusal",
    "schema",
    "verdict_score",
]

CONTRACTS: tuple[Contract, ...] = get_args(Contract)

FIELDS: Mapping[Contract, tuple[str, ...]] = {
    "groundedness": ("question", "answer"),
    "citation_support": ("question", "answer"),
    "answer_relevance": ("question", "answer"),
    "completeness": ("question", "expected", "answer"),
    "refusal": ("question", "answer"),
}
"""The texts that each contract judges, in the order in which the prompt shows them."""

WITH_PASSAGES: tuple[Contract, ...] = ("groundedness", "citation_support")


class _Closed(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Claim(_Closed):
    """One statement of the answer, and whether the passages say it."""

    claim: str
    supported: bool
    chunk_ids: list[str]
    quote: str | None


class Groundedness(_Closed):
    """The answer, taken apart; an empty list is an answer that claims nothing."""

    claims: list[Claim]


class Citation(_Closed):
    """Whether one cited passage supports the answer."""

    id: str
    supported: bool
    reason: str


class CitationSupport(_Closed):
    """A verdict on each cited passage; one without a verdict is unsupported."""

    citations: list[Citation]


class AnswerRelevance(_Closed):
    """Whether the answer answers the question, true or not."""

    verdict: Literal["relevant", "partial", "irrelevant"]
    reason: str


class Completeness(_Closed):
    """Whether the answer says what the expected answer says."""

    verdict: Literal["complete", "partial", "missing"]
    reason: str


class Refusal(_Closed):
    """Whether the answer declines to answer."""

    refused: bool
    reason: str


MODELS: Mapping[Contract, type[BaseModel]] = {
    "groundedness": Groundedness,
    "citation_support": CitationSupport,
    "answer_relevance": AnswerRelevance,
    "completeness": Completeness,
    "refusal": Refusal,
}

_POINTS = {"relevant": 1.0, "complete": 1.0, "partial": 0.5, "irrelevant": 0.0, "missing": 0.0}


def schema(contract: Contract) -> dict[str, Any]:
    """Return the JSON Schema of a reply, for endpoints that can be held to one.

    Examples
    --------
    >>> schema("refusal")["required"]
    ['refused', 'reason']
    """
    return MODELS[contract].model_json_schema()


def verdict_score(question: Question, reply: Mapping[str, Any]) -> float | None:
    """Return what a verdict comes to in [0, 1], or None where it is not applicable.

    Parameters
    ----------
    question
        What was asked; for ``citation_support`` its passages are the cited ids that have a text.
    reply
        A reply that keeps the contract.

    Notes
    -----
    ``groundedness``: supported / claims, None without a claim.  ``citation_support``: supported /
    passages; a passage without a verdict is unsupported; None without a passage.  ``refusal``: 1
    where the answer declines.

    Examples
    --------
    >>> asked = Question("completeness", {})
    >>> verdict_score(asked, {"verdict": "partial", "reason": "one of two dates"})
    0.5
    """
    if question.contract == "groundedness":
        return _share(reply["claims"], len(reply["claims"]))
    if question.contract == "citation_support":
        return _share(reply["citations"], len(question.passages))
    if question.contract == "refusal":
        return float(reply["refused"])
    return _POINTS[reply["verdict"]]


def _share(verdicts: list[Mapping[str, Any]], of: int) -> float | None:
    return sum(verdict["supported"] for verdict in verdicts) / of if of else None
