"""What a reference stands for: an id, a name, the beginning of one, or ``latest``."""

from __future__ import annotations

import difflib
from typing import Final

from sqlalchemy import Connection, select

from veridical.errors import RunNotFoundError
from veridical.store.run import LATEST, spelt
from veridical.store.schema import is_storable, runs

__all__ = ["found_among"]

_SHOWN: Final = 5
_SUGGESTED_FROM: Final = 10_000


def found_among(connection: Connection, reference: str, where: str) -> str:
    """Return the id of the run that a reference stands for; errors name the store ``where``.

    Raises
    ------
    RunNotFoundError
        It stands for none, or for several; the message lists what is near.
    """
    wanted = spelt(reference)
    newest = runs.c.created.desc(), runs.c.id.desc()
    if wanted.casefold() == LATEST:
        of_finished = select(runs.c.id).where(runs.c.state == "finished").order_by(*newest)
        run_id = connection.execute(of_finished.limit(1)).scalar()
        if run_id is None:
            raise RunNotFoundError(
                "no run is finished yet",
                where=where,
                fix="keep one: `veridical evaluate --save`, or `veridical rag run`",
            )
        return str(run_id)
    for exact in (
        select(runs.c.id).where(runs.c.id == wanted),
        select(runs.c.id).where(runs.c.name == wanted).order_by(*newest).limit(1),
    ):
        run_id = connection.execute(exact).scalar() if is_storable(wanted) else None
        if run_id is not None:
            return str(run_id)
    # Compared here, not in the database: no character of it means anything there.
    known = connection.execute(
        select(runs.c.id, runs.c.name).order_by(*newest).limit(_SUGGESTED_FROM)
    ).all()
    ids = [run_id for run_id, _ in known if wanted and run_id.startswith(wanted)]
    names = {
        name: run_id
        for run_id, name in reversed(known)
        if wanted and (name or "").startswith(wanted)
    }
    if len(ids) + len(names) == 1:
        return str([*ids, *names.values()][0])
    raise _not_one(wanted, [*names, *ids], [(i, n) for i, n in known], where)


def _not_one(
    wanted: str, candidates: list[str], known: list[tuple[str, str | None]], where: str
) -> RunNotFoundError:
    shown = wanted[:80]
    if candidates:
        more = ", ..." if len(candidates) > _SHOWN else ""
        return RunNotFoundError(
            f"{shown!r} is the beginning of {len(candidates)} names or ids",
            where=where,
            fix=f"write more of it: {', '.join(candidates[:_SHOWN])}{more}",
        )
    names = list(dict.fromkeys(name for _, name in known if name))
    near = difflib.get_close_matches(wanted[:200], [*names, *(i for i, _ in known)], n=3)
    if near:
        fix = f"did you mean {' or '.join(near)}?"
    elif known:
        fix = f"the newest run is {known[0][1] or known[0][0]}; see `veridical runs list`"
    else:
        fix = "the store is empty; keep a run: `veridical evaluate --save`, or `veridical rag run`"
    return RunNotFoundError(f"there is no run {shown!r}", where=where, fix=fix)
