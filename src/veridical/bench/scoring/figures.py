"""Every figure of an agent by name: what it is, and when it has no value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from veridical.bench.scoring.metrics import RATES
from veridical.bench.submissions.submission import CONFIDENCES

__all__ = ["FIGURES", "Figure"]

_WILSON: Final = "Wilson's, on as many trials as the templates leave"
_UNKNOWN: Final = "an attempt reports no usage: skipped usage_unknown"
_UNPRICED: Final = "an attempt has no price: skipped unpriced_model"
_NONE_RIGHT: Final = "no case was right: skipped no_correct_answer"


@dataclass(frozen=True, slots=True)
class Figure:
    """What a reader must know of a number.

    Attributes
    ----------
    what
        Its definition.
    undefined
        When it has no value.
    interval
        How its interval is made; empty where it has none.
    """

    what: str
    undefined: str
    interval: str = ""


def _rate(what: str, empty: str) -> Figure:
    return Figure(what, f"{empty}: skipped zero_denominator", _WILSON)


_RATES: Final = {
    name: _rate((counted.__doc__ or "").strip(), empty) for name, (counted, empty) in RATES.items()
}
_LEVELS: Final = {
    f"bench.accuracy_{word}": _rate(
        f"Exact matches, of parsed submissions that state {word} confidence.",
        f"no submission stated {word} confidence",
    )
    for word in CONFIDENCES
}
FIGURES: Final[dict[str, Figure]] = {
    **_RATES,
    "bench.magnitude_weighted_error": Figure(
        "Mean distance of the balances of a parsed submission from the true ones, for each "
        "currency apart; a missing account counts in full.",
        "no parsed submission's case has the currency: absent",
        "bootstrap over templates, bias-corrected and accelerated",
    ),
    "bench.brier": Figure(
        "Mean of (confidence - correct)^2 over parsed submissions, where high is 0.9, medium 0.6 "
        "and low 0.3 unless told otherwise.",
        "no submission parsed: skipped zero_denominator",
    ),
    "bench.ece": Figure(
        "Distance of stated confidence and share of exact matches, weighted over the three levels.",
        "no submission parsed: skipped zero_denominator",
    ),
    **_LEVELS,
    "bench.pass_hat_k": Figure(
        "How likely k trials of one case would all be right: mean of C(right, k) / C(trials, k) "
        "over the cases that were tried at least k times, for k up to 10.",
        "no case was tried k times: absent",
    ),
    "bench.twin_delta": Figure(
        "Exact match on injected cases, less exact match on the same cases without the injection, "
        "where both parsed.",
        "no injected case parsed with its twin: skipped no_rows",
        "Student's, of the mean difference over templates",
    ),
    "bench.tokens": Figure("Tokens of all attempts, cache reads and writes included.", _UNKNOWN),
    "bench.tokens_per_correct": Figure(
        "Tokens of all attempts, over the number of exact matches.", f"{_UNKNOWN}; {_NONE_RIGHT}"
    ),
    "bench.money": Figure(
        "Price of all attempts by the table of prices, on the day of each.",
        f"{_UNKNOWN}; {_UNPRICED}",
    ),
    "bench.money_per_correct": Figure(
        "Price of all attempts, over the number of exact matches.",
        f"{_UNKNOWN}; {_UNPRICED}; {_NONE_RIGHT}",
    ),
}
"""In the order of a document of ``veridical bench score --json``; the catalogue has none of them,
for they are computed from what an agent did, and cannot be asked of a file of rows."""
