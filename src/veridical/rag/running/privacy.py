"""``Privacy``: what of a case, an answer and a verdict may be written.

It is decided before the first write, in two steps.  *Redaction* comes first: what it takes out is
neither kept nor scored nor shown to the judge, so that a stored run gives the same numbers again.
*Keeping* comes last: with ``hashed`` and ``none`` the texts are scored from memory, and the ledger
holds outcomes, ids and counts in their place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from veridical.judge.verdicts import Failure, Verdict
from veridical.rag.answers import Answer, CaseError, Chunk, Reply
from veridical.rag.cases import Case
from veridical.rag.outcomes import Outcome
from veridical.rag.running.redaction import Redactor

__all__ = ["Privacy", "StoreText"]

StoreText: TypeAlias = Literal["full", "hashed", "none"]
_TEXTS_OF_VERDICTS: Final = ("claim", "quote", "reason")
_DOCUMENT: Final = "document_id"


class Privacy:
    """What may be kept.

    Parameters
    ----------
    store_text
        ``full``: texts as they are; ``hashed``: their sha256 in their place; ``none``: nothing.
    redact
        Rules of ``Redactor``.
    """

    def __init__(self, store_text: StoreText = "full", redact: Iterable[str] = ()) -> None:
        self.store_text = store_text
        self._redact = Redactor(redact)

    @property
    def keeps_texts(self) -> bool:
        """Whether what is stored can be scored again."""
        return self.store_text == "full"

    def redacted_case(self, case: Case) -> Case:
        """Return a case as it is scored; the pipeline is asked the question as it is; ids stay."""
        if not self._redact:
            return case
        return replace(
            case,
            question=self._redact(case.question),
            expected_answer=_each(self._redact, case.expected_answer),
            tags=tuple(dict.fromkeys(map(self._redact, case.tags))),
            metadata=self._redact.within(dict(case.metadata)),
        )

    def redacted_reply(self, reply: Reply) -> Reply:
        """Return a reply without what must not be kept; ids of chunks stay."""
        if not self._redact:
            return reply
        return _mapped(reply, self._redact, self._redacted_metadata)

    def redacted_verdict(self, verdict: Verdict | Failure) -> Verdict | Failure:
        """Return a verdict without what must not be kept; the judge saw redacted texts already."""
        if not self._redact:
            return verdict
        if isinstance(verdict, Verdict):
            reply = _texts_of(verdict.reply, self._redact)
            return replace(verdict, reply=reply, raw=self._redact(verdict.raw))
        raw = tuple(map(self._redact, verdict.raw))
        return replace(verdict, detail=self._redact(verdict.detail), raw=raw)

    def kept_case(self, case: Case) -> Case:
        """Return a case as it is stored."""
        if self.keeps_texts:
            return replace(case, answer=None)
        return replace(
            case,
            question=self._kept(case.question),
            expected_answer=_each(self._kept, case.expected_answer),
            adversarial_payload=_each(self._kept, case.adversarial_payload),
            metadata={},
            answer=None,
        )

    def kept_reply(self, reply: Reply) -> Reply:
        """Return a reply as it is stored."""
        if self.keeps_texts:
            return reply
        return _mapped(reply, self._kept, _document_alone, detail=_nothing)

    def kept_verdict(self, verdict: Verdict | Failure) -> Verdict | Failure:
        """Return a verdict as it is stored."""
        if self.keeps_texts:
            return verdict
        if isinstance(verdict, Verdict):
            return replace(verdict, reply=_texts_of(verdict.reply, self._kept), raw="")
        return replace(verdict, detail="", raw=())

    def kept_outcomes(self, outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
        """Return outcomes to be stored in the place of texts; none where these are kept."""
        if self.keeps_texts:
            return {}
        return {metric: replace(one, detail="") for metric, one in outcomes.items()}

    def _kept(self, text: str) -> str:
        if self.store_text == "none":
            return ""
        return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    def _redacted_metadata(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        redacted: dict[str, Any] = self._redact.within(dict(metadata))
        return redacted | _document_alone(metadata)


def _each(change: Any, text: str | None) -> str | None:
    return None if text is None else str(change(text))


def _nothing(_: str) -> str:
    return ""


def _document_alone(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key == _DOCUMENT}


def _mapped(reply: Reply, text: Any, metadata: Any, detail: Any = None) -> Reply:
    """Return a reply whose texts, metadata and details went through these functions."""
    told = detail or text

    def error(one: CaseError) -> CaseError:
        return CaseError(one.code, told(one.detail))

    def chunks(found: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(
            replace(one, text=text(one.text), metadata=metadata(one.metadata)) for one in found
        )

    answer, retrieved = reply.answer, reply.retrieved
    if isinstance(answer, CaseError):
        answer = error(answer)
    else:
        own = answer.retrieved_chunks
        answer = Answer(text(answer.text), answer.citations, None if own is None else chunks(own))
    if isinstance(retrieved, CaseError):
        retrieved = error(retrieved)
    elif retrieved is not None:
        retrieved = chunks(retrieved)
    return replace(reply, answer=answer, retrieved=retrieved)


def _texts_of(value: Any, change: Any) -> Any:
    """Return a verdict whose free texts are changed; ids and enumerations are left alone."""
    if isinstance(value, Mapping):
        return {
            key: change(one)
            if key in _TEXTS_OF_VERDICTS and isinstance(one, str)
            else _texts_of(one, change)
            for key, one in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_texts_of(one, change) for one in value]
    return value
