"""What the pages say and nothing computes, entered a second time in ``numbers.txt``.

Whoever changes one says so twice: `python -m tests.docs.register` writes the file anew, and what
changes there is read before it is committed.
"""

from __future__ import annotations

import doctest
import inspect
import re
import tempfile
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import FunctionType

import veridical as vd
from tests.docs.generated import reference
from tests.docs.pages import COMMENT, ROOT, Claim, Fence, Page, page, pages
from veridical import errors

FILE = Path(__file__).with_name("numbers.txt")

# Without "one", which is mostly no number: who makes a two of it adds a word to those found, and
# who makes a one of two takes one away.  "May" is mostly no month.
_WORDS = """zero two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
hundreds? thousands? millions? billions? once twice second thirds? fourths? quarters? fifths?
sixths? sevenths? eighths? ninths? tenths? twentieths? hundredths? thousandths? half halves
doubled? triples? dozens? percent
january february march april june july august september october november december"""
_NUMBER = re.compile(
    r"(?:(?<![\w.])[-−+](?=\d))?\d+(?:[.,_]\d+)*(?:e[-+]\d+)?%?|[½¼¾⅓⅔²³]"
    rf"|\b(?:{'|'.join(_WORDS.split())})\b",
    re.IGNORECASE,
)
# A formula as a whole: what is below its line, and which way its sign points, is no number.
_FORMULA = re.compile(rf"\$\$[^$]+\$\$|\$[^$\n]+\$|{_NUMBER.pattern}", re.IGNORECASE)
_WITH_FORMULAS = ("docs/lessons/", "docs/notation.md")
_MEMBERS = (FunctionType, classmethod, staticmethod, property, cached_property)
# Pages of the site of which no block is run here: beside examples, and notes on design.
_NOT_RUN = ("examples/", "design/")
_GENERATED = "reference, generated: "


def all_pages() -> Iterator[Page]:
    """Yield the hand-written pages, those that are generated, and the docstrings of public names.

    Examples in docstrings are run as doctests and left out here.
    """
    yield from map(page, [*pages(), *sorted(ROOT.glob("examples/*/*.md"))])
    yield from map(page, sorted(ROOT.glob("design/*.md")))
    with tempfile.TemporaryDirectory() as folder:
        found = reference(Path(folder) / "docs")
    yield from (Page(f"{_GENERATED}{name}", text) for name, text in found.items())
    for name in sorted(vd.__all__):
        yield Page(f"vd.{name}", "\n".join(_docstrings(getattr(vd, name))))
    for name in sorted({*errors.__all__} - {*vd.__all__}):
        yield Page(f"vd.errors.{name}", "\n".join(_docstrings(getattr(errors, name))))


def _docstrings(one: object) -> Iterator[str]:
    """Yield what a public name says of itself, and what a class says of its public members."""
    yield _without_examples(one)
    for name, member in inspect.getmembers_static(one) if inspect.isclass(one) else ():
        owner = next((base for base in one.__mro__ if name in vars(base)), object)
        ours = not name.startswith("_") and owner.__module__.startswith("veridical")
        if ours and isinstance(member, _MEMBERS):
            yield f"\n## {name}\n\n{_without_examples(member)}\n"


def _without_examples(one: object) -> str:
    parts = doctest.DocTestParser().parse(inspect.cleandoc(one.__doc__ or ""))
    return "".join(part for part in parts if isinstance(part, str))


def entries(one: Page) -> dict[str, list[str]]:
    """Return the numbers of each section of a page, in their order, by heading.

    On pages of lessons, formulas too, each without its spaces.
    Left out are claims, which are computed, blocks that are compared with what is printed,
    comments, and sections without a number.
    """
    text, found = _not_computed(one), dict[str, list[str]]()
    pattern = _FORMULA if one.name.startswith(_WITH_FORMULAS) else _NUMBER
    for start, end in pairwise([0, *_headings(one), len(text)]):
        if told := ["".join(said.split()) for said in pattern.findall(text, start, end)]:
            heading = text[start:end].partition("\n")[0].strip("# ") if start else ""
            found.setdefault(heading, []).extend(told)
    return found


def _not_computed(one: Page) -> str:
    text = one.text
    for example in one.examples:
        if isinstance(example.parsed, Claim) or _is_compared(one, example.parsed):
            text = _blank(text, example.start, example.end)
    for comment in COMMENT.finditer(text):
        text = _blank(text, *comment.span())
    return text


def _is_compared(one: Page, fence: Fence) -> bool:
    # Formulas are blocks of text in the generated reference, and examples those of docstrings.
    if one.name.startswith(_NOT_RUN):
        return False
    compared = "pycon" if one.name.startswith(_GENERATED) else "text"
    return fence.tag == compared and fence.not_run is None


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _headings(one: Page) -> Iterator[int]:
    lines = {token.map[0] for token in one.tokens if token.type == "heading_open" and token.map}
    at = 0
    for number, line in enumerate(one.text.splitlines(keepends=True)):
        if number in lines and at:
            yield at
        at += len(line)


def register(one: Page) -> list[str]:
    """Return the lines of a page: one for each section, with its heading and its numbers."""
    return [f"    {heading}: {' '.join(told)}\n" for heading, told in entries(one).items()]


def entered(name: str, text: str) -> list[str]:
    """Return the lines of a page that stand in the register's text."""
    block = re.search(rf"^{re.escape(name)}\n((?: .*\n)*)", text, re.MULTILINE)
    return block[1].splitlines(keepends=True) if block else []


def differences(then: list[str], now: list[str]) -> list[str]:
    """Return what stands on a page otherwise than it was entered, with what stands before it."""
    was, found = ("".join(lines).split() for lines in (then, now))
    return [
        f"after {' '.join(found[max(0, c - 4) : c])!r}: {' '.join(found[c:d]) or 'nothing'}, "
        f"entered as {' '.join(was[a:b]) or 'nothing'}"
        for kind, a, b, c, d in SequenceMatcher(None, was, found, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


if __name__ == "__main__":
    lines = [line for one in all_pages() for line in [f"{one.name}\n", *register(one)]]
    FILE.write_text("".join(lines), encoding="utf-8")
