"""The walk-through in four stops."""

from __future__ import annotations

from veridical.lessons.fairness.errors_by_group import (
    equalized_odds_difference,
    predictive_parity_difference,
    selected,
    two_base_rates,
)
from veridical.lessons.fairness.rates import (
    Share,
    difference,
    four_fifths,
    other_outcome,
    ratio,
)
from veridical.lessons.fairness.small_groups import difference_interval, fails_by_luck
from veridical.lessons.fairness.targets import difference_cannot_fail, per_10_000, ratio_cannot_fail
from veridical.lessons.lesson import Shown, Stop, Table

__all__ = ["FLAGGED", "STOPS"]

FLAGGED = Share(40, 1_000), Share(20, 1_000)
"""Of two groups of 1,000, how many payments are stopped."""


def _four_fifths() -> Shown:
    rows = []
    for group, reference in (
        (Share(40, 100), Share(50, 100)),
        (Share(39, 100), Share(50, 100)),
        (Share(6, 10), Share(15, 20)),
    ):
        rows.append(
            (
                f"{group.hits} of {group.n}",
                f"{reference.hits} of {reference.n}",
                f"{difference(group, reference):.2f}",
                f"{ratio(group, reference)!r}",
                "passes" if four_fifths(group, reference) else "fails",
            )
        )
    return Shown(
        [
            Table(("group", "reference", "difference", "quotient", "four fifths"), rows),
            "The last pair is exactly four fifths; only its quotient is not. Whole numbers decide.",
        ],
        "ratios are decided on counts: 5 x 40 x 100 >= 4 x 50 x 100.",
    )


def _other_outcome() -> Shown:
    stopped = FLAGGED
    passed = tuple(other_outcome(share) for share in stopped)
    rows = [
        (name, f"{a.rate:.1%}", f"{b.rate:.1%}", f"{ratio(a, b):.2f}", f"{difference(a, b):+.2f}")
        for name, (a, b) in (("let through", passed), ("stopped", stopped))
    ]
    targets = [
        ("ratio of those let through, 0.80 to 1.25", ratio_cannot_fail(*passed)),
        ("difference, -0.05 to 0.05", difference_cannot_fail(*stopped)),
    ]
    gap = per_10_000(difference(*stopped))
    return Shown(
        [
            Table(("outcome", "group", "reference", "ratio", "difference"), rows),
            f"Of 10,000 of the group, {gap:.0f} more are stopped. Both usual targets are met.",
            Table(
                ("target", "can it fail at such rates?"),
                [(name, "no" if vacuous else "yes") for name, vacuous in targets],
            ),
        ],
        "a target that cannot fail shows nothing. Ask for both outcomes.",
    )


def _not_all_at_once() -> Shown:
    group, reference = two_base_rates()
    rows = [
        ("deserve it", *(f"{(one.tp + one.fn) / one.n:.2f}" for one in (group, reference))),
        ("recall", f"{group.recall:.2f}", f"{reference.recall:.2f}"),
        ("false positive rate", f"{group.fpr:.2f}", f"{reference.fpr:.2f}"),
        ("selected", f"{selected(group).rate:.2f}", f"{selected(reference).rate:.2f}"),
        ("precision", f"{group.precision:.2f}", f"{reference.precision:.2f}"),
    ]
    gaps = [
        ("equalised odds", f"{equalized_odds_difference(group, reference):.2f}"),
        ("demographic parity", f"{difference(selected(group), selected(reference)):.2f}"),
        ("predictive parity", f"{predictive_parity_difference(group, reference):.2f}"),
    ]
    return Shown(
        [Table(("rate", "group", "reference"), rows), Table(("gap", "value"), gaps)],
        "with unequal base rates, no model closes all three gaps.",
    )


def _small_groups() -> Shown:
    sizes = (10, 20, 50, 100, 400)
    rows = [(f"{n}", *(f"{fails_by_luck(p, n, n):.0%}" for p in (0.3, 0.5, 0.8))) for n in sizes]
    few, many = Share(3, 10), Share(200, 400)
    low, high = difference_interval(few, many)
    likely = (
        f"3 of 10 against 200 of 400: a ratio of {ratio(few, many):.2f}, and a difference of "
        f"{difference(few, many):.2f} with an interval from {low:.2f} to {high:.2f}."
    )
    return Shown(
        [Table(("people in each", "true rate 30%", "50%", "80%"), rows), likely],
        f"of equal groups of 20, {fails_by_luck(0.3, 20, 20):.0%} may miss the four fifths.",
    )


STOPS = (
    Stop(
        "Four fifths, to the person",
        "40 of 100 of a group are invited, and 50 of 100 of the reference. The rule asks for at "
        "least four fifths of the rate of the reference.",
        "Which pass: 40 against 50, 39 against 50, 6 of 10 against 15 of 20?",
        _four_fifths,
    ),
    Stop(
        "Twice as often, and every target met",
        "Of each thousand of a group 40 payments are stopped, of the reference 20. The targets: "
        "ratio from 0.80 to 1.25, difference at most 0.05.",
        "Are they met?",
        _other_outcome,
    ),
    Stop(
        "Not all at once",
        "In one group 20 of 100 deserve a loan, in the other 50. The model finds 80% of them in "
        "both, and grants it to 10% of the others in both.",
        "Is it fair?",
        _not_all_at_once,
    ),
    Stop(
        "Small groups",
        "Two groups are treated exactly alike. Only luck decides who is in the sample.",
        "How often will 20 people of each miss the four fifths?",
        _small_groups,
    ),
)
