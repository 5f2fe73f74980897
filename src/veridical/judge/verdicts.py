"""What a judge is asked, and what comes back: a verdict, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, TypeAlias

__all__ = ["Contract", "Failure", "FailureKind", "Question", "Usage", "Verdict"]

Contract: TypeAlias = Literal[
    "groundedness", "citation_support", "answer_relevance", "completeness", "refusal"
]
FailureKind: TypeAlias = Literal["error", "skipped", "budget", "stop"]


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be judged.

    Attributes
    ----------
    contract
        Which verdict is wanted; it names the prompt and the schema of the reply.
    fields
        The texts to be judged by their names in the prompt: ``question``, ``answer``, ``expected``.
    passages
        Alias (``"c1"``, ``"c2"``, ...) to text: the context, or the cited chunks.
    """

    contract: Contract
    fields: Mapping[str, str]
    passages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """What the calls for one question took.

    Attributes
    ----------
    calls
        How many requests were sent, retries and repairs included.
    input_tokens, output_tokens
        As the provider counted them, or estimated.
    estimated
        Whether any of it is an estimate.
    cost
        In the currency of the price; None where the price is unknown.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reply that keeps its contract.

    Attributes
    ----------
    contract
        What was asked.
    reply
        The JSON object of the judge, checked against the closed schema.
    raw
        The text of the reply, as it came.
    model
        The model that the endpoint says it served; None where it says nothing.
    usage
        What it took; nothing where it came from the cache.
    cached
        Whether it came from the cache.
    dropped
        Parameters that were not sent because the endpoint refuses them.
    """

    contract: Contract
    reply: Mapping[str, Any]
    raw: str
    model: str | None = None
    usage: Usage = Usage()
    cached: bool = False
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no verdict.

    Attributes
    ----------
    contract
        What was asked.
    code
        A stable string: ``"schema"``, ``"two_candidates"``, ``"timeout"``, ``"http_500"``, ...
    detail
        One sentence, without any secret.
    raw
        The replies that were not understood, as they came.
    usage
        What it took all the same.
    kind
        ``error`` (counted as judge error), ``skipped`` (the code is then a skip reason, such as
        ``context_too_long``), ``budget`` or ``stop``: the whole run has to end, and the question
        stays pending.
    """

    contract: Contract
    code: str
    detail: str
    raw: tuple[str, ...] = ()
    usage: Usage = Usage()
    kind: FailureKind = "error"
