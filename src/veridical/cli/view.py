"""``veridical view``: the runs of a store in the browser, on this machine alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.output import emit, talk
from veridical.extras import not_installed

if TYPE_CHECKING:
    from collections.abc import Callable

    from veridical.store import Store
    from veridical.view.server import Door

__all__ = ["view"]


def view(
    *,
    store: Annotated[
        str | None,
        Parameter(help="Where the runs are: a file, or the URL of a PostgreSQL database."),
    ] = None,
    port: Annotated[
        int | None, Parameter(help="Where to listen; 8642, or a free one where that is taken.")
    ] = None,
    no_browser: Annotated[
        bool, Parameter(show_default=False, help="Print the address, and open no browser.")
    ] = False,
) -> int:
    """Show the runs of a store in the browser, on this machine alone; Ctrl-C ends it."""
    show = _viewer()
    from veridical.store import Store
    from veridical.view.server import Door

    with Store(store, create=False) as opened:
        door = Door(port)

        def started() -> None:
            emit(door.address)
            talk("the address opens the viewer for whoever has it; Ctrl-C ends it")
            if not no_browser:
                door.open_browser()

        show(opened, door, started)
    return 0  # it was asked to end, and nothing was left undone


def _viewer() -> Callable[[Store, Door, Callable[[], None]], None]:
    """Return what shows a store.

    Raises
    ------
    MissingExtraError
        The libraries of the extra are not installed.
    """
    try:
        from veridical.view.server import show
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "veridical":
            raise
        raise not_installed(missing, "view") from error
    return show
