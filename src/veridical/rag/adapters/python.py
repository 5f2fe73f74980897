"""A pipeline that is a Python callable: a function or an object, synchronous or asynchronous."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from veridical import strict_json
from veridical.errors import ConfigurationError, InputError, MissingExtraError
from veridical.rag.adapters.answering import CallFailedError
from veridical.rag.adapters.own_loop import OwnLoop
from veridical.rag.answer_fields import answer_of, chunks_of
from veridical.rag.answers import Answer, Chunk

if TYPE_CHECKING:
    from veridical.rag.cases import Case

__all__ = ["PythonCalling"]

T = TypeVar("T")


class PythonCalling:
    """``module:callable``, the module found beside the configuration first.

    The callable gets the question, and returns a text or ``{"text", "citations",
    "retrieved_chunks"}``.  A ``retrieve`` of the callable, or of its module, gives the chunks where
    the answer does not.

    Parameters
    ----------
    target
        ``module:callable``; the second part may have dots.
    folder
        Of the configuration.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self._call, module = _found(target, folder)
        retrieve = getattr(self._call, "retrieve", None) or getattr(module, "retrieve", None)
        self._retrieve: Callable[..., Any] | None = retrieve if callable(retrieve) else None
        self.has_retrieve = self._retrieve is not None
        self._loop = OwnLoop()

    async def open(self) -> None:
        """Nothing has to be made ready."""

    async def close(self) -> None:
        """Nothing that hangs is waited for: its case has timed out."""
        await self._loop.close()

    async def answer(self, case: Case) -> Answer:
        """Ask the callable once."""
        given: Answer = await self._called(self._call, case.question, _kept_answer)
        return given

    async def retrieve(self, case: Case) -> tuple[Chunk, ...]:
        """Ask ``retrieve`` once."""
        assert self._retrieve is not None  # noqa: S101 - has_retrieve says so
        given: tuple[Chunk, ...] = await self._called(self._retrieve, case.question, _kept_chunks)
        return given

    async def _called(
        self, function: Callable[..., Any], question: str, reader: Callable[[Any], Any]
    ) -> Any:
        """Call, and read what came where it was made: an object may hang when it is looked at."""

        def called(question: str) -> Any:
            given = function(question)
            return given if inspect.isawaitable(given) else _read(reader, given)

        async def awaited(given: Any) -> Any:
            return _read(reader, await given)

        try:
            if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
                getattr(function, "__call__", None)  # noqa: B004 - an object may be asynchronous
            ):
                return await self._loop.awaited(lambda: awaited(function(question)))
            given = await _in_a_thread(called, question)
            waits = inspect.isawaitable(given)
            return await self._loop.awaited(lambda: awaited(given)) if waits else given
        except (TimeoutError, CallFailedError):
            raise
        except BaseException as error:
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and (task is None or task.cancelling()):
                raise  # it is us who cancelled it
            # Its message may quote a key or a document; the type alone says enough.
            name = type(error).__name__
            raise CallFailedError("exception", f"the pipeline raised {name}") from error


def _read(reader: Callable[[Any], T], given: Any) -> T:
    """Read what a pipeline returned, whose objects may do anything when they are looked at."""
    try:
        return reader(given)
    except CallFailedError:
        raise
    except InputError as error:
        raise CallFailedError("bad_reply", error.what[:300]) from error
    except BaseException as error:
        told = f"what the pipeline returned cannot be read: {type(error).__name__}"
        raise CallFailedError("bad_reply", told) from error


def _kept_answer(given: Any) -> Answer:
    answer = answer_of(given)
    chunks = answer.retrieved_chunks
    return replace(answer, retrieved_chunks=None if chunks is None else _as_kept(chunks))


def _kept_chunks(given: Any) -> tuple[Chunk, ...]:
    return _as_kept(chunks_of(given))


def _as_kept(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """Return chunks with their metadata as they will be read from the store."""
    try:
        return tuple(
            replace(one, metadata=strict_json.loads(strict_json.canonical(one.metadata)))
            if one.metadata
            else one
            for one in chunks
        )
    except (TypeError, ValueError, RecursionError, InputError) as error:
        told = f"the metadata of a chunk is no JSON: {type(error).__name__}"
        raise CallFailedError("bad_reply", told) from error


async def _in_a_thread(function: Callable[..., Any], question: str) -> Any:
    """Call a function in a thread that nothing waits for: it may hang, and the process must end."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def call() -> None:
        outcome: tuple[Any, BaseException | None]
        try:
            outcome = function(question), None
        except BaseException as error:  # noqa: BLE001 - raised again where it was called
            outcome = None, error
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
            loop.call_soon_threadsafe(_settle, came, outcome)

    threading.Thread(target=call, name="veridical-pipeline", daemon=True).start()
    given, error = await came
    if error is not None:
        raise error
    return given


def _settle(came: asyncio.Future[Any], outcome: Any) -> None:
    if not came.done():  # its case has timed out
        came.set_result(outcome)


def _found(target: str, folder: Path) -> tuple[Callable[..., Any], Any]:
    name, colon, path = target.partition(":")
    if not colon or not name or not path:
        raise ConfigurationError(
            f"the target {target[:80]!r} names no callable", fix="write module:callable"
        )
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module(name)
        found: Any = module
        for part in path.split("."):
            found = getattr(found, part)
    except (MissingExtraError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ConfigurationError(
            f"the target {target[:80]!r} cannot be loaded: {type(error).__name__}: {error}"[:300],
            why="the module is looked for beside the configuration, then where Python looks",
            fix="correct pipeline.target",
        ) from error
    if not callable(found):
        raise ConfigurationError(f"{target[:80]!r} is not callable", fix="name a function")
    return found, module
