"""BM25: how well the words of a text fit those of a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

__all__ = ["BM25", "words"]


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, without the s of a plural.

    Examples
    --------
    >>> words("Two library cards, please!")
    ['two', 'library', 'card', 'please']
    """
    found = re.findall(r"[^\W_]+", text.casefold())
    return [re.sub(r"(?<=[^\Ws]{3})s$", "", word) for word in found]


class BM25:
    """Texts that can be searched by words.

    A word counts the more, the fewer texts have it (``idf``); its second and third occurrence in a
    text count less than the first (``k1``), and all of them less in a long text than in a short
    one (``b``)::

        score(q, d) = sum over w in q of  idf(w) tf(w, d) (k1 + 1) / (tf(w, d) + k1 norm(d))
        norm(d)     = 1 - b + b |d| / mean |d|
        idf(w)      = ln(1 + (N - n(w) + 1/2) / (n(w) + 1/2))

    Parameters
    ----------
    texts
        What is searched, at least one.
    k1, b
        How soon repetition stops to count, and how much the length of a text counts, 0 to 1.
    tokens
        Text to words.

    References
    ----------
    Robertson and Zaragoza (2009), The Probabilistic Relevance Framework: BM25 and Beyond,
    Foundations and Trends in Information Retrieval 3(4), doi:10.1561/1500000019; the 1 within the
    logarithm, which keeps it positive, is that of Lucene.

    Examples
    --------
    >>> index = BM25(["a lost card", "a lost book", "opening hours"])
    >>> index.ranked("I lost my card")
    [0, 1]
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        k1: float = 1.2,
        b: float = 0.75,
        tokens: Callable[[str], list[str]] = words,
    ) -> None:
        self._tokens = tokens
        counts = [Counter(tokens(text)) for text in texts]
        lengths = [count.total() for count in counts]
        mean = sum(lengths) / len(lengths) or 1.0
        self._n = len(counts)
        self._having: Counter[str] = Counter(word for count in counts for word in count)
        # Word to its texts and what one occurrence in the question adds there, but for its idf.
        self._parts: dict[str, list[tuple[int, float]]] = {}
        for at, (count, length) in enumerate(zip(counts, lengths, strict=True)):
            norm = 1 - b + b * length / mean
            for word, tf in count.items():
                part = tf * (k1 + 1) / (tf + k1 * norm)
                self._parts.setdefault(word, []).append((at, part))

    def idf(self, word: str) -> float:
        """Return how much a word counts: the more, the fewer texts have it."""
        n = self._having[word]
        return math.log(1 + (self._n - n + 0.5) / (n + 0.5))

    def scores(self, question: str) -> dict[int, float]:
        """Return the score of each text that has a word of the question, by its place."""
        found: dict[int, float] = {}
        for word in self._tokens(question):
            idf = self.idf(word)
            for at, part in self._parts.get(word, ()):
                found[at] = found.get(at, 0.0) + idf * part
        return found

    def ranked(self, question: str) -> list[int]:
        """Return the places of these texts, the best first; equal ones in their order."""
        found = self.scores(question)
        return sorted(found, key=lambda at: (-found[at], at))
