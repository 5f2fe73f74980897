"""Answers that were made before, and stand in the dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.rag.adapters.answering import CallFailedError
from veridical.rag.answers import Answer, CaseError, Chunk

if TYPE_CHECKING:
    from veridical.rag.cases import Case

__all__ = ["StaticCalling"]


class StaticCalling:
    """The answer of each case."""

    has_retrieve = False

    async def open(self) -> None:
        """Nothing has to be made ready."""

    async def close(self) -> None:
        """Nothing is left."""

    async def answer(self, case: Case) -> Answer:
        """Return the answer of the case.

        Raises
        ------
        CallFailedError
            It has none, or one that is none.
        """
        if case.answer is None:
            raise CallFailedError("no_static_answer", "the case has no answer in the dataset")
        if isinstance(case.answer, CaseError):
            raise CallFailedError(case.answer.code, case.answer.detail)
        return case.answer

    async def retrieve(self, case: Case) -> tuple[Chunk, ...]:
        """There is no retrieval of its own."""
        raise CallFailedError("no_retrieve", f"case {case.id[:40]!r} is static")
