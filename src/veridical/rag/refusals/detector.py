"""``refused``: whether a text declines to answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from veridical.rag.refusals.phrases.table import Phrases
from veridical.rag.refusals.reading import opening

__all__ = ["LANGUAGES", "refused"]

LANGUAGES = ("de", "en", "es", "fr", "hi", "it", "ja", "nl", "pt", "zh")
_FIRST = 2
_EDGES = " ,:\u3001\u2010\u2013\u2014-"


def refused(text: str, language: str | None = None) -> bool:
    """Return whether a text declines to answer: it refuses at its beginning, and answers nothing.

    Parameters
    ----------
    text
        An answer, of any length; only its first 4,000 visible characters are read.  One without a
        letter does not refuse: it is no answer, which metrics skip before they ask here.
    language
        Of the answer, such as ``de`` or ``de-AT``; the table of this language alone is used.  With
        None, or a language without a table, each table is tried.

    Notes
    -----
    A refusal stands in the first two sentences, where citations and quotations do not count.  Each
    sentence is parted where it turns ("but", "however", a semicolon).  If any part neither refuses
    nor merely thanks, regrets, advises or says what the documents are about, it answers, and the
    text is an answer, wherever that part stands.

    Examples
    --------
    >>> refused("I could not find that in the manual [2]. Please ask the service desk.")
    True
    >>> refused("I could not find that in the manual, but the return period is 30 days.")
    False
    >>> refused("Dazu enthalten die Dokumente keine Angaben.", "de")
    True
    """
    read = opening(text)
    beginning = " ".join(read[:_FIRST])
    return any(
        phrases.cued(beginning) and _declines(read, phrases) for phrases in _tables(language)
    )


def _tables(language: str | None) -> Iterator[Phrases]:
    code = (language or "").lower().replace("_", "-").partition("-")[0]
    return map(_table, [code] if code in LANGUAGES else LANGUAGES)


@cache
def _table(code: str) -> Phrases:
    phrases: Phrases = import_module(f"veridical.rag.refusals.phrases.{code}").PHRASES
    return phrases


def _declines(read: list[str], phrases: Phrases) -> bool:
    if not any(phrases.refusal.search(sentence) for sentence in read[:_FIRST]):
        return False
    return not any(_answers(part, phrases) for one in read for part in _parts(one, phrases))


def _answers(part: str, phrases: Phrases) -> bool:
    """Return whether a part of a sentence says something besides that nothing can be said."""
    if not _says_something(part) or phrases.refusal.search(part):
        return False
    return not phrases.filler.search(part)


def _says_something(part: str) -> bool:
    # One word is "well" or "hm"; scripts without spaces have no words to count.
    letters = re.findall(r"[^\W\d_]", part)
    return len(part.split()) > 1 or (len(letters) > 3 and not part.isascii())


def _parts(sentence: str, phrases: Phrases) -> Iterator[str]:
    """Part a sentence where it turns, but not within a refusal ("does however not say")."""
    refusals = [match.span() for match in phrases.refusal.finditer(sentence)]
    start = 0
    for turn in phrases.turn.finditer(sentence):
        if not any(low < turn.start() < high for low, high in refusals):
            yield from _without_concession(sentence[start : turn.start()].strip(_EDGES), phrases)
            start = turn.end()
    yield from _without_concession(sentence[start:].strip(_EDGES), phrases)


def _without_concession(part: str, phrases: Phrases) -> Iterator[str]:
    """Leave out "although it does not say when," but not what follows it."""
    if not phrases.concession.search(part):
        yield part
        return
    refusal = phrases.refusal.search(part)
    comma = part.find(",", refusal.end() if refusal else 0)
    comma = comma if comma >= 0 else part.find(",")
    if comma >= 0:
        yield part[comma + 1 :]
