"""What the four charts show: domains, reference lines and labels of each score column.

The curves themselves are columns of the operating points (see ``page_data``).  The static charts
of a page without JavaScript are drawn from the same description.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from veridical.report.display import money_text, name_text, rate_text, round_number_above
from veridical.report.payload import OperatingPoint, ReliabilityBin, Subject

__all__ = ["Axis", "Bin", "Chart", "Reference", "charts_of"]

_RARE = 0.02
"""Below this prevalence the interesting rates and thresholds are invisible on a linear axis."""
_COSTLIEST = 2.0
"""The cost axis ends at this multiple of flagging nothing; flagging all may cost a thousandfold."""
_LARGEST, _SMALLEST = 1e300, 1e-290
"""Beyond these a score is drawn at the edge."""

Point = tuple[float, float]


class Axis(TypedDict):
    """One axis: what it shows and how far."""

    label: str
    domain: tuple[float, float]
    log: bool
    money: bool


class Reference(TypedDict):
    """A dotted line to compare with, labelled at ``at``."""

    points: list[Point]
    label: str
    at: Point
    anchor: str
    below: bool


class Bin(TypedDict):
    """One bar of the reliability chart; no bar where ``low`` and ``high`` are None."""

    forecast: float
    rate: float
    low: float | None
    high: float | None


class Chart(TypedDict):
    """One chart without its curve; ``bins`` is filled in the reliability chart only."""

    description: str
    x: Axis
    y: Axis
    references: list[Reference]
    bins: list[Bin]


def charts_of(subject: Subject) -> dict[str, Chart | None]:
    """Return the charts of one score column; None where a chart is undefined."""
    both = subject["positives"] > 0 and subject["negatives"] > 0
    return {
        "roc": _roc(subject) if both else None,
        "precision_recall": _precision_recall(subject) if subject["positives"] > 0 else None,
        "cost": _cost(subject),
        "reliability": _reliability(subject) if subject["reliability"] else None,
    }


def _axis(label: str, low: float, high: float, *, log: bool = False, money: bool = False) -> Axis:
    return Axis(label=label, domain=(low, high), log=log, money=money)


def _chart(
    description: str,
    x: Axis,
    y: Axis,
    references: Sequence[Reference],
    bins: Sequence[ReliabilityBin] = (),
) -> Chart:
    return Chart(
        description=description,
        x=x,
        y=y,
        references=list(references),
        bins=[
            Bin(
                forecast=b["mean_forecast"],
                rate=b["event_rate"]["value"],
                low=b["event_rate"]["low"],
                high=b["event_rate"]["high"],
            )
            for b in bins
        ],
    )


def _roc(subject: Subject) -> Chart:
    rare = _is_rare(subject)
    low = _power_of_ten_below(1 / subject["negatives"]) if rare else 0.0
    steps = 60
    chance = [(low ** (1 - i / steps), low ** (1 - i / steps)) for i in range(steps + 1)]
    diagonal = Reference(
        points=chance if rare else [(0.0, 0.0), (1.0, 1.0)],
        label="chance",
        at=(0.1, 0.1) if rare else (0.7, 0.7),
        anchor="end" if rare else "start",
        below=not rare,
    )
    return _chart(
        f"ROC curve of {name_text(subject['name'])}",
        _axis("False-positive rate" + (" (log scale)" if rare else ""), low, 1.0, log=rare),
        _axis("Recall", 0.0, 1.0),
        [diagonal],
    )


def _is_rare(subject: Subject) -> bool:
    return 0 < (subject["prevalence"] or 0.0) < _RARE


def _power_of_ten_below(x: float) -> float:
    return 10.0 ** math.floor(math.log10(x))


def _precision_recall(subject: Subject) -> Chart:
    prevalence = subject["prevalence"] or 0.0
    base = Reference(
        points=[(0.0, prevalence), (1.0, prevalence)],
        label=f"prevalence {rate_text(prevalence)}",
        at=(0.0, prevalence),
        anchor="start",
        below=False,
    )
    return _chart(
        f"Precision-recall curve of {name_text(subject['name'])}",
        _axis("Recall", 0.0, 1.0),
        _axis("Precision", 0.0, 1.0),
        [base],
    )


def _cost(subject: Subject) -> Chart | None:
    costs = [p["cost"] for p in subject["points"] if p["cost"] is not None]
    domain = _finite_domain(subject["points"])
    if not costs or domain is None:
        return None
    # The best threshold of a rare event lies where a linear axis has no room.
    log = subject["is_probability"] and _is_rare(subject)
    if log:
        domain = (_power_of_ten_below((subject["prevalence"] or 1.0) / 10), 1.0)
    nothing, low = costs[0], min(costs)
    high = min(max(costs), _COSTLIEST * nothing) if nothing > 0 else max(costs)
    reference = Reference(
        points=[(domain[0], nothing), (domain[1], nothing)],
        label=f"flag nothing {money_text(nothing)}",
        at=(domain[1], nothing),
        anchor="end",
        below=False,
    )
    return _chart(
        f"Total cost of {name_text(subject['name'])} at each threshold",
        _axis("Threshold" + (" (log scale)" if log else ""), *domain, log=log),
        _axis("Total cost", 0.0, max(high * 1.05, nothing * 1.15, low, 1e-9), money=True),
        [reference],
    )


def _finite_domain(points: Sequence[OperatingPoint]) -> Point | None:
    finite = [p["threshold"] for p in points if p["threshold"] is not None]
    finite = [t for t in finite if math.isfinite(t)]
    if not finite:
        return None
    # Differences of scores near the ends of the number range would overflow or vanish.
    low, high = (max(-_LARGEST, min(t, _LARGEST)) for t in (min(finite), max(finite)))
    if low >= 0 and high <= 1:
        low = 0.0
    margin = (high - low) * 0.04 or abs(high) * 0.04
    if margin < _SMALLEST:
        margin = 1.0
    return low, high + margin


def _reliability(subject: Subject) -> Chart:
    bins = subject["reliability"]
    largest = max(
        max(b["mean_forecast"], b["event_rate"]["high"] or b["event_rate"]["value"]) for b in bins
    )
    end = 1.0 if largest > 0.5 else round_number_above(largest)
    diagonal = Reference(
        points=[(0.0, 0.0), (end, end)], label="", at=(0.0, 0.0), anchor="start", below=True
    )
    return _chart(
        f"Reliability diagram of {name_text(subject['name'])}",
        _axis("Mean forecast", 0.0, end),
        _axis("Event rate", 0.0, end),
        [diagonal],
        bins,
    )
