"""``ScoreSettings``: what scores depend on besides the case, the reply and the verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical.rag.matching import SourceMatch

__all__ = ["ScoreSettings"]


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """How cases are scored.

    Attributes
    ----------
    k
        Cut-off of the retrieval metrics, at least 1.
    source_match
        Whether expected ids are those of chunks or of documents.
    judge
        Whether a judge is configured.

    Examples
    --------
    >>> ScoreSettings().abstention, ScoreSettings(judge=True).abstention
    ('heuristic', 'judge')
    """

    k: int = 5
    source_match: SourceMatch = "chunk"
    judge: bool = False

    @property
    def abstention(self) -> Literal["heuristic", "judge"]:
        """How refusals are recognised: a condition, for the two never pool."""
        return "judge" if self.judge else "heuristic"
