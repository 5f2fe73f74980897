"""``Attempted``: all that a run knows about one case and repeat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.judge.verdicts import Failure, Verdict
    from veridical.rag.answers import Reply
    from veridical.rag.cases import Case
    from veridical.rag.outcomes import Outcome

__all__ = ["Attempted"]


@dataclass(frozen=True, slots=True)
class Attempted:
    """One case and repeat of a run.

    Attributes
    ----------
    case, repeat
        What was asked, and the how manieth time, from 1.
    reply
        What the pipeline gave; None while it is pending.
    verdicts
        Contract to what the judge gave; a contract that was not asked, or not yet, is absent.
    outcomes
        Metric to its outcome.
    """

    case: Case
    repeat: int
    reply: Reply | None = None
    verdicts: Mapping[str, Verdict | Failure] = field(default_factory=dict)
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
