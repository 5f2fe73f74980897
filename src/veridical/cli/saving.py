"""``--save [NAME] [--tag ...] [--store WHERE]`` of every command that evaluates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import Group, Parameter

from veridical.cli.output import talk
from veridical.errors import ParameterError
from veridical.store.run import checked_name, checked_tags

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["Named", "Save", "StoreAt", "Tag", "check_saving", "save"]

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


def check_saving(saved: Sequence[str] | None, tags: Sequence[str] | None) -> None:
    """Refuse a name or a tag that is none before anything is measured.

    Raises
    ------
    ParameterError
        It is none, or there are tags without a run to be saved.
    """
    if saved is None:
        if tags:
            raise ParameterError("--tag is for a run that is saved", fix="add --save")
        return
    for name in saved:
        checked_name(name)
    checked_tags(tags or ())


def save(
    ev: ResultSet,
    saved: Sequence[str] | None,
    tags: Sequence[str] | None,
    store: str | None,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Keep an evaluation if that was asked for, and say where; the results were printed before."""
    if saved is None:
        return
    name = saved[0] if saved else None
    given = {key: value for key, value in (settings or {}).items() if value not in (None, [], ())}
    run = ev.save(name, tags=tags or (), store=store, settings=given)
    talk(f"saved: {run.label}")
    for part, why in run.left_out.items():
        talk(f"  without {part}: {why}")
