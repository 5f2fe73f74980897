"""Two runs compared, as a page that asks the network for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath
from typing import Any, cast

from veridical.comparison import wording
from veridical.comparison.comparison import Comparison
from veridical.comparison.recorded import Recorded
from veridical.comparison.runs import RunComparison
from veridical.notes import sentence
from veridical.report.html import render_page
from veridical.report.page import comparison_row
from veridical.report.payload import Comparison as Written
from veridical.report.payload import Shown
from veridical.report.presentation import metric_entry
from veridical.report.unit_page import Fact, level_text, made_with

__all__ = ["comparison_html", "facts_of_run", "without_folder"]


def comparison_html(found: RunComparison, title: str | None = None) -> str:
    """Return the comparison as HTML text; the same comparison always gives the same text.

    Parameters
    ----------
    found
        What to show.
    title
        The page's heading; both runs by default.
    """
    found = _without_folders(found)
    heading, *said = wording.head(found)
    every = [*found.comparisons, *found.groups]
    level = max((i.level for one in every if (i := one.difference.interval)), default=0.95)
    context = {
        "title": title or heading,
        # Hashes have lines of their own, below what is short.
        "facts": sorted(
            [*facts_of_run("First", found.a), *facts_of_run("Second", found.b), made_with()],
            key=lambda fact: fact.width == "wide",
        ),
        "said": said,
        "level": level_text(level),
        "alpha": f"{1 - level:.3g}",
        "tests": max([one.n_tests for one in found.comparisons], default=0),
        "metrics": _places(found.comparisons),
        "groups": _places(found.groups),
        "notes": list(wording.notes(found)),
    }
    return render_page("comparison.html", context)


def without_folder(run: Recorded, *others: Recorded) -> Recorded:
    """Return a run whose file is called by its name alone, where that tells it from others.

    A page is passed on, and who keeps what where is nobody's business.

    Parameters
    ----------
    run
        The run.
    others
        What stands on the same page.
    """
    name = PurePath(run.label).name
    is_file = run.run is None and run.evaluation is None and name
    taken = any(PurePath(other.label).name == name for other in others)
    return run if not is_file or taken else replace(run, label=name)


def _without_folders(found: RunComparison) -> RunComparison:
    a, b = without_folder(found.a, found.b), without_folder(found.b, found.a)

    def renamed(name: str, *, before: Recorded, after: Recorded) -> str:
        # A side is called by its subject, or by its run, which its subject may follow.
        return (
            after.label + name.removeprefix(before.label) if name.startswith(before.label) else name
        )

    def rows(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
        return tuple(
            replace(
                one,
                a=renamed(one.a, before=found.a, after=a),
                b=renamed(one.b, before=found.b, after=b),
            )
            for one in comparisons
        )

    return replace(found, a=a, b=b, comparisons=rows(found.comparisons), groups=rows(found.groups))


def facts_of_run(term: str, run: Recorded) -> list[Fact]:
    """Return what identifies a run, as entries of a passport.

    Parameters
    ----------
    term
        What the run is on this page.
    run
        The run.
    """
    made = [] if run.created is None else [f"{run.created:%Y-%m-%d %H:%M} UTC"]
    known = [run.kind, *([] if run.id in {None, run.label} else [f"run {run.id}"]), *made]
    facts = [Fact(term, run.label, known, width="double")]
    if run.data_sha256 is not None:
        facts.append(Fact(f"{term}: data sha256", run.data_sha256, width="wide"))
    return facts


def _places(comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    """Return tables: one for each pair of subjects, within each group."""
    notes = dict.fromkeys(note for one in comparisons for note in one.difference.notes)
    shown = Shown(
        results=[],
        metrics={one.metric: metric_entry(one.metric, (), None) for one in comparisons},
        note_sentences={note: sentence(note) for note in notes},
    )
    return [
        {"name": place, "rows": [_row(shown, one) for one in those]}
        for place, those in groupby(comparisons, wording.place)
    ]


def _row(shown: Shown, one: Comparison) -> dict[str, Any]:
    row = comparison_row(shown, cast(Written, one.to_dict()))
    return row | {
        "n": f"{one.difference.n:,}",
        "verdict": wording.verdict(one),
        "beside": wording.beside(one).removeprefix("; "),
        "is_shown": one.shown,
    }
