"""Listening on 127.0.0.1, saying where, and ending quietly."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from veridical.errors import ParameterError
from veridical.store import Store
from veridical.view.application import build

__all__ = ["DEFAULT_PORT", "Door", "listen", "show"]

DEFAULT_PORT = 8642
_HOST = "127.0.0.1"


class Door:
    """Where the viewer listens, and the secrets that open it."""

    def __init__(self, port: int | None = None) -> None:
        self.socket = listen(port)
        self.port: int = self.socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.once = secrets.token_urlsafe(24)

    @property
    def address(self) -> str:
        """The address to open: with the token."""
        return f"http://{_HOST}:{self.port}/?token={self.token}"

    def open_browser(self) -> None:
        """Start the browser, with a token that is good for one use.

        The address stands in the list of processes, which other users of the machine can read.
        """
        if sys.platform.startswith("linux") and not _has_screen():
            return
        address = f"http://{_HOST}:{self.port}/?token={self.once}"
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def listen(port: int | None) -> socket.socket:
    """Return a socket that listens on this machine alone.

    Parameters
    ----------
    port
        Which; None takes the usual one, or any other where that is taken.

    Raises
    ------
    ParameterError
        The port was asked for and is taken, or may not be used.
    """
    if port is not None and not 0 <= port <= 65535:
        raise ParameterError(f"{port} is no port", fix="give --port a number from 0 to 65535")
    try:
        return socket.create_server((_HOST, DEFAULT_PORT if port is None else port))
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return socket.create_server((_HOST, 0))
        # What the system says about the error repeats the address at length.
        why = os.strerror(error.errno) if error.errno else str(error)
        raise ParameterError(
            f"port {port} of {_HOST} cannot be used: {why}",
            fix="leave --port out, and a free one is taken",
        ) from error


def _has_screen() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show(store: Store, door: Door, started: Callable[[], None] = lambda: None) -> None:
    """Show a store until the process is asked to end.

    Parameters
    ----------
    store
        Whose runs are shown.
    door
        Where to listen.
    started
        Called once, when requests are answered.
    """
    app = build(store, token=door.token, once=door.once, port=door.port)
    settings = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        # Addresses hold names of runs and, once, the token: nobody needs a log of them.
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    started()  # the socket listens already: whoever comes now waits a moment
    try:
        uvicorn.Server(settings).run(sockets=[door.socket])
    except KeyboardInterrupt:
        return  # Ctrl-C is how one ends it
    finally:
        door.socket.close()
