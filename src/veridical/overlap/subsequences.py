"""Longest common subsequences: their length, and which words of a reference they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["common_length", "covered", "summary_hits"]


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    One row of the table is one integer, a bit a word, so that a row costs a few operations.

    References
    ----------
    Hyyro (2004), Bit-parallel LCS-length computation revisited.

    Examples
    --------
    >>> common_length("a b c d".split(), "a c d e".split())
    3
    """
    if len(second) > len(first):
        first, second = second, first
    where: dict[str, int] = {}
    bit = 1
    for word in first:
        where[word] = where.get(word, 0) | bit
        bit <<= 1
    everything = bit - 1
    row = everything
    for word in second:
        at = where.get(word)
        if at:
            hit = row & at
            row = ((row + hit) | (row - hit)) & everything
    return len(first) - row.bit_count()


def covered(reference: Sequence[str], candidate: Sequence[str]) -> set[int]:
    """Return the positions in the reference of one longest common subsequence.

    Of several it is the one that walking back from the end finds, preferring to drop a word of
    the reference: ROUGE's own choice, on which its union over sentences depends.

    Examples
    --------
    >>> sorted(covered("a b c".split(), "a c".split()))
    [0, 2]
    """
    table = [[0] * (len(candidate) + 1)]
    for word in reference:
        above, row = table[-1], [0]
        for at, other in enumerate(candidate):
            row.append(above[at] + 1 if word == other else max(above[at + 1], row[at]))
        table.append(row)
    found = set()
    i, j = len(reference), len(candidate)
    while i and j:
        if reference[i - 1] == candidate[j - 1]:
            found.add(i - 1)
            i, j = i - 1, j - 1
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found


def summary_hits(candidate: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]) -> int:
    """Return how many words of a reference its sentences share with any sentence of a candidate.

    For each sentence of the reference the union of its common subsequences counts; no word of
    either side counts twice.

    Examples
    --------
    >>> summary_hits([["a", "b"], ["c"]], [["a", "c", "d"]])
    2
    """
    of_candidate = Counter(word for sentence in candidate for word in sentence)
    of_reference = Counter(word for sentence in reference for word in sentence)
    hits = 0
    for sentence in reference:
        union: set[int] = set()
        for other in candidate:
            union |= covered(sentence, other)
        for at in sorted(union):
            word = sentence[at]
            if of_candidate[word] > 0 and of_reference[word] > 0:
                hits += 1
                of_candidate[word] -= 1
                of_reference[word] -= 1
    return hits
