"""Columns of other tools: which of them say what a case of ours says.

``ragas``
    ``user_input`` (a text, or messages of which one is the user's) is the question, ``reference``
    the expected answer, ``reference_context_ids`` or
    ``reference_contexts`` the expected sources, ``response`` the answer, ``retrieved_contexts`` and
    ``retrieved_context_ids`` its chunks.
``ragas before 0.2``
    ``question``, ``ground_truth``, ``answer``, ``contexts``.
``deepeval``
    ``input``, ``expected_output``, ``context`` (what is expected), ``actual_output``,
    ``retrieval_context``; ``name``, ``tags`` and ``additional_metadata``; also written
    ``actualOutput``.  Texts may be joined by ``|``, as its files of JSON lines have them.
``inspect_ai``
    ``input`` (a text, or messages), ``target`` (one text), ``id``, ``metadata``.
``promptfoo``
    ``vars.question`` (or ``query``, ``input``, ``prompt``), the ``value`` of the one assertion of
    type ``equals``, ``similar`` or ``factuality``, ``providerOutput`` (the answer),
    ``description`` (the id), ``metadata``.

Columns without a place in a case are kept in its metadata.  Where a line has both what is expected
and what was retrieved as texts, these get the hash of the text as their id: a reference counts as
retrieved where the same text was.  Expected texts alone are no sources, and none are where a
pipeline is asked, which has ids of its own.  A case without an id is called by its line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

__all__ = ["LAYOUTS", "Layout", "fitting_layouts", "text_id", "without_text_ids"]

Record = dict[str, Any]
_TEXT_ID = re.compile("text-[0-9a-f]{12}")
_TextsAndIds = tuple[Any, Any]


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


def without_text_ids(converted: Record) -> None:
    """Take out expected sources that are texts: whoever is asked now has other ids.

    Examples
    --------
    >>> record = {"question": "?", "expected_source_ids": [text_id("Paris is in France.")]}
    >>> without_text_ids(record)
    >>> record
    {'question': '?'}
    """
    ids = converted.get("expected_source_ids")
    if isinstance(ids, list) and all(_TEXT_ID.fullmatch(str(one)) for one in ids):
        del converted["expected_source_ids"]


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
    """Return a pre-made answer from a text and what was retrieved for it: texts, ids, or both."""
    if text is None:
        return {}
    answer: Record = {"text": text}
    if isinstance(contexts, list) and isinstance(ids, list):
        # Where one list is shorter something has no id, or no text, and that is told.
        pairs = zip_longest(ids, contexts)
        answer["retrieved_chunks"] = [{"id": id_, "text": one} for id_, one in pairs]
    elif isinstance(ids, list):
        answer["retrieved_chunks"] = [{"id": one, "text": ""} for one in ids]
    elif isinstance(contexts, list):
        answer["retrieved_chunks"] = [{"id": _id_of(one), "text": one} for one in contexts]
    elif contexts is not None:
        answer["retrieved_chunks"] = contexts
    return {"answer": answer}


def _id_of(text: Any) -> str:
    return text_id(text) if isinstance(text, str) else ""


def _compared(said: Any, retrieved: _TextsAndIds, expected: _TextsAndIds) -> Record:
    """Return a pre-made answer, and the sources that its chunks can be compared with.

    Ids are compared with ids, and texts with texts.  A pipeline that is asked now has ids of its
    own: to look for hashes of texts among them would score 0.
    """
    (texts, ids), (expected_texts, expected_ids) = retrieved, expected
    sources: Record = {}
    if isinstance(expected_ids, list) and (said is None or ids is not None or texts is None):
        sources = {"expected_source_ids": expected_ids}
    elif said is not None and isinstance(texts, list) and isinstance(expected_texts, list):
        sources = {"expected_source_ids": list(dict.fromkeys(map(_id_of, expected_texts)))}
        ids = None
    return {**_answer(said, texts, ids), **sources}


def _ragas(record: Record) -> Record:
    names = {"id": "id", "user_input": "question", "reference": "expected_answer"}
    said = record.get("response")
    retrieved = record.get("retrieved_contexts"), record.get("retrieved_context_ids")
    expected = record.get("reference_contexts"), record.get("reference_context_ids")
    answered = [] if said is None else ["response", "retrieved_contexts", "retrieved_context_ids"]
    return {
        **_moved(record, names),
        "question": _last_words(record.get("user_input")),
        **_compared(said, retrieved, expected),
        **_kept(record, [*names, *answered]),
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


_CAMEL: Final = {
    "actualOutput": "actual_output",
    "expectedOutput": "expected_output",
    "retrievalContext": "retrieval_context",
    "additionalMetadata": "additional_metadata",
    "sourceFile": "source_file",
}


def _deepeval(written: Record) -> Record:
    record = {_CAMEL.get(name, name): value for name, value in written.items()}
    names = {
        "name": "id",
        "id": "id",
        "input": "question",
        "expected_output": "expected_answer",
        "tags": "tags",
    }
    said = record.get("actual_output")
    retrieved, expected = (_apart(record.get(name)) for name in ("retrieval_context", "context"))
    answered = [] if said is None else ["actual_output", "retrieval_context"]
    metadata = record.get("additional_metadata")
    return {
        **_moved(record, names),
        **_compared(said, (retrieved, None), (expected, None)),
        **_kept(record, [*names, *answered, "additional_metadata"], metadata),
    }


def _apart(texts: Any) -> Any:
    """Return the texts that were joined by a bar; none of them has one, as far as is known."""
    if not isinstance(texts, str):
        return texts
    return texts.split("|") if texts else []


def _inspect(record: Record) -> Record:
    target = record.get("target")
    one = target[0] if isinstance(target, list) and len(target) == 1 else target
    # Of several targets each would do, which no expected answer of ours says.
    used = ["id", "input", "metadata", *([] if isinstance(one, list) else ["target"])]
    return {
        **_moved(record, {"id": "id"}),
        "question": _last_words(record.get("input")),
        **({} if one in (None, "") or isinstance(one, list) else {"expected_answer": one}),
        **_kept(record, used, record.get("metadata")),
    }


def _last_words(given: Any) -> Any:
    """Return the one message of a user from a conversation of a single turn."""
    if not isinstance(given, list):
        return given
    asked = [
        one
        for one in given
        if isinstance(one, Mapping) and (one.get("role") == "user" or one.get("type") == "human")
    ]
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
    used = ["vars", "description", "metadata", "providerOutput"]
    return {
        **_moved(record, {"description": "id"}),
        "question": variables[asked[0]] if asked else None,
        **({"expected_answer": expected[0]} if len(expected) == 1 else {}),
        **_answer(record.get("providerOutput")),
        **_kept({**rest, **record}, used, record.get("metadata")),
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
            " reference_contexts reference_context_ids rubric rubrics multi_responses persona_name"
            " query_style query_length synthesizer_name reference_tool_calls reference_topics"
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
        )
        | _CAMEL.keys(),
        _marks(
            "input expected_output",
            "input actual_output",
            "input retrieval_context",
            "input context",
            "input expectedOutput",
            "input actualOutput",
            "input retrievalContext",
        ),
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
        _names(
            "vars assert assertScoringFunction description metadata options threshold provider"
            " providers prompts providerOutput"
        ),
        _marks("vars"),
        _promptfoo,
    ),
)
"""Every layout that is understood; one is chosen by its columns, where no other fits."""
