"""An answer out of quotations: the sentence that fits the question, the next one, or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .bm25 import BM25, words

__all__ = ["answered", "sentences"]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_ASKING = frozenset(
    words(
        "a an the and or but if of to in on at by for with from as is are was were be been do does"
        " did have has had can could may must will would should i me my we our you your it its"
        " this that these those there what which who whom when where why how much many long often"
        " me get any some not no yes please"
    )
)
"""Words that a question is made with, and that say nothing about what it is about."""


def answered(
    question: str,
    chunks: Iterable[Mapping[str, Any]],
    index: BM25,
    *,
    least: float = 0.4,
    read: int = 3,
) -> tuple[str, list[str]]:
    """Return an answer and the ids that it cites.

    Parameters
    ----------
    question
        What is asked.
    chunks
        With ``id`` and ``text``, the best first.
    index
        What knows how rare a word is.
    least
        The share of the question, each word by its rarity, that a sentence must hold.
    read
        How many chunks are read.
    """
    asked = [word for word in dict.fromkeys(words(question)) if word not in _ASKING]
    whole = sum(map(index.idf, asked)) or 1.0
    best, quoted, cited = 0.0, "", ""
    for chunk in list(chunks)[:read]:
        parts = sentences(chunk["text"])
        for at, part in enumerate(parts):
            held = set(words(part))
            share = sum(index.idf(word) for word in asked if word in held) / whole
            if share > best:
                # The next sentence often has the rest; what it says is not looked at.
                best, quoted, cited = share, " ".join(parts[at : at + 2]), chunk["id"]
    if best < least:
        return "I could not find that on the pages of the library.", []
    return f"{quoted} [{cited}]", [cited]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    Examples
    --------
    >>> sentences("It is free. Is it? Yes!")
    ['It is free.', 'Is it?', 'Yes!']
    """
    return _SENTENCE_END.split(text.strip())
