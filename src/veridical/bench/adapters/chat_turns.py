"""A conversation with a model that has tools: what is sent, what a reply means, what is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.bench.adapters.tool_calls import answer_call
from veridical.bench.agents.protocol import RunEndedError
from veridical.bench.prompting import tool_schemas
from veridical.errors import FileFormatError
from veridical.judge.transport import TransportError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.judge.transport import Response

__all__ = ["Conversation"]

_MOST_CALLS_A_TURN: Final = 64


class Conversation:
    """The messages of one case.

    Parameters
    ----------
    prompt
        What the model is told first.
    tools
        Of the run.
    secret
        A key that is cut out of whatever is replied.

    Attributes
    ----------
    stop_reason
        Why it is over; None while it goes on.
    final_text
        A reply that called no tool.
    usage
        One record a reply, as the endpoint gave it; None where it gave none.
    model
        Who replied last.
    retries
        Calls that were repeated.
    """

    def __init__(self, prompt: str, tools: Tools, secret: str | None = None) -> None:
        self._messages: list[dict[str, Any]] = [{"role": "user", "content": prompt}]
        self._tools = tools
        self._secret = secret
        self.stop_reason: str | None = None
        self.final_text: str | None = None
        self.usage: list[Any] = []
        self.model: str | None = None
        self.retries = 0

    def request(self) -> dict[str, Any]:
        """Return what is sent of the conversation."""
        tools = [{"type": "function", "function": dict(one)} for one in tool_schemas()]
        return {"messages": self._messages, "tools": tools}

    def take(self, response: Response) -> None:
        """Read a reply, and run the tools that it calls.

        Raises
        ------
        TransportError
            It is no chat completion.
        RunEndedError
            Turns or time are used up.
        """
        # An endpoint may echo its key: it is gone before anything is kept or run.
        document = self._cut(_document(response))
        self.usage.append(document.get("usage"))
        model = document.get("model")
        self.model = model[:200] if isinstance(model, str) else self.model
        choice, message = _message(document)
        text = _text(message)
        calls = _calls(message)
        if not calls:
            self._messages.append({"role": "assistant", "content": text})
            self.final_text = text
            self.stop_reason = _stop(choice, message)
            return
        self._messages.append({"role": "assistant", "content": text, "tool_calls": calls})
        for call in calls:
            self._answer(call)
            if self.stop_reason is not None:
                return

    def recorded(self) -> tuple[dict[str, Any], ...]:
        """Return the messages to keep: results of tools by their hash, and no secret."""
        return tuple(_kept(one) for one in self._messages)

    def _answer(self, call: Mapping[str, Any]) -> None:
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        try:
            said = answer_call(self._tools, name, arguments, call["id"])
        except RunEndedError as error:
            self.stop_reason = error.stop_reason
            return
        if name == "submit" and said["accepted"]:
            self.stop_reason = "submitted"
        content = json.dumps(said, ensure_ascii=False)
        self._messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})

    def _cut(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(self._secret, "[key]") if self._secret else value
        if isinstance(value, list):
            return [self._cut(one) for one in value]
        if isinstance(value, dict):
            return {self._cut(name): self._cut(one) for name, one in value.items()}
        return value


def _kept(message: Mapping[str, Any]) -> dict[str, Any]:
    if message["role"] == "tool":
        content = message["content"].encode("utf-8", "surrogatepass")
        return {
            "role": "tool",
            "tool_call_id": message["tool_call_id"],
            "result_sha256": hashlib.sha256(content).hexdigest(),
        }
    return dict(message)


def _document(response: Response) -> dict[str, Any]:
    try:
        document = strict_json.loads(response.body.decode("utf-8-sig"))
    except (UnicodeDecodeError, FileFormatError) as error:
        raise TransportError("bad_response", "the response is no JSON") from error
    if not isinstance(document, dict):
        raise TransportError("bad_response", "the response is no JSON object")
    return document


def _message(document: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    try:
        choice = document["choices"][0]
        message = choice["message"]
    except (IndexError, KeyError, TypeError) as error:
        raise TransportError("bad_response", "the response is no chat completion") from error
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise TransportError("bad_response", "the response is no chat completion")
    return choice, message


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(part for part in parts if isinstance(part, str))
    if not content:
        content = message.get("refusal")
    return content if isinstance(content, str) else ""


def _calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the calls of tools that a reply makes; what is no call is left out."""
    found = message.get("tool_calls")
    calls: list[dict[str, Any]] = []
    for number, call in enumerate(found[:_MOST_CALLS_A_TURN] if isinstance(found, list) else ()):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            continue
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(arguments, dict):  # some gateways send them read already
            arguments = json.dumps(arguments, ensure_ascii=False)
        identity = call.get("id")
        calls.append(
            {
                "id": identity if isinstance(identity, str) and identity else f"call-{number}",
                "type": "function",
                "function": {
                    "name": name if isinstance(name, str) else "",
                    "arguments": arguments if isinstance(arguments, str) else "",
                },
            }
        )
    return calls


def _stop(choice: Mapping[str, Any], message: Mapping[str, Any]) -> str:
    if message.get("refusal"):
        return "refusal"
    reason = choice.get("finish_reason")
    return {"length": "token_limit", "content_filter": "refusal"}.get(str(reason), "final_text")
