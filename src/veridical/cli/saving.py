"""``--save [NAME] [--tag ...] [--store WHERE]`` of every command that evaluates."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from cyclopts import Group, Parameter

__all__ = ["Named", "Save", "StoreAt", "Tag"]

_KEEP = Group("Keeping", sort_key=6)

Save: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        group=_KEEP,
        consume_multiple=(0, 1),
        help="Keep the run, under a name if one is given; see `veridical runs`.",
    ),
]
Tag: TypeAlias = Annotated[
    list[str] | None, Parameter(group=_KEEP, help="A word to find the saved run by; repeat it.")
]
Named: TypeAlias = Annotated[
    str | None,
    Parameter(
        group=_KEEP, help="What the run is called; of several of one name the newest counts."
    ),
]
StoreAt: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--store",
        group=_KEEP,
        help="Where runs are kept: a file, or postgresql://user@host/database. "
        "By default .veridical/veridical.db.",
    ),
]
