"""A judge of words: deterministic, local, and weak.

It answers the real contracts from the real prompts, so that everything around a judge can be tried
without a model, and it is the floor that a real judge must clear.  What it compares is words,
numbers and negations; it understands nothing.  Where a sample says the same in other words, or
something else in the same ones, it is no better than chance.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from veridical import strict_json
from veridical.judge.rendering import rendered_question
from veridical.judge.verdicts import Question
from veridical.judge.words import NEGATIONS, NUMBERS, REFUSALS, STOPWORDS

__all__ = ["MODEL", "answer", "verdict"]

MODEL: Final = "lexical-entailment/2 (weak)"
"""The name that this judge is served under."""

COVERED = 0.6
"""The share of a statement's words that a sentence must hold to support it."""

TOLD = 0.5
"""The same share of the words that the question does not have: what it asks is not yet said."""

ON_TOPIC, IN_PART = 0.4, 0.15
"""The shares of a question's words that make an answer relevant, and partly so."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f\u0964])\s*|\n+")
# What pretends to be markup, a verdict or a heading is no statement of the text it stands in.
_MARKUP = re.compile(
    r"```.*?(?:```|$)|<[^<>]*>|\{[^{}]*\}|^[=#*\-\s]+|\[[^\[\]]{0,20}\]", re.DOTALL
)
_WORD = re.compile(r"[^\W_]+(?:[.,:][0-9]+)*")
_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")


def answer(request: Mapping[str, Any]) -> str:
    """Return the reply to a chat request whose messages the judge's templates made.

    Raises
    ------
    ParameterError
        The first user message is none of theirs.
    """
    users = (m["content"] for m in request["messages"] if m["role"] == "user")
    return strict_json.dumps(verdict(rendered_question(next(users, ""))), indent=None)


def verdict(question: Question) -> dict[str, Any]:
    """Return the verdict on a question, as its contract wants it.

    Examples
    --------
    >>> asked = {"question": "When did it open?", "answer": "It opened in 1912."}
    >>> verdict(Question("groundedness", asked, {"c1": "The bridge opened in 1921."}))["claims"]
    [{'claim': 'It opened in 1912.', 'supported': False, 'chunk_ids': [], 'quote': None}]
    """
    return _JUDGES[question.contract](question)


@dataclass(frozen=True, slots=True)
class _Statement:
    """What of a sentence is compared."""

    words: frozenset[str]
    numbers: frozenset[str]
    negated: bool

    @classmethod
    def of(cls, text: str) -> _Statement:
        tokens = _tokens(text)
        numbers = {NUMBERS.get(token, token) for token in tokens}
        return cls(
            frozenset(_stem(t) for t in tokens if t not in STOPWORDS and t not in NEGATIONS),
            frozenset(number for number in numbers if number[0].isdigit()),
            any(token in NEGATIONS or token.endswith("n't") for token in tokens),
        )

    def coverage(self, text: _Statement) -> float:
        return _share(self.words, text.words)


def _share(words: frozenset[str], of: frozenset[str]) -> float:
    return len(words & of) / len(words) if words else 0.0


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for word in _WORD.findall(_plain(text).replace("n't", " not")):
        if _SCRIPT.search(word):  # no spaces between words: pairs of characters stand for them
            tokens += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            tokens.append(re.sub(r"(?<=\d)[.,:](?=\d{3}\b)", "", word))
    return tokens


def _stem(word: str) -> str:
    """Return the beginning of a word: its endings vary, and numbers have none."""
    return word if word[0].isdigit() else word[:5]


def _sentences(text: str) -> list[str]:
    plain = _MARKUP.sub(" ", text)
    parts = (part.strip() for part in _SENTENCE.split(plain))
    return [part for part in parts if _WORD.search(part)]


def _supports(statement: str, text: str, asked: str = "") -> str | None:
    """Return the sentence of ``text`` that says a statement, or None where none of them does."""
    claim = _Statement.of(statement)
    told = claim.words - _Statement.of(asked).words or claim.words
    found: dict[str, float] = {}
    for sentence in _sentences(text):
        said = _Statement.of(sentence)
        if claim.numbers <= said.numbers and claim.negated == said.negated:
            found[sentence] = claim.coverage(said) if _share(told, said.words) >= TOLD else 0.0
    best = max(found, key=found.__getitem__, default="")
    return best if found.get(best, 0.0) >= COVERED else None


def _refuses(text: str) -> bool:
    """Whether one of the first two sentences declines, and little is said besides."""
    sentences = _sentences(text)
    declined = [bool(REFUSALS.search(_plain(sentence))) for sentence in sentences]
    return any(declined[:2]) and sum(not d for d in declined) <= 1


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")


def _groundedness(question: Question) -> dict[str, Any]:
    claims = []
    for sentence in _sentences(question.fields["answer"]):
        if REFUSALS.search(_plain(sentence)) or sentence.endswith(("?", "\uff1f")):
            continue
        if len(_Statement.of(sentence).words) < 2:
            continue
        quotes = {
            alias: _supports(sentence, text, question.fields["question"])
            for alias, text in question.passages.items()
        }
        by = [alias for alias, quote in quotes.items() if quote is not None]
        quote = quotes[by[0]] if by else None
        claims.append(
            {"claim": sentence, "supported": bool(by), "chunk_ids": by, "quote": quote or None}
        )
    return {"claims": claims}


def _citation_support(question: Question) -> dict[str, Any]:
    sentences, asked = _sentences(question.fields["answer"]), question.fields["question"]
    found = {
        alias: any(_supports(sentence, text, asked) is not None for sentence in sentences)
        for alias, text in question.passages.items()
    }
    return {
        "citations": [
            {"id": alias, "supported": supported, "reason": _reason(supported)}
            for alias, supported in found.items()
        ]
    }


def _reason(supported: bool) -> str:  # noqa: FBT001
    return "its words are in the passage" if supported else "too few of its words, or other numbers"


def _answer_relevance(question: Question) -> dict[str, Any]:
    asked, said = (_Statement.of(question.fields[name]) for name in ("question", "answer"))
    share = asked.coverage(said)
    if _refuses(question.fields["answer"]) or share < IN_PART:
        level = "irrelevant"
    else:
        level = "relevant" if share >= ON_TOPIC else "partial"
    return {"verdict": level, "reason": f"{share:.0%} of the question's words are in the answer"}


def _completeness(question: Question) -> dict[str, Any]:
    expected = _sentences(question.fields["expected"])
    said = question.fields["answer"]
    found = sum(_supports(sentence, said) is not None for sentence in expected)
    if found == len(expected) and expected:
        level = "complete"
    else:
        share = _Statement.of(question.fields["expected"]).coverage(_Statement.of(said))
        level = "partial" if found or share >= COVERED / 2 else "missing"
    reason = f"{found} of {len(expected)} expected statements are in the answer"
    return {"verdict": "missing" if _refuses(said) else level, "reason": reason}


def _refusal(question: Question) -> dict[str, Any]:
    refused = _refuses(question.fields["answer"])
    return {"refused": refused, "reason": "it declines" if refused else "it answers"}


_JUDGES: Final = {
    "groundedness": _groundedness,
    "citation_support": _citation_support,
    "answer_relevance": _answer_relevance,
    "completeness": _completeness,
    "refusal": _refusal,
}
