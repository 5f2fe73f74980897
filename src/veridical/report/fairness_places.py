"""What ``veridical merge`` says about fairness: the pool, each place, and the pool without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from veridical.report.display import count_text
from veridical.report.fairness import about, aligned, share_text
from veridical.report.sections import certified, number_text
from veridical.report.visible import visible
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.parity import FairnessByPlace
    from veridical.parity.fairness_evaluation import FairnessEvaluation

__all__ = ["fairness_places_rows", "fairness_places_text"]

_RATIO = "fairness.disparate_impact_ratio"
_SHOWN = (
    (_RATIO, "ratio"),
    ("fairness.demographic_parity_difference", "difference"),
    ("fairness.equal_opportunity_difference", "if label favourable"),
)


def fairness_places_text(found: FairnessByPlace) -> str:
    """Return a line for each group in each place, as text.

    Parameters
    ----------
    found
        The pool and its places.
    """
    return "\n".join([*about(found.pooled), "", *aligned(fairness_places_rows(found), right=2)])


def fairness_places_rows(found: FairnessByPlace) -> list[tuple[str, ...]]:
    """Return the cells of that table, its heads first.

    Parameters
    ----------
    found
        The pool and its places.
    """
    heads = [head for name, head in _SHOWN if any(r.metric == name for r in found.pooled.results)]
    rows = [("decisions in", "group", "n", "favourable", *heads, "four fifths")]
    rows += _rows("all files", found.pooled)
    for place in found.places:
        rows += _rows(visible(place.name), place.alone)
    for place in found.places:
        if place.without is not None:
            rows += _rows(f"all but {visible(place.name)}", place.without)
    return rows


def _rows(name: str, ev: FairnessEvaluation) -> Iterator[tuple[str, ...]]:
    by_group: dict[str | None, dict[str, Result]] = {}
    for result in ev.results:
        by_group.setdefault(result.subject, {})[result.metric] = result
    for row in ev.rows():
        results = by_group.get(row.name, {})
        told = [_told(results[metric]) for metric, _ in _SHOWN if metric in results]
        screen = results[_RATIO].conditions.get("four_fifths") if _RATIO in results else None
        if row.is_reference:
            told = ["reference"]
        yield (
            name,
            visible(row.name),
            count_text(row.n),
            share_text(row, "favourable"),
            *told,
            *[""] * (len(_shown(ev)) - len(told)),
            str(screen or ""),
        )


def _shown(ev: FairnessEvaluation) -> list[str]:
    measured = {result.metric for result in ev.results}
    return [name for name, _ in _SHOWN if name in measured]


def _told(result: Result) -> str:
    if not result.ok:
        return f"skipped ({result.reason})"
    return certified(result) or number_text(result.metric, result.value)
