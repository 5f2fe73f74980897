"""A text as the detector sees it: plain letters, without citations and quotations, in sentences."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

__all__ = ["LIMIT", "opening", "plain", "sentences"]

LIMIT = 4_000
"""How many visible characters are looked at, from the beginning."""
_MORE = 100
"""How many more tell whether the last sentence is whole."""

_ID = r"(?:[a-z]{1,12}[-_ .#]{0,2})?\d[\w\-.]{0,20}"
_CITATIONS = re.compile(
    r"\[\^?[\w\-., :;#/]{1,60}\](?!\()"  # [1], [c1], [doc-3, p. 4]
    rf"|\({_ID}(?:, ?{_ID}){{0,9}}\)"  # (doc-3), (2, 5)
    r"|\u3010[^\u3011]{0,120}\u3011"  # the lenticular brackets of some assistants
)
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,300}\)")
_QUOTATION = re.compile(
    r'"[^"]{1,200}"|\u201c[^\u201d\u201c]{1,200}[\u201d\u201c]|\u201e[^\u201c\u201d]{1,200}[\u201c\u201d]'
    r"|\u00ab[^\u00bb]{1,200}\u00bb|\u300c[^\u300d]{1,200}\u300d|\u300e[^\u300f]{1,200}\u300f"
    r"|`[^`]{1,200}`|\u2018[^\u2018\u2019]{1,200}\u2019|(?<![\w'])'[^'\n]{1,200}'(?!\w)"
)
_MARKS = re.compile(r"[*_#>~|`\"\u00ab\u00bb\u201c-\u201e\u300c-\u300f]+")
_SPACES = re.compile(r"\s+")
# A stop ends a sentence where white space follows, that of Chinese, Japanese and Hindi anywhere.
_END = re.compile(
    r"(?:[.!?\u2026]+[)'\]]{0,2}(?=\s)|[\u3002\u0964\u0965]+|[!?]+(?![\s!?)'\]]))\s*|\n\s*"
)
_HEADING = re.compile(r"^ {0,3}#{1,6} .*$", re.MULTILINE)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:\w|\d{1,3}|bzw|ca|nr|no|art|abs|vgl|evtl|inkl|ggf|usw|str|tel|sr|sra|dr|mr|mrs|st|vs|etc"
    r"|bijv|ej|n\u00fam|p\u00e1g|pag|fig|e\.g|i\.e|z\.b|d\.h|u\.a|p\.ex|p\.ej)\.$"
)


def plain(text: str) -> str:
    r"""Return the beginning of a text in lower case, without what only decorates it.

    Characters that are not seen are dropped one by one until ``LIMIT`` others are read, so that a
    text of any length costs no more than its beginning; NFKC then makes full-width letters and
    marks ordinary ones, and what is longer than ``LIMIT`` after it is cut again.

    Examples
    --------
    >>> plain("**Sorry**, the text does\u200b not say [2].")
    'sorry, the text does not say .'
    """
    return _plain(_beginning(text)[0])


def opening(text: str) -> list[str]:
    """Return the sentences that a text begins with, as far as ``plain`` reads and none in part.

    Examples
    --------
    >>> opening("Yes. " * 2_000)[:2], len(opening("Yes. " * 2_000))
    (['yes.', 'yes.'], 800)
    """
    read, rest = _beginning(text)
    found = sentences(_plain(read))
    if not rest:
        return found
    # A sentence that is whole is the same where more is read.
    longer = sentences(_plain(read + rest))
    whole = [one for one, other in zip(found, longer, strict=False) if one == other]
    return whole or found[:1]


def _beginning(text: str) -> tuple[str, str]:
    """Return what is read of a text, its letters ordinary ones, and a little of what follows."""
    letters = (letter for letter in text if _visible(letter))
    seen = unicodedata.normalize("NFKC", "".join(islice(letters, LIMIT)))
    return seen[:LIMIT], (seen[LIMIT:] + "".join(islice(letters, _MORE)))[:_MORE]


def _plain(read: str) -> str:
    folded = read.lower().replace("\u2019", "'")
    folded = _CITATIONS.sub("", _LINK.sub(r"\1", folded))
    # An answer that is one heading, or one quotation, is meant as it stands.
    folded = _unless_empty(_HEADING.sub("", folded), folded)
    unquoted = _unless_empty(_QUOTATION.sub(" \u2026 ", folded), folded)
    return _MARKS.sub("", unquoted).strip()


def _unless_empty(shorter: str, text: str) -> str:
    return shorter if re.search(r"\w", shorter) else text


def _visible(letter: str) -> bool:
    # Cf: zero-width characters, marks of direction; Cs: lone surrogates; Cc without white space.
    if letter in "\n\t\r ":
        return True
    return unicodedata.category(letter) not in {"Cf", "Cs", "Cc"}


def sentences(text: str) -> list[str]:
    r"""Return the sentences of a plain text, those without a letter left out.

    Examples
    --------
    >>> sentences("ca. 5 cm. i do not know.\nsorry!")
    ['ca. 5 cm.', 'i do not know.', 'sorry!']
    """
    parts: list[str] = []
    start = 0
    for end in _END.finditer(text):
        head = text[start : end.end()].rstrip()
        if "\n" not in end.group() and _ABBREVIATION.search(head[-12:]):
            continue
        parts.append(head)
        start = end.end()
    parts.append(text[start:])
    spaced = (_SPACES.sub(" ", part).strip() for part in parts)
    return [part for part in spaced if re.search(r"\w", part)]
