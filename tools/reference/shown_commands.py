"""Command lines that the pages show: their tests run them, so they are true examples."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.reference.command_pages import Example

__all__ = ["shown_commands"]

_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^# +(.+)$", re.MULTILINE)
_NOT_RUN = re.compile(r"<!-- not run:.*?-->\s*```.*?^```", re.MULTILINE | re.DOTALL)


def shown_commands(docs: Path, known: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], Example]:
    """Return the first example of each command: how-to pages before tutorials and the rest.

    Parameters
    ----------
    docs
        The folder of the pages, from which their addresses are told.
    known
        The words of each command.
    """
    known, found = set(known), {}
    pages = sorted(docs.rglob("*.md"), key=lambda page: ("how-to" not in page.parts, page))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        title = _TITLE.search(text)
        for line in _lines(text):
            if words := _command(line, known):
                name = title[1] if title else page.stem
                found.setdefault(words, Example(line, page.relative_to(docs).as_posix(), name))
    return found


def _lines(text: str) -> Iterator[str]:
    """Yield each command of the blocks that run, a line that goes on with the next as written."""
    for block in _BLOCK.findall(_NOT_RUN.sub("", text)):
        yield from re.findall(r"^veridical (?:.*\\\n)*.*$", block, re.MULTILINE)


def _command(line: str, known: set[tuple[str, ...]]) -> tuple[str, ...] | None:
    try:
        words = tuple(shlex.split(line, comments=True)[1:4])
    except ValueError:
        return None  # a quotation that goes on below
    return next((words[:n] for n in (3, 2, 1) if words[:n] in known), None)
