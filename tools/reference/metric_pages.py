"""A page for each family of metrics, from the catalogue, and one for the figures of the bench."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from tools.reference.hidden_behind import hidden_behind
from tools.reference.markdown import anchor, bullets, fence, paragraphs, plain
from veridical.bench.scoring.agent_score import HEADLINE
from veridical.bench.scoring.figures import FIGURES
from veridical.errors import VeridicalError
from veridical.metric_catalogue import CatalogueEntry, catalogue
from veridical.metrics import find
from veridical.regulation import CAUTION, load_regulations

__all__ = ["FAMILIES", "metric_pages"]


class Family(NamedTuple):
    """What a family has in common: what it is about, what it reads, who measures it."""

    title: str
    reads: str
    command: str
    python: str = ""


_SCORES = (
    "veridical evaluate FILE --label L --score S",
    "vd.evaluate(data, [NAME], label=L, score=S)",
)
_RANKING = ("veridical rank RUN --qrels FILE", "vd.evaluate_ranking(run, qrels, [NAME])")
_RUN = "veridical rag run"
_NAMES = """\
A name is `family.name`, and a parameter follows `@`; where one metric answers to it, the short name
or an alias will do."""
_OF_TRAJECTORIES = """\
Computed from what an agent did, by `veridical bench score` and `report`. No file of rows has them,
so `veridical metrics` lists none. The first four in a report are read together, never one alone."""
_OF_STANDARD = ("purpose", "range", "standard", "reading")
FAMILIES = {
    "binary": Family("Two classes: decisions and ranking", "labels and scores", *_SCORES),
    "calibration": Family("Calibration of probabilities", "labels and forecasts", *_SCORES),
    "cost": Family("What errors cost", "labels, scores and prices", *_SCORES),
    "drift": Family(
        "How far data have moved",
        "a reference and a current sample",
        "veridical drift REFERENCE CURRENT",
        "vd.evaluate_drift(reference, current, [NAME])",
    ),
    "fairness": Family(
        "How differently groups are treated",
        "decisions and groups; where a metric is about errors, labels",
        "veridical fairness FILE --decision D --group G --favourable V",
        "vd.evaluate_fairness(data, [NAME], decision=D, groups=G, favourable=V)",
    ),
    "retrieval": Family("Ranked lists", "runs and judgements of relevance", *_RANKING),
    "trec": Family("Ranked lists, by trec_eval's rules", "runs and judgements", *_RANKING),
    "text": Family(
        "Texts against references",
        "candidates and references",
        "veridical text --candidates FILE --references FILE",
        "vd.evaluate_text(candidates, references, [NAME])",
    ),
    "agreement": Family(
        "How far raters agree",
        "a column of labels for each rater",
        "veridical agree FILE --rater A --rater B",
        "vd.evaluate_agreement(data, [NAME], raters=[A, B])",
    ),
    "generation": Family("Answers of a pipeline", "answers and a judge's verdicts", _RUN),
    "robustness": Family("Questions not to answer, and attacks", "answers", _RUN),
    "echo": Family("Answers to the letter", "answers and expected answers", _RUN),
}


def metric_pages(not_proved: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each page.

    Parameters
    ----------
    not_proved
        The page on what each number does not prove: its rows are quoted at their metrics.
    """
    families = {
        name: list(entries) for name, entries in groupby(catalogue(), key=lambda one: one.family)
    }
    yield "index.md", _index(families)
    yield "standard.md", _standard({entry.id: entry for entry in catalogue()})
    for name, entries in families.items():
        yield f"{name}.md", _family(name, entries, not_proved)
    yield "bench.md", _bench(not_proved)


def _index(families: dict[str, list[CatalogueEntry]]) -> str:
    count = sum(map(len, families.values()))
    parts = [
        "# Metrics",
        f"{count} definitions; `veridical metrics` prints the same. {_NAMES}",
    ]
    parts += ["Those that the metric standard names: [its table](standard.md)."]
    for name, entries in families.items():
        parts += [f"## [{plain(_of(name).title)}]({name}.md)"]
        parts += [
            bullets(f"[`{one.id}`]({name}.md#{anchor(one.id)}): {_first(one)}" for one in entries)
        ]
    parts += ["## [Agents that reconcile](bench.md)"]
    parts += [
        bullets(
            f"[`{name}`](bench.md#{anchor(name)}): {plain(figure.what)}"
            for name, figure in FIGURES.items()
        )
    ]
    return "\n\n".join(parts) + "\n"


def _standard(entries: dict[str, CatalogueEntry]) -> str:
    table = load_regulations()
    parts = [
        "# The metric standard",
        plain(f"{table.standard}, status of each text as of {table.as_of}. {CAUTION}"),
    ]
    for entry in dict.fromkeys(entries[row.metric] for row in table.rows):
        facts = entry.facts()
        told = [
            f"**metric**: [`{entry.id}`]({entry.family}.md#{anchor(entry.id)})",
            *(f"**{label}**: {plain(facts[label])}" for label in _OF_STANDARD if label in facts),
            *map(plain, entry.evidence),
        ]
        parts += [f"## {plain(entry.symbol or '')}", bullets(told)]
    return "\n\n".join(parts) + "\n"


def _first(entry: CatalogueEntry) -> str:
    return plain(entry.definition_text.split("\n\n")[0])


def _of(name: str) -> Family:
    # A family of another package has no row above, and is shown by its name.
    return FAMILIES.get(name, Family(name, "what its package says", "veridical evaluate"))


def _family(name: str, entries: Iterable[CatalogueEntry], not_proved: str) -> str:
    family = _of(name)
    own = {entry.id: entry.id.removeprefix(f"{name}.") for entry in entries}
    hidden = hidden_behind(not_proved, own.values())
    measured = [f"Measured from {plain(family.reads)}.", "", f"* Command: `{family.command}`"]
    measured += [f"* Python: `{family.python}`"] if family.python else []
    parts = [f"# {plain(family.title)}: {name}", "\n".join(measured)]
    for entry in entries:
        parts += _entry(entry, hidden.get(own[entry.id]))
    return "\n\n".join(parts) + "\n"


def _entry(entry: CatalogueEntry, hidden: str | None) -> Iterator[str]:
    sections = entry.definition.documentation
    yield f"## `{entry.id}`"
    yield from paragraphs(sections[""])
    yield fence(sections["Formula"], "text")
    facts = {**entry.facts(), **_names(entry)}
    yield bullets(f"**{label}**: {_fact(label, fact)}" for label, fact in facts.items())
    yield from _hidden(hidden)
    yield "**When it is undefined.** " + "\n\n".join(paragraphs(sections["When it is undefined"]))
    if "Notes" in sections:
        yield from paragraphs(sections["Notes"])
    yield "**Source.** " + "\n\n".join(paragraphs(sections["References"]))
    if entry.evidence:
        yield bullets(map(plain, [*entry.evidence, CAUTION]))
    if "Examples" in sections:
        yield f"In `{entry.module}`:"
        yield fence(sections["Examples"], "pycon")


def _hidden(text: str | None) -> list[str]:
    """Return what a good value may hide, which is Markdown already, and where there is more."""
    return [f"**A [good value](../../not-proved.md) may hide** {text}."] if text else []


def _fact(label: str, fact: str) -> str:
    named = label in {"aliases", "beside it", "needs", "Python", "command line"}
    return ", ".join(f"`{name}`" for name in fact.split(", ")) if named else plain(fact)


def _names(entry: CatalogueEntry) -> dict[str, str]:
    """Return what it is called in Python and in a command."""
    definition = entry.definition
    given = ", ".join(f"{one.name}=..." for one in definition.parameters if one.required)
    end = "..." if given else ""
    own = f"{entry.name}{entry.id.removeprefix(f'{entry.family}.{entry.name}')}"
    at = "@..." if own.endswith(f"@{definition.main}") else own.removeprefix(entry.name) + end
    short, whole = f"{entry.name}{at}", f"{entry.family}.{entry.name}{at}"
    called = f"{entry.family}.{entry.name}" + (f"({given})" if given else "")
    python = f'"{whole}", {called}' if entry.name.isidentifier() else f'"{whole}"'
    return {"Python": python, "command line": f"-m {short if _alone(entry) else whole}"}


def _alone(entry: CatalogueEntry) -> bool:
    """Return whether the name without its family is enough."""
    try:
        return find(entry.name) == find(f"{entry.family}.{entry.name}")
    except VeridicalError:
        return False


def _bench(not_proved: str) -> str:
    parts = ["# Agents that reconcile: bench", _OF_TRAJECTORIES]
    hidden = hidden_behind(not_proved, (name.removeprefix("bench.") for name in HEADLINE))
    for name, figure in FIGURES.items():
        facts = {"interval": figure.interval or "none", "without a value": figure.undefined}
        parts += [f"## `{name}`", plain(figure.what)]
        parts += [bullets(f"**{label}**: {plain(fact)}" for label, fact in facts.items())]
        parts += _hidden(hidden.get(name.removeprefix("bench.")))
    return "\n\n".join(parts) + "\n"
