"""``GroupCommit``: many small writes, one transaction; durable before the caller goes on.

A write that survives a power cut waits for the disk, some milliseconds.  Writes that arrive while
the disk works are put into the next transaction together, so that hundreds of tasks wait for it a
few times and not one after the other.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeVar

from sqlalchemy import Connection

from veridical.errors import StoreError, StoreUnreachableError

if TYPE_CHECKING:
    from veridical.store.database import Database
    from veridical.store.runs import Store

__all__ = ["GroupCommit"]

T = TypeVar("T")
_MOST: Final = 500
"""How many writes one transaction takes, so that none waits long."""


class _Write(NamedTuple):
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class GroupCommit:
    """One thread that writes for many tasks.

    A write that fails is undone, and takes no other along: those that shared its transaction are
    then made again, each in one of its own.

    Parameters
    ----------
    store
        Where to write.

    Examples
    --------
    >>> import asyncio, tempfile
    >>> from veridical.store import Store
    >>> from veridical.store.verdicts import NewVerdict
    >>> async def keep(store):
    ...     verdicts = store.verdicts()
    ...     async with GroupCommit(store) as commit:
    ...         return await asyncio.gather(*(
    ...             commit(lambda connection, key=key: verdicts.put_all_in(
    ...                 connection, [NewVerdict(key, b"{}", "refusal", "judge-1")]))
    ...             for key in "abc"))
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     asyncio.run(keep(store)), store.verdicts().get("c")
    ([[b'{}'], [b'{}'], [b'{}']], b'{}')
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def __aenter__(self) -> Self:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="veridical-writer", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what still waits, and end the thread."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(None)
            await asyncio.shield(asyncio.to_thread(thread.join))

    async def __call__(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a transaction; return what it returned once that is on the disk.

        Parameters
        ----------
        work
            What to write.  It runs in another thread, must not wait for anything, and may run
            twice, where another write of the same transaction failed: what it did first is undone.

        Raises
        ------
        StoreError
            The transaction failed, or the store is closed; nothing of it was written.
        """
        if self._thread is None:
            raise StoreError(
                "nothing is written outside `async with GroupCommit(store)`",
                fix="enter it first: async with GroupCommit(store) as writer",
            )
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Write(work, future, loop))
        return await future

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, ends = [first], False
            while len(batch) < _MOST and not ends:
                try:
                    one = self._queue.get_nowait()
                except Empty:
                    break
                ends = one is None
                batch += [] if one is None else [one]
            _settle(batch, _written(self.store.database, batch))
            if ends:
                return


def _written(database: Database, batch: list[_Write]) -> list[Any]:
    """Return what each write returned, or its exception; after the transaction's end."""
    results: list[Any] = []
    begun = False
    try:
        with database.writing() as connection:
            begun = True
            for one in batch:
                results.append(one.work(connection))  # noqa: PERF401 - how far it came counts
    except Exception as error:  # noqa: BLE001 - told to those who wait
        one_failed = begun and len(results) < len(batch)
        if len(batch) == 1 or not one_failed or isinstance(error, StoreUnreachableError):
            return [_Failed(error)] * len(batch)
    else:
        return results
    # Rare, and so much cheaper than a savepoint around every write.
    return [result for one in batch for result in _written(database, [one])]


class _Failed(NamedTuple):
    error: Exception


def _settle(batch: list[_Write], results: list[Any]) -> None:
    """Resume the callers of a batch; one call into each loop, not one for each write."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for one, result in zip(batch, results, strict=True):
        by_loop.setdefault(one.loop, []).append((one.future, result))
    for loop, pairs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resume, pairs)
        except RuntimeError:  # the loop was closed meanwhile: nobody waits
            continue


def _resume(pairs: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in pairs:
        if future.done():  # who waited was cancelled
            continue
        if isinstance(result, _Failed):
            future.set_exception(result.error)
        else:
            future.set_result(result)
