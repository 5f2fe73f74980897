"""A page of the documentation as examples: its fences, its claims, and the numbers of its prose."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from sybil import Document, Example, Region

ROOT = Path(__file__).resolve().parents[2]
TAGS = ("csv", "json", "mermaid", "python", "sh", "text", "toml", "yaml")
LESSON_TAGS = ("mermaid", "python")
CLAIM = re.compile(
    r"(?P<shown>\*\*[^*\n]+\*\*|`[^`\n]+`|\$[^$\n]+\$|[^\s|*`$]+)<!--\s*=(?P<code>.*?)-->",
    re.DOTALL,
)
COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
# A comment of Python or of a shell.
COMMENTED = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)
TITLE = re.compile(r"^\s*accTitle: *\S", re.MULTILINE)
# What a comment on the line before a fence says of it.
FILE = re.compile(r"file: *(\S+)")
NOT_RUN = re.compile(r"not run: *(\S.*)", re.DOTALL)
NUMBERS = re.compile(r"numbers: *(\S.*)", re.DOTALL)
FILE_NAME = re.compile(r"# ([\w./-]+\.\w+)(?:: .*)?\n")
NUMBER = re.compile(r"(?<![\w.,-])[-+−]?(\d+(?:,\d{3})*(?:\.\d+)*(?:e[-+]?\d+)?%?)(?![\w-])")


@dataclass(frozen=True)
class Fence:
    """A fenced block: its tag, the file that it is, and why it does not run, if so.

    Of a diagram, `numbers` is the expression of those that stand in it.
    """

    tag: str
    text: str
    file: str | None
    not_run: str | None
    numbers: str | None = None

    @property
    def runs(self) -> bool:
        return self.tag in {"python", "sh"} and self.file is None and self.not_run is None


@dataclass(frozen=True)
class Claim:
    """What the prose shows, and the expression that it must be equal to."""

    shown: str
    code: str


@dataclass(frozen=True)
class Page:
    """A page: where it lies in the repository, and its text."""

    name: str
    text: str

    @cached_property
    def document(self) -> Document:
        document = Document(self.text, self.name)
        for region in [*_fences(self), *_claims(self)]:
            document.add(region)
        return document

    @property
    def examples(self) -> list[Example]:
        """Return fences and claims in the order in which they stand."""
        return list(self.document)

    @cached_property
    def tokens(self) -> list[Token]:
        return MarkdownIt("gfm-like", {"linkify": False}).use(dollarmath_plugin).parse(self.text)

    @property
    def counts(self) -> dict[str, int]:
        """Count the fences of each tag, and the claims."""
        found = Counter(
            one.parsed.tag if isinstance(one.parsed, Fence) else "claims" for one in self.examples
        )
        return dict(sorted(found.items()))

    def section(self, line: int) -> int:
        """Return the line of the `##` heading that a line stands below, or 0."""
        starts = [
            token.map[0] + 1
            for token in self.tokens
            if token.type == "heading_open" and token.tag == "h2" and token.map
        ]
        return max((start for start in starts if start <= line), default=0)


def pages() -> list[Path]:
    """Return the hand-written pages, and the README."""
    site = ROOT / "docs" / "site"
    found = [path for path in ROOT.glob("docs/**/*.md") if site not in path.parents]
    return [ROOT / "README.md", *sorted(found)]


def page(path: Path) -> Page:
    """Read a page."""
    return Page(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def _fences(page: Page) -> Iterator[Region]:
    starts = [0, *(found.end() for found in re.finditer("\n", page.text)), len(page.text)]
    for token in page.tokens:
        if token.type == "fence":
            start, end = (starts[line] for line in token.map)
            told = _comment_before(page.text[:start])
            told_file, not_run = FILE.fullmatch(told), NOT_RUN.fullmatch(told)
            drawn = NUMBERS.fullmatch(told)
            tag = token.info.strip()
            name = told_file or (FILE_NAME.match(token.content) if tag != "text" else None)
            parsed = Fence(
                tag, token.content, name and name[1], not_run and not_run[1], drawn and drawn[1]
            )
            yield Region(start, end, parsed)


def _comment_before(text: str) -> str:
    found = list(COMMENT.finditer(text))
    last = found[-1] if found else None
    return last[1].strip() if last and re.fullmatch(r"[ \t]*\n[ \t]*", text[last.end() :]) else ""


def _claims(page: Page) -> Iterator[Region]:
    for found in CLAIM.finditer(page.text):
        shown = found["shown"].strip("*`$")
        yield Region(found.start(), found.end(), Claim(shown, found["code"].strip()))


def numbers(text: str) -> set[str]:
    """Return the numbers of a text, without signs and what parts their thousands."""
    return {one.replace(",", "") for one in NUMBER.findall(re.sub(r"(?<=\d)_(?=\d)", "", text))}


def said(page: Page) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of prose, formulas and diagrams: no code, and no links.

    A code span that is a number and nothing else is none of code.
    """
    for token in page.tokens:
        line = token.map[0] + 1 if token.map else 0
        if token.type == "math_block" or _is_diagram(token):
            yield line, _apart(token.content)
        elif token.type == "inline":
            yield line, "".join(_words(token.children or []))


def commented(page: Page) -> Iterator[tuple[int, str]]:
    """Yield the line and the comments of each block that is run."""
    for example in page.examples:
        if isinstance(example.parsed, Fence) and example.parsed.runs:
            yield example.line, " ".join(COMMENTED.findall(example.parsed.text))


def _apart(formula: str) -> str:
    """Part the 4 of `4n` from the letter, for it is a number."""
    return re.sub(r"(?<=\d)(?=[a-z])", " ", formula)


def _is_diagram(token: Token) -> bool:
    return token.type == "fence" and token.info.strip() == "mermaid"


def _is_number(token: Token) -> bool:
    return token.type == "code_inline" and NUMBER.fullmatch(token.content) is not None


def _words(tokens: Iterable[Token]) -> Iterator[str]:
    links = 0
    for token in tokens:
        links += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type in {"softbreak", "hardbreak"}:
            yield " "
        elif links == 0 and (token.type in {"text", "math_inline"} or _is_number(token)):
            yield _apart(token.content) if token.type == "math_inline" else token.content
        else:
            yield "\u200b"


def faults_of_form(page: Page) -> list[str]:
    """Return what the form of a page has against it, each with its line."""
    found = [*_headings(page), *_fences_of(page), *_pictures(page), *_beside(page)]
    claims = sum(isinstance(one.parsed, Claim) for one in page.examples)
    if claims != sum(one[1].strip().startswith("=") for one in COMMENT.finditer(page.text)):
        found.append((1, "a claim's comment has nothing right before it"))
    return [f"{page.name}:{line}: {what}" for line, what in found]


def _beside(page: Page) -> Iterator[tuple[int, str]]:
    for one in page.examples:
        before, behind = page.text[: one.start][-1:], page.text[one.end :]
        if isinstance(one.parsed, Claim) and (before in "-−+±" or re.match(" ?%", behind)):
            yield one.line, "a sign beside a claim, which nothing computes"


def _headings(page: Page) -> Iterator[tuple[int, str]]:
    level = 0
    for token in page.tokens:
        if token.type == "heading_open":
            now = int(token.tag[1])
            if now > level + 1 or (now == 1 and level > 0):
                yield token.map[0] + 1, f"a heading of level {now} below one of level {level}"
            level = now
    if level == 0:
        yield 1, "no heading"


def _fences_of(page: Page) -> Iterator[tuple[int, str]]:
    tags = LESSON_TAGS if page.name.startswith("docs/lessons/") else TAGS
    for token in page.tokens:
        line = token.map[0] + 1 if token.map else 0
        tag = token.info.strip()
        if token.type == "code_block":
            yield line, "an indented block; fence it, with a tag"
        elif token.type == "fence" and not _is_closed(page, token):
            yield line, "a fence that is left open"
        elif token.type == "fence" and tag not in tags:
            yield line, f"a fence tagged {tag!r}; here may stand {', '.join(tags)}"
        elif token.type == "fence" and tag == "mermaid" and not TITLE.search(token.content):
            yield line, "a diagram without accTitle: who cannot see it has nothing"


def _is_closed(page: Page, token: Token) -> bool:
    last = page.text.splitlines()[token.map[1] - 1]
    return last.strip(" >") == token.markup and token.map[1] - token.map[0] > 1


def _pictures(page: Page) -> Iterator[tuple[int, str]]:
    for token in page.tokens:
        line = token.map[0] + 1 if token.map else 0
        for part in [token, *(token.children or [])]:
            if part.type in {"html_block", "html_inline"} and COMMENT.sub("", part.content).strip():
                yield line, "HTML that is no comment"
            if part.type == "image" and len(part.content.split()) < 3:
                yield line, "a picture without alt text of three words or more"
