"""Templates, static files, and the words that every page needs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from veridical.report.display import count_text, name_text
from veridical.report.visible import inert

__all__ = [
    "Asset",
    "asset_path",
    "assets",
    "chart_style",
    "chips",
    "compile_templates",
    "query",
    "rendered",
    "run_path",
]

_SCRIPT, _STYLE = "text/javascript", "text/css"
_FILES = {
    "report.css": ("veridical.report", _STYLE),
    "charts.js": ("veridical.report", _SCRIPT),
    "view.css": ("veridical.view", _STYLE),
    "view.js": ("veridical.view", _SCRIPT),
    "theme.js": ("veridical.view", _SCRIPT),
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file: its content, its type, and the hash that stands in its address."""

    content: bytes
    media_type: str
    digest: str


@cache
def assets() -> Mapping[str, Asset]:
    """Return every static file by name."""
    found = {}
    for name, (package, media_type) in _FILES.items():
        content = _file(package, name)
        found[name] = Asset(content, media_type, hashlib.sha256(content).hexdigest()[:16])
    return found


def _file(package: str, name: str) -> bytes:
    return resources.files(package).joinpath("assets", name).read_bytes()


def asset_path(name: str) -> str:
    """Return the address of a static file; it changes with the content, so it may be cached."""
    return f"/static/{assets()[name].digest}/{name}"


def chart_style() -> str:
    """Return the source under which the charts' own style sheet is allowed."""
    digest = hashlib.sha256(_file("veridical.report", "plot.css")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def query(*changes: Mapping[str, object]) -> str:
    """Return parameters of an address, later ones over earlier ones; what is empty is left out.

    Examples
    --------
    >>> query({"tag": "a&b", "page": 3}, {"page": None})
    'tag=a%26b'
    """
    merged: dict[str, object] = {}
    for change in changes:
        merged |= change
    given = {key: value for key, value in merged.items() if value not in {None, ""}}
    return urlencode({key: name_text(str(value)) for key, value in given.items()})


def run_path(run_id: str, page: str = "") -> str:
    """Return the address of a run, or of one of its pages."""
    return f"/runs/{quote(run_id, safe='')}{f'/{page}' if page else ''}"


@cache
def _templates() -> Environment:
    environment = Environment(
        # The report's sections are shown as they are in the report.
        loader=ChoiceLoader([PackageLoader("veridical.view"), PackageLoader("veridical.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["count"] = count_text
    environment.globals.update(asset=asset_path, query=query, run_path=run_path)
    return environment


def compile_templates() -> None:
    """Compile every template now, so that nobody's first look waits for it."""
    environment = _templates()
    for name in environment.list_templates():
        environment.get_template(name)


def rendered(request: Request, template: str, *, status: int = 200, **context: Any) -> Response:
    """Return a page."""
    html = (
        _templates()
        .get_template(template)
        .render(
            nonce=request.scope["nonce"],
            store_name=request.app.state.store_name,
            here=request.url.path,
            **context,
        )
    )
    return HTMLResponse(inert(name_text(html)), status)


def chips(labels: Mapping[str, str], given: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    """Yield label, value and the address without it, for each filter that is set."""
    for key, label in labels.items():
        if given.get(key):
            yield label, given[key], query(given, {key: None, "page": None})
