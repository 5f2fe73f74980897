"""``draft``: a run that is not stored yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.store.environment import environment, git_state
from veridical.store.run import (
    CONTEXT,
    DOCUMENT,
    SUMMARIES,
    UNITS,
    Kind,
    Run,
    State,
    checked_name,
    checked_tags,
    new_id,
)

if TYPE_CHECKING:
    from veridical.store.units import Units

__all__ = ["MOST_SUMMARY_BYTES", "draft"]

MOST_SUMMARY_BYTES: Final = 64 << 20
"""Larger summaries are not kept, and the run says so."""

_EMPTY: Final = {"schema": "veridical.evaluation/1", "source": {}, "results": []}


def draft(
    *,
    kind: Kind,
    document: Mapping[str, Any] | None = None,
    name: str | None = None,
    tags: Iterable[str] | str = (),
    state: State = "finished",
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    data_sha256: str | None = None,
    summaries: Sequence[Mapping[str, Any]] = (),
    units: Units | None = None,
    left_out: Mapping[str, str] | None = None,
) -> Run:
    """Return a run made here and now, for ``Store.save``.

    Parameters
    ----------
    kind, name, tags, state, data_sha256
        See ``RunHead``.
    document
        Schema ``veridical.evaluation/1``; None while there are no results yet.
    settings, seed
        What was decided before.
    summaries
        Portable forms, each with the subject and slice that it is of.
    units
        The outcome of every unit.
    left_out
        Parts that are not kept, and why.

    Raises
    ------
    ParameterError
        A name or tag that is none.
    """
    created = datetime.now(UTC)
    missing = dict(left_out or {})
    parts = {DOCUMENT: _written(_EMPTY if document is None else document)}
    if summaries:
        content = strict_json.canonical(list(summaries))
        if len(content) > MOST_SUMMARY_BYTES:
            missing[SUMMARIES] = f"they take {len(content):,} bytes"
        else:
            parts[SUMMARIES] = content
    if units is not None and len(units):
        from veridical.store.units import MOST_UNITS

        if len(units) > MOST_UNITS:
            missing[UNITS] = f"there are {len(units):,}, more than {MOST_UNITS:,}"
        else:
            parts[UNITS] = units.to_bytes()
    parts[CONTEXT] = strict_json.canonical(
        {
            "settings": dict(settings or {}),
            "seed": seed,
            "environment": environment(),
            "git": git_state(),
            "left_out": missing,
        }
    )
    return Run(
        id=new_id(created),
        kind=kind,
        name=None if name is None else checked_name(name),
        tags=checked_tags(tags),
        created=created,
        state=state,
        data_sha256=data_sha256,
        parts=parts,
    )


def _written(document: Mapping[str, Any]) -> bytes:
    """Return a document as ``--json`` prints it, its fields in their order, without line ends."""
    text = strict_json.dumps(document, indent=None)
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate has no UTF-8 form
