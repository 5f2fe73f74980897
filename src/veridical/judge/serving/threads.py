"""A mock server in a thread of its own, for whoever has no event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from veridical.judge.serving.server import MockServer

__all__ = ["in_thread"]


@contextmanager
def in_thread(server: MockServer) -> Iterator[MockServer]:
    """Run a server in another thread until the block ends.

    Examples
    --------
    >>> with in_thread(MockServer(lambda request: "{}")) as server:
    ...     server.base_url.startswith("http://127.0.0.1:")
    True
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="veridical-mock", daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
        try:
            yield server
        finally:
            ended = server.__aexit__(None, None, None)
            asyncio.run_coroutine_threadsafe(ended, loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
