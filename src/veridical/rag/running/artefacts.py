"""What calls gave, as the ledger keeps it: canonical JSON, from which every score is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from veridical import strict_json
from veridical.errors import FileFormatError, VeridicalError
from veridical.judge.verdicts import Failure, Usage, Verdict
from veridical.rag.answers import Answer, CaseError, Chunk, Reply
from veridical.rag.cases import Case
from veridical.rag.outcomes import Outcome

__all__ = ["Answered", "Judged", "answered_bytes", "judged_bytes", "read_answered", "read_judged"]

_ANSWER: Final = "veridical.rag.answer/1"
_VERDICT: Final = "veridical.rag.verdict/1"


@dataclass(frozen=True, slots=True)
class Answered:
    """What the ledger keeps of one answer.

    Attributes
    ----------
    case
        The case, without an answer that was made before.
    reply
        What the pipeline gave, as far as texts are kept.
    outcomes
        The outcomes of all metrics as of the answer alone, where its texts are not kept; empty
        where they are, for then they can be computed.
    """

    case: Case
    reply: Reply
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the ledger keeps of one verdict, or of its failure.

    Attributes
    ----------
    verdict
        As it came, as far as texts are kept.
    outcomes
        The outcomes of the metrics that it decides, where the answer's texts are not kept.
    """

    verdict: Verdict | Failure
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


def answered_bytes(answered: Answered) -> bytes:
    """Return an answer as it is kept.

    Raises
    ------
    ValueError, TypeError
        Something in it, a score of a chunk for one, is no JSON.
    """
    reply = answered.reply
    return strict_json.canonical(
        {
            "schema": _ANSWER,
            "case": _case(answered.case),
            "answer": _answer(reply.answer),
            "retrieved": _chunks(reply.retrieved),
            "latency_s": reply.latency_s,
            "attempts": reply.attempts,
            "outcomes": _outcomes(answered.outcomes),
        }
    )


def read_answered(content: bytes) -> Answered:
    """Read back what ``answered_bytes`` wrote.

    Raises
    ------
    FileFormatError
        It is no such artefact.
    """
    held = _held(content, _ANSWER)
    try:
        reply = Reply(
            answer=_read_answer(held["answer"]),
            retrieved=_read_chunks(held["retrieved"]),
            latency_s=held["latency_s"],
            attempts=held["attempts"],
        )
        return Answered(_read_case(held["case"]), reply, _read_outcomes(held["outcomes"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _damaged(error) from error


def judged_bytes(judged: Judged) -> bytes:
    """Return a verdict, or its failure, as it is kept."""
    one = judged.verdict
    usage = one.usage
    body: dict[str, Any] = {
        "schema": _VERDICT,
        "contract": one.contract,
        "usage": {
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "estimated": usage.estimated,
            "cost": usage.cost,
        },
        "outcomes": _outcomes(judged.outcomes),
    }
    if isinstance(one, Verdict):
        body["verdict"] = one.reply
        body |= {"judge_raw_json": one.raw, "model": one.model, "cached": one.cached}
        body["dropped"] = list(one.dropped)
    else:
        body["failure"] = {"kind": one.kind, "code": one.code, "detail": one.detail}
        body["judge_raw_json"] = list(one.raw)
    return strict_json.canonical(body)


def read_judged(content: bytes) -> Judged:
    """Read back what ``judged_bytes`` wrote.

    Raises
    ------
    FileFormatError
        It is no such artefact.
    """
    held = _held(content, _VERDICT)
    try:
        cost = held["usage"]["cost"]
        usage = Usage(**{**held["usage"], "cost": None if cost is None else Decimal(cost)})
        verdict: Verdict | Failure
        if "verdict" in held:
            verdict = Verdict(
                contract=held["contract"],
                reply=held["verdict"],
                raw=held["judge_raw_json"],
                model=held["model"],
                usage=usage,
                cached=held["cached"],
                dropped=tuple(held["dropped"]),
            )
        else:
            failed = held["failure"]
            verdict = Failure(
                contract=held["contract"],
                code=failed["code"],
                detail=failed["detail"],
                raw=tuple(held["judge_raw_json"]),
                usage=usage,
                kind=failed["kind"],
            )
        return Judged(verdict, _read_outcomes(held["outcomes"]))
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise _damaged(error) from error


def _case(case: Case) -> dict[str, Any]:
    return {
        "id": case.id,
        "kind": case.kind,
        "question": case.question,
        "expected_answer": case.expected_answer,
        "expected_sources": dict(case.expected_sources),
        "graded": case.graded,
        "adversarial_payload": case.adversarial_payload,
        "language": case.language,
        "tags": list(case.tags),
        "metadata": dict(case.metadata),
        "line": case.line,
        "sha256": case.sha256,
    }


def _read_case(held: Mapping[str, Any]) -> Case:
    return Case(**{**held, "tags": tuple(held["tags"])})


def _answer(answer: Answer | CaseError) -> dict[str, Any]:
    if isinstance(answer, CaseError):
        return _error(answer)
    return {
        "text": answer.text,
        "citations": list(answer.citations),
        "retrieved_chunks": _chunks(answer.retrieved_chunks),
    }


def _read_answer(held: Mapping[str, Any]) -> Answer | CaseError:
    if "error" in held:
        return CaseError(**held["error"])
    chunks = _read_chunks(held["retrieved_chunks"])
    if isinstance(chunks, CaseError):
        raise TypeError("an answer's own chunks are no error")
    return Answer(held["text"], tuple(held["citations"]), chunks)


def _error(error: CaseError) -> dict[str, Any]:
    return {"error": {"code": error.code, "detail": error.detail}}


def _chunks(chunks: tuple[Chunk, ...] | CaseError | None) -> Any:
    if isinstance(chunks, CaseError):
        return _error(chunks)
    if chunks is None:
        return None
    return [
        {"id": one.id, "text": one.text, "score": one.score, "metadata": dict(one.metadata)}
        for one in chunks
    ]


def _read_chunks(held: Any) -> tuple[Chunk, ...] | CaseError | None:
    if held is None:
        return None
    if isinstance(held, dict):
        return CaseError(**held["error"])
    return tuple(Chunk(**one) for one in held)


def _outcomes(outcomes: Mapping[str, Outcome]) -> list[Any]:
    # A list: canonical JSON would sort the names of an object, and metrics have an order.
    return [
        [metric, one.state, one.value, one.reason, one.detail, list(one.flags)]
        for metric, one in outcomes.items()
    ]


def _read_outcomes(held: Sequence[Any]) -> dict[str, Outcome]:
    return {
        metric: Outcome(state, value, reason, detail, tuple(flags))
        for metric, state, value, reason, detail, flags in held
    }


def _held(content: bytes, schema: str) -> Mapping[str, Any]:
    held = strict_json.loads(content)
    if not isinstance(held, dict) or held.get("schema") != schema:
        raise FileFormatError(
            f"an artefact of the run is not {schema}",
            fix="check the store with `veridical runs verify`",
        )
    return held


def _damaged(error: Exception) -> FileFormatError:
    return FileFormatError(
        f"an artefact of the run cannot be read: {VeridicalError.what_of(error)}"[:200],
        fix="check the store with `veridical runs verify`",
    )
