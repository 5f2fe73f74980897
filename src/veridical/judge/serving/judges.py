"""The judges behind the mock server: by name, all deterministic."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, ParameterError
from veridical.judge.lexical import MODEL as LEXICAL
from veridical.judge.lexical import answer as lexical
from veridical.judge.rendering import render, rendered_question
from veridical.judge.serving.server import Judge
from veridical.judge.verdicts import Question

__all__ = ["JUDGES", "constant", "judge_named", "labels", "uniform"]

JUDGES: Final = ("lexical", "constant-0", "constant-0.5", "constant-1", "random", "labels:FILE")
_LEVELS: Final = {"constant-0": 0, "constant-0.5": 1, "constant-1": 2}
_RELEVANCE: Final = ("irrelevant", "partial", "relevant")
_COMPLETENESS: Final = ("missing", "partial", "complete")


def judge_named(name: str) -> tuple[Judge, str]:
    """Return a judge and the name of its model.

    Parameters
    ----------
    name
        One of ``JUDGES``.

    Raises
    ------
    ParameterError, FileMissingError, FileFormatError
        There is no such judge; the file of labels is not there, or holds something else.
    """
    if name == "lexical":
        return lexical, LEXICAL
    if name in _LEVELS:
        return constant(_LEVELS[name]), f"{name}/1 (no judge)"
    if name == "random":
        return uniform, "random/1 (no judge)"
    if name.startswith("labels:"):
        return labels(name.removeprefix("labels:")), "labels/1"
    raise ParameterError(f"there is no judge {name[:40]!r}", fix=f"give {', '.join(JUDGES)}")


def constant(level: int) -> Judge:
    """Return a judge that always gives the lowest, middle or highest verdict (0, 1, 2)."""

    def answer(request: Mapping[str, Any]) -> str:
        return json.dumps(_verdict(_asked(request), level))

    return answer


def uniform(request: Mapping[str, Any]) -> str:
    """Return a verdict drawn by a hash of what is asked, so that it stays the same."""
    question = _asked(request)
    return json.dumps(_verdict(question, random.Random(_hash(question)).randrange(3)))  # noqa: S311


def labels(path: str) -> Judge:
    """Return a judge that reads its verdicts from a file.

    Parameters
    ----------
    path
        JSON Lines: ``{"contract": ..., "fields": {...}, "passages": {...}, "reply": {...}}``.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileMissingError(
            "the labels cannot be read",
            where=path[:200],
            fix="check the path; the file is JSON Lines in UTF-8",
        ) from error
    known: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        try:
            held = strict_json.loads(line)
            asked = Question(held["contract"], held["fields"], held.get("passages", {}))
            known[_hash(asked)] = json.dumps(held["reply"])
        except (FileFormatError, KeyError, TypeError, ParameterError) as error:
            raise FileFormatError(
                "this is no label",
                where=f"{path[:200]}:{number}",
                fix="write contract, fields, passages and reply",
            ) from error

    def answer(request: Mapping[str, Any]) -> str:
        asked = _asked(request)
        found = known.get(_hash(asked))
        if found is None:
            raise ParameterError(
                f"{path[:200]} has no label for {asked.contract} of "
                f"{asked.fields.get('question', '')[:80]!r}",
                fix="add a line: contract, fields, passages where it has any, reply",
            )
        return found

    return answer


def _asked(request: Mapping[str, Any]) -> Question:
    users = (m["content"] for m in request["messages"] if m["role"] == "user")
    return rendered_question(next(users, ""))


def _hash(question: Question) -> str:
    rendered = render(question)
    return str(getattr(rendered, "input_sha256", "too long"))


def _verdict(question: Question, level: int) -> dict[str, Any]:
    """Return a valid verdict; of several things a middle one supports the first half."""
    reason = "always the same"
    if question.contract == "groundedness":
        claims: list[dict[str, Any]] = [
            {"claim": f"statement {at}", "supported": at < level, "chunk_ids": [], "quote": None}
            for at in range(2)
        ]
        return {"claims": claims}
    if question.contract == "citation_support":
        most = len(question.passages) * level / 2
        return {
            "citations": [
                {"id": alias, "supported": at < most, "reason": reason}
                for at, alias in enumerate(question.passages)
            ]
        }
    if question.contract == "refusal":
        return {"refused": level > 1, "reason": reason}
    words = _RELEVANCE if question.contract == "answer_relevance" else _COMPLETENESS
    return {"verdict": words[level], "reason": reason}
