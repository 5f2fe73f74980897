"""The walk-through in five stops."""

from __future__ import annotations

from veridical.lessons.lesson import Shown, Stop, Table
from veridical.lessons.uncertainty.comparisons import (
    any_false_alarm,
    holm,
    mcnemar,
    paired_example,
)
from veridical.lessons.uncertainty.planning import (
    cases_for_paired_difference,
    labels_for_difference,
    labels_for_half_width,
    most_it_may_be,
)
from veridical.lessons.uncertainty.resampling import asked_ten_times, bootstrap_means, middle
from veridical.lessons.uncertainty.shares import Ends, coverage, wald, wilson

__all__ = ["P_VALUES", "STOPS"]

P_VALUES = (0.012, 0.030, 0.041, 0.200, 0.700)
"""Of five metrics by which the same two models were compared."""

_TWO_WAYS = (
    "Wald's is the share and 1.96 standard errors around it; Wilson's holds all rates that the "
    "sample does not contradict."
)
_DRAWN_AGAIN = (
    "A thousand times the data are drawn again. Drawn answer by answer, ten equal answers pass "
    "for ten observations. Drawn question by question, they come together."
)


def _ends(interval: Ends) -> str:
    low, high = interval
    return f"{low:.3f} to {high:.3f}"


def _one_share() -> Shown:
    rows = [
        (f"{hits} of {n}", _ends(wald(hits, n)), _ends(wilson(hits, n)))
        for hits, n in ((94, 100), (19, 20), (20, 20))
    ]
    held = [f"{coverage(interval, 0.95, 20):.0%}" for interval in (wald, wilson)]
    return Shown(
        [
            Table(("right", "Wald", "Wilson"), rows),
            _TWO_WAYS,
            Table(
                ("95% intervals of 20 answers, true rate 0.95", "hold it"),
                [("Wald", held[0]), ("Wilson", held[1])],
            ),
        ],
        "20 of 20 is no certainty: the true rate may be 0.84.",
    )


def _ten_times() -> Shown:
    questions = asked_ten_times()
    flat = [[value] for question in questions for value in question]
    rows = [
        ("200 answers", _ends(middle(bootstrap_means(flat)))),
        ("20 questions", _ends(middle(bootstrap_means(questions)))),
    ]
    return Shown(
        [
            Table(("drawn again", "95% interval of 0.75"), rows),
            _DRAWN_AGAIN,
        ],
        "draw what is independent: questions, customers, documents; not rows.",
    )


def _same_cases() -> Shown:
    pair = paired_example()
    apart, p = pair.only_first + pair.only_second, mcnemar(pair.only_first, pair.only_second)
    counts = Table(
        ("", "B right", "B wrong"),
        [
            ("A right", f"{pair.both}", f"{pair.only_first}"),
            ("A wrong", f"{pair.only_second}", f"{pair.neither}"),
        ],
    )
    intervals = Table(
        ("", "value", "95% interval"),
        [
            ("A", f"{pair.first:.2f}", _ends(wilson(150, 200))),
            ("B", f"{pair.second:.2f}", _ends(wilson(160, 200))),
            ("B - A, as if of other cases", "0.05", _ends(pair.interval(paired=False))),
            ("B - A, case by case", f"{pair.difference:.2f}", _ends(pair.interval())),
        ],
    )
    return Shown(
        [
            counts,
            intervals,
            f"McNemar's test asks the {apart} cases that tell them apart: p = {p:.3f}.",
        ],
        "intervals that overlap prove nothing: compare case by case.",
    )


def _many() -> Shown:
    rows = [
        (f"metric {index}", f"{p:.3f}", f"{adjusted:.3f}")
        for index, (p, adjusted) in enumerate(zip(P_VALUES, holm(P_VALUES), strict=True), 1)
    ]
    alarms = [(f"{tests}", f"{any_false_alarm(tests):.0%}") for tests in (1, 5, 20)]
    return Shown(
        [
            Table(("tests, nothing there", "at least one below 0.05"), alarms),
            Table(("", "p", "Holm"), rows),
        ],
        "of many tests one shines by luck; Holm's p-values allow for that.",
    )


def _labels() -> Shown:
    widths = [
        (f"{half:.2f}", f"{labels_for_half_width(half):,}", f"{labels_for_half_width(half, 0.9):,}")
        for half in (0.10, 0.05, 0.02, 0.01)
    ]
    differences = [
        ("each model on cases of its own", f"{2 * labels_for_difference(0.75, 0.80):,}"),
        ("both on the same cases", f"{cases_for_paired_difference(0.025, 0.075):,}"),
    ]
    return Shown(
        [
            Table(("half-width", "labels, share 0.5", "labels, share 0.9"), widths),
            Table(("cases to tell 0.75 from 0.80", ""), differences),
            f"And where none of 100 goes wrong, {most_it_may_be(100):.1%} may still.",
        ],
        "half the width takes four times the labels; pairs save most of them.",
    )


STOPS = (
    Stop(
        "How sure is 94%?",
        "A model has 94 of 100 answers right. Another has 20 of 20.",
        "How low may the true rate of each be?",
        _one_share,
    ),
    Stop(
        "Every question ten times",
        "A model answers 20 questions, each of them ten times, and never wavers: 15 rightly, 5 "
        "wrongly. That makes 150 of 200 answers.",
        "Is 0.75 surer than it was after one round?",
        _ten_times,
    ),
    Stop(
        "Two models, the same 200 cases",
        "A has 150 right, B 160. Their intervals overlap widely.",
        "Can B still be shown to be better?",
        _same_cases,
    ),
    Stop(
        "Twenty metrics",
        "Two models are compared by many metrics, each tested at 0.05.",
        "If nothing differs, how often is at least one of 20 tests below 0.05?",
        _many,
    ),
    Stop(
        "How many labels?",
        "Before anything is labelled: how many labels give plus or minus 0.05? And how many tell "
        "0.75 from 0.80, four times in five?",
        "A hundred, a few hundred, or some thousand?",
        _labels,
    ),
)
