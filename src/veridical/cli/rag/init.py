"""``veridical rag init``: a small project that works, to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from veridical.cli.output import emit, talk

__all__ = ["init"]


def init(
    folder: Annotated[Path, Parameter(help="Where to; it is made where it is not there.")] = Path(),
    /,
    *,
    force: Annotated[
        bool, Parameter(show_default=False, help="Replace files of the same names.")
    ] = False,
) -> int:
    """Write a small project that works: a pipeline, documents, cases and a configuration."""
    from veridical.rag.example import write_project

    for path in write_project(folder, force=force):
        emit(str(path))
    go = "" if folder == Path() else f"  cd {shlex.quote(str(folder))}\n"
    talk(
        "a pipeline that answers 60 questions about a library that is made up; put your own in"
        f" its place. Try:\n{go}"
        "  veridical rag run\n"
        "  veridical rag report --report report.html\n"
        "  veridical rag gate latest"
    )
    return 0
