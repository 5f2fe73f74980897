"""Pages of the public names: Sphinx reads their docstrings where these pages name them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType, UnionType
from typing import Any, get_args

import veridical
from tools.reference.markdown import bullets, fence, plain
from veridical import errors

__all__ = ["python_pages"]

_CLASS = "autoclass:: veridical.{}\n   :members:\n   :inherited-members: str, tuple, Mapping"


def python_pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of each page: the public names by what they are."""
    public = {name: getattr(veridical, name) for name in sorted(veridical.__all__)}
    raised = {name: getattr(errors, name) for name in errors.__all__}
    verbs = [name for name, one in public.items() if inspect.isfunction(one)]
    families = [name for name, one in public.items() if isinstance(one, ModuleType)]
    unions = {name: one for name, one in public.items() if isinstance(one, UnionType)}
    nouns = [n for n in public if n not in {*verbs, *families, *unions, *raised}]
    told = {name: plain(_first(one)) for name, one in public.items()}
    told |= {n: " or ".join(f"`vd.{a.__name__}`" for a in get_args(u)) for n, u in unions.items()}
    yield (
        "index.md",
        _joined(
            "# Python",
            "`import veridical as vd`, and these are its names.",
            "## [Verbs](verbs.md)",
            bullets(f"`vd.{name}`: {told[name]}" for name in verbs),
            "## [What verbs return and take](nouns.md)",
            bullets(f"`vd.{name}`: {told[name]}" for name in sorted([*nouns, *unions])),
            "## [Errors](errors.md)",
            bullets(f"`vd.{name}`: {told[name]}" for name in public if name in raised),
            "## [Families of metrics](../metrics/index.md)",
            "Their metrics are measure objects, such as `vd.retrieval.ndcg @ 10`.",
            bullets(f"`vd.{name}`: {told[name]}" for name in families),
        ),
    )
    yield "verbs.md", _joined("# Verbs", *(_read(f"autofunction:: veridical.{n}") for n in verbs))
    yield (
        "nouns.md",
        _joined("# What verbs return and take", *(_read(_CLASS.format(name)) for name in nouns)),
    )
    yield (
        "errors.md",
        _joined(
            "# Errors",
            fence(inspect.cleandoc(errors.__doc__ or ""), "text"),
            *(_read(f"autoexception:: veridical.errors.{name}") for name in raised),
        ),
    )


def _first(one: Any) -> str:
    return (inspect.getdoc(one) or "").split("\n\n")[0]


def _joined(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def _read(directive: str) -> str:
    return fence(f".. {directive}", "{eval-rst}")
