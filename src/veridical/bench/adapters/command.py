"""``command``: a program in any language, one process a case.

It reads one JSON object on standard input, ``{"task", "prompt", "files_dir"}``, and writes one on
standard output: the submission, or ``{"submission_raw": "...", "usage": ..., "shape": "...",
"model": "...", "provider": "..."}`` where it knows what it spent.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.bench.adapters.isolation import (
    Isolation,
    chosen,
    in_force,
    readable_of,
    whole_paths,
    wrapped,
)
from veridical.bench.agents.protocol import AgentResult, InfraError
from veridical.errors import FileFormatError
from veridical.report.visible import visible

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools
    from veridical.bench.cases import TaskView

__all__ = ["CommandAgent"]

_LONGEST_END: Final = 10.0
"""Seconds between the end of its output and that of the program."""
_LARGEST_OUTPUT: Final = (1 << 20) + 1
"""One byte more than a submission may have: what is longer is refused, and read no further."""
_LAST_WORDS: Final = 300
"""Characters of a complaint that are told."""
_ENVELOPE: Final = {"submission_raw", "usage", "shape", "model", "provider"}


class CommandAgent:
    """An agent that is a program.

    It gets a process group of its own, an environment of ``PATH``, ``HOME``, ``TMPDIR``, ``LANG``
    and what is allowed by name, and a folder that holds a copy of the case's files and nothing
    else.

    Parameters
    ----------
    words
        The program and its arguments; no shell reads them.
    name, version
        As reports show them.
    environment
        Names of variables that it may see; their values are recorded nowhere.
    readable
        Files and folders that it may read beside those that ``words`` name.
    isolation
        What keeps it from reading more; ``auto`` takes the best that works here.

    Raises
    ------
    ConfigurationError
        There is no such program, or the isolation does not work here.
    """

    def __init__(
        self,
        words: Sequence[str],
        name: str | None = None,
        version: str = "1",
        *,
        environment: Sequence[str] = (),
        readable: Sequence[str] = (),
        isolation: Isolation = "auto",
    ) -> None:
        self._words = whole_paths(words)
        self._environment = tuple(environment)
        more = [str(Path(place).absolute()) for place in readable]
        self._readable = [*readable_of(self._words), *more]
        self._way = chosen(isolation)
        self._complained = False
        self.name = name or Path(self._words[-1]).name
        self.version = version
        self.config: Mapping[str, Any] = {
            "kind": "command",
            "words": list(words),
            "environment": sorted(environment),
        }

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Run the program on a case."""
        seconds = task.limits.seconds
        with tempfile.TemporaryDirectory(
            prefix="veridical-case-", ignore_cleanup_errors=True
        ) as made:
            folder = Path(made)
            inputs, scratch = folder / "inputs", folder / "tmp"
            inputs.mkdir()
            scratch.mkdir()
            for name, content in tools.raw_files().items():
                (inputs / name).write_bytes(content)
            asked = _asked(task, inputs)
            output, errors, code = self._talked(asked, folder, seconds)
        if code is None:
            return AgentResult(usage=None, stop_reason="time_limit", isolation=in_force(self._way))
        if code != 0:
            self._complain(errors)
            raise InfraError("exit", f"the command ended with code {code}", usage=None)
        return _read(output, in_force(self._way))

    def _complain(self, errors: bytes) -> None:
        """Tell once what the program said last; it may hold a key, and is not kept."""
        lines = errors.decode("utf-8", "replace").strip().splitlines()
        if lines and not self._complained:
            self._complained = True
            sys.stderr.write(f"{visible(f'{self.name}: {lines[-1]}')[:_LAST_WORDS]}\n")

    def _talked(
        self, asked: bytes, folder: Path, seconds: float
    ) -> tuple[bytes, bytes, int | None]:
        """Return output, the end of its errors, and the exit code; None where its time was up."""
        words = wrapped(self._way, self._words, folder, self._readable)
        allowed = {name: os.environ[name] for name in self._environment if name in os.environ}
        try:
            process = subprocess.Popen(  # noqa: S603 - it is the agent that was asked for
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder / "inputs",
                env={
                    "PATH": os.defpath,
                    "LANG": "C.UTF-8",
                    "HOME": str(folder),
                    "TMPDIR": str(folder / "tmp"),
                    **allowed,
                },
                start_new_session=True,
            )
        except OSError as error:
            raise InfraError("not_started", f"no start: {type(error).__name__}") from error
        assert process.stdin is not None  # noqa: S101 - it was asked for
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        output: list[bytes] = []
        errors = bytearray()
        talking = [
            threading.Thread(target=_tell, args=(process.stdin, asked), daemon=True),
            threading.Thread(target=_hear, args=(process.stdout, output), daemon=True),
            threading.Thread(target=_overhear, args=(process.stderr, errors), daemon=True),
        ]
        try:
            for thread in talking:
                thread.start()
            talking[1].join(seconds)
            if talking[1].is_alive():
                return b"", b"", None
            said = b"".join(output)
            if len(said) < _LARGEST_OUTPUT:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = process.wait(min(seconds, _LONGEST_END))
                    talking[2].join(1.0)
                    return said, bytes(errors), code
            return said, b"", 0  # it has said all it will, and is ended below
        finally:
            # Whatever it started ends with it, in time or not.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for thread, pipe in ((talking[1], process.stdout), (talking[2], process.stderr)):
                thread.join(1.0)
                if not thread.is_alive():  # else something that fled still holds the pipe
                    pipe.close()


def _tell(stream: IO[bytes], asked: bytes) -> None:
    with contextlib.suppress(OSError):  # it need not listen
        stream.write(asked)
        stream.close()


def _hear(stream: IO[bytes], output: list[bytes]) -> None:
    left = _LARGEST_OUTPUT
    while left and (piece := stream.read1(min(left, 1 << 16))):  # type: ignore[attr-defined]
        output.append(piece)
        left -= len(piece)


def _overhear(stream: IO[bytes], errors: bytearray) -> None:
    """Read to the end, so that nobody waits, and keep the end alone."""
    while piece := stream.read1(1 << 16):  # type: ignore[attr-defined]
        errors += piece
        del errors[: -4 * _LAST_WORDS]


def _asked(task: TaskView, inputs: Path) -> bytes:
    document = {
        "task": {
            "case_id": task.case_id,
            "files": [{"name": name, "bytes": size} for name, size in task.files],
            "limits": {"turns": task.limits.turns, "seconds": task.limits.seconds},
        },
        "prompt": task.prompt,
        "files_dir": str(inputs),
    }
    return strict_json.canonical(document) + b"\n"


def _read(output: bytes, isolation: str) -> AgentResult:
    text = output.decode("utf-8", "replace").strip()
    try:
        document = strict_json.loads(text)
    except (FileFormatError, RecursionError):
        document = None
    if not isinstance(document, dict) or "submission_raw" not in document:
        return AgentResult(final_text=text, usage=None, isolation=isolation)
    if set(document) - _ENVELOPE:
        return AgentResult(final_text=text, usage=None, isolation=isolation)
    said = {name: document.get(name) for name in ("submission_raw", "shape", "model", "provider")}
    if not all(one is None or isinstance(one, str) for one in said.values()):
        return AgentResult(final_text=text, usage=None, isolation=isolation)
    return AgentResult(
        final_text=said["submission_raw"],
        usage=document.get("usage"),
        shape=said["shape"],
        model=said["model"],
        provider=said["provider"],
        isolation=isolation,
    )
