"""``veridical learn``: lessons in the terminal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from veridical.cli.output import emit

__all__ = ["learn"]


def learn(
    name: Annotated[str | None, Parameter(help="Which lesson; without it they are listed.")] = None,
    /,
    *,
    quiz: Annotated[
        bool, Parameter(show_default=False, help="Ask questions instead of telling.")
    ] = False,
    no_pause: Annotated[
        bool, Parameter(show_default=False, help="Ask nothing, and run through.")
    ] = False,
) -> int:
    """Learn how one knows whether a model is any good."""
    from veridical.lessons import LESSONS, lesson_called
    from veridical.lessons.narrating import examine, narrate, reader

    if name is None:
        widest = max(len(lesson.name) for lesson in LESSONS)
        listed = [f"{lesson.name.ljust(widest)}  {lesson.title}" for lesson in LESSONS]
        emit("\n".join([*listed, "", "`veridical learn NAME` tells one; with --quiz it asks."]))
        return 0
    tell = examine if quiz else narrate
    tell(lesson_called(name), emit, reader(pause=not no_pause))
    return 0
