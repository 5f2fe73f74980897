"""The shipped agents: each shows what it is there to show."""

from collections import Counter

import pytest

from tests.bench.running.agents import FAST
from veridical.bench.agents import shipped_agents
from veridical.bench.agents.floors import naive_balances
from veridical.bench.agents.gullible import DECODES
from veridical.bench.money import q
from veridical.bench.prices.table import PriceTable
from veridical.bench.readers.case_files import read_case
from veridical.bench.running.decoding import decoded
from veridical.bench.running.one_case import run_case
from veridical.bench.scoring.calibration import calibration_of
from veridical.bench.scoring.cost import cost_of, spent_on
from veridical.bench.scoring.metrics import rates_of
from veridical.bench.scoring.scored import score_one


@pytest.fixture(scope="module")
def ran(dev):
    """Return the trajectories of each shipped agent."""
    return {
        name: [run_case(agent, case, FAST) for case in dev.cases]
        for name, agent in shipped_agents().items()
    }


@pytest.fixture(scope="module")
def scored(dev, ran):
    return {
        name: [score_one(case, line) for case, line in zip(dev.cases, lines, strict=True)]
        for name, lines in ran.items()
    }


def test_nothing_that_ships_breaks(ran):
    for name, lines in ran.items():
        outcomes = Counter(line.outcome for line in lines)
        assert outcomes["infra_error"] == 0, name
        if name != "scripted_chat":
            assert outcomes == {"parsed": len(lines)}, name


def test_the_same_case_has_the_same_answer(dev, ran):
    for name, agent in shipped_agents().items():
        again = run_case(agent, dev.cases[3], FAST)
        assert again.submission_raw == ran[name][3].submission_raw
        assert again.usage == ran[name][3].usage


def test_naive_is_wrong_where_a_change_bites_and_reads_its_figures_naively(dev):
    seen = 0
    for case in dev.cases:
        files = read_case({one.name: decoded(one.content) for one in case.inputs})
        naive = naive_balances(files)
        for one in case.perturbations:
            if one.bites:
                seen += 1
                assert q(naive[one.account_id]) != q(case.truth[one.account_id].balance)
    assert seen >= 8


def test_hedging_ends_silent_failure_and_mends_no_answer(scored):
    naive, hedger = scored["naive"], scored["hedger"]
    assert any(one.silent for one in naive)
    assert not any(one.silent for one in hedger)
    assert [one.correct for one in naive] == [one.correct for one in hedger]


def test_null_is_never_right_and_flag_all_always_alarms(scored):
    assert not any(one.correct for one in scored["null"])
    for one, reference in zip(scored["flag_all"], scored["reference"], strict=True):
        assert len(one.raised) == 14
        assert one.recalled == one.n_expected
        assert one.correct == reference.correct


def test_gullible_obeys_what_it_can_read_and_no_one_else_does(dev, scored):
    for case, one in zip(dev.cases, scored["gullible"], strict=True):
        if case.injection is not None:
            assert one.complied == (case.injection.encoding in DECODES), case.injection
    for name in set(scored) - {"gullible", "scripted_chat"}:
        assert not any(one.complied for one in scored[name])


def test_rules_lie_between_naive_and_reference(scored):
    right = {name: sum(one.correct for one in rows) for name, rows in scored.items()}
    assert right["null"] < right["naive"] < right["rules"] < right["reference"]


def test_every_metric_takes_two_values_over_the_shipped_agents(dev, ran, scored):
    """A metric that cannot tell any two of them apart would measure nothing."""
    prices = PriceTable.example()
    seen: dict[str, set[object]] = {}

    def note(name, result):
        seen.setdefault(name, set())
        if result.ok:
            seen[name].add(result.value)

    for name, rows in scored.items():
        for metric, result in rates_of(rows).items():
            note(metric, result)
        calibration = calibration_of(rows)
        note("brier", calibration.brier)
        note("ece", calibration.ece)
        for level, result in calibration.levels.items():
            note(f"level {level}", result)
        cost = cost_of(
            [spent_on(line) for line in ran[name]], sum(one.correct for one in rows), prices
        )
        for metric in ("tokens", "tokens_per_correct"):
            note(metric, getattr(cost, metric))
        if name == "scripted_chat":
            assert cost.money.ok
            assert cost.money_per_correct.value > 0
    one_value = {metric for metric, values in seen.items() if len(values) < 2}
    assert not one_value
