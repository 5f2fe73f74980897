"""What the verbs of ``veridical monitor`` have in common."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Group, Parameter

if TYPE_CHECKING:
    from veridical.monitor import Monitor

__all__ = ["Actor", "Name", "actor_of", "opened"]

MONITOR = Group("Monitor", sort_key=2)

Name: TypeAlias = Annotated[str, Parameter(help="What the monitor is called.")]
Actor: TypeAlias = Annotated[
    str | None,
    Parameter(group=MONITOR, help="Who does it; by default the user of this machine."),
]


@contextmanager
def opened(name: str, store: str | None, *, create: bool = False) -> Iterator[Monitor]:
    """Yield the monitor of a name in a store."""
    from veridical.monitor import Monitor
    from veridical.store import Store

    with Store(store, create=create) as kept:
        yield Monitor(kept, name)


def actor_of(actor: str | None) -> str:
    """Return who does it, as it is put on record."""
    if actor:
        return actor
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a process without a user, in a container for one
        return "unknown"
