"""Reading answers and chunks from plain objects: of a dataset, or of a pipeline's reply."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, Final

from veridical import strict_json
from veridical.errors import InputError
from veridical.rag.answers import Answer, Chunk

__all__ = ["DEEPEST", "BadAnswerError", "NoChunkIdError", "answer_of", "chunks_of", "identifier"]

_ANSWER = ("text", "citations", "retrieved_chunks")
_CHUNK = ("id", "text", "score", "metadata")
DEEPEST: Final = 100
"""How many levels of objects and lists a case or the metadata of a chunk may have."""


class BadAnswerError(InputError):
    """An object that is no answer; the message says where in it."""

    usual_fix = "return a text, or an object with text, citations and retrieved_chunks"


class NoChunkIdError(BadAnswerError):
    """A chunk whose id is missing, empty or no id: whoever retrieved it is at fault."""


def answer_of(given: Any) -> Answer:
    """Return the answer that a text, or an object with ``text``, stands for.

    Parameters
    ----------
    given
        A text, ``{"text", "citations", "retrieved_chunks"}``, or an ``Answer``, whose parts are
        checked too; null is as good as absent, but for ``text``.

    Raises
    ------
    BadAnswerError
        A field is unknown or of another type, or a chunk has no id.

    Examples
    --------
    >>> answer_of({"text": "2 euros", "citations": ["fees"]}).citations
    ('fees',)
    """
    if isinstance(given, str):
        return Answer(_plain(given))
    if isinstance(given, Answer):
        given = {name: getattr(given, name) for name in _ANSWER}
    if not isinstance(given, Mapping):
        raise BadAnswerError(f"an answer is a text or an object, not {_kind(given)}")
    _check_names(given, _ANSWER, "answer")
    text, chunks = given.get("text"), given.get("retrieved_chunks")
    if not isinstance(text, str):
        raise BadAnswerError(f"answer.text is a text, not {_kind(text)}")
    return Answer(
        _plain(text),
        _citations(given.get("citations")),
        None if chunks is None else chunks_of(chunks),
    )


def _citations(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    if not _is_list(given):
        raise BadAnswerError(f"citations are a list of ids, not {_kind(given)}")
    return tuple(
        identifier(one.get("id") if isinstance(one, Mapping) else one, "a citation")
        for one in given
    )


def chunks_of(given: Any) -> tuple[Chunk, ...]:
    """Return the chunks of a list of objects, in its order.

    Raises
    ------
    NoChunkIdError
        A chunk has no id.
    BadAnswerError
        It is no list, or a chunk has no text.
    """
    if not _is_list(given):
        raise BadAnswerError(f"retrieved chunks are a list, not {_kind(given)}")
    return tuple(_chunk(one, rank) for rank, one in enumerate(given, 1))


def _chunk(given: Any, rank: int) -> Chunk:
    if isinstance(given, Chunk):
        given = {name: getattr(given, name) for name in _CHUNK}
    if not isinstance(given, Mapping):
        raise BadAnswerError(f"chunk {rank} is an object with id and text, not {_kind(given)}")
    _check_names(given, _CHUNK, f"chunk {rank}")
    id_ = _chunk_id(given.get("id"), rank)
    text, score, metadata = given.get("text"), given.get("score"), given.get("metadata")
    if not isinstance(text, str):
        raise BadAnswerError(f"the text of chunk {rank} is a text, not {_kind(text)}")
    if score is not None and not _is_number(score):
        raise BadAnswerError(f"the score of chunk {rank} is a finite number, not {_kind(score)}")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise BadAnswerError(f"the metadata of chunk {rank} is an object, not {_kind(metadata)}")
    if strict_json.deeper_than(metadata, DEEPEST):
        raise BadAnswerError(f"the metadata of chunk {rank} has more than {DEEPEST} levels")
    return Chunk(
        id_,
        _plain(text),
        None if score is None else float(score),
        dict(metadata or {}),
    )


def _chunk_id(given: Any, rank: int) -> str:
    try:
        return identifier(given, f"chunk {rank}")
    except BadAnswerError as error:
        raise NoChunkIdError(error.what) from None


def identifier(given: Any, of: str) -> str:
    """Return an id as text; a whole number stands for its digits.

    Raises
    ------
    BadAnswerError
        There is none, or it is something else.
    """
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10**18:
        return str(given)
    if not isinstance(given, str):
        told = "has no id" if given is None else f"has an id that is no text but {_kind(given)}"
        raise BadAnswerError(f"{of} {told}")
    if not given.strip():
        raise BadAnswerError(f"{of} has an empty id")
    return _plain(given)


def _plain(text: str) -> str:
    """Return a text without what a class of its own would make of it: it is kept as a text."""
    return str.__str__(text)


def _check_names(given: Mapping[Any, Any], legal: Iterable[str], of: str) -> None:
    for name in given:
        if name not in set(legal):
            near = difflib.get_close_matches(str(name), legal, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(legal)}"
            raise BadAnswerError(f"{of} has no field {str(name)[:80]!r}; {hint}")


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, (str, bytes))


def _is_number(given: Any) -> bool:
    if isinstance(given, bool) or not isinstance(given, Real):  # numpy's are real, too
        return False
    try:
        return math.isfinite(given)
    except OverflowError:
        return False


def _kind(given: Any) -> str:
    names = {type(None): "nothing", dict: "an object", list: "a list", bool: "true or false"}
    return names.get(type(given), f"a {type(given).__name__}")
