"""The prompt of a case, and the hashes that say which bench it was.

The hash of the prompt is that of its text without any case: whatever is generated, it stays.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from veridical import strict_json
from veridical.bench.cases import Limits, TaskView
from veridical.bench.vocabulary import VOCABULARY, vocabulary_text

if TYPE_CHECKING:
    from veridical.bench.cases import Case

__all__ = [
    "hashes",
    "policy_text",
    "prompt_for",
    "prompt_template",
    "task_view",
    "tool_schemas",
]


def policy_text() -> str:
    """Return the rules of the task, all that an agent is shown of them."""
    return _text("policy.txt")


@cache
def prompt_template() -> str:
    """Return the prompt with policy, vocabulary and limits, and without the files of a case."""
    limits = Limits()
    filled = {
        "{policy}": policy_text(),
        "{vocabulary}": vocabulary_text(),
        "{turns}": str(limits.turns),
        "{seconds}": f"{limits.seconds:g}",
    }
    text = _text("prompt.txt")
    for place, words in filled.items():
        text = text.replace(place, words)
    return text


def prompt_for(case: Case) -> str:
    """Return the prompt of a case: names and sizes of its files are all that it adds."""
    listing = "\n".join(f"- {one.name} ({one.size} bytes)" for one in case.inputs)
    return prompt_template().replace("{files}", listing)


def task_view(case: Case, limits: Limits | None = None) -> TaskView:
    """Return what an agent is given of a case."""
    given = tuple((one.name, one.size) for one in case.inputs)
    return TaskView(case.case_id, prompt_for(case), given, limits or Limits())


@cache
def tool_schemas() -> tuple[dict[str, Any], ...]:
    """Return name, description and JSON schema of the three tools."""
    return tuple(strict_json.loads(_text("tools.json")))


@cache
def hashes() -> dict[str, str]:
    """Return the sha256 of everything that an agent is told, in hexadecimal.

    Examples
    --------
    >>> sorted(hashes())
    ['policy_sha256', 'prompt_sha256', 'tools_sha256', 'vocabulary_sha256']
    """
    return {
        "prompt_sha256": _sha256(prompt_template()),
        "policy_sha256": _sha256(policy_text()),
        "vocabulary_sha256": strict_json.sha256(list(VOCABULARY.items())),
        "tools_sha256": strict_json.sha256(list(tool_schemas())),
    }


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _text(name: str) -> str:
    """Return a text of this package with LF endings and in NFC, as it is shown and hashed."""
    content = files("veridical.bench.prompting").joinpath(name).read_bytes().decode("utf-8")
    return unicodedata.normalize("NFC", content.replace("\r\n", "\n")).strip("\n")
