"""Which address is which page, and what is said when something goes wrong."""

from __future__ import annotations

from pathlib import PurePath

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from veridical.errors import (
    FileFormatError,
    ParameterError,
    RunNotFoundError,
    StoreError,
    VeridicalError,
)
from veridical.store import Store
from veridical.store.browsing import Browser
from veridical.view.guard import Guard
from veridical.view.listing import runs_page
from veridical.view.one_run import document_page, progress_page, run_page
from veridical.view.recent import Held
from veridical.view.rendering import assets, chart_style, compile_templates, rendered
from veridical.view.trends import trends_page
from veridical.view.two_runs import compare_page, difference_page
from veridical.view.unit_pages import units_page

__all__ = ["build"]

_YEAR = "private, max-age=31536000, immutable"


def build(store: Store, *, token: str, port: int, once: str | None = None) -> Guard:
    """Return the viewer of a store.

    Parameters
    ----------
    store
        Whose runs are shown; nothing is written to it.
    token, port, once
        See ``Guard``.
    """
    app = Starlette(
        routes=[
            Route("/", runs_page),
            Route("/runs/{id}", run_page),
            Route("/runs/{id}/units", units_page),
            Route("/runs/{id}/progress", progress_page),
            Route("/runs/{id}/document.json", document_page),
            Route("/compare", compare_page),
            Route("/compare/difference", difference_page),
            Route("/trends", trends_page),
            Route("/static/{digest}/{name}", _static),
        ],
        exception_handlers={
            VeridicalError: _failed,
            HTTPException: _not_found,
            Exception: _broken,
        },
    )
    compile_templates()
    app.state.store = store
    app.state.browser = Browser(store)
    app.state.held = Held()
    path = store.location.path
    app.state.store_name = store.location.shown if path is None else PurePath(path).name
    return Guard(app, token=token, port=port, once=once, style_hashes=[chart_style()])


def _static(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None or found.digest != request.path_params["digest"]:
        raise HTTPException(404)
    return Response(found.content, media_type=found.media_type, headers={"Cache-Control": _YEAR})


def _failed(request: Request, error: Exception) -> Response:
    """Say what is wrong as the command line would; a later reload may find it right."""
    status, title = next(
        (told for kind, told in _PROBLEMS.items() if isinstance(error, kind)),
        (500, "This cannot be shown"),
    )
    return rendered(request, "problem.html", status=status, title=title, error=error)


_PROBLEMS = {
    RunNotFoundError: (404, "There is no such run"),
    ParameterError: (400, "This address cannot be answered"),
    StoreError: (503, "The store cannot be read just now"),
    FileFormatError: (500, "This run is damaged"),
}


def _not_found(request: Request, error: Exception) -> Response:
    del error
    problem = VeridicalError("there is no such page", fix="begin with the list of runs")
    return rendered(
        request, "problem.html", status=404, title="There is no such page", error=problem
    )


def _broken(request: Request, error: Exception) -> Response:
    """Say so briefly; the traceback goes to the terminal."""
    problem = VeridicalError(
        f"internal error: {type(error).__name__}",
        fix="report what the terminal of `veridical view` says",
    )
    return rendered(request, "problem.html", status=500, title="Something broke", error=problem)
