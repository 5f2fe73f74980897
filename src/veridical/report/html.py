"""``render_report``: one self-contained HTML file that asks the network for nothing.

The page's content security policy names its two style sheets and its one script by hash, and
allows nothing else: a column called ``<img src=x onerror=...>`` is text, and stays text even if an
escape were forgotten somewhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from veridical.report.display import count_text, name_text
from veridical.report.page import page_context
from veridical.report.page_data import embedded_json, page_data
from veridical.report.payload import Payload
from veridical.report.visible import inert

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["render_page", "render_report", "templates"]


def render_report(payload: Payload) -> str:
    """Return the report as HTML text, to be written as UTF-8.

    Parameters
    ----------
    payload
        Its content; every string in it is treated as hostile.

    Returns
    -------
    str
        The same payload always gives the same text.

    Examples
    --------
    >>> passport = {"source": "scores.csv", "sha256": None, "rows": 0, "label": "y",
    ...             "positive": "1", "level": 0.95, "seed": 0, "versions": {}}
    >>> payload = {"title": "<b>", "passport": passport, "subjects": [], "results": []}
    >>> "<title>&lt;b&gt;</title>" in render_report(payload)
    True
    """
    # Without a score column there is nothing for the script to draw.
    data = page_data(payload) if payload["subjects"] else None
    return render_page("report.html", page_context(payload), data)


def render_page(template: str, context: Mapping[str, Any], data: object = None) -> str:
    """Return a page that asks the network for nothing, to be written as UTF-8.

    Parameters
    ----------
    template
        One that extends ``frame.html``.
    context
        Its variables; strings are escaped.
    data
        What the script reads, as JSON; None where it has nothing to draw.
    """
    style, plot_style, script = _asset("report.css"), _asset("plot.css"), _asset("charts.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}' '{_hash(plot_style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    html = (
        templates()
        .get_template(template)
        .render(
            context,
            content_security_policy=policy,
            style=Markup(style),  # noqa: S704 - a file of this package
            script=Markup(script),  # noqa: S704 - a file of this package
            data=Markup("" if data is None else embedded_json(data)),  # noqa: S704 - escaped
        )
    )
    return inert(name_text(html))


@cache
def templates() -> Environment:
    """Return the report's templates, which escape whatever is put into them."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(lambda name: _text("templates", name)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["count"] = count_text
    return environment


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    return _text("assets", name)


@cache
def _text(folder: str, name: str) -> str:
    return resources.files("veridical.report").joinpath(folder, name).read_text(encoding="utf-8")
