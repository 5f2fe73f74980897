"""A model's call of a tool, answered: for loops around anybody's SDK."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridical import strict_json
from veridical.errors import FileFormatError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools

__all__ = ["answer_call"]


def answer_call(
    tools: Tools, name: str, arguments: str | Mapping[str, Any], call_id: str = ""
) -> Any:
    """Run the tool that a model calls, and return what to tell it, as JSON.

    Parameters
    ----------
    tools
        Of the run.
    name
        Of the tool; any text.
    arguments
        As the model wrote them, or as an SDK has read them.  Those of ``submit`` are the
        submission: give the text where there is one.
    call_id
        Under which the call is kept; one is made up where it is empty.

    Raises
    ------
    RunEndedError
        The run is over.
    """
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    said = _answered(tools, name, text)
    if call_id:
        tools.name_last(call_id)
    return said


def _answered(tools: Tools, name: str, text: str) -> Any:
    if name == "submit":
        verdict = tools.submit(text)
        return {"accepted": verdict.accepted, "reason": verdict.reason}
    given = _arguments(text)
    if name == "list_files" and given == {}:
        return [{"name": one, "bytes": size} for one, size in tools.list_files()]
    if name == "read_file" and given is not None and _reads(given):
        try:
            page = tools.read_file(**given)
        except (LookupError, ValueError) as error:
            return {"error": str(error.args[0])}
        return {
            "text": page.text,
            "next_offset": page.next_offset,
            "characters": page.characters,
        }
    tools.unreadable(name, text)
    return {"error": "no such tool, or its arguments do not match its schema"}


def _arguments(text: str) -> dict[str, Any] | None:
    try:
        given = strict_json.loads(text or "{}")
    except (FileFormatError, RecursionError):
        return None
    return given if isinstance(given, dict) else None


def _reads(given: Mapping[str, Any]) -> bool:
    numbers = (given.get("offset", 0), given.get("limit", 1))
    return (
        isinstance(given.get("name"), str)
        and set(given) <= {"name", "offset", "limit"}
        and all(type(one) is int for one in numbers)
    )
