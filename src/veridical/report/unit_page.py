"""What the reports of runs, systems and raters have in common."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from markupsafe import Markup

from veridical import __version__
from veridical.notes import sentence
from veridical.report.page import comparison_row, metric_blocks, p_text, skipped_rows
from veridical.report.payload import Comparison, Shown
from veridical.report.presentation import metric_entry
from veridical.report.svg import SERIES_COLOURS

if TYPE_CHECKING:
    from veridical.comparison import Comparison as Compared
    from veridical.results import Result

__all__ = [
    "Fact",
    "ShownResults",
    "has_context",
    "level_text",
    "made_with",
    "presented",
    "series_of",
    "unit_context",
]


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry of the passport at the top of a page.

    Attributes
    ----------
    term, value
        What it is, and what it says.
    small
        Lines below it.
    width
        ``""``, ``"double"`` or ``"wide"``.
    """

    term: str
    value: str
    small: Sequence[str] = ()
    width: str = ""


class ShownResults(Protocol):
    """What such a page shows: results by subject, and what the subjects were measured on."""

    subject_noun: ClassVar[str]
    units: ClassVar[str]

    @property
    def results(self) -> tuple[Result, ...]:
        """Every result, in the order in which they are shown."""
        ...

    @property
    def subjects(self) -> tuple[str, ...]:
        """What was measured."""
        ...

    @property
    def comparisons(self) -> tuple[Compared, ...]:
        """Of the subjects with each other."""
        ...


def unit_context(
    ev: ShownResults, title: str, facts: Sequence[Fact], level: float | None
) -> dict[str, Any]:
    """Return the variables that every such page has.

    Parameters
    ----------
    ev
        The evaluation.
    title
        The page's heading.
    facts
        Its passport.
    level
        Coverage of the intervals; None where there are none.
    """
    shown, series = presented(ev.results, ev.comparisons), series_of(ev.subjects)
    metrics = metric_blocks(shown, series)
    return {
        "title": title,
        "facts": facts,
        "level": level_text(level),
        "series": series,
        "subject_word": ev.subject_noun.capitalize(),
        "units": ev.units,
        "metrics": metrics,
        "has_context": has_context(metrics),
        "comparisons": _comparisons(ev, shown, series),
        "tests": max([1, *(one.n_tests for one in ev.comparisons)]),
        "alpha": f"{1 - (level or 0.95):.3g}",
        "skipped": skipped_rows(shown["results"]),
    }


def has_context(metrics: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether any row of the table of metrics has conditions or notes to show."""
    return any(row["conditions"] or row["notes"] for block in metrics for row in block["rows"])


def level_text(level: float | None) -> str:
    """Return a level in percent; 95% where there is none, as a word in headings."""
    return f"{100 * (level or 0.95):g}%"


def made_with() -> Fact:
    """Return by what the page was made."""
    return Fact("Made with", f"veridical {__version__}, python {platform.python_version()}")


def series_of(subjects: Sequence[str]) -> dict[str, int]:
    """Return the colour of each subject."""
    return {name: at % SERIES_COLOURS for at, name in enumerate(subjects)}


def presented(results: Sequence[Result], comparisons: Sequence[Compared] = ()) -> Shown:
    """Return results and comparisons with how their metrics are presented.

    Parameters
    ----------
    results, comparisons
        In the order in which they are shown.
    """
    metrics = {r.metric: [s for s in results if s.metric == r.metric] for r in results}
    noted = [*results, *(one.difference for one in comparisons)]
    notes = dict.fromkeys(note for result in noted for note in result.notes)
    return Shown(
        results=[result.to_dict() for result in results],
        metrics={name: metric_entry(name, same, None) for name, same in metrics.items()},
        note_sentences={note: sentence(note) for note in notes},
        comparisons=[cast(Comparison, one.to_dict()) for one in comparisons],
    )


def _comparisons(ev: ShownResults, shown: Shown, series: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the comparisons by pair, each with its verdict and how often who won."""
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one, written in zip(ev.comparisons, shown.get("comparisons", ()), strict=True):
        counts = [one.difference.counts.get(f"n_{key}") for key in ("wins", "ties", "losses")]
        observed = one.difference.conditions.observed
        row = comparison_row(shown, written) | {
            "said": one.verdict.partition(" (")[0],
            "is_shown": one.shown,
            "counts": None if None in counts else counts,
            "tally": None
            if None in counts
            else _tally(cast("list[int]", counts), (series[one.a], series[one.b])),
            "t_p_value": p_text(observed.get("t_p_value")),
            "effect_size": observed.get("effect_size"),
        }
        pairs.setdefault((one.a, one.b), []).append(row)
    return [
        {"a": a, "b": b, "series": (series[a], series[b]), "rows": rows}
        for (a, b), rows in pairs.items()
    ]


def _tally(counts: Sequence[int], colours: tuple[int, int]) -> Markup:
    """Return wins, ties and losses as one bar, in the colours of who won."""
    total, at, parts = max(1, sum(counts)), 0.0, []
    kinds = (f"series-{colours[0]}", "tied", f"series-{colours[1]}")
    for kind, count in zip(kinds, counts, strict=True):
        share = 100 * count / total
        parts.append(
            f'<rect class="{kind}" x="{at:.2f}%" width="{share:.2f}%" y="25%" height="50%"/>'
        )
        at += share
    # Only numbers and our own words are in it.
    return Markup(f'<svg class="tally" aria-hidden="true">{"".join(parts)}</svg>')  # noqa: S704
