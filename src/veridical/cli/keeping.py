"""Keeping a run that was measured, where the command line asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.cli.output import talk
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["check_saving", "save"]


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
    from veridical.store.run import checked_name, checked_tags

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
