"""Which words two texts have in common, for reading them side by side."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from veridical.overlap.scripts import is_unspaced

__all__ = ["Piece", "in_common", "marked"]

Piece = tuple[str, bool]
"""Some text, and whether it is a word that stands in the other text too."""

_LONGEST = 1_500


def marked(text: str, other: str) -> tuple[list[Piece], int]:
    """Return a text in pieces, and how many of its characters were left out at the end.

    A word that stands twice here and once there is marked once: the first time.

    Examples
    --------
    >>> marked("The cat, the hat", "the cat")
    ([('The cat', True), (', the hat', False)], 0)
    """
    left = Counter(word for _, _, word in _words(other))
    pieces: list[Piece] = []
    shown = text[:_LONGEST]
    at = 0
    for start, end, word in _words(shown):
        if not left[word]:
            continue
        left[word] -= 1
        between = shown[at:start]
        # A space between two marked words belongs to both.
        if pieces and pieces[-1][1] and not between.strip():
            pieces[-1] = (pieces[-1][0] + shown[at:end], True)
        else:
            pieces += [(between, False)] if between else []
            pieces.append((shown[start:end], True))
        at = end
    pieces += [(shown[at:], False)] if shown[at:] else []
    return pieces, len(text) - len(shown)


def in_common(text: str, other: str) -> int:
    """Return how many words two texts have in common, repeats included.

    Examples
    --------
    >>> in_common("The cat, the hat", "the cat sat")
    2
    """
    one, two = (Counter(word for _, _, word in _words(side)) for side in (text, other))
    return (one & two).total()


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and lower-case form of each word; characters where no spaces are written."""
    start: int | None = None
    for at, character in enumerate(f"{text} "):
        belongs = character.isalnum() or unicodedata.category(character)[0] == "M"
        alone = belongs and is_unspaced(character)
        if start is not None and (not belongs or alone):
            yield start, at, text[start:at].lower()
            start = None
        if alone:
            yield at, at + 1, character.lower()
        elif belongs and start is None:
            start = at
