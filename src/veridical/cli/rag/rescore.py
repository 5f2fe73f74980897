"""``veridical rag rescore``: the answers of a run under other settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.rag.running import Config, NoCache, ended, opened, progress_line
from veridical.cli.saving import StoreAt, Tag, check_saving

__all__ = ["rescore"]


def rescore(
    run: Annotated[str, Parameter(help="Id or name of a finished run.")],
    /,
    *,
    config: Config = Path("veridical.yaml"),
    name: str | None = None,
    tag: Tag = None,
    no_cache: NoCache = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Score the answers of a run again, and keep that as a run of its own.

    The pipeline is not asked. The judge is asked for the verdicts that are not stored.
    """
    check_saving([] if name is None else [name], tag)
    from veridical.rag.configuration import read_configuration
    from veridical.rag.running.runs import rescore as score_again

    configuration = read_configuration(config)
    with opened(configuration, store) as kept:
        closed = score_again(
            configuration,
            kept,
            run,
            name=name,
            tags=tag or (),
            use_cache=not no_cache,
            progress=progress_line(),
        )
        return ended(closed, json=json)
