"""``veridical metrics``: list the metrics, or explain one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.output import emit, emit_json

if TYPE_CHECKING:
    from veridical.metric_catalogue import CatalogueEntry

__all__ = ["metrics"]

_WIDTH = 80
_SECTIONS = ("Formula", "When it is undefined", "Notes", "References")


def metrics(
    name: Annotated[
        str | None, Parameter(help="Metric, alias or short name, such as PR-AUC.")
    ] = None,
    /,
    *,
    standard: Annotated[
        bool,
        Parameter(
            show_default=False,
            help="Show the master table of the metric standard: those that it names alone.",
        ),
    ] = False,
    json: Annotated[bool, Parameter(show_default=False, help="Print one JSON document.")] = False,
) -> int:
    """List the metrics, or explain one."""
    from veridical.metric_catalogue import catalogue, entry_of
    from veridical.metrics import find

    chosen = catalogue() if name is None else entry_of(find(name))
    if standard:
        chosen = [entry for entry in chosen if entry.symbol is not None]
    if json:
        entries = [entry.to_dict() for entry in chosen]
        emit_json({"schema": "veridical.metrics/1", "metrics": entries})
    elif standard:
        emit("\n".join(_master_table(chosen)))
    elif name is None:
        emit("\n".join(_listing(chosen)))
    else:
        emit("\n\n".join("\n".join(_explanation(entry)) for entry in chosen))
    return 0


def _listing(entries: Iterable[CatalogueEntry]) -> Iterator[str]:
    family = ""
    for entry in entries:
        if entry.family != family:
            yield from ([""] if family else [])
            family = entry.family
            yield family
        summary = _unquoted(entry.definition_text.split("\n")[0])
        name = f"  {entry.id.ljust(36)} "
        yield from textwrap.wrap(
            summary, _WIDTH, initial_indent=name, subsequent_indent=" " * len(name)
        )
    yield ""
    yield "`veridical metrics NAME` explains one."


def _master_table(entries: Iterable[CatalogueEntry]) -> Iterator[str]:
    from veridical.regulation import CAUTION, load_regulations

    table = load_regulations()
    yield f"{table.standard}, status of each text as of {table.as_of}"
    order = [row.metric for row in table.rows]
    for entry in sorted(entries, key=lambda entry: order.index(entry.id)):
        yield ""
        yield f"{entry.symbol}  {entry.id}"
        texts = list(table.of(entry.id))
        cited = (f"{row.theme} of {text.name}: {text.told}" for row, text in texts)
        warned = dict.fromkeys(filter(None, (table.warning(text) for _, text in texts)))
        facts = {
            "purpose": entry.purpose,
            "range": entry.range,
            "target": entry.standard,
            "reading": entry.reading,
            "cited": "; ".join(cited),
            "warning": "; ".join(one.removeprefix("warning: ") for one in warned),
            "module": entry.module,
        }
        for label, fact in facts.items():
            if not fact:
                continue
            yield from textwrap.wrap(
                f"  {label.ljust(9)}{fact}",
                _WIDTH,
                subsequent_indent=" " * 11,
                break_on_hyphens=False,
            )
    yield ""
    yield from textwrap.wrap(f"{CAUTION} `veridical metrics NAME` explains one.", _WIDTH)


def _explanation(entry: CatalogueEntry) -> Iterator[str]:
    documentation = entry.definition.documentation
    yield entry.id
    yield from _paragraphs(documentation.get("", ""))
    for heading in _SECTIONS:
        if heading in documentation:
            yield ""
            yield heading
            yield from _paragraphs(documentation[heading])
    yield ""
    yield from _facts(entry)


def _unquoted(text: str) -> str:
    """Take the code marks of a docstring away."""
    return text.replace("``", "")


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in _unquoted(text).split("\n\n"):
        yield from textwrap.wrap(
            " ".join(paragraph.split()), _WIDTH, initial_indent="  ", subsequent_indent="  "
        )


def _facts(entry: CatalogueEntry) -> Iterator[str]:
    from veridical.regulation import CAUTION

    cited = [("cited", line) for line in entry.evidence]
    cited += [("caution", CAUTION)] if cited else []
    for name, fact in [*entry.facts().items(), *cited]:
        yield from textwrap.wrap(
            f"{name.ljust(11)}{fact}",
            _WIDTH,
            subsequent_indent=" " * 11,
            break_on_hyphens=False,
        )
