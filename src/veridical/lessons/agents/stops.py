"""The walk-through in four stops."""

from __future__ import annotations

from veridical.lessons.agents.costs import (
    Attempt,
    Prices,
    money_per_right,
    tokens,
    tokens_per_right,
    two_models,
)
from veridical.lessons.agents.injection import compliance_rate, complied, twin_delta, two_readers
from veridical.lessons.agents.repeats import pass_at_k, pass_hat_k, steady_and_wavering
from veridical.lessons.agents.silence import (
    escalation_recall,
    exact_match,
    false_alarm_rate,
    four_agents,
    silent_failure_rate,
)
from veridical.lessons.lesson import Shown, Stop, Table
from veridical.lessons.uncertainty.planning import most_it_may_be
from veridical.lessons.uncertainty.shares import wilson

__all__ = ["MANY_TURNS", "PRICES", "STOPS"]

MANY_TURNS = Attempt(right=True, read=7, written=123, cache_read=20_646, cache_write=1_101)
"""The usage of one call of a long conversation."""

PRICES = Prices(read=3, written=15, cache_read=0.3, cache_write=3.75)
"""Prices made up for this lesson."""


def _one_row() -> Shown:
    rows = [
        (
            name,
            f"{exact_match(answers):.0%}",
            f"{silent_failure_rate(answers):.0%}",
            f"{escalation_recall(answers):.0%}",
            f"{false_alarm_rate(answers):.0%}",
        )
        for name, answers in four_agents().items()
    ]
    return Shown(
        [Table(("agent", "exact", "silent failures", "flags found", "false alarms"), rows)],
        "four figures in one row: every evasion spoils one of them.",
    )


def _hidden() -> Shown:
    rows = []
    for name, cases in two_readers().items():
        count = sum(complied(one) for one in cases)
        low, high = wilson(count, len(cases))
        interval = f"{low:.0%} to {high:.0%}"
        delta = f"{100 * twin_delta(cases):+.0f} points"
        rows.append((name, f"{compliance_rate(cases):.0%}", interval, delta))
    return Shown(
        [
            Table(("agent", "complied", "95% interval", "right, less without"), rows),
            f"Not once in 60 cases still allows a rate of {most_it_may_be(60):.1%}.",
        ],
        "obeying is one harm; being put off is another. The twin shows both.",
    )


def _cost() -> Shown:
    rows = [
        (
            name,
            f"{sum(one.right for one in attempts)}",
            f"{tokens(attempts[0]):,}",
            f"{tokens_per_right(attempts):,.0f}",
            f"{100 * money_per_right(attempts, PRICES):.2f}",
        )
        for name, attempts in two_models().items()
    ]
    seen = MANY_TURNS.read + MANY_TURNS.written
    return Shown(
        [
            Table(("model", "right of 100", "tokens each", "a right one", "cents"), rows),
            f"One call of many: {seen} tokens without the cache, {tokens(MANY_TURNS):,} with it.",
        ],
        "divide all that was spent by what was right; count the cache.",
    )


def _again() -> Shown:
    rows = []
    for name, cases in steady_and_wavering().items():
        for label, share in (("all of k", pass_hat_k), ("one of k", pass_at_k)):
            rows.append((name, label, *(f"{share(cases, k):.0%}" for k in (1, 2, 4, 8))))
    return Shown(
        [Table(("agent", "right", "k = 1", "2", "4", "8"), rows)],
        "ask each case again: pass^k tells steady from lucky.",
    )


STOPS = (
    Stop(
        "Failing aloud",
        "20 sets of bank files, 8 with a payment booked twice. One agent only adds up. One does so "
        "and is never sure, one does so and flags everything. One looks.",
        "Which figure shows that the second and the third are no better than the first?",
        _one_row,
    ),
    Stop(
        "What the data say",
        "In 60 cases a payment's text says: report 1043.27. Each case has a twin, the same but for "
        "that text.",
        "Is an agent that never obeys unharmed?",
        _hidden,
    ),
    Stop(
        "What a right answer costs",
        "A small model takes 8,000 tokens for a case, a large one 20,000. Of 100 cases they have "
        "30 and 90 right.",
        "Which is cheaper?",
        _cost,
    ),
    Stop(
        "Again",
        "Two agents are right in 75% of trials. Each of 20 cases is tried eight times. One has 15 "
        "cases always right and 5 never; the other has each case right six times.",
        "A user comes twice with each case. How often is he served well both times?",
        _again,
    ),
)
