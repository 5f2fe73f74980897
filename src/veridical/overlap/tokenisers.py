"""Tokenisers by name: from a text to its words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial

from veridical.errors import ParameterError
from veridical.overlap.characters import ASCII_MARKS, END_MARKS
from veridical.overlap.porter import stem
from veridical.overlap.scripts import apart

__all__ = ["TOKENISERS", "Tokeniser", "joined_13a", "stemmed", "tokeniser"]

Tokeniser = Callable[[str], list[str]]

_MARKS = "".join(sorted(END_MARKS))


def _words(text: str) -> list[str]:
    """Split on white space, strip marks from both ends, lower-case; no spaces: characters.

    Examples
    --------
    >>> _words("The manager's ill, isn't he?"), _words("我 喜欢")
    (['the', "manager's", 'ill', "isn't", 'he'], ['我', '喜', '欢'])
    """
    return [word.lower() for part in apart(text).split() if (word := part.strip(_MARKS))]


def _none(text: str) -> list[str]:
    """Split on white space and do nothing else."""
    return text.split()


def _char(text: str) -> list[str]:
    """Take every character but white space as a token."""
    return list("".join(text.split()))


_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_13A = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def _mteval_13a(text: str) -> list[str]:
    """Split as mteval-v13a does, which sacrebleu calls ``13a``.

    Examples
    --------
    >>> _mteval_13a("It costs 1,000.50 (or so)!")
    ['It', 'costs', '1,000.50', '(', 'or', 'so', ')', '!']
    """
    line = f" {joined_13a(text)} "
    for pattern, parted in _13A:
        line = pattern.sub(parted, line)
    return line.split()


def joined_13a(text: str) -> str:
    r"""Return the text in one line, and without what mteval-v13a reads as something else.

    Examples
    --------
    >>> joined_13a("ex-\nample &lt;b&gt;")
    'example <b>'
    """
    if "\n" in text or "<skipped>" in text:
        text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text


def _mteval_intl(text: str) -> list[str]:
    """Split as mteval-v14 does with every script's punctuation, which sacrebleu calls ``intl``.

    Examples
    --------
    >>> _mteval_intl("dit-il : «1,5 €»")
    ['dit', '-', 'il', ':', '«', '1,5', '€', '»']
    """
    line = _parted(text.rstrip(), first="n", second="P", form="{0} {1} ")
    line = _parted(line, first="P", second="n", form=" {0} {1}")
    spread = (f" {c} " if unicodedata.category(c)[0] == "S" else c for c in line)
    return "".join(spread).split()


def _parted(text: str, *, first: str, second: str, form: str) -> str:
    """Part pairs of characters from left to right; ``P`` punctuation, ``n`` no number."""
    out, at, last = [], 0, len(text) - 1
    kinds = [unicodedata.category(c)[0] for c in text]
    while at <= last:
        if at < last and _is(kinds[at], first) and _is(kinds[at + 1], second):
            out.append(form.format(text[at], text[at + 1]))
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _is(kind: str, wanted: str) -> bool:
    return kind != "N" if wanted == "n" else kind == wanted


_NO_LETTER = re.compile(r"[^a-z0-9]+")
_SPACED = {code: " " for code in range(128) if _NO_LETTER.match(chr(code))}


def _ascii_words(lowered: str) -> list[str]:
    # On ASCII text a table is several times faster than the expression.
    if lowered.isascii():
        return lowered.translate(_SPACED).split()
    return _NO_LETTER.sub(" ", lowered).split()


def stemmed(word: str) -> str:
    """Return the stem of a word that is long enough to have one, as rouge-score does.

    Examples
    --------
    >>> stemmed("running"), stemmed("was")
    ('run', 'was')
    """
    return stem(word) if len(word) > 3 else word


def _rouge_score(text: str) -> list[str]:
    """Lower-case and split at everything but a-z and 0-9, as the package rouge-score does.

    Examples
    --------
    >>> _rouge_score("U.S.A. wins!")
    ['u', 's', 'a', 'wins']
    """
    return _ascii_words(text.lower())


def _rouge_score_stemmed(text: str) -> list[str]:
    """Split as ``rouge_score`` does, and stem.

    Examples
    --------
    >>> _rouge_score_stemmed("running dogs")
    ['run', 'dog']
    """
    return [stemmed(word) for word in _rouge_score(text)]


def _unicode_words(text: str) -> list[str]:
    """Lower-case and split at everything but letters, marks and numbers of any script.

    On ASCII text it is ``rouge_score``; where no spaces are written it splits into characters.

    Examples
    --------
    >>> _unicode_words("Café, привет мир"), _unicode_words("สวัส")
    (['café', 'привет', 'мир'], ['ส', 'ว', 'ั', 'ส'])
    """
    lowered = text.lower()
    if lowered.isascii():
        return _ascii_words(lowered)
    kept = (c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in apart(lowered))
    return "".join(kept).split()


def _tercom(text: str) -> list[str]:
    """Lower-case and split on white space, as tercom does unless told otherwise."""
    return text.lower().split()


def _chrf_words(text: str) -> list[str]:
    """Split on white space, and one mark off the end, or else the start, of a word, as chrF++ does.

    Examples
    --------
    >>> _chrf_words('"Yes!" he said.')
    ['"Yes!', '"', 'he', 'said', '.']
    """
    parts = []
    for word in text.split():
        if len(word) > 1 and word[-1] in ASCII_MARKS:
            parts += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in ASCII_MARKS:
            parts += [word[0], word[1:]]
        else:
            parts.append(word)
    return parts


def _of_characters(split: Tokeniser, text: str) -> list[str]:
    return split(apart(text))


TOKENISERS: dict[str, Tokeniser] = {
    "words": _words,
    "13a": _mteval_13a,
    "13a_characters": partial(_of_characters, _mteval_13a),
    "intl": _mteval_intl,
    "char": _char,
    "none": _none,
    "unicode": _unicode_words,
    "rouge_score": _rouge_score,
    "rouge_score_stemmed": _rouge_score_stemmed,
    "chrf_words": _chrf_words,
    "tercom": _tercom,
    "tercom_characters": partial(_of_characters, _tercom),
}
"""``13a_characters`` and ``tercom_characters`` first set characters without spaces apart."""


def tokeniser(name: str) -> Tokeniser:
    """Return the tokeniser of that name.

    Raises
    ------
    ParameterError
        There is none.
    """
    if name not in TOKENISERS:
        raise ParameterError(
            f"there is no tokeniser {name[:40]!r}", fix=f"there are: {', '.join(TOKENISERS)}"
        )
    return TOKENISERS[name]
