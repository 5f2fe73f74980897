"""``veridical rag rescore``: the answers of a run under other settings."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.keeping import check_saving
from veridical.cli.options import Json
from veridical.cli.rag.running import USUAL_CONFIG, Config, NoCache, carried_out
from veridical.cli.saving import Named, StoreAt, Tag

__all__ = ["rescore"]


def rescore(
    run: Annotated[str, Parameter(help="Id or name of a finished run.")],
    /,
    *,
    config: Config = USUAL_CONFIG,
    name: Named = None,
    tag: Tag = None,
    no_cache: NoCache = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Score the answers of a run again, and keep that as a run of its own.

    The pipeline is not asked. The judge is asked for the verdicts that are not stored.
    """
    check_saving([] if name is None else [name], tag)
    from veridical.rag.running.runs import rescore as score_again

    work = partial(score_again, reference=run, name=name, tags=tag or (), use_cache=not no_cache)
    return carried_out(work, config, store, json=json)
