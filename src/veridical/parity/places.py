"""``fairness_by_place``: several summaries together, each alone, and all others without it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

from veridical.evaluation.unit_results import UnitSettings
from veridical.measures import Measure
from veridical.parameters import names as names_of
from veridical.parameters import whole
from veridical.parity.evaluating import compared, read_summary
from veridical.parity.fairness_evaluation import FairnessEvaluation
from veridical.parity.measuring import SMALLEST, asked_for
from veridical.portable import Summary
from veridical.stability.places import places_of

__all__ = ["FairnessByPlace", "FairnessOfPlace", "fairness_by_place"]


@dataclass(frozen=True, slots=True)
class FairnessOfPlace:
    """One of several places: alone, and all others without it (None where there are none)."""

    name: str
    alone: FairnessEvaluation
    without: FairnessEvaluation | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {
            "path": self.name,
            "alone": self.alone.to_dict(),
            "without_it": None if self.without is None else self.without.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class FairnessByPlace:
    """Whether decisions treat groups alike, in all places and in each.

    Attributes
    ----------
    pooled
        All of them as one.
    places
        In the order given; groups and references are those of the pool, so that values compare.
    """

    pooled: FairnessEvaluation
    places: tuple[FairnessOfPlace, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {
            "pooled": self.pooled.to_dict(),
            "files": [place.to_dict() for place in self.places],
        }


def fairness_by_place(
    summaries: Mapping[str, Summary],
    metrics: Iterable[str | Measure] | str | Measure | None = None,
    *,
    favourable: Any,
    groups: Sequence[str] | str = (),
    favourable_label: Any = None,
    score: str | None = None,
    threshold: float | None = None,
    reference: Sequence[str] | str = (),
    min_size: int = SMALLEST,
    level: float = 0.95,
    intervals: bool = True,
) -> FairnessByPlace:
    """Measure how differently decisions treat groups, from summaries that hold no rows.

    Parameters
    ----------
    summaries
        By name; made with the same choices, and with groups.
    metrics, favourable, groups, favourable_label, score, threshold, reference, min_size
        As for ``evaluate_fairness``.
    level, intervals
        As for ``evaluate``.

    Raises
    ------
    MismatchError
        Two of them cannot be added.
    ParameterError
        They hold no groups, no such score, or no such reference.

    Examples
    --------
    >>> from veridical.portable import summarise
    >>> named = {"label": "y", "score": "p", "groups": "sex", "thresholds": [0.5]}
    >>> north = {"y": [1, 0] * 4, "p": [0.9, 0.2, 0.7, 0.6] * 2, "sex": ["f", "m"] * 4}
    >>> south = {"y": [1, 0] * 4, "p": [0.9, 0.8, 0.7, 0.6] * 2, "sex": ["f", "m"] * 4}
    >>> places = {"n": summarise(north, **named), "s": summarise(south, **named)}
    >>> found = fairness_by_place(places, "dpd", favourable=1, reference="m")
    >>> found.pooled["dpd"].value, [place.alone["dpd"].value for place in found.places]
    (0.25, [0.5, 0.0])
    """
    settings = UnitSettings(level, intervals).checked()
    columns = {
        "groups": tuple(dict.fromkeys(names_of("groups", groups))),
        "favourable": favourable,
        "favourable_label": favourable_label,
        "score": score,
        "threshold": threshold,
    }
    asked, size = asked_for(metrics, labelled=True), whole("min_size", min_size)
    of_all = reduce(add, summaries.values())
    pooled = compared(
        read_summary(of_all, columns, settings),
        asked,
        references=names_of("reference", reference),
        min_size=size,
    )
    names = {column: list(counts) for column, counts in pooled.counts.items()}
    references = [f"{column}={name}" for column, name in pooled.references.items()]

    def of(summary: Summary) -> FairnessEvaluation:
        read = read_summary(summary, columns, settings)
        read = replace(read, tallies=read.tallies.among(names))
        return compared(read, asked, references=references, min_size=size)

    found = zip(summaries, places_of(list(summaries.values())), strict=True)
    return FairnessByPlace(
        pooled,
        tuple(
            FairnessOfPlace(
                name, of(place.alone), None if place.others is None else of(place.others)
            )
            for name, place in found
        ),
    )
