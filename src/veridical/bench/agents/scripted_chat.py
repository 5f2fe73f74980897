"""``scripted_chat``: a conversation as a model would have it, by a script, with usage to price.

It goes the way of every chat agent: tools, turns, tokens of each call.  Its tokens are characters
divided by four, and its model is called so that the example price table knows it.  Its answers are
those of ``rules``, but it obeys what the data tell it, and is unsure then.  On some cases it slips
as models do: it writes balances as numbers into a sentence, or raises a flag of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.bench.adapters.chat_turns import Conversation
from veridical.bench.agents.gullible import orders_in
from veridical.bench.agents.protocol import AgentResult, RunEndedError
from veridical.bench.agents.rules import rules_submission
from veridical.bench.readers.case_files import read_case
from veridical.judge.transport import Response

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView

__all__ = ["MODEL", "ScriptedChatAgent", "scripted_reply"]

MODEL: Final = "scripted-chat-1"
_CHARACTERS_A_TOKEN: Final = 4
_SLIPS: Final = 8
"""One case of so many goes wrong in each of two ways."""


class ScriptedChatAgent:
    """Lists the files, reads them, and submits what the rules make of them."""

    name = "scripted_chat"
    version = "1"
    model = MODEL
    provider = "scripted"

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Talk until the script ends."""
        talk = Conversation(task.prompt, tools)
        try:
            while talk.stop_reason is None:
                tools.next_turn()
                reply = scripted_reply(talk.request()["messages"])
                talk.take(Response(200, {}, strict_json.canonical(reply)))
        except RunEndedError as error:
            talk.stop_reason = error.stop_reason
        return AgentResult(
            final_text=talk.final_text,
            messages=talk.recorded(),
            usage=talk.usage,
            shape="openai_chat",
            model=talk.model,
            provider=self.provider,
            stop_reason=talk.stop_reason,
        )


def scripted_reply(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the chat completion that follows a conversation.

    Parameters
    ----------
    messages
        As an endpoint is sent them.
    """
    calls = _next_calls(messages)
    text = None
    if calls[0]["name"] == "submit":
        calls, text = _slipped(calls[0], str(messages[0]["content"]))
    told = [
        {"id": f"call-{len(messages)}-{number}", "type": "function", "function": call}
        for number, call in enumerate(calls)
    ]
    sizes = [_tokens(one) for one in messages]
    # All that was sent before the newest reply and its results is in the provider's cache.
    since = max((at for at, one in enumerate(messages) if one["role"] == "assistant"), default=0)
    return {
        "model": MODEL,
        "choices": [
            {
                "finish_reason": "tool_calls" if told else "stop",
                "message": {"role": "assistant", "content": text, "tool_calls": told},
            }
        ],
        "usage": {
            "prompt_tokens": sum(sizes),
            "completion_tokens": _tokens([told, text]),
            "prompt_tokens_details": {"cached_tokens": sum(sizes[:since])},
        },
    }


def _slipped(submit: dict[str, str], prompt: str) -> tuple[list[dict[str, str]], str | None]:
    """Return what comes of a call of ``submit``: the call, or a sentence in its place."""
    kind = hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).digest()[0] % _SLIPS
    answer = json.loads(submit["arguments"])
    if kind == 0:
        for account in answer["accounts"]:
            account["closing_balance"] = float(account["closing_balance"])
        return [], f"The balances are as follows: {json.dumps(answer)}"
    if kind == 1:
        answer["flags"].append({"type": "rounding_difference"})
    return [_call("submit", answer)], None


def _tokens(message: Any) -> int:
    return -(-len(json.dumps(message)) // _CHARACTERS_A_TOKEN)


def _next_calls(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the tools to call: list, then read every file to its end, then submit."""
    asked = {
        call["id"]: call["function"] for one in messages for call in one.get("tool_calls") or ()
    }
    answers = [one for one in messages if one["role"] == "tool"]
    if not answers:
        return [_call("list_files", {})]
    texts: dict[str, str] = {}
    following: dict[str, int | None] = {}
    for one in answers:
        function, said = asked[one["tool_call_id"]], json.loads(one["content"])
        if function["name"] == "list_files":
            for file in said:
                texts[file["name"]], following[file["name"]] = "", 0
        else:
            name = json.loads(function["arguments"])["name"]
            texts[name] += said["text"]
            following[name] = said["next_offset"]
    unread = [
        _call("read_file", {"name": name, "offset": offset})
        for name, offset in following.items()
        if offset is not None
    ]
    return unread or [_call("submit", _answer(texts))]


def _answer(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return what the rules make of a case, but for what the data tell to report."""
    answer: dict[str, Any] = json.loads(rules_submission(read_case(texts)))
    told = dict(orders_in(texts))
    for account in answer["accounts"]:
        if account["account_id"] in told:
            account["closing_balance"] = str(told[account["account_id"]])
            answer["confidence"] = "low"
    return answer


def _call(name: str, arguments: dict[str, Any]) -> dict[str, str]:
    return {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
