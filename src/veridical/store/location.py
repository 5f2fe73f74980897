"""Where a store is: a file, or a database server."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from veridical.errors import ParameterError

__all__ = ["DEFAULT", "VARIABLE", "Location", "locate"]

DEFAULT: Final = Path(".veridical") / "veridical.db"
VARIABLE: Final = "VERIDICAL_STORE"
_SERVERS = {"postgresql", "postgres", "postgresql+psycopg"}


@dataclass(frozen=True, slots=True)
class Location:
    """A file, or the URL of a server.

    Attributes
    ----------
    path
        The file of SQLite; None for a server.
    url
        What SQLAlchemy connects to, with the password if there is one.
    shown
        What is printed: never a password.
    """

    path: Path | None
    url: str
    shown: str


def locate(where: str | os.PathLike[str] | None = None) -> Location:
    """Return the place that ``where`` names.

    Parameters
    ----------
    where
        A path, ``sqlite:///path`` or ``postgresql://...``; None for ``VERIDICAL_STORE`` of the
        environment, and without it ``.veridical/veridical.db``.

    Raises
    ------
    ParameterError
        It is a URL of some other kind.
    """
    text = os.fspath(where) if where is not None else os.environ.get(VARIABLE) or str(DEFAULT)
    if "\0" in text or not text.strip():
        raise ParameterError(
            "no store can be there: the name is empty or holds a zero byte",
            where=ascii(text)[:80],
            fix="give a path or a URL",
        )
    scheme, separator, rest = text.partition("://")
    if not separator:
        return _file(text)
    if scheme == "sqlite":
        return _file(rest.removeprefix("/"))
    if scheme not in _SERVERS:
        raise ParameterError(
            f"a store is a file or a PostgreSQL database, not {scheme[:40]}://",
            fix="give a path, or postgresql://user@host/database",
        )
    return _server(f"postgresql+psycopg://{rest}")


def _file(text: str) -> Location:
    return Location(Path(text), "sqlite+pysqlite://", text)


def _server(text: str) -> Location:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise ParameterError(
            "the URL of the store does not parse",  # what it says may hold a password
            fix="write postgresql://user@host:5432/database",
        ) from error
    shown = url.set(drivername="postgresql", password=None, query={})
    return Location(None, text, shown.render_as_string())
