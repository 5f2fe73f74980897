"""``lint``: what is legal in a dataset, and most likely a mistake."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from veridical.rag.cases import Case

__all__ = ["lint", "lint_ids", "lint_numbers"]


def lint(cases: Sequence[Case]) -> list[str]:
    """Return a warning for each thing that is probably meant otherwise.

    Ids of cases, and ids of sources, that are equal but for case, white space around them or the
    way in which accents are written; injections without a payload.

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


def lint_numbers(ids: Iterable[int | str]) -> list[str]:
    """Return a warning for each id that is written as a number here and as a text there.

    Examples
    --------
    >>> lint_numbers([1, "1", 2])
    ['the source id 1 is written as a number and as a text; both are read as the text']
    """
    written = list(ids)
    texts = {one for one in written if isinstance(one, str)}
    numbers = dict.fromkeys(str(one) for one in written if isinstance(one, int))
    return [
        f"the source id {one} is written as a number and as a text; both are read as the text"
        for one in numbers
        if one in texts
    ]


def _folded(id_: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", id_).casefold()).strip()


def _difference(group: Sequence[str]) -> str:
    composed = {unicodedata.normalize("NFC", id_) for id_ in group}
    return "how accents are written" if len(composed) == 1 else "case or white space"


def _source_ids(case: Case) -> Iterator[str]:
    yield from case.expected_sources
    if case.answer is not None:
        yield from case.answer.citations
        yield from (chunk.id for chunk in case.answer.retrieved_chunks or ())


def _without_payload(cases: Sequence[Case]) -> list[str]:
    lacking = [case for case in cases if case.kind == "injection" and not case.adversarial_payload]
    if not lacking:
        return []
    first = ", ".join(f"{case.id[:80]!r}" for case in lacking[:3])
    return [f"{len(lacking)} injection cases have no adversarial_payload: {first}"]
