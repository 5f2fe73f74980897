"""The report of text overlap: systems side by side, and the texts themselves."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from veridical import __version__
from veridical.report.chart_data import Axis
from veridical.report.display import rate_text, round_number_above
from veridical.report.html import render_page
from veridical.report.marked_words import in_common, marked
from veridical.report.scatter import histogram
from veridical.report.text import WORDING
from veridical.report.titles import title
from veridical.report.unit_page import Fact, level_text, series_of, unit_context
from veridical.results import Result

if TYPE_CHECKING:
    from veridical.evaluation.text_evaluation import TextEvaluation

__all__ = ["text_html"]

Example = tuple[str, str, Result, Result]
Floats = npt.NDArray[np.float64]

_LOWEST, _MOVERS, _BINS = 10, 5, 20
_FIRST = ("text.rouge_l", "text.rouge_1", "text.bleu")
"""What the texts are ordered by, where it was measured."""


def text_html(ev: TextEvaluation, heading: str | None, example: Iterable[Example]) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    ev
        What to report.
    heading
        The page's heading; the systems by default.
    example
        Kind, text, sentence BLEU and ROUGE-L of texts that show what overlap cannot see.
    """
    ev = _without_folders(ev)
    level = ev.settings.shown_level
    metrics = _mean_metrics(ev)
    first = next((m for m in (*_FIRST, *metrics) if m in metrics), None)
    context = unit_context(ev, heading or _heading(ev), _facts(ev, level), level) | {
        "wording": WORDING.partition(" (")[0],
        "example": [(k, t, rate_text(float(b)), rate_text(float(r))) for k, t, b, r in example],
        "histograms": [_histogram(ev, metric) for metric in metrics],
        "order": title(first) if first else "",
        "lowest": list(_lowest(ev, first)) if first and ev.texts else [],
        "changes": list(_changes(ev, first)) if first and ev.texts else [],
        "signatures": _signatures(ev.results),
    }
    return render_page("text.html", context)


def _without_folders(ev: TextEvaluation) -> TextEvaluation:
    """Return the evaluation with file names for paths, where these tell the systems apart.

    A report is passed on, and who keeps what where is nobody's business.
    """
    names = {system: PurePath(system).name or system for system in ev.subjects}
    if len(set(names.values())) < len(names):
        return ev
    return replace(
        ev,
        results=tuple(replace(one, subject=names[str(one.subject)]) for one in ev.results),
        subjects=tuple(names.values()),
        comparisons=tuple(replace(one, a=names[one.a], b=names[one.b]) for one in ev.comparisons),
        sums={(names[system], metric): sums for (system, metric), sums in ev.sums.items()},
        texts={names[system]: texts for system, texts in ev.texts.items()},
    )


def _heading(ev: TextEvaluation) -> str:
    return f"Wording of {', '.join(ev.subjects)}"


def _facts(ev: TextEvaluation, level: float | None) -> list[Fact]:
    settings = ev.settings
    drawn = [f"seed {settings.seed}", f"{settings.replicates:,} replicates"]
    counts = sorted({len(own) for own in ev.references})
    several = " to ".join(f"{count:,}" for count in dict.fromkeys((*counts[:1], *counts[-1:])))
    facts = [
        Fact("Texts", f"{ev.source['n_rows']:,}", [f"of {len(ev.subjects):,} systems"]),
        *([Fact("References of each", several)] if counts else []),
        Fact("Intervals", level_text(level) if level else "none", drawn if level else []),
        Fact(
            "Made with",
            f"veridical {__version__}, python {platform.python_version()}",
            (),
            "double",
        ),
    ]
    sha256 = ev.source.get("references_sha256")
    return [*facts, *([Fact("References sha256", sha256, width="wide")] if sha256 else [])]


def _mean_metrics(ev: TextEvaluation) -> list[str]:
    """Return the metrics that have a value for each text."""
    names = (metric for (_, metric), sums in ev.sums.items() if sums.score is None)
    return list(dict.fromkeys(names))


def _values(ev: TextEvaluation, system: str, metric: str) -> Floats:
    found = ev.sums.get((system, metric))
    return np.zeros(0) if found is None else found.rows[:, 0]


def _histogram(ev: TextEvaluation, metric: str) -> dict[str, Any]:
    """Return how many texts have which value, one outline a system."""
    each = [_values(ev, system, metric) for system in ev.subjects]
    each = [values[~np.isnan(values)] for values in each]
    low = -1.0 if any(len(values) and values.min() < 0 for values in each) else 0.0
    edges = np.linspace(low, 1.0, _BINS + 1)
    counts = [np.histogram(values, edges)[0].tolist() for values in each]
    top = round_number_above(float(max((max(c) for c in counts), default=1)))
    x = Axis(label=title(metric), domain=(low, 1.0), log=False, money=False)
    y = Axis(label="Texts", domain=(0.0, top or 1.0), log=False, money=False)
    words = f"How many texts have which {title(metric)}"
    series = series_of(ev.subjects)
    drawn = [(series[system], c) for system, c in zip(ev.subjects, counts, strict=True)]
    return {
        "metric": metric,
        "title": title(metric),
        "floor": "at 0 or below" if low else "at 0",
        "svg": histogram(x, y, edges.tolist(), drawn, words),
        "zeros": [
            (system, int((values <= 0).sum()), len(values))
            for system, values in zip(ev.subjects, each, strict=True)
        ],
    }


def _lowest(ev: TextEvaluation, metric: str) -> Iterator[dict[str, Any]]:
    """Yield, system by system, the texts with the lowest overlap."""
    for system in ev.subjects:
        values = _values(ev, system, metric)
        order = np.argsort(values, kind="stable")
        places = [at for at in order.tolist() if not np.isnan(values[at])][:_LOWEST]
        yield {
            "system": system,
            "texts": [_side_by_side(ev, at, [system], metric) for at in places],
        }


def _changes(ev: TextEvaluation, metric: str) -> Iterator[dict[str, Any]]:
    """Yield, pair by pair, the texts on which two systems differ most, in both directions."""
    pairs = dict.fromkeys((one.a, one.b) for one in ev.comparisons)
    for pair in pairs:
        a, b = (_values(ev, system, metric) for system in pair)
        order = np.argsort(b - a, kind="stable").tolist()
        order = [at for at in order if a[at] != b[at] and not np.isnan(b[at] - a[at])]
        sides = (
            (pair[0], [at for at in order[:_MOVERS] if a[at] > b[at]]),
            (pair[1], [at for at in order[::-1][:_MOVERS] if b[at] > a[at]]),
        )
        yield {
            "pair": pair,
            "sides": [
                {
                    "system": system,
                    "texts": [_side_by_side(ev, at, list(pair), metric) for at in places],
                }
                for system, places in sides
            ],
        }


def _side_by_side(
    ev: TextEvaluation, at: int, systems: Sequence[str], metric: str
) -> dict[str, Any]:
    """Return a reference and what systems wrote, with the words they have in common."""
    first = ev.texts[systems[0]][at]
    own = ev.references[at]
    nearest = max(range(len(own)), key=lambda i: in_common(first, own[i]))
    reference = own[nearest]
    pieces, cut = marked(reference, first)
    return {
        "number": at + 1,
        "reference": pieces,
        "cut": cut,
        "which": f"reference {nearest + 1} of {len(own)}" if len(own) > 1 else "reference",
        "sides": [_written(ev, at, system, reference, metric) for system in systems],
    }


def _written(
    ev: TextEvaluation, at: int, system: str, reference: str, metric: str
) -> dict[str, Any]:
    pieces, cut = marked(ev.texts[system][at], reference)
    value = rate_text(float(_values(ev, system, metric)[at]))
    return {"system": system, "pieces": pieces, "cut": cut, "value": value}


def _signatures(results: Iterable[Result]) -> list[tuple[str, str]]:
    """Return the signature of each metric that has one, and the tokeniser of the others."""
    found: dict[str, str] = {}
    for result in results:
        tokeniser = result.conditions.get("tokeniser")
        words = result.conditions.get("signature") or (tokeniser and f"tokens by {tokeniser}")
        if words:
            found.setdefault(result.metric, str(words))
    return list(found.items())
