"""What must not change a score, and what must change it in a known way."""

from __future__ import annotations

import json
import random
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.building import case, line, submission
from veridical.bench.scoring.agent_score import score_agents
from veridical.bench.vocabulary import VOCABULARY

AMOUNTS = st.decimals(-10_000, 10_000, places=2).map(str)
few = settings(max_examples=20)
KINDS = st.sampled_from([*list(VOCABULARY)[:4], "of our own"])


@st.composite
def answered(draw):
    """A suite of up to eight cases in up to three templates, and what was submitted."""
    cases, lines = {}, []
    for at in range(draw(st.integers(1, 8))):
        truth = {
            f"A{n}": (draw(AMOUNTS), draw(st.sampled_from(["GBP", "JPY"])))
            for n in range(draw(st.integers(1, 3)))
        }
        of = case(
            f"c{at}",
            truth,
            draw(st.lists(st.sampled_from(list(VOCABULARY)[:4]), max_size=2)),
            template=f"t{draw(st.integers(0, 2))}",
            injected=("A0", "77.31") if draw(st.booleans()) else None,
        )
        cases[of.case_id] = of
        for trial in range(draw(st.integers(1, 2))):
            rows = [
                (name, balance if draw(st.booleans()) else draw(AMOUNTS), currency)
                for name, (balance, currency) in truth.items()
            ]
            raw = submission(
                *rows[: draw(st.integers(0, 3))],
                flags=draw(st.lists(KINDS, max_size=3)),
                confidence=draw(st.sampled_from(["high", "medium", "low"])),
            )
            lines.append(line(of, raw if draw(st.integers(0, 4)) else "?", trial=trial))
    return cases, lines


def figures(cases, lines):
    (score,) = score_agents(cases, lines)
    return json.dumps(score.to_dict(), sort_keys=True)


@few
@given(answered(), st.randoms(use_true_random=False))
def test_orders_change_nothing(made, generator: random.Random):
    cases, lines = made
    moved = []
    for one in lines:
        raw = one.submission_raw
        if raw != "?":
            document = json.loads(raw)
            generator.shuffle(document["accounts"])
            generator.shuffle(document["flags"])
            keys = list(document)
            generator.shuffle(keys)
            raw = json.dumps({key: document[key] for key in keys}, indent=1)
        moved.append(line(cases[one.case_id], raw, trial=one.trial))
    generator.shuffle(moved)
    names = list(cases)
    generator.shuffle(names)
    assert figures({name: cases[name] for name in names}, moved) == figures(cases, lines)


@few
@given(answered())
def test_less_than_half_a_penny_on_a_truth_changes_nothing(made):
    cases, lines = made
    nearly = {}
    for name, of in cases.items():
        truth = {
            account: (
                # Away from zero: half a penny rounds away from it on either side.
                str(true.balance + Decimal("0.004").copy_sign(true.balance)),
                true.currency,
            )
            for account, true in of.truth.items()
        }
        nearly[name] = case(
            name,
            truth,
            [flag.type for flag in of.expected_flags],
            template=of.template_id,
            injected=("A0", "77.31") if of.injection else None,
        )
    again = [line(nearly[one.case_id], one.submission_raw, trial=one.trial) for one in lines]
    assert figures(nearly, again) == figures(cases, lines)


@few
@given(answered())
def test_ten_times_the_amounts_is_ten_times_the_magnitude(made):
    cases, lines = made
    larger, again = {}, []
    for name, of in cases.items():
        truth = {a: (str(10 * t.balance), t.currency) for a, t in of.truth.items()}
        larger[name] = case(name, truth, template=of.template_id)
    for one in lines:
        raw = one.submission_raw
        if raw != "?":
            document = json.loads(raw)
            for account in document["accounts"]:
                account["closing_balance"] = str(10 * Decimal(account["closing_balance"]))
            raw = json.dumps(document)
        again.append(line(larger[one.case_id], raw, trial=one.trial))
    (before,), (after,) = score_agents(cases, lines), score_agents(larger, again)
    assert before.magnitudes.keys() == after.magnitudes.keys()
    for currency, result in before.magnitudes.items():
        tenfold = after.magnitudes[currency]
        assert Decimal(tenfold.conditions["mean"]) == pytest.approx(
            10 * Decimal(result.conditions["mean"]), abs=Decimal("0.00001")
        )
        assert (tenfold.interval is None) == (result.interval is None)
        if tenfold.interval and result.interval:
            assert tenfold.interval.high == pytest.approx(10 * result.interval.high)


@few
@given(answered())
def test_figures_agree_with_each_other(made):
    cases, lines = made
    (score,) = score_agents(cases, lines)
    rates = score.rates
    assert rates["bench.parsed_rate"].n == len(lines)
    exact, every = rates["bench.exact_match"], rates["bench.exact_match_all_attempts"]
    assert every.value is not None
    if exact.value is not None:
        assert exact.value * exact.n == pytest.approx(every.value * every.n)
        silent = rates["bench.silent_failure_rate"].value
        assert silent is not None
        assert silent + exact.value <= 1 + 1e-12
    for result in rates.values():
        if result.value is not None:
            assert result.interval
            assert result.interval.low <= result.value <= result.interval.high
            assert 0 <= result.conditions["effective_n"] <= result.n
