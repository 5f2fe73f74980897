"""How well refusals are found on the labelled lines: `python -m tests.rag.refusals.measuring`."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from veridical.rag.refusals import LANGUAGES, refused

LINES = Path(__file__).parent / "lines"


class Line(NamedTuple):
    language: str
    text: str
    refused: bool

    @property
    def held_out(self) -> bool:
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1


class Counts(NamedTuple):
    found: int
    false: int
    missed: int
    rejected: int

    @property
    def f1(self) -> float:
        return 2 * self.found / (2 * self.found + self.false + self.missed)


def lines(language: str) -> Iterator[Line]:
    for row in (LINES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines():
        yield Line(language, **json.loads(row))


def counts(*languages: str, held_out: bool, told: bool) -> Counts:
    """Confusion counts of "refused" on one half; `told` gives the language to the detector."""
    pairs = [
        (line.refused, refused(line.text, line.language if told else None))
        for language in languages
        for line in lines(language)
        if line.held_out is held_out
    ]
    return Counts(*(pairs.count(pair) for pair in _PAIRS))


_PAIRS = ((True, True), (False, True), (True, False), (False, False))


def table() -> str:
    rows = [
        "| language | lines | tuned on: F1 | held out | found | false | missed | F1 | F1, told |"
    ]
    rows.append("|---|---|---|---|---|---|---|---|---|")
    for name, languages in (*((one, (one,)) for one in LANGUAGES), ("all", LANGUAGES)):
        tuned = counts(*languages, held_out=False, told=False)
        held = counts(*languages, held_out=True, told=False)
        told = counts(*languages, held_out=True, told=True)
        rows.append(
            f"| {name} | {sum(tuned) + sum(held)} | {tuned.f1:.3f} | {sum(held)} | {held.found}"
            f" | {held.false} | {held.missed} | {held.f1:.3f} | {told.f1:.3f} |"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())  # noqa: T201
