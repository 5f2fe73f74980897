"""Porter's stemmer, with the exceptions and changes that rouge-score relies on (those of NLTK)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

__all__ = ["stem"]

_VOWELS = frozenset("aeiou")
_IRREGULAR = {
    form: base
    for base, forms in {
        "sky": ("sky", "skies"), "die": ("dying",), "lie": ("lying",), "tie": ("tying",),
        "news": ("news",), "inning": ("innings", "inning"), "outing": ("outings", "outing"),
        "canning": ("cannings", "canning"), "howe": ("howe",), "proceed": ("proceed",),
        "exceed": ("exceed",), "succeed": ("succeed",),
    }.items()
    for form in forms
}  # fmt: skip
_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("fulli", "ful"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case English word.

    References
    ----------
    Porter (1980), An algorithm for suffix stripping, Program 14, doi:10.1108/eb046814.

    Examples
    --------
    >>> [stem(word) for word in ("relational", "happily", "flies", "skies", "dying")]
    ['relat', 'happili', 'fli', 'sky', 'die']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past, _y_to_i, _step_2, _step_3, _step_4, _final_e, _double_l):
        word = step(word)
    return word


def _consonant(word: str, at: int) -> bool:
    if word[at] in _VOWELS:
        return False
    return word[at] != "y" or at == 0 or not _consonant(word, at - 1)


def _measure(word: str) -> int:
    """Return how often a consonant follows a vowel."""
    kinds = [_consonant(word, at) for at in range(len(word))]
    return sum(now and not before for before, now in pairwise(kinds))


def _has_vowel(word: str) -> bool:
    return any(not _consonant(word, at) for at in range(len(word)))


def _doubled(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _consonant(word, len(word) - 1)


def _short_end(word: str) -> bool:
    """Whether it ends consonant, vowel, consonant other than w, x, y."""
    end = len(word) - 1
    if len(word) == 2:
        return not _consonant(word, 0) and _consonant(word, 1)
    return (
        len(word) >= 3
        and _consonant(word, end - 2)
        and not _consonant(word, end - 1)
        and _consonant(word, end)
        and word[-1] not in "wxy"
    )


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    for suffix, kept in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(suffix):
            return word[: -len(suffix)] + kept
    return word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        base = word.removesuffix(suffix)
        if base != word and _has_vowel(base):
            return _restored(base)
    return word


def _restored(base: str) -> str:
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _doubled(base):
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _short_end(base) else base


def _y_to_i(word: str) -> str:
    base = word[:-1]
    return (
        base + "i"
        if word[-1] == "y" and len(base) > 1 and _consonant(base, len(base) - 1)
        else word
    )


def _replaced(word: str, rules: tuple[tuple[str, str], ...], may: Callable[[str], bool]) -> str:
    for suffix, kept in rules:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + kept if may(base) else word
    return word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-4] + "al")
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2, lambda base: _measure(base) > 0)


def _step_3(word: str) -> str:
    return _replaced(word, _STEP_3, lambda base: _measure(base) > 0)


def _step_4(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            ends = suffix != "ion" or base[-1:] in {"s", "t"}
            return base if _measure(base) > 1 and ends else word
    return word


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    base = word[:-1]
    measure = _measure(base)
    return base if measure > 1 or (measure == 1 and not _short_end(base)) else word


def _double_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
