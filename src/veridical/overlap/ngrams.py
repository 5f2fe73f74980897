"""n-grams: how many a candidate shares with its references, clipped by how often they occur."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence

__all__ = ["bleu_counts", "character_counts", "closest_length", "ngrams", "overlap", "word_parts"]

_MARKS = frozenset(string.punctuation)


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of a sequence.

    Examples
    --------
    >>> ngrams(["a", "b", "a", "b"], 2)[("a", "b")]
    2
    """
    return Counter(zip(*(tokens[at:] for at in range(n)), strict=False))


def overlap(first: Counter[tuple[str, ...]], second: Counter[tuple[str, ...]]) -> int:
    """Return how many n-grams two counts have in common, repeats included."""
    if len(second) < len(first):
        first, second = second, first
    common = first.keys() & second.keys()
    if len(first) == first.total() or len(second) == second.total():
        return len(common)  # without repeats on one side each common n-gram counts once
    return sum(map(min, map(first.__getitem__, common), map(second.__getitem__, common)))


def closest_length(length: int, lengths: Sequence[int]) -> int:
    """Return the length nearest to ``length``; of two equally near ones the shorter."""
    return min(lengths, key=lambda other: (abs(other - length), other))


def bleu_counts(candidate: list[str], references: Sequence[list[str]], order: int) -> list[int]:
    """Return lengths of candidate and closest reference; matches, n-grams of both, by order.

    Matches are clipped by the reference in which the n-gram occurs most often.

    Examples
    --------
    >>> bleu_counts("the the the".split(), ["the cat is here".split()], 1)
    [3, 4, 1, 3, 4]
    """
    closest = closest_length(len(candidate), [len(reference) for reference in references])
    matches, totals, of_reference = [], [], []
    for n in range(1, order + 1):
        most = ngrams(references[0], n)
        for reference in references[1:]:
            most |= ngrams(reference, n)
        matches.append(overlap(ngrams(candidate, n), most))
        totals.append(max(0, len(candidate) - n + 1))
        of_reference.append(max(0, closest - n + 1))
    return [len(candidate), closest, *matches, *totals, *of_reference]


def word_parts(text: str) -> list[str]:
    """Split on white space, and one mark off the end, or else the start, of a word, as chrF++ does.

    Examples
    --------
    >>> word_parts('"Yes!" he said.')
    ['"Yes!', '"', 'he', 'said', '.']
    """
    parts = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _MARKS:
            parts += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in _MARKS:
            parts += [word[0], word[1:]]
        else:
            parts.append(word)
    return parts


def character_counts(
    candidate: str, reference: str, character_order: int, word_order: int
) -> list[int]:
    """Return n-grams of the candidate, of the reference, and common ones, for each order of chrF.

    Examples
    --------
    >>> character_counts("ab c", "abd", 2, 0)
    [3, 3, 2, 2, 2, 1]
    """
    counts: list[int] = []
    first, second = "".join(candidate.split()), "".join(reference.split())
    for n in range(1, character_order + 1):
        counts += _common(_slices(first, n), _slices(second, n))
    if not word_order:
        return counts
    first_words, second_words = word_parts(candidate), word_parts(reference)
    for n in range(1, word_order + 1):
        counts += _common(ngrams(first_words, n), ngrams(second_words, n))
    return counts


def _slices(text: str, n: int) -> Counter[str]:
    return Counter([text[at : at + n] for at in range(len(text) - n + 1)])


def _common(first: Counter, second: Counter) -> list[int]:  # type: ignore[type-arg]
    # Without a reference of this order the candidate's n-grams cannot be wrong.
    found = first.total() if second else 0
    return [found, second.total(), overlap(first, second)]
