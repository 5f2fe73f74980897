"""Keeping a run that was measured, where the command line asks for it.

It needs no parser, as the options of ``saving`` do: the commonest commands do without one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.cli.output import talk
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.evaluation.result_set import ResultSet

__all__ = ["check_saving", "keep"]


def check_saving(saved: Sequence[str] | None, tags: Sequence[str] | None) -> None:
    """Refuse a name or a tag that is none before anything is measured.

    Parameters
    ----------
    saved
        What stands after ``--save``, none or one; None where it was not asked for.
    tags
        What stands after each ``--tag``.

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


def keep(
    ev: ResultSet,
    saved: Sequence[str] | None,
    tags: Sequence[str] | None,
    store: str | None,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Keep an evaluation if that was asked for, and say where; the results were printed before.

    Parameters
    ----------
    ev
        What was measured.
    saved, tags
        As for ``check_saving``.
    store
        Where runs are kept; None for the usual place.
    settings
        Options that say more of how it was measured; those that were not given are left out.
    """
    if saved is None:
        return
    name = saved[0] if saved else None
    given = {key: value for key, value in (settings or {}).items() if value not in (None, [], ())}
    run = ev.save(name, tags=tags or (), store=store, settings=given)
    talk(f"saved: {run.label}")
    for part, why in run.left_out.items():
        talk(f"  without {part}: {why}")
