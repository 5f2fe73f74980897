"""Columns of other tools: which of them say what a case of ours says.

``ragas``
    ``user_input`` is the question, ``reference`` the expected answer, ``reference_context_ids`` or
    ``reference_contexts`` the expected sources, ``response`` the answer, ``retrieved_contexts`` and
    ``retrieved_context_ids`` its chunks.
``ragas before 0.2``
    ``question``, ``ground_truth``, ``answer``, ``contexts``.
``deepeval``
    ``input``, ``expected_output``, ``context`` (what is expected), ``actual_output``,
    ``retrieval_context``; ``name``, ``tags`` and ``additional_metadata``.
``inspect_ai``
    ``input`` (a text, or messages of which one is the user's), ``target`` (one text), ``id``,
    ``metadata``.
``promptfoo``
    ``vars.question`` (or ``query``, ``input``, ``prompt``), the ``value`` of the one assertion of
    type ``equals``, ``similar`` or ``factuality``, ``description`` (the id), ``metadata``.

Columns without a place in a case are kept in its metadata.  Texts without ids get the hash of the
text as their id, so that a reference context counts as retrieved where the same text was.  A case
without an id is called by its line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["LAYOUTS", "Layout", "fitting_layouts", "text_id"]

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one tool.

    Attributes
    ----------
    name
        Of the tool.
    columns
        Every column that its files may have.
    marks
        Sets of columns by one of which its files are recognised.
    convert
        From an object of its files to one of ours, without ``id`` where it has none.
    """

    name: str
    columns: frozenset[str]
    marks: tuple[frozenset[str], ...]
    convert: Callable[[Record], Record]


def fitting_layouts(columns: Iterable[str]) -> list[Layout]:
    """Return every layout that these columns may be.

    Examples
    --------
    >>> [layout.name for layout in fitting_layouts(["user_input", "reference"])]
    ['ragas']
    >>> [layout.name for layout in fitting_layouts(["input"])]
    ['deepeval', 'inspect_ai']
    """
    present = set(columns)
    fits = [one for one in LAYOUTS if any(mark <= present for mark in one.marks)]
    return fits or [one for one in LAYOUTS if present == {"input"} and "input" in one.columns]


def text_id(text: str) -> str:
    """Return the id of a text that has none: a hash, so that equal texts are one source.

    Examples
    --------
    >>> text_id("Paris is the capital of France.")
    'text-557be7eca214'
    """
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return f"text-{digest[:12]}"


def _moved(record: Record, names: Mapping[str, str]) -> Record:
    """Return the fields that only have another name; null says nothing."""
    return {
        ours: record[theirs] for theirs, ours in names.items() if record.get(theirs) is not None
    }


def _kept(record: Record, used: Iterable[str], metadata: Any = None) -> Record:
    """Return what has no place in a case as metadata, so that nothing is lost."""
    rest = {k: v for k, v in record.items() if v is not None and k not in set(used)}
    if metadata is not None and not isinstance(metadata, Mapping):
        return {"metadata": metadata}
    merged = {**(metadata or {}), **rest}
    return {"metadata": merged} if merged else {}


def _answer(text: Any, contexts: Any = None, ids: Any = None) -> Record:
    """Return a pre-made answer from a text and the texts that were retrieved for it."""
    if text is None:
        return {}
    answer: Record = {"text": text}
    if isinstance(contexts, list):
        named = ids if isinstance(ids, list) and len(ids) == len(contexts) else None
        answer["retrieved_chunks"] = [
            {"id": named[at] if named else _id_of(one), "text": one}
            for at, one in enumerate(contexts)
        ]
    elif contexts is not None:
        answer["retrieved_chunks"] = contexts
    elif isinstance(ids, list):
        answer["retrieved_chunks"] = [{"id": one, "text": ""} for one in ids]
    return {"answer": answer}


def _id_of(text: Any) -> str:
    return text_id(text) if isinstance(text, str) else ""


def _sources(ids: Any, texts: Any) -> Record:
    if isinstance(ids, list):
        return {"expected_source_ids": ids}
    if isinstance(texts, list):
        return {"expected_source_ids": list(dict.fromkeys(map(_id_of, texts)))}
    return {}


def _ragas(record: Record) -> Record:
    names = {"id": "id", "user_input": "question", "reference": "expected_answer"}
    contexts = ("retrieved_contexts", "retrieved_context_ids")
    references = ("reference_context_ids", "reference_contexts")
    return {
        **_moved(record, names),
        **_answer(record.get("response"), *map(record.get, contexts)),
        **_sources(*map(record.get, references)),
        **_kept(record, [*names, *contexts, *references, "response"]),
    }


def _old_ragas(record: Record) -> Record:
    names = {"id": "id", "question": "question", "ground_truth": "expected_answer"}
    truths = record.get("ground_truths")
    several = (
        {"expected_answer": truths[0]} if isinstance(truths, list) and len(truths) == 1 else {}
    )
    used = [*names, "answer", "contexts", *(["ground_truths"] if several else [])]
    return {
        **several,
        **_moved(record, names),
        **_answer(record.get("answer"), record.get("contexts")),
        **_kept(record, used),
    }


def _deepeval(record: Record) -> Record:
    names = {
        "name": "id",
        "id": "id",
        "input": "question",
        "expected_output": "expected_answer",
        "tags": "tags",
    }
    used = [*names, "actual_output", "retrieval_context", "context", "additional_metadata"]
    return {
        **_moved(record, names),
        **_answer(record.get("actual_output"), record.get("retrieval_context")),
        **_sources(None, record.get("context")),
        **_kept(record, used, record.get("additional_metadata")),
    }


def _inspect(record: Record) -> Record:
    target = record.get("target")
    one = target[0] if isinstance(target, list) and len(target) == 1 else target
    return {
        **_moved(record, {"id": "id"}),
        "question": _last_words(record.get("input")),
        **({} if one is None or one == "" else {"expected_answer": one}),
        **_kept(record, ["id", "input", "target", "metadata"], record.get("metadata")),
    }


def _last_words(given: Any) -> Any:
    """Return the one message of a user from a conversation of a single turn."""
    if not isinstance(given, list):
        return given
    asked = [one for one in given if isinstance(one, Mapping) and one.get("role") == "user"]
    return asked[0].get("content") if len(asked) == 1 else given


_EQUAL = frozenset({"equals", "similar", "factuality", "model-graded-factuality"})


def _promptfoo(record: Record) -> Record:
    variables = record.get("vars")
    if not isinstance(variables, Mapping):
        return {"question": None}
    asked = [name for name in ("question", "query", "input", "prompt") if name in variables]
    checks = record.get("assert")
    expected = [
        one["value"]
        for one in (checks if isinstance(checks, list) else [])
        if isinstance(one, Mapping) and one.get("type") in _EQUAL and "value" in one
    ]
    rest = {name: value for name, value in variables.items() if name not in asked[:1]}
    return {
        **_moved(record, {"description": "id"}),
        "question": variables[asked[0]] if asked else None,
        **({"expected_answer": expected[0]} if len(expected) == 1 else {}),
        **_kept({**rest, **record}, ["vars", "description", "metadata"], record.get("metadata")),
    }


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _marks(*marks: str) -> tuple[frozenset[str], ...]:
    return tuple(map(_names, marks))


LAYOUTS: Final = (
    Layout(
        "ragas",
        _names(
            "id user_input reference response retrieved_contexts retrieved_context_ids"
            " reference_contexts reference_context_ids rubrics multi_responses persona_name"
            " query_style query_length synthesizer_name"
        ),
        _marks("user_input"),
        _ragas,
    ),
    Layout(
        "ragas before 0.2",
        _names("id question contexts answer ground_truth ground_truths"),
        _marks("question contexts", "question ground_truth", "question ground_truths"),
        _old_ragas,
    ),
    Layout(
        "deepeval",
        _names(
            "id name input actual_output expected_output context retrieval_context tags comments"
            " additional_metadata tools_called expected_tools token_cost completion_time"
            " source_file custom_column_key_values"
        ),
        _marks("input expected_output", "input actual_output", "input retrieval_context"),
        _deepeval,
    ),
    Layout(
        "inspect_ai",
        _names("id input target choices metadata sandbox files setup"),
        _marks("input target"),
        _inspect,
    ),
    Layout(
        "promptfoo",
        _names("vars assert description metadata options threshold provider"),
        _marks("vars"),
        _promptfoo,
    ),
)
"""Every layout that is understood; one is chosen by its columns, where no other fits."""
