"""A pipeline that is a program: a case as JSON on standard input, an answer on standard output."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical import strict_json
from veridical.errors import ConfigurationError
from veridical.rag.adapters.answering import CallFailedError
from veridical.rag.answer_fields import answer_of

if TYPE_CHECKING:
    from veridical.rag.answers import Answer, Chunk
    from veridical.rag.cases import Case

__all__ = ["CommandCalling"]


class CommandCalling:
    """One process a case; no shell reads its words.

    It gets ``{"id", "question", "language"}`` and one line's end, and writes an answer as JSON.

    Parameters
    ----------
    words
        The program and its arguments.
    folder
        Where it is started: that of the configuration.
    largest
        The most bytes of its output.
    """

    has_retrieve = False

    def __init__(self, words: Sequence[str], folder: Path, largest: int) -> None:
        if not words:
            raise ConfigurationError("the command has no words", fix="name a program")
        self._words = words
        self._folder = folder
        self._largest = largest

    async def open(self) -> None:
        """Nothing has to be made ready."""

    async def close(self) -> None:
        """Every process has ended with its case."""

    async def answer(self, case: Case) -> Answer:
        """Run the program once."""
        asked = {"id": case.id, "question": case.question, "language": case.language}
        try:
            process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=self._folder,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            name = type(error).__name__
            raise CallFailedError("not_started", f"the command does not start: {name}") from error
        try:
            output = await self._talked(process, strict_json.canonical(asked) + b"\n")
        finally:
            # Whatever it started ends with it, in time or not.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            # Its pipes would stay open for as long as something that it left behind holds them.
            process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001
            await process.wait()
        if process.returncode:
            raise CallFailedError("exit", f"the command ended with code {process.returncode}")
        return answer_of(_read(output))

    async def retrieve(self, case: Case) -> tuple[Chunk, ...]:
        """There is no retrieval of its own."""
        raise CallFailedError("no_retrieve", f"case {case.id[:40]!r} has no retrieval of its own")

    async def _talked(self, process: asyncio.subprocess.Process, asked: bytes) -> bytes:
        assert process.stdin is not None  # noqa: S101 - it was asked for
        assert process.stdout is not None  # noqa: S101
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it need not listen
            process.stdin.write(asked)
            await process.stdin.drain()
            process.stdin.close()
        pieces, size = [], 0
        while piece := await process.stdout.read(1 << 16):
            size += len(piece)
            if size > self._largest:
                raise CallFailedError("too_large", f"the answer is over {self._largest:,} bytes")
            pieces.append(piece)
        await process.wait()
        return b"".join(pieces)


def _read(output: bytes) -> object:
    try:
        return strict_json.loads(output.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CallFailedError("bad_reply", "the command wrote no JSON") from error
