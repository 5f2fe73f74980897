"""stdout is the result, stderr is the talk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, TextIO

from veridical import strict_json
from veridical.errors import OutputError, ParameterError, VeridicalError
from veridical.report.visible import inert, visible

__all__ = [
    "emit",
    "emit_json",
    "one_form",
    "prepare_streams",
    "talk",
    "told",
    "writing",
]


def prepare_streams() -> None:
    """Let no name that a terminal cannot encode stop a command: it is escaped instead.

    A stream that the caller closed takes what is written, and drops it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def emit(text: str) -> None:
    """Write a result to stdout, with a newline at its end.

    Raises
    ------
    OutputError
        It cannot be written: the disk is full, say.  A reader that has read enough and closed its
        pipe is no error.
    """
    _write(sys.stdout, text if text.endswith("\n") else f"{text}\n")


def emit_json(document: Any) -> None:
    """Write one strict JSON document to stdout, in UTF-8 whatever the terminal speaks."""
    # Whoever reads the document gets the same names; whoever looks at it is not led astray.
    text = inert(strict_json.dumps(document), _in_json) + "\n"
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        _write(sys.stdout, text)
    else:
        # JSON knows the escape of a lone surrogate that backslashreplace writes.
        _write(buffer, text.encode("utf-8", "backslashreplace"))


def _in_json(character: str) -> str:
    return f"\\u{ord(character):04x}"


def one_form(**forms: bool) -> None:
    """Raise where two forms are asked for, such as ``--json`` and ``--markdown``."""
    claimed = [f"--{name}" for name, asked in forms.items() if asked]
    if len(claimed) > 1:
        raise ParameterError(
            f"{' and '.join(claimed[:2])} both claim stdout", fix="give one of them"
        )


def told(error: VeridicalError) -> str:
    """Return the lines of an error; a hostile name in it cannot add a line of its own."""
    parts = (error.what, error.where, error.why, error.fix)
    what, where, why, fix = (visible(str(part)) for part in parts)
    lines = [f"{what} ({where})" if where else what]
    lines += [f"  {visible(one)}" for one in error.listed]
    lines += [f"  why: {why}"] if why else []
    return "\n".join([*lines, *([f"  fix: {fix}"] if fix else [])])


def talk(text: str, kind: str = "") -> None:
    """Write a sentence for the reader to stderr; control characters become visible."""
    lines = (visible(line) for line in text.split("\n"))
    prefix = f"veridical: {kind}: " if kind else ""
    try:
        sys.stderr.write(prefix + "\n".join(lines) + "\n")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def _write(stream: IO[Any], content: Any) -> None:
    with writing():
        stream.write(content)
        stream.flush()


@contextmanager
def writing() -> Iterator[None]:
    """Turn what goes wrong with stdout into an ``OutputError``, also what others write there."""
    try:
        yield
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # rich exits where a pipe is closed
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        raise OutputError(
            f"the result cannot be written: {error.strerror or error}",
            where="stdout",
            fix="free space, or write somewhere else",
        ) from error


def _discard(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush succeeds."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        return
