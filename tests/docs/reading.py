"""Read a page as a reader does who types what it says: run its blocks in order, and check it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import yaml
from sybil import Example, Lexeme
from sybil.evaluators.python import PythonEvaluator

from tests.docs.pages import COMMENTED, NUMBER, ROOT, Claim, Fence, Page, commented, numbers, said

ELISION = "..."
# These make an environment, or need one: they are checked by name and not run.
SET_UP = re.compile(r"make [\w-]+|\. \.venv/bin/activate|")
# Where `veridical rag serve-mock` listens if nothing else is said, and so what pages name.
PORT = "8643"
# Seconds that a block may take; one that is killed has exit code -9.
PATIENCE = 600


class WrongPageError(AssertionError):
    """What a page says is not so."""


class Shell:
    """One bash for all commands of a page: what it exports and where it stands stays."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        here = Path(sys.executable).parent
        kept = {name: one for name, one in os.environ.items() if not name.startswith("VERIDICAL_")}
        self.port = _free_port()
        self.scratch = folder
        self.environment = kept | {
            "PATH": os.pathsep.join([str(here), os.environ.get("PATH", "")]),
            "PYTHONUTF8": "1",
            "COLUMNS": "80",
            "VERIDICAL_PORT": self.port,
            **settings,
        }
        self.process = None

    def _start(self, place: Path) -> None:
        self.process = subprocess.Popen(
            ["bash", "-eu"],
            cwd=place,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, text: str, place: Path) -> tuple[str, Path]:
        """Run commands; return what they print, and the folder where they end."""
        if self.process is None:
            self._start(place)
        block, out, err = (self.scratch / name for name in ("block.sh", "out.txt", "err.txt"))
        block.write_text(text.replace(PORT, self.port), encoding="utf-8")
        done = self._told(f". '{block}' </dev/null >'{out}' 2>'{err}'; pwd -P")
        printed = out.read_text(encoding="utf-8").replace(self.port, PORT)
        if done is None:
            code = self.end()
            last = err.read_text(encoding="utf-8")[-2_000:]
            raise WrongPageError(f"a command failed, exit code {code}:\n{text}\n{last}")
        return printed, Path(done)

    def _told(self, line: str) -> str | None:
        def kill(*_: object) -> None:
            os.killpg(self.process.pid, signal.SIGKILL)

        before = signal.signal(signal.SIGALRM, kill)
        signal.alarm(PATIENCE)
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            return self.process.stdout.readline().rstrip("\n") or None
        except BrokenPipeError:
            return None
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)

    def end(self) -> int | None:
        """End it, and whatever it left running; return the exit code of what ended it."""
        code = None
        if self.process is not None:
            # At the end of its input a shell ends, with the last exit code.
            with suppress(BrokenPipeError):
                self.process.stdin.close()
            code = self.process.wait()
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            for pipe in (self.process.stdin, self.process.stdout):
                with suppress(BrokenPipeError):
                    pipe.close()
            self.process = None
        return code


def _free_port() -> str:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


@dataclass
class Reading:
    """What came of reading a page: what each section printed or computed, and what is wrong."""

    wrong: list[str] = field(default_factory=list)
    known: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    # Of the whole page, and without what comments of the code say.
    computed: set[str] = field(default_factory=set)
    place: Path = Path()
    # Of the block that ran last; None where there was none, or it was not run.
    output: str | None = None
    printed: list[str] = field(default_factory=list)


def read(
    page: Page,
    folder: Path,
    *,
    given: Path | None = None,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Reading:
    """Do what a page says, in a folder that holds what a clone holds of use to a reader.

    Files of the reader's, which the page supposes, are in the folder `given`; `settings` are
    added to the environment of its commands.
    """
    place = folder / "clone"
    left_out = shutil.ignore_patterns("__pycache__", ".veridical")
    shutil.copytree(ROOT / "examples", place / "examples", ignore=left_out)
    if given is not None:
        shutil.copytree(given, place, dirs_exist_ok=True)
    shell = Shell(folder, settings)
    reading = Reading(place=place)
    page.document.namespace["__name__"] = "__main__"
    try:
        with _modules_of(folder):
            for example in page.examples:
                _read_one(page, example, shell, reading)
    finally:
        shell.end()
    return reading


def _read_one(page: Page, example: Example, shell: Shell, reading: Reading) -> None:
    known = reading.known[page.section(example.line)]
    check = _claim if isinstance(example.parsed, Claim) else _fence
    try:
        found = check(example, shell, reading).replace("-", " ")
        known |= numbers(found)
        reading.computed |= numbers(COMMENTED.sub("", found))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a page does wrong is told with its line
        kind = "" if isinstance(error, WrongPageError) else f"{type(error).__name__}: "
        reading.wrong.append(f"{page.name}:{example.line}: {kind}{error}")


def _claim(example: Example, shell: Shell, reading: Reading) -> str:
    claim: Claim = example.parsed
    with chdir(reading.place):
        found = str(eval(claim.code, example.namespace))  # noqa: S307 - a page of ours
    if found != claim.shown:
        raise WrongPageError(f"the page says {claim.shown}, and {claim.code} is {found}")
    return claim.shown


def _fence(example: Example, shell: Shell, reading: Reading) -> str:
    fence: Fence = example.parsed
    if fence.tag in PARSERS:
        PARSERS[fence.tag](fence.text)
    if fence.numbers is not None:
        _compare_numbers(fence, example.namespace)
        return fence.text
    if fence.file is not None:
        target = reading.place / fence.file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(fence.text, encoding="utf-8")
    elif fence.tag == "text" and fence.not_run is None:
        _compare(fence.text, reading.output)
    elif fence.not_run is not None and fence.tag != "text":
        reading.output = None
    elif fence.runs and not _sets_up(fence):
        reading.output = None  # for what follows, if this fails
        reading.output = _run(example, shell, reading)
        reading.printed.append(reading.output)
        return fence.text + reading.output
    return "" if fence.tag == "mermaid" else fence.text


def _sets_up(fence: Fence) -> bool:
    return fence.tag == "sh" and all(SET_UP.fullmatch(line) for line in fence.text.splitlines())


def _run(example: Example, shell: Shell, reading: Reading) -> str:
    if example.parsed.tag == "sh":
        printed, reading.place = shell.run(example.parsed.text, reading.place)
        return printed
    out = io.StringIO()
    text = example.parsed.text
    example.parsed = Lexeme(text, offset=0, line_offset=0)
    with chdir(reading.place), redirect_stdout(out), _found_first(reading.place):
        PythonEvaluator()(example)
    return out.getvalue()


@contextmanager
def _found_first(place: Path) -> Iterator[None]:
    """Let modules that the page writes be imported, as they are where Python is started."""
    sys.path.insert(0, str(place))
    try:
        yield
    finally:
        sys.path.remove(str(place))


@contextmanager
def _modules_of(folder: Path) -> Iterator[None]:
    """Forget afterwards what was imported from a folder."""
    try:
        yield
    finally:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]


def _compare(shown: str, printed: str | None) -> None:
    if printed is None:
        raise WrongPageError("nothing before this block prints anything")
    if missing := absent(shown.splitlines(), printed.splitlines()):
        raise WrongPageError("not printed:\n" + "\n".join(missing) + f"\n\nbut\n\n{printed}")


def _compare_numbers(fence: Fence, names: dict[str, object]) -> None:
    shown = NUMBER.findall(fence.text)
    found = [str(one) for one in eval(fence.numbers, names)]  # noqa: S307 - a page of ours
    if found != shown:
        raise WrongPageError(f"the diagram has {shown}, and {fence.numbers} is {found}")


def absent(shown: list[str], lines: list[str]) -> list[str]:
    """Return the first run of shown lines that is not among the printed ones, in their order."""
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


def unsupported(page: Page, reading: Reading, facts: set[str]) -> list[str]:
    """Return the numbers that nothing gives, with their lines.

    Those of the prose must come from their section; those of a comment in code from anywhere on
    the page, which the comment itself is not.
    """
    prose = list(said(page))
    elsewhere = facts.union(reading.computed, *(numbers(words) for _, words in prose))
    return [
        f"{page.name}:{line}: {number} is in no claim and no block of its section"
        for line, words in prose
        for number in sorted(numbers(words) - facts - reading.known[page.section(line)])
    ] + [
        f"{page.name}:{line}: {number}, in a comment, is nowhere else on the page"
        for line, words in commented(page)
        for number in sorted(numbers(words) - elsewhere)
    ]


def _json(text: str) -> None:
    """Read one document, or one a line."""
    try:
        json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError:
        for line in text.splitlines():
            json.loads(line, parse_constant=_refuse)


def _refuse(constant: str) -> float:
    raise WrongPageError(f"{constant} is not JSON")


def _csv(text: str) -> None:
    if len({len(row) for row in csv.reader(io.StringIO(text), strict=True) if row}) != 1:
        raise WrongPageError("rows of different lengths")


PARSERS: dict[str, Callable[[str], object]] = {
    "csv": _csv,
    "json": _json,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}
