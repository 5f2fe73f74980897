"""The form of chat completions: what is sent, what a response says, what a refusal means."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.judge.transport import Response, TransportError

__all__ = ["Completion", "completion", "encoded", "is_too_long", "refused_parameter", "said"]

_TOO_LONG: Final = re.compile(
    r"context_length_exceeded|context (length|window)|prompt is too long|too many (input )?tokens",
    re.IGNORECASE,
)
_OTHER_NAMES: Final = {"response_format": ("response_format", "json_object", "json mode")}


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model replied.

    Attributes
    ----------
    text
        The reply; empty where there is none.
    model
        The model that the endpoint says it served.
    cut
        Whether the output cap ended it.
    usage
        Whatever stands there.
    """

    text: str
    model: str | None
    cut: bool
    usage: Any


def encoded(body: Mapping[str, Any]) -> bytes:
    """Return a request as bytes; half a surrogate pair, which no endpoint reads, becomes ``?``."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def completion(response: Response) -> Completion:
    """Return the reply in a response.

    Raises
    ------
    TransportError
        It is no chat completion.
    """
    document = _document(response.body)
    try:
        choice = document["choices"][0]
        message = choice["message"]
        content = message["content"]
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content)
        if content is None:
            content = message.get("refusal") or ""
        if not isinstance(content, str):
            raise TypeError
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise TransportError("bad_response", "the response is no chat completion") from error
    model = document.get("model")
    return Completion(
        content,
        model[:200] if isinstance(model, str) and model else None,
        choice.get("finish_reason") == "length",
        document.get("usage"),
    )


def said(response: Response) -> str:
    """Return what a refusal says, on one line; empty where it says nothing readable."""
    try:
        error = _document(response.body).get("error")
    except TransportError:
        return ""
    words: Sequence[Any] = [error]
    if isinstance(error, Mapping):
        words = [error.get(name) for name in ("message", "code", "param")]
    text = " ".join(str(word) for word in words if isinstance(word, (str, int)))
    return " ".join(text.split())[:1000]


def is_too_long(text: str) -> bool:
    """Return whether a refusal says that the prompt does not fit the model."""
    return _TOO_LONG.search(text) is not None


def refused_parameter(response: Response, sent: Mapping[str, Any]) -> str | None:
    """Return the parameter that a refusal is about; None where it is about something else.

    Parameters
    ----------
    response
        With a status of 400 or 422.
    sent
        The request.

    Examples
    --------
    >>> body = b'{"error": {"message": "Unsupported: max_tokens. Use max_completion_tokens."}}'
    >>> refused_parameter(Response(400, {}, body), {"temperature": 0, "max_tokens": 100})
    'max_tokens'
    """
    text = said(response).lower()
    names = ("temperature", "max_tokens", "max_completion_tokens", "response_format")
    places = {
        name: min(found)
        for name in names
        if name in sent and (found := _places(text, _OTHER_NAMES.get(name, (name,))))
    }
    return min(places, key=places.__getitem__) if places else None


def _places(text: str, words: Sequence[str]) -> list[int]:
    found = (re.search(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", text) for word in words)
    return [match.start() for match in found if match]


def _document(body: bytes) -> dict[str, Any]:
    try:
        document = strict_json.loads(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TransportError("bad_response", "the response is not UTF-8") from error
    except FileFormatError as error:
        kind = "HTML" if body.lstrip()[:1] == b"<" else "no JSON"
        raise TransportError("bad_response", f"the response is {kind}") from error
    if not isinstance(document, dict):
        raise TransportError("bad_response", "the response is no JSON object")
    return document
