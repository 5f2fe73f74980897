"""``veridical rag resume``: a run that was interrupted goes on where it stopped."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.rag.running import USUAL_CONFIG, Config, NoCache, carried_out
from veridical.cli.saving import StoreAt

__all__ = ["resume"]


def resume(
    run: Annotated[
        str, Parameter(help="Id or name of the run; latest is the newest unfinished one.")
    ],
    /,
    *,
    config: Config = USUAL_CONFIG,
    retry_failed: Annotated[
        bool, Parameter(show_default=False, help="Make calls that failed again.")
    ] = False,
    no_cache: NoCache = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Go on with a run that was interrupted, or whose process was killed."""
    from veridical.rag.running.runs import resume as go_on

    work = partial(go_on, reference=run, retry_failed=retry_failed, use_cache=not no_cache)
    return carried_out(work, config, store, json=json)
