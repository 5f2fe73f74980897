"""``veridical metrics``: list the metrics, or explain one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from veridical.cli.output import emit, emit_json

if TYPE_CHECKING:
    from veridical.measures import Definition

__all__ = ["metrics"]

_WIDTH = 80
_SECTIONS = ("Formula", "When it is undefined", "Notes", "References")


def metrics(
    name: Annotated[
        str | None, Parameter(help="Metric, alias or short name, such as PR-AUC.")
    ] = None,
    /,
    *,
    json: Annotated[bool, Parameter(show_default=False, help="Print one JSON document.")] = False,
) -> int:
    """List the metrics, or explain one."""
    from veridical.metrics import catalogue, find

    if name is not None:
        measure = find(name)
        given = measure.parameters
        chosen = [measure.definition] if given else list(measure.forms.values())
    else:
        chosen = [form for measure in catalogue() for form in measure.forms.values()]
    if json:
        entries = [_entry(definition) for definition in chosen]
        emit_json({"schema": "veridical.metrics/1", "metrics": entries})
    elif name is None:
        emit("\n".join(_listing(chosen)))
    else:
        emit("\n\n".join("\n".join(_explanation(definition)) for definition in chosen))
    return 0


def _entry(definition: Definition) -> dict[str, Any]:
    documentation = definition.documentation
    return {
        "metric": definition.id,
        "family": definition.family,
        "definition": documentation.get("", ""),
        "formula": documentation.get("Formula"),
        "undefined": documentation.get("When it is undefined"),
        "parameters": [
            {
                "name": parameter.name,
                "domain": parameter.domain,
                "required": parameter.required,
                "default": None if parameter.required else parameter.default,
            }
            for parameter in definition.parameters
        ],
        "settings": list(definition.settings),
        "better": definition.better,
        "bounds": list(definition.bounds),
        "interval": _interval(definition),
        "probabilities": definition.probabilities,
        "aliases": list(definition.aliases),
        "companions": list(definition.companions),
        "references": documentation.get("References"),
    }


def _interval(definition: Definition) -> str | None:
    """Return how the interval is made, in words; None where there is none."""
    if definition.interval is None:
        return None
    method = definition.interval
    documented = (getattr(method, "__doc__", None) or "").strip().split("\n")[0].rstrip(".")
    return _unquoted(documented) or str(getattr(method, "__name__", "")).replace("_", " ")


def _listing(definitions: Iterable[Definition]) -> Iterator[str]:
    family = ""
    for definition in definitions:
        if definition.family != family:
            yield from ([""] if family else [])
            family = definition.family
            yield family
        summary = _unquoted(definition.documentation.get("", "").split("\n")[0])
        name = f"  {definition.id.ljust(36)} "
        yield from textwrap.wrap(
            summary, _WIDTH, initial_indent=name, subsequent_indent=" " * len(name)
        )
    yield ""
    yield "`veridical metrics NAME` explains one."


def _explanation(definition: Definition) -> Iterator[str]:
    documentation = definition.documentation
    yield definition.id
    yield from _paragraphs(documentation.get("", ""))
    for heading in _SECTIONS:
        if heading in documentation:
            yield ""
            yield heading
            yield from _paragraphs(documentation[heading])
    yield ""
    yield from _facts(definition)


def _unquoted(text: str) -> str:
    """Take the code marks of a docstring away."""
    return text.replace("``", "")


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in _unquoted(text).split("\n\n"):
        yield from textwrap.wrap(
            " ".join(paragraph.split()), _WIDTH, initial_indent="  ", subsequent_indent="  "
        )


def _facts(definition: Definition) -> Iterator[str]:
    low, high = definition.bounds
    facts = {
        "better": definition.better,
        "range": f"{_bound(low, 'no lower bound')} to {_bound(high, 'no upper bound')}",
        "interval": _interval(definition) or "none",
        "parameters": "; ".join(_parameter(p) for p in definition.parameters),
        "needs": ", ".join(_needs(definition)),
        "aliases": ", ".join(definition.aliases),
        "beside it": ", ".join(definition.companions),
    }
    for name, fact in facts.items():
        if fact:
            yield from textwrap.wrap(
                f"{name.ljust(11)}{fact}",
                _WIDTH,
                subsequent_indent=" " * 11,
                break_on_hyphens=False,
            )


def _bound(bound: float | None, words: str) -> str:
    return words if bound is None else f"{bound:g}"


def _parameter(parameter: Any) -> str:
    default = "required" if parameter.required else f"default {parameter.default}"
    return f"{parameter.name}: {parameter.domain} ({default})"


def _needs(definition: Definition) -> Iterator[str]:
    if definition.probabilities:
        yield "forecasts in [0, 1]"
    yield from (f"{name}=" for name in definition.settings if name != "level")
