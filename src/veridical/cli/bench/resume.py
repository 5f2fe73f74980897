"""``veridical bench resume``: go on with a run that was interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.bench.running import Workers, carried_out
from veridical.cli.options import Json

__all__ = ["resume"]


def resume(
    trajectories: Annotated[Path, Parameter(help="The file that `bench run` wrote.")],
    /,
    *,
    workers: Workers = 1,
    json: Json = False,
) -> int:
    """Run what is missing, and try again what could not be asked; what ended stays as it is."""
    from veridical.bench.running.plan import RunPlan

    return carried_out(RunPlan.read(trajectories), trajectories, workers, json=json)
