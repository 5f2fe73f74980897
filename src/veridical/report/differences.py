"""Paired comparisons in words, for the terminal and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.report.sections import end_text, number_text
from veridical.report.titles import title
from veridical.report.visible import visible

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation

__all__ = ["Difference", "differences"]

_MINUS = " \N{MINUS SIGN} "


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two score columns, as text.

    Attributes
    ----------
    pair, metric
        ``a - b``, and the metric's title.
    value, interval, method
        The difference, its interval and the test; ``value`` is ``skipped`` where there is none.
    verdict
        The sentence that may be said.
    shown
        Whether a difference was shown.
    """

    pair: str
    metric: str
    value: str
    interval: str
    method: str
    verdict: str
    shown: bool


def differences(ev: Evaluation) -> Iterator[Difference]:
    """Yield the paired comparisons of an evaluation, those of one pair together.

    Parameters
    ----------
    ev
        The evaluation.
    """
    pairs = dict.fromkeys((one.a, one.b) for one in ev.comparisons)
    for pair in pairs:
        for one in ev.comparisons:
            if (one.a, one.b) != pair:
                continue
            difference = one.difference
            value, interval = "skipped", ""
            if difference.ok:
                value = _signed(one.metric, difference.value)
            if difference.ok and difference.interval is not None:
                ends = (difference.interval.low, difference.interval.high)
                interval = " to ".join(end_text(one.metric, end) for end in ends)
            yield Difference(
                visible(_MINUS.join(pair)),
                visible(title(one.metric)),
                value,
                interval,
                "" if one.method == "none" else visible(one.method),
                visible(one.verdict),
                one.shown,
            )


def _signed(metric: str, value: float) -> str:
    text = number_text(metric, value)
    return f"+{text}" if value > 0 else text
