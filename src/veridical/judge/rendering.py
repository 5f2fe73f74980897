"""Turn a question into the messages that a judge is sent.

Templates are rendered once, in a sandbox, and the judged texts are values in them: what looks like
a template in a text stays what it is.  Each text stands under a line that begins with a delimiter
which occurs in none of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any

from veridical import strict_json
from veridical.errors import ParameterError
from veridical.judge.contracts import CONTRACTS, FIELDS, WITH_PASSAGES
from veridical.judge.verdicts import Contract, Failure, Question

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = [
    "MAX_PROMPT",
    "Rendered",
    "delimiter_of",
    "prompt_hashes",
    "prompt_sources",
    "render",
    "rendered_question",
]

MAX_PROMPT = 400_000
"""How many characters a prompt may have where nothing else is said: about 100,000 tokens."""

_ALIAS = re.compile(r"c[1-9][0-9]{0,5}")
_HEAD = re.compile(r"Task: (\w+)\nDelimiter: (\S+)\n")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A question as it is sent.

    Attributes
    ----------
    messages
        A system and a user message, as chat endpoints take them.
    prompt_sha256
        Of the templates.
    input_sha256
        Of what was filled in: contract, language, texts and passages in their order.  The
        delimiter is in neither.
    """

    messages: tuple[Mapping[str, str], ...]
    prompt_sha256: str
    input_sha256: str


def render(
    question: Question, language: str = "en", limit: int | None = None
) -> Rendered | Failure:
    """Return the messages for a question, or ``context_too_long``: nothing is ever cut.

    Parameters
    ----------
    question
        What is to be judged; its fields are those of the contract, its passages ``c1``, ``c2``, ...
    language
        In which the reasons are to be written: a language tag such as ``"de"``.
    limit
        How many characters both messages may have together; by default ``MAX_PROMPT``.

    Raises
    ------
    ParameterError
        A field that the contract needs is missing, or an alias or a language is none of ours.
    """
    _check(question, language)
    sections = _sections(question)
    values = {"contract": question.contract, "language": language}
    input_sha256 = _input_hash(question.contract, language, sections)
    delimiter = _delimiter(input_sha256, sections)
    system, user = _templates(question.contract)
    messages = (
        {"role": "system", "content": system.render(values)},
        {
            "role": "user",
            "content": user.render(values, delimiter=delimiter, sections=sections),
        },
    )
    length, allowed = sum(len(m["content"]) for m in messages), limit or MAX_PROMPT
    if length > allowed:
        return Failure(
            question.contract,
            "context_too_long",
            f"the prompt has {length:,} characters, and {allowed:,} are allowed",
            kind="skipped",
        )
    return Rendered(messages, prompt_hashes()[question.contract], input_sha256)


def delimiter_of(question: Question, language: str = "en") -> str:
    """Return the mark that stands between the texts of a question."""
    sections = _sections(question)
    return _delimiter(_input_hash(question.contract, language, sections), sections)


def prompt_sources(contract: Contract) -> dict[str, str]:
    """Return the templates of a contract, ``system`` and ``user``, as they stand in their files."""
    folder = files("veridical.judge") / "prompts"
    names = {"system": contract, "user": "user"}
    return {
        role: (folder / f"{name}.txt").read_bytes().decode("utf-8") for role, name in names.items()
    }


@cache
def prompt_hashes() -> dict[str, str]:
    """Return the sha256 of each contract's templates: a condition of whatever is judged by them."""
    return {contract: strict_json.sha256(prompt_sources(contract)) for contract in CONTRACTS}


def rendered_question(user: str) -> Question:
    """Return the question that a user message was rendered from: the inverse of ``render``.

    Raises
    ------
    ParameterError
        It is no message of ours.
    """
    head = _HEAD.match(user)
    if head is None or head[1] not in FIELDS:
        raise ParameterError(
            "this message was not rendered by the judge's templates",
            fix="give the message as `render` made it",
        )
    contract: Any = head[1]
    # The first line under the head starts a section; the delimiter is nowhere in the texts.
    parts = user[head.end() - 1 :].split(f"\n{head[2]} ")[1:-1]
    named = dict(part.split("\n", 1) for part in parts)
    passages = {name.removeprefix("passage "): text for name, text in named.items() if " " in name}
    fields = {name: text for name, text in named.items() if " " not in name}
    return Question(contract, fields, passages)


@cache
def _templates(contract: Contract) -> tuple[Template, Template]:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Plain text for a model, no page: nothing is escaped, the data block keeps texts apart.
    sandbox = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, keep_trailing_newline=True
    )
    sources = prompt_sources(contract)
    return sandbox.from_string(sources["system"]), sandbox.from_string(sources["user"])


def _check(question: Question, language: str) -> None:
    needed = FIELDS[question.contract]
    if absent := [name for name in needed if name not in question.fields]:
        raise ParameterError(
            f"{question.contract} is not judged without {', '.join(absent)}",
            fix="give these fields too",
        )
    if not all(_ALIAS.fullmatch(alias) for alias in question.passages):
        raise ParameterError(
            "the passages of a question are called c1, c2, ...", fix="name them so"
        )
    if not re.fullmatch(r"[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,3}", language):
        raise ParameterError(
            f"{language[:40]!r} is no language tag", fix="write en, de or pt-BR, say"
        )


def _sections(question: Question) -> list[tuple[str, str]]:
    fields = [(name, question.fields[name]) for name in FIELDS[question.contract]]
    if question.contract not in WITH_PASSAGES:
        return fields
    return fields + [(f"passage {alias}", text) for alias, text in question.passages.items()]


def _input_hash(contract: Contract, language: str, sections: list[tuple[str, str]]) -> str:
    return strict_json.sha256({"contract": contract, "language": language, "sections": sections})


def _delimiter(seed: str, sections: list[tuple[str, str]]) -> str:
    """Return a mark that depends on the input alone and occurs in none of the texts."""
    return next(mark for mark in _marks(seed) if not any(mark in text for _, text in sections))


def _marks(seed: str) -> Iterator[str]:
    for draw in count():
        yield "=" * 3 + hashlib.sha256(f"{seed}/{draw}".encode()).hexdigest()[:24]
