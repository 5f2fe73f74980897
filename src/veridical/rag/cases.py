"""``Case``: one question of a dataset, and what is known about its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from veridical.rag.answers import Answer, CaseError

__all__ = ["Case", "Kind"]

Kind: TypeAlias = Literal["qa", "unanswerable", "injection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question of a dataset.

    Attributes
    ----------
    id
        Distinct in the dataset.
    kind
        ``qa``, ``unanswerable`` or ``injection``.
    question
        What the pipeline is asked.
    expected_answer
        What a complete answer says, or None.
    expected_sources
        Id of a source to its grade (1 where the case gives none); empty where nothing is expected.
    graded
        Whether the case gave grades.
    adversarial_payload
        A payload id or a literal marker; None where nothing attacks.
    language, tags, metadata
        As the case gives them.
    answer
        One that was made before, for the ``static`` adapter, or why it is none.
    line
        Where the case stands in its file, from 1.
    sha256
        Of the canonical case: what the ledger holds the work to.
    """

    id: str
    question: str
    kind: Kind = "qa"
    expected_answer: str | None = None
    expected_sources: Mapping[str, float] = field(default_factory=dict)
    graded: bool = False
    adversarial_payload: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    answer: Answer | CaseError | None = None
    line: int = 0
    sha256: str = ""
