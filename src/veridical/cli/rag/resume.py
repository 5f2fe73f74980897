"""``veridical rag resume``: a run that was interrupted goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.rag.running import (
    Config,
    NoCache,
    ended,
    opened,
    printing_is_talk,
    progress_line,
)
from veridical.cli.saving import StoreAt

__all__ = ["resume"]


def resume(
    run: Annotated[str, Parameter(help="Id or name of the run.")],
    /,
    *,
    config: Config = Path("veridical.yaml"),
    retry_failed: Annotated[
        bool, Parameter(show_default=False, help="Make calls that failed again.")
    ] = False,
    no_cache: NoCache = False,
    json: Json = False,
    store: StoreAt = None,
) -> int:
    """Go on with a run that was interrupted, or whose process was killed."""
    from veridical.rag.configuration import read_configuration
    from veridical.rag.running.runs import resume as go_on

    configuration = read_configuration(config)
    with opened(configuration, store) as kept:
        with printing_is_talk():
            closed = go_on(
                configuration,
                kept,
                run,
                retry_failed=retry_failed,
                use_cache=not no_cache,
                progress=progress_line(),
            )
        return ended(closed, json=json)
