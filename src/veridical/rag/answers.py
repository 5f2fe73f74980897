"""What a pipeline returned for a case, or how it failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "CaseError", "Chunk", "Reply"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrieved passage; ``score`` is information only, the order is the ranking."""

    id: str
    text: str
    score: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a pipeline answered.

    Attributes
    ----------
    text
        The answer; one that is empty or white is no answer.
    citations
        Ids of chunks, as cited.
    retrieved_chunks
        In the order of the pipeline; ``()`` is an empty retrieval, None says that the pipeline
        does not expose what it retrieved.
    """

    text: str
    citations: tuple[str, ...] = ()
    retrieved_chunks: tuple[Chunk, ...] | None = None


@dataclass(frozen=True, slots=True)
class CaseError:
    """How a pipeline failed on a case: a stable code and one sentence, without any secret."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything that an adapter gave for one case and repeat.

    Attributes
    ----------
    answer
        The answer, or how the call failed.
    retrieved
        What ``retrieve()`` gave where the adapter has it, or how that failed; None where it
        has none.
    latency_s
        Of the last attempt.
    attempts
        How many times the pipeline was called.
    """

    answer: Answer | CaseError
    retrieved: tuple[Chunk, ...] | CaseError | None = None
    latency_s: float | None = None
    attempts: int = 1

    @property
    def context(self) -> tuple[Chunk, ...] | CaseError | None:
        """The answer's own chunks where it has them, else those of ``retrieve()``."""
        if isinstance(self.answer, Answer) and self.answer.retrieved_chunks is not None:
            return self.answer.retrieved_chunks
        return self.retrieved
