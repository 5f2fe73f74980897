"""``veridical rag run``: every case asked, judged where there is a judge, and kept."""

from __future__ import annotations

from functools import partial

from veridical.cli.keeping import check_saving
from veridical.cli.options import Json
from veridical.cli.rag.running import USUAL_CONFIG, Config, NoCache, carried_out
from veridical.cli.saving import Named, StoreAt, Tag

__all__ = ["run"]


def run(
    *,
    config: Config = USUAL_CONFIG,
    name: Named = None,
    tag: Tag = None,
    no_cache: NoCache = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Ask the pipeline every case, then the judge, and keep the run.

    Whatever the values are the exit code is 0: `veridical rag gate` judges them.
    """
    check_saving([] if name is None else [name], tag)
    from veridical.rag.running.runs import begin

    work = partial(begin, name=name, tags=tag or (), use_cache=not no_cache)
    return carried_out(work, config, store, json=json)
