"""Read a judge's reply, or refuse it with a code: nothing is guessed, nothing is completed.

One rule covers strict JSON, a fenced block and an object within prose: after at most one leading
reasoning block, the text holds one balanced ``{...}``, perhaps repeated to the letter, and that is
strict JSON.  It takes one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.judge.contracts import MODELS
from veridical.judge.verdicts import Question

__all__ = ["MAX_CHARACTERS", "ReplyError", "read_object", "read_reply"]

MAX_CHARACTERS = 1_000_000
"""Longer replies are refused unread: no contract needs a tenth of it."""

MAX_DEPTH = 16
"""The deepest contract has three levels."""

_REASONING = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_OUTSIDE = re.compile(r"[{}\[\]]")
# Within an object a string is one token, so that a brace in it counts for nothing.
_INSIDE = re.compile(r'[{}\[\]]|"(?:[^"\\]*+(?:\\.[^"\\]*+)*+")?', re.DOTALL)


class ReplyError(Exception):
    """A reply that does not keep its contract.

    Attributes
    ----------
    code
        ``encoding``, ``bom``, ``surrogate``, ``too_large``, ``empty``, ``reasoning``,
        ``truncated``, ``unbalanced``, ``too_deep``, ``no_object``, ``two_candidates``,
        ``not_json`` (a NaN or a duplicate key too), ``echo``, ``schema``, ``unknown_id`` or
        ``repeated_id``.
    detail
        One sentence, which a judge that is asked again is shown.
    """

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")


def read_reply(text: str | bytes, question: Question) -> Mapping[str, Any]:
    r"""Return the verdict in a judge's reply.

    Parameters
    ----------
    text
        The reply as it came; bytes are UTF-8.
    question
        What was asked: its contract, and the aliases that the verdict may name.

    Returns
    -------
    Mapping
        The JSON object, checked against the closed schema.

    Raises
    ------
    ReplyError
        The reply is no verdict, or could be read as more than one.

    Examples
    --------
    >>> asked = Question("refusal", {})
    >>> read_reply('```json\n{"refused": true, "reason": "it declines"}\n```', asked)["refused"]
    True
    >>> read_reply('{"refused": true, "reason": "it dec', asked)
    Traceback (most recent call last):
        ...
    veridical.judge.reading.ReplyError: truncated: an object or a string in it is never closed
    """
    region, value = read_object(text)
    _refuse_echo(region, question)
    return _checked(value, question)


def read_object(text: str | bytes) -> tuple[str, Any]:
    """Return the one JSON object in a model's reply, as it stands there and parsed.

    Raises
    ------
    ReplyError
        There is none, there are two, or it is cut off or no strict JSON.

    Examples
    --------
    >>> read_object('<think>hm {</think> {"a": 1}')
    ('{"a": 1}', {'a': 1})
    """
    regions = set(_objects(_without_reasoning(_checked_text(text))))
    if len(regions) > 1:
        raise ReplyError("two_candidates", "it holds two different JSON objects")
    if not regions:
        raise ReplyError("no_object", "it holds no JSON object")
    (region,) = regions
    return region, _parsed(region)


def _checked_text(text: str | bytes) -> str:
    if len(text) > MAX_CHARACTERS:
        raise ReplyError("too_large", f"it is longer than {MAX_CHARACTERS:,} characters")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ReplyError("encoding", "it is not UTF-8") from error
    if text.startswith("\ufeff"):
        raise ReplyError("bom", "it begins with a byte order mark")
    if _SURROGATE.search(text):
        raise ReplyError("surrogate", "it holds a lone surrogate")
    if not text.strip():
        raise ReplyError("empty", "it is empty")
    return text.strip()


def _without_reasoning(text: str) -> str:
    """Return what follows one leading reasoning block; an open one, or a second, is refused."""
    opening = _REASONING.match(text)
    if opening is None:
        return text
    closing = re.compile(f"</{opening[1]}>", re.IGNORECASE).search(text, opening.end())
    if closing is None:
        raise ReplyError("truncated", "its reasoning block is never closed")
    rest = text[closing.end() :].strip()
    if _REASONING.match(rest):
        raise ReplyError("reasoning", "it begins with more than one reasoning block")
    return rest


def _objects(text: str) -> Iterator[str]:
    """Yield each outermost balanced ``{...}``.

    One inside an open ``[`` is a part of something else, and what is never closed was cut off.
    """
    position = brackets = 0
    prose = []
    while token := _OUTSIDE.search(text, position):
        prose.append(text[position : token.start()])
        position = token.end()
        if token[0] == "[":
            brackets += 1
        elif token[0] == "]":
            brackets = max(0, brackets - 1)
        elif token[0] == "}" or brackets:
            raise ReplyError("unbalanced", "an object in it is only a part of something else")
        else:
            position = _end_of_object(text, token.start())
            yield text[token.start() : position]
    fences = _FENCE.findall("".join([*prose, text[position:]]))
    if len(fences) % 2:
        raise ReplyError("truncated", "a fenced block in it is never closed")


def _end_of_object(text: str, start: int) -> int:
    opened: list[str] = []
    for token in _INSIDE.finditer(text, start):
        mark = token[0]
        if mark in "{[":
            opened.append(mark)
            if len(opened) > MAX_DEPTH:
                raise ReplyError("too_deep", f"it is nested more than {MAX_DEPTH} deep")
        elif mark in "}]":
            if opened.pop() + mark not in {"{}", "[]"}:
                raise ReplyError("unbalanced", "its brackets do not match")
            if not opened:
                return token.end()
        elif mark == '"':
            break
    raise ReplyError("truncated", "an object or a string in it is never closed")


def _parsed(region: str) -> Any:
    try:
        return strict_json.loads(region)
    except FileFormatError as error:
        raise ReplyError("not_json", error.what[:200]) from error


def _refuse_echo(region: str, question: Question) -> None:
    """Refuse an object that stands in the judged text: it was copied, and judges nothing."""
    copied = "".join(region.split())
    for text in (*question.fields.values(), *question.passages.values()):
        if "{" in text and copied in "".join(text.split()):
            raise ReplyError("echo", "it repeats an object of the judged text")


def _checked(value: Any, question: Question) -> Mapping[str, Any]:
    try:
        MODELS[question.contract].model_validate(value)
    except ValidationError as error:
        raise ReplyError("schema", _first(error)) from error
    if _SURROGATE.search("".join(_strings(value))):
        raise ReplyError("surrogate", "a string in it holds a lone surrogate")
    _check_ids(value, question)
    return dict(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _first(error: ValidationError) -> str:
    """Return the first three complaints, without the values complained about."""
    lines = [
        f"{'.'.join(map(str, problem['loc']))[:80] or 'reply'}: {problem['msg']}"
        for problem in error.errors(include_input=False, include_url=False)[:3]
    ]
    return "; ".join(lines)


def _check_ids(value: Mapping[str, Any], question: Question) -> None:
    named = [id_ for claim in value.get("claims", ()) for id_ in claim["chunk_ids"]]
    cited = [citation["id"] for citation in value.get("citations", ())]
    known = ", ".join(question.passages) or "none"
    for id_ in (*named, *cited):
        if id_ not in question.passages:
            raise ReplyError("unknown_id", f"{id_[:40]!r} is none of the passages: {known[:200]}")
    if len(set(cited)) < len(cited):
        raise ReplyError("repeated_id", "a citation has more than one verdict")
