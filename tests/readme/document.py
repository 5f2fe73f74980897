"""The README as blocks: what it runs, what it shows, and what it says."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# These make an environment, or need one: they are checked by name and not run.
SET_UP = re.compile(r"make \w+|\. \.venv/bin/activate")
ELISION = "..."
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?%?(?![\w-])")


@dataclass
class Block:
    """A fenced block (its language) or a stretch of prose (no language)."""

    language: str
    text: str
    section: str

    @property
    def sets_up(self) -> bool:
        return all(SET_UP.match(line) for line in self.text.splitlines())

    @property
    def runs(self) -> bool:
        return self.language == "python" or (self.language == "sh" and not self.sets_up)


def blocks(readme: str) -> Iterator[Block]:
    """Cut a Markdown text at its fences and headings."""
    section = ""
    for part in re.split(r"(^```\w+\n(?s:.*?)^```$|^## .*$)", readme, flags=re.MULTILINE):
        if part.startswith("## "):
            section = part[3:]
        elif part.startswith("```"):
            language, _, text = part[3:-3].partition("\n")
            yield Block(language, text, section)
        elif part.strip():
            yield Block("", part, section)


def run(block: Block, folder: Path) -> str:
    """Run a block as a reader does who stands in a clone, and return what it prints."""
    here = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([here, os.environ.get("PATH", "")]),
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
    }
    shell = ["bash", "-eu", "-c"] if block.language == "sh" else [sys.executable, "-c"]
    done = subprocess.run(
        [*shell, block.text],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{block.text}\n{done.stderr}"
    return done.stdout


@dataclass
class Printed:
    """What the blocks of a README print."""

    by_block: dict[str, str] = field(default_factory=dict)
    by_section: dict[str, str] = field(default_factory=dict)


def run_all(readme: str, folder: Path) -> Printed:
    """Run every block that can run, in order."""
    printed = Printed()
    for block in blocks(readme):
        if block.runs:
            out = run(block, folder)
            printed.by_block[block.text] = out
            printed.by_section[block.section] = printed.by_section.get(block.section, "") + out
    return printed


def misquoted(readme: str, printed: Printed) -> list[str]:
    """Return the shown lines that the block before them does not print, in their order."""
    wrong = []
    out = ""
    for block in blocks(readme):
        if block.runs:
            out = printed.by_block[block.text]
        elif block.language == "text":
            wrong += _absent(block.text.splitlines(), out.splitlines())
    return wrong


def _absent(shown: list[str], lines: list[str]) -> list[str]:
    chunks: list[list[str]] = [[]]
    for line in shown:
        if line == ELISION:
            chunks.append([])
        else:
            chunks[-1].append(line)
    start = 0
    for chunk in chunks:
        found = [i for i in range(start, len(lines)) if lines[i : i + len(chunk)] == chunk]
        if not found:
            return chunk
        start = found[0] + len(chunk)
    return []


def said(text: str) -> set[str]:
    """Return the numbers in prose, without those in code, in links and in pictures."""
    bare = re.sub(r"`[^`]*`|!?\[[^]]*\]\([^)]*\)", "", text)
    return set(NUMBER.findall(bare))


def unsupported(readme: str, printed: Printed, known: set[str]) -> set[str]:
    """Return the numbers in prose that no command of their section prints."""
    return {
        number
        for block in blocks(readme)
        if not block.language
        for number in said(block.text)
        if number not in known and number not in _numbers(printed.by_section.get(block.section, ""))
    }


def _numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text.replace("-", " ")))
