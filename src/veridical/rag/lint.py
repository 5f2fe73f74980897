"""``lint``: what is legal in a dataset, and most likely a mistake."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from veridical.rag.answers import Answer
from veridical.rag.cases import Case
from veridical.rag.payloads import PAYLOADS

__all__ = ["lint", "lint_ids", "lint_numbers", "numbers_and_texts"]

_ALMOST = 0.8
_LONGEST = 2 * max(map(len, PAYLOADS))


def lint(cases: Sequence[Case]) -> list[str]:
    """Return a warning for each thing that is probably meant otherwise.

    Ids of cases, and ids of sources, that are equal but for case, white space around them or the
    way in which accents are written; injections without a payload, or with almost the id of one.

    Examples
    --------
    >>> lint([Case(id="Q1", question="a"), Case(id="q1 ", question="b")])
    ["the case ids 'Q1' and 'q1 ' are equal but for case or white space"]
    """
    sources = [id_ for case in cases for id_ in _source_ids(case)]
    return [
        *lint_ids([case.id for case in cases], "case"),
        *lint_ids(sources, "source"),
        *_without_payload(cases),
        *_almost_a_payload(cases),
    ]


def lint_ids(ids: Iterable[str], noun: str) -> list[str]:
    """Return a warning for each group of ids that differ and look alike."""
    alike: dict[str, list[str]] = {}
    for id_ in dict.fromkeys(ids):
        alike.setdefault(_folded(id_), []).append(id_)
    return [
        f"the {noun} ids {' and '.join(repr(one[:80]) for one in group[:3])} are equal but for "
        f"{_difference(group)}"
        for group in alike.values()
        if len(group) > 1
    ]


def lint_numbers(case_ids: Iterable[Any], source_ids: Iterable[Any]) -> list[str]:
    """Return a warning for each id that is written as a number here and as a text there.

    Examples
    --------
    >>> lint_numbers(["1", "2"], [1, "1", 2])
    ['the source id 1 is written as a number and as a text; both are read as the text']
    """
    told = "id {0} is written as a number and as a text"
    cases = f"the case {told}; the text is called '\"{{0}}\"'"
    sources = f"the source {told}; both are read as the text"
    return [
        *map(cases.format, numbers_and_texts(case_ids)),
        *map(sources.format, numbers_and_texts(source_ids)),
    ]


def numbers_and_texts(ids: Iterable[Any]) -> list[str]:
    """Return each id that is written both ways, 1 and ``"1"``, in the order of the numbers."""
    written = list(ids)
    texts = {one for one in written if isinstance(one, str)}
    numbers = dict.fromkeys(str(one) for one in written if type(one) is int)
    return [one for one in numbers if one in texts]


def _folded(id_: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", id_).casefold()).strip()


def _difference(group: Sequence[str]) -> str:
    composed = {unicodedata.normalize("NFC", id_) for id_ in group}
    return "how accents are written" if len(composed) == 1 else "case or white space"


def _source_ids(case: Case) -> Iterator[str]:
    yield from case.expected_sources
    if isinstance(case.answer, Answer):
        yield from case.answer.citations
        yield from (chunk.id for chunk in case.answer.retrieved_chunks or ())


def _without_payload(cases: Sequence[Case]) -> list[str]:
    lacking = [case for case in cases if case.kind == "injection" and not case.adversarial_payload]
    if not lacking:
        return []
    first = ", ".join(f"{case.id[:80]!r}" for case in lacking[:3])
    return [f"{len(lacking)} injection cases have no adversarial_payload: {first}"]


def _almost_a_payload(cases: Sequence[Case]) -> list[str]:
    """Warn of markers that would be looked for to the letter: nothing obeys a misspelt id."""
    markers = dict.fromkeys(case.adversarial_payload for case in cases if case.adversarial_payload)
    near = {
        marker: get_close_matches(marker.strip().lower(), PAYLOADS, 1, _ALMOST)
        for marker in markers
        if marker not in PAYLOADS and len(marker) <= _LONGEST
    }
    return [
        f"the payload {marker[:80]!r} is looked for to the letter; {found[0]!r} is registered"
        for marker, found in near.items()
        if found
    ]
