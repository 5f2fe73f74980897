"""From one JSON object to a ``Case``: each field checked, and what is wrong told by its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final, get_args

from veridical import strict_json
from veridical.errors import InputError
from veridical.rag.answer_fields import BadAnswerError, NoChunkIdError, answer_of, identifier
from veridical.rag.answers import Answer, CaseError
from veridical.rag.cases import Case, Kind

__all__ = ["FIELDS", "BadFieldError", "canonical_case", "case_of", "source_ids_written"]

FIELDS: Final = frozenset(
    {
        "id", "kind", "question", "expected_answer", "expected_source_ids", "adversarial_payload",
        "language", "tags", "metadata", "answer",
    }
)  # fmt: skip


_HIGHEST_GRADE = 1e6
_LONGEST_ID = 400


class BadFieldError(InputError):
    """A field that is not what it should be; ``key`` names it."""

    usual_fix = "correct the field; `veridical rag init` writes cases that are right"

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


def case_of(record: Mapping[str, Any], line: int = 0) -> Case:
    """Return the case that an object stands for.

    Parameters
    ----------
    record
        With the fields of ``FIELDS`` only; null is as good as absent.
    line
        Where it stands.

    Raises
    ------
    BadFieldError
        A field is missing, or of another type.

    Examples
    --------
    >>> case = case_of({"id": "q1", "question": "How much?", "expected_source_ids": ["fees"]})
    >>> dict(case.expected_sources), case.graded
    ({'fees': 1.0}, False)
    """
    given = {name: value for name, value in record.items() if value is not None}
    kind = given.get("kind", "qa")
    if kind not in get_args(Kind):
        raise BadFieldError("kind", f"kind is qa, unanswerable or injection, not {kind!r:.80}")
    question = _text(given, "question")
    if question is None or not question.strip():
        raise BadFieldError("question", "the case has no question")
    sources = given.get("expected_source_ids", [])
    id_ = _identified("id", given.get("id"), "the case")
    if len(id_) > _LONGEST_ID:  # a run keeps a case under its id
        raise BadFieldError("id", f"an id is at most {_LONGEST_ID} long, not {len(id_):,}")
    case = Case(
        id=id_,
        kind=kind,
        question=question,
        expected_answer=_text(given, "expected_answer"),
        expected_sources=_sources(sources),
        graded=isinstance(sources, Mapping),
        adversarial_payload=_text(given, "adversarial_payload"),
        language=_text(given, "language"),
        tags=_tags(given.get("tags", [])),
        metadata=_object(given, "metadata"),
        answer=_answer(given.get("answer")),
        line=line,
    )
    object.__setattr__(case, "sha256", strict_json.sha256(canonical_case(case)))
    return case


def canonical_case(case: Case) -> dict[str, Any]:
    """Return everything that a case says, without where it stands: what its hash is of."""
    answer = case.answer
    return {
        "id": case.id,
        "kind": case.kind,
        "question": case.question,
        "expected_answer": case.expected_answer,
        "expected_source_ids": dict(case.expected_sources),
        "graded": case.graded,
        "adversarial_payload": case.adversarial_payload,
        "language": case.language,
        "tags": list(case.tags),
        "metadata": dict(case.metadata),
        "answer": None if answer is None else _canonical_answer(answer),
    }


def _canonical_answer(answer: Answer | CaseError) -> dict[str, Any]:
    if isinstance(answer, CaseError):
        return {"error": asdict(answer)}
    chunks = answer.retrieved_chunks
    return {
        "text": answer.text,
        "citations": list(answer.citations),
        "retrieved_chunks": None if chunks is None else [asdict(chunk) for chunk in chunks],
    }


def _text(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadFieldError(key, f"{key} is a text, not {value!r:.80}")
    return value


def _object(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = given.get(key, {})
    if not isinstance(value, Mapping):
        raise BadFieldError(key, f"{key} is an object, not {value!r:.80}")
    return dict(value)


def _tags(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise BadFieldError("tags", f"tags are a list of texts, not {value!r:.80}")
    return tuple(value)


def _identified(key: str, value: Any, of: str) -> str:
    try:
        return identifier(value, of)
    except BadAnswerError as error:
        raise BadFieldError(key, error.what) from None


def _sources(value: Any) -> dict[str, float]:
    key = "expected_source_ids"
    if isinstance(value, list):
        return {_identified(key, one, "an expected source"): 1.0 for one in value}
    if not isinstance(value, Mapping):
        raise BadFieldError(key, f"{key} is a list, or an object from id to grade")
    return {_identified(key, one, "an expected source"): _grade(g) for one, g in value.items()}


def _grade(grade: Any) -> float:
    number = isinstance(grade, (int, float)) and not isinstance(grade, bool)
    # Relevant is a grade of at least 1; one between 0 and 1 would be both, and neither.
    if not number or not (grade == 0 or 1 <= grade <= _HIGHEST_GRADE):
        raise BadFieldError(
            "expected_source_ids",
            f"a grade is 0, or a number from 1 to 1,000,000, not {grade!r:.80}",
        )
    return float(grade)


def _answer(value: Any) -> Answer | CaseError | None:
    try:
        return None if value is None else answer_of(value)
    except NoChunkIdError as error:
        # The pipeline that made it did so: the case fails as it would have when it was asked.
        return CaseError("bad_reply", error.what)
    except BadAnswerError as error:
        raise BadFieldError("answer", error.what) from None


def source_ids_written(record: Mapping[str, Any]) -> list[Any]:
    """Return the ids of sources of a legal record as they are written: 1 or ``"1"``."""
    answer = record.get("answer")
    answer = answer if isinstance(answer, Mapping) else {}
    chunks = answer.get("retrieved_chunks") or ()
    return [
        *(record.get("expected_source_ids") or ()),
        *(answer.get("citations") or ()),
        *(chunk.get("id") for chunk in chunks if isinstance(chunk, Mapping)),
    ]
