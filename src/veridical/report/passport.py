"""The passport of an evaluation in words: what was measured, and with what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from veridical.report.display import count_text
from veridical.report.visible import visible
from veridical.results import Result, Skipped

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = [
    "SkippedGroup",
    "cluster_count",
    "data_line",
    "held",
    "roles_line",
    "row_counts",
    "skipped_groups",
    "stamp",
]

_SHOWN_HASH = 12
_PLACES_SHOWN = 4

SkippedGroup = tuple[str, str, str]
"""Which metrics (and where), why, and what to do."""


def data_line(ev: Evaluation) -> tuple[str, str]:
    """Return the name of the data, and their size in words."""
    source = ev.source
    path = source.get("path")
    name = visible(str(path)) if path else f"{visible(str(source.get('kind', 'data')))}{held(ev)}"
    if ev.only_group is not None:
        name += f", {visible(ev.only_group)}"
    rows, positive = row_counts(ev)
    size = f"{rows:,} rows, {positive:,} positive"
    if rows:
        size += f" ({_percent(positive / rows)})"
    if source.get("n_skipped") and ev.only_group is None:
        size += f", {source['n_skipped']:,} left out"
    if source.get("summary"):
        size += f"; {visible(str(source['summary']))}"
    return name, size


def held(ev: Evaluation) -> str:
    """Return where data without a path were when they were counted: in memory, or elsewhere."""
    return {"memory": " in memory", "summary": ""}.get(ev.source.get("engine", "memory"), " table")


def row_counts(ev: Evaluation) -> tuple[int, int]:
    """Return how many rows were measured, and how many of them are positive."""
    source = ev.source
    if ev.only_group is None or not ev.slices:
        return source["n_rows"], source["n_positive"]
    group = ev.slices[0].evidence
    return group.rows, round(group.at(None).positives)


def _percent(share: float) -> str:
    """Return a share in percent with three significant digits.

    Examples
    --------
    >>> _percent(0.11974), _percent(0.0015)
    ('12.0%', '0.150%')
    """
    return f"{100 * share:#.3g}%".replace(".%", "%")


def roles_line(ev: Evaluation) -> str:
    """Return which columns were label, scores and weights, and how many clusters there are."""
    source = ev.source
    label = visible(str(source["label"]))
    if source.get("positive") is not None:
        label += f" = {visible(str(source['positive']))}"
    noun = "score" if len(ev.subjects) == 1 else "scores"
    roles = f"label {label}, {noun} {', '.join(map(visible, ev.subjects))}"
    if source.get("weight") is not None:
        roles += f", n in weights of {visible(str(source['weight']))}"
    clusters = cluster_count(ev)
    return roles if clusters is None else f"{roles}, {clusters:,} clusters"


def cluster_count(ev: Evaluation) -> int | None:
    """Return how many clusters the rows form; None where none were named."""
    found = (r.conditions.get("n_clusters") for r in ev.results if r.group == ev.only_group)
    return next((int(n) for n in found if n is not None), None)


def stamp(ev: Evaluation) -> list[str]:
    """Return what someone needs to get the same numbers again, a phrase each."""
    source, settings = ev.source, ev.settings
    sha256 = source.get("sha256")
    level = f"{100 * settings.level:g}% intervals" if settings.intervals else "no intervals"
    versions = [f"{name} {version}" for name, version in source["versions"].items()]
    return [
        *([f"data sha256 {str(sha256)[:_SHOWN_HASH]}"] if sha256 else []),
        f"seed {settings.seed}",
        level,
        *versions,
        f"{source['kernels']} kernels",
        *_rankings(ev.results),
    ]


def _rankings(results: Iterable[Result]) -> list[str]:
    """Return in which summaries the scores were counted, as one phrase."""
    found = [result.conditions.observed.get("summary") for result in results]
    kinds = dict.fromkeys(visible(str(kind)) for kind in found if kind is not None)
    return [f"scores counted in {', '.join(kinds)}"] if kinds else []


def skipped_groups(results: Iterable[Result], *, several: bool) -> list[SkippedGroup]:
    """Return the skipped results, those with one and the same reason together.

    Parameters
    ----------
    results
        Any results.
    several
        Whether there are several score columns, so that it must be said which one.
    """
    from veridical.report.titles import title

    metrics: dict[tuple[str, str, str], dict[str, None]] = {}
    places: dict[tuple[str, str, str], dict[str, None]] = {}
    for result in results:
        if isinstance(result, Skipped):
            key = (str(result.reason), result.detail, result.reason.fix)
            metrics.setdefault(key, {})[visible(title(result.metric))] = None
            where = [result.group or "", (result.subject or "") if several else ""]
            places.setdefault(key, {})[visible(", ".join(filter(None, where)))] = None
    return [
        (
            ", ".join(metrics[key]) + _where([place for place in places[key] if place]),
            f"{visible(key[1])} ({key[0]})",
            visible(key[2]),
        )
        for key in metrics
    ]


def _where(places: list[str]) -> str:
    if not places:
        return ""
    shown = "; ".join(places[:_PLACES_SHOWN])
    more = len(places) - _PLACES_SHOWN
    return f" [{shown}; and {count_text(more)} more]" if more > 0 else f" [{shown}]"
