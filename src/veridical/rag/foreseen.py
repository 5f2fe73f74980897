"""``foreseen``: the reply to a case before anybody is asked: known, or assumed and said to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from veridical.rag.answers import Answer, CaseError, Chunk, Reply
from veridical.rag.cases import Case

__all__ = ["ANSWER", "PASSAGE", "Foreseeing"]

ANSWER: Final = 600
"""Characters that an answer is assumed to have."""

PASSAGE: Final = 1_000
"""Characters that a passage is assumed to have."""


@dataclass(frozen=True, slots=True)
class Foreseeing:
    """What replies will be like.

    Attributes
    ----------
    static
        Whether the answers stand in the dataset.
    k
        How many passages an assumed reply has; it cites each of them.
    earlier
        Id of a case to what an earlier run got.

    Examples
    --------
    >>> reply, known = Foreseeing(static=False, k=2).reply(Case(id="a", question="?"))
    >>> len(reply.answer.text), reply.answer.citations, known
    (600, ('1', '2'), False)
    """

    static: bool
    k: int
    earlier: Mapping[str, Reply] = field(default_factory=dict)

    def reply(self, case: Case) -> tuple[Reply, bool]:
        """Return the reply to a case, and whether it is exactly what a run will see."""
        if self.static:
            missing = CaseError("no_static_answer", "the case has no answer in the dataset")
            return Reply(missing if case.answer is None else case.answer), True
        return self.earlier.get(case.id) or self.assumed(), False

    def assumed(self) -> Reply:
        """Return a reply with everything that a metric may need."""
        chunks = tuple(Chunk(str(n), "x" * PASSAGE) for n in range(1, self.k + 1))
        return Reply(Answer("x" * ANSWER, tuple(one.id for one in chunks), chunks))
